const PATIENCE_MS = 3000;

/**
 * Says what goes on where it takes longer than somebody waits in silence.
 *
 * @param line - said once, after three seconds
 */
export async function sayIfLong<T>(
  say: (line: string) => void,
  line: string,
  work: () => Promise<T>,
): Promise<T> {
  const timer = setTimeout(() => say(line), PATIENCE_MS);
  try {
    return await work();
  } finally {
    clearTimeout(timer);
  }
}
