import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cliEntry } from './run-cli';
import { makeTemporaryFolder } from './temporary';

/** Wraps what changes files, so that the process is gone before the call that is asked for. */
const hook = `
const fs = require('node:fs');
const { syncBuiltinESMExports } = require('node:module');
const [folders, last] = [JSON.parse(process.env.KILL_IN), Number(process.env.KILL_AT)];
const isInside = (path) => typeof path === 'string' && folders.some((folder) => path.startsWith(folder));
const names = ['openSync', 'writeFileSync', 'mkdirSync', 'renameSync', 'copyFileSync', 'rmSync', 'unlinkSync', 'rmdirSync', 'chmodSync', 'cpSync'];
let count = 0;
for (const name of names) {
  const real = fs[name];
  fs[name] = function (...given) {
    if ((isInside(given[0]) || isInside(given[1])) && !(name === 'openSync' && (given[1] ?? 'r') === 'r')) {
      count += 1;
      if (count === last) process.kill(process.pid, 'SIGKILL');
    }
    return real.apply(this, given);
  };
}
syncBuiltinESMExports();
`;

/**
 * Runs one command of the built command line and kills it (SIGKILL) before one of its changes to the files of folders.
 *
 * @param options.at - which change, from 1
 * @returns false: the command made fewer changes, and came to its end
 */
export function runUntilKilled(
  args: readonly string[],
  { folders, at, input = '' }: { folders: readonly string[]; at: number; input?: string },
): boolean {
  const file = join(makeTemporaryFolder('kill-at'), 'hook.cjs');
  writeFileSync(file, hook);
  const { signal, status, stderr } = spawnSync(process.execPath, ['--require', file, cliEntry, ...args], {
    input,
    env: { ...process.env, KILL_IN: JSON.stringify(folders), KILL_AT: String(at) },
    encoding: 'utf8',
  });
  if (signal === 'SIGKILL') return true;
  if (status !== 0) throw new Error(`The command failed by itself: ${stderr}`);
  return false;
}
