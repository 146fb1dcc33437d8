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
 * Starts a child, `detached`, that ends when this process does, with all that it has started, also where this one is killed. Not on
 * Windows.
 *
 * What ends it is there before it: between the two, a child would be nobody's.
 */
export function startWithUs<T extends ChildProcess>(start: () => T): T {
  const own = process.platform === 'win32' ? null : (watcher ??= startWatcher());
  const child = start();
  const { pid } = child;
  if (pid === undefined) return child;
  own?.stdin?.write(`+ ${pid}\n`);
  child.once('exit', () => own?.stdin?.write(`- ${pid}\n`));
  return child;
}
