const QUIET_MS = 10_000;

/**
 * Says what a sandbox in this process warns of (a full disk …) as lines of ours: Node's own name a process id and its flags.
 * What repeats itself with each request is said once in ten seconds.
 */
export function sayFailures(say: (line: string) => void, now: () => number = () => performance.now()): void {
  const usual = process.listeners('warning');
  const saidAt = new Map<string, number>();
  process.removeAllListeners('warning');
  process.on('warning', (warning: Error & { code?: string }) => {
    if (warning.code !== 'SANDBOX_FAILURE') return usual.forEach((listener) => listener(warning));
    const { message } = warning;
    if (now() - (saidAt.get(message) ?? -Infinity) < QUIET_MS) return;
    if (saidAt.size > 100) saidAt.clear();
    saidAt.set(message, now());
    say(message);
  });
}
