import { spawn, spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { cliEntry, endWithTests } from '../support/run-cli';
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

it.skipIf(process.platform !== 'linux')(
  'listens where it can take a connection, and goes on where a command cannot be started for want of files, and tries it again',
  async () => {
    const args = [
      'listen',
      '--port',
      '0',
      '--data',
      makeTemporaryFolder('crowded'),
      '--json',
      '--exec',
      'cat',
    ];
    let begun = 0;
    for (const limit of [36, 37, 38, 39, 42, 46]) {
      const given = ['-c', `ulimit -n ${limit}; exec "$0" "$@"`, process.execPath, cliEntry, ...args];
      const child = endWithTests(spawn('sh', given, { stdio: ['ignore', 'pipe', 'ignore'] }));
      let said = '';
      child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
      const says = (what: string) => () => said.includes(what) || child.exitCode !== null;
      await expect.poll(says('"ready"'), { timeout: 20_000 }).toBe(true);
      const url = /"url":"([^"]+)"/.exec(said)?.[1];
      if (url !== undefined) {
        const signal = AbortSignal.timeout(10_000);
        const answer = await fetch(url, { method: 'POST', body: '{}', signal }).catch(() => null);
        expect(`${limit}: ${answer?.status}`).toBe(`${limit}: 200`);
        begun += 1;
        await expect.poll(says('"event":"forward"'), { timeout: 20_000 }).toBe(true);
        expect(`${limit}: ${child.exitCode}`).toBe(`${limit}: null`);
      }
      child.kill('SIGKILL');
    }
    expect(begun).toBeGreaterThan(0);
  },
);
