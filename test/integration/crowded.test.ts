import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { cliEntry } from '../support/run-cli';
import { makeTemporaryFolder } from '../support/temporary';

/** About as many as Node has open by itself, and some more. */
const limits = [22, 24, 26, 28, 30];

it.skipIf(process.platform !== 'linux')(
  'says that too many files are open, wherever a command finds it',
  () => {
    const data = makeTemporaryFolder('crowded');
    for (const limit of limits) {
      for (const command of ['inbox list', 'data show', 'settings import x.json']) {
        const words = [...command.split(' '), '--data', data];
        const args = ['-c', `ulimit -n ${limit}; exec "$0" "$@"`, process.execPath, cliEntry, ...words];
        const { stderr, status } = spawnSync('sh', args, { encoding: 'utf8', cwd: data });
        expect(`${limit} ${command}: ${stderr}`).not.toMatch(
          /Something failed|the system says|may not write|worker stopped/,
        );
        // 1 would say no to what was asked: that a signature does not verify, that a payment is not known.
        if (/too many files/i.test(stderr)) expect(`${limit} ${command}: ${status}`).toMatch(/: 2$/);
      }
    }
  },
);
