import { spawn, type ChildProcess } from 'node:child_process';
import { cleanEnvironment } from './child-processes';

/**
 * Ends groups of processes once nobody holds its input: it is told of each that begins (`+ pid`) and ends (`- pid`).
 *
 * `kill` without `--`: not every shell takes it, and all take a group after a signal.
 */
const WATCH = `all=
while read -r sign pid; do
  rest=
  for one in $all; do [ "$one" = "$pid" ] || rest="$rest $one"; done
  all=$rest
  [ "$sign" = + ] && all="$all $pid"
done
for one in $all; do kill -9 "-$one"; done`;

let watcher: ChildProcess | null = null;

function startWatcher(): ChildProcess {
  // A group of its own, which a signal to ours does not reach; nothing of ours is kept busy by it.
  const child: ChildProcess = spawn('/bin/sh', ['-c', WATCH], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    cwd: '/',
    env: cleanEnvironment(process.env),
  });
  const forget = (): void => {
    if (watcher === child) watcher = null;
  };
  child.once('error', forget).once('exit', forget).unref();
  // Where no more files can be opened it has no pipe.
  child.stdin?.on('error', forget);
  (child.stdin as unknown as { unref(): void } | null | undefined)?.unref();
  return child;
}

/**
 * Has a child that was started `detached` end when this process does, with all that it has started, also where this one is
 * killed. Not on Windows.
 */
export function endWithUs(child: ChildProcess): void {
  const { pid } = child;
  if (process.platform === 'win32' || pid === undefined) return;
  const own = (watcher ??= startWatcher());
  own.stdin?.write(`+ ${pid}\n`);
  child.once('exit', () => own.stdin?.write(`- ${pid}\n`));
}
