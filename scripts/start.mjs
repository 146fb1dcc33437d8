import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { buildIfStale, root } from './build-if-stale.mjs';

buildIfStale();
const child = spawn(
  process.execPath,
  [join(root, 'out', 'cli', 'index.js'), 'app', ...process.argv.slice(2)],
  { stdio: 'inherit' },
);
/** What does not end by itself is ended: somebody waits for it. */
const patienceMs = 4000;
const end = (signal) => {
  child.kill(signal);
  setTimeout(() => child.kill('SIGKILL'), patienceMs).unref();
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => end(signal));
// npm that is told to end does not tell its script: that it is gone is all there is to see.
const parent = process.ppid;
if (process.env.npm_lifecycle_event === 'start') {
  setInterval(() => process.ppid !== parent && end('SIGTERM'), 500).unref();
}
child.on('exit', (code, signal) => process.exit(signal ? 0 : (code ?? 1)));
