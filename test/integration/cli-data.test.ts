import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runOnce } from './cli-once';
import { cliEntry, startCli } from '../support/run-cli';
import { makeTemporaryFolder } from '../support/temporary';

const KILLS = 6;

/** Settings without what says where secrets go: a restore takes that over only where the folder says the same. */
function readPlain(text: string): Record<string, unknown> {
  const { environments: _, ...others } = JSON.parse(text) as Record<string, unknown>;
  return others;
}

it('backs up while the app runs, restores when it does not, and loses nothing whenever it is killed', async () => {
  const data = makeTemporaryFolder('cli-data');
  const file = join(makeTemporaryFolder('cli-backup'), 'b.tar.gz');
  const app = startCli(['app', '--no-open', '--json', '--port', '0', '--data', data]);
  await app.waitForLine((line) => line['event'] === 'ready');
  const backup = await runOnce(['data', 'backup', file, '--json', '--data', data]);
  expect(backup.stderr).toBe('');
  expect(JSON.parse(backup.stdout)).toMatchObject({ event: 'backed_up', file });
  // What waits for the app's next start goes on waiting where a command is refused.
  await runOnce(['call', 'data.restore', '--data', data], { input: JSON.stringify({ file }) });
  for (const change of [
    ['restore', file],
    ['reset', '--confirm', 'reset'],
    ['move', `${file}-moved`],
  ]) {
    const refused = await runOnce(['data', ...change, '--data', data]);
    expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining('(app.folder_in_use)')]);
  }
  expect((await runOnce(['data', 'show', '--data', data])).stdout).toContain(`a backup is put in (${file})`);
  await runOnce(['call', 'data.keep', '--data', data], { input: '{}' });
  await app.stop();

  const settings = join(data, 'settings.json');
  const saved = readFileSync(settings, 'utf8');
  for (let kill = 0; kill < KILLS; kill += 1) {
    writeFileSync(settings, JSON.stringify({ theme: 'dark', kill }));
    const child = spawn(process.execPath, [cliEntry, 'data', 'restore', file, '--data', data], {
      stdio: 'ignore',
    });
    const end = once(child, 'exit');
    setTimeout(() => child.kill('SIGKILL'), 120 + Math.random() * 500);
    await end;
    expect((await runOnce(['data', 'show', '--data', data])).exitCode).toBe(0);
    // The new one, or the old one where it was killed before: whole in any case, and the other one kept.
    const now = readFileSync(settings, 'utf8');
    const aside = readdirSync(data)
      .filter((name) => name.startsWith('before-restore'))
      .map((name) => join(data, name, 'settings.json'))
      .filter((path) => existsSync(path))
      .map((path) => readFileSync(path, 'utf8'));
    const mine = JSON.stringify({ theme: 'dark', kill });
    if (now === mine) continue;
    expect(readPlain(now)).toEqual(readPlain(saved));
    expect(aside).toContain(mine);
  }

  const unasked = await runOnce(['data', 'reset', '--data', data]);
  expect([unasked.exitCode, unasked.stderr]).toEqual([2, expect.stringContaining('(data.not_confirmed)')]);
  expect((await runOnce(['data', 'reset', '--confirm', 'reset', '--data', data])).exitCode).toBe(0);
  expect(existsSync(settings)).toBe(false);
  const restored = await runOnce(['data', 'restore', file, '--json', '--data', data]);
  expect(JSON.parse(restored.stdout)).toMatchObject({ event: 'restored' });
  expect(readPlain(readFileSync(settings, 'utf8'))).toEqual(readPlain(saved));
  const to = join(makeTemporaryFolder('cli-moved'), 'new');
  expect((await runOnce(['data', 'move', to, '--data', data])).exitCode).toBe(0);
  expect(JSON.parse((await runOnce(['data', 'show', '--json', '--data', data])).stdout)).toMatchObject({
    directory: to,
  });
});

it('takes settings and environments to another folder, and no secret with them', async () => {
  const [from, to] = [makeTemporaryFolder('from'), makeTemporaryFolder('to')];
  const environment = { name: 'staging', kind: 'sandbox', baseUrl: 'https://staging.test' };
  const variables = { api_key: 'very-secret-1234', note: 'kept' };
  const call = (method: string, data: string, input: object) =>
    runOnce(['call', method, '--data', data], { input: JSON.stringify(input) });
  await call('environments.save', from, { ...environment, variables });
  await call('settings.update', from, { keepDays: 12 });
  const file = join(from, '..', `settings-${process.pid}.json`);
  const exported = await runOnce(['settings', 'export', file, '--data', from]);
  expect(exported.stderr).toContain('Left out: staging: api_key');
  expect(readFileSync(file, 'utf8')).not.toContain('very-secret');
  const printed = await runOnce(['settings', 'export', '-', '--json', '--data', from]);
  expect(printed.stdout.split('\n')).toHaveLength(2);
  expect(printed.json).toEqual([JSON.parse(readFileSync(file, 'utf8'))]);
  // An earlier export is replaced, and nothing else is.
  expect((await runOnce(['settings', 'export', file, '--data', from])).exitCode).toBe(0);
  const other = join(from, 'pay.http');
  writeFileSync(other, 'GET http://a.test/\n');
  const refused = await runOnce(['settings', 'export', other, '--data', from]);
  expect([refused.exitCode, readFileSync(other, 'utf8')]).toEqual([2, 'GET http://a.test/\n']);
  expect(refused.stderr).toContain('--force');
  expect((await runOnce(['settings', 'export', other, '--data', from, '--force'])).exitCode).toBe(0);
  expect(readFileSync(other, 'utf8')).toContain('staging');
  const single = makeTemporaryFolder('single');
  writeFileSync(join(single, 'settings.json'), '{}');
  const backup = await runOnce(['data', 'backup', `${file}.tgz`, '--data', single]);
  expect(backup.stdout).toBe(`Backed up 1 file: ${file}.tgz\n`);
  const empty = makeTemporaryFolder('empty');
  expect((await runOnce(['data', 'restore', `${file}.tgz`, '--data', empty])).exitCode).toBe(0);
  expect(readFileSync(join(empty, 'settings.json'), 'utf8')).toBe('{}');
  expect((await runOnce(['data', 'show', '--data', empty])).stdout).not.toContain('put aside');
  const imported = await runOnce(['settings', 'import', file, '--json', '--data', to]);
  expect(JSON.parse(imported.stdout)).toMatchObject({
    event: 'imported',
    environments: ['staging'],
    left_out: [],
  });
  const third = await runOnce(['settings', 'import', file, '--data', makeTemporaryFolder('third')]);
  expect(third.stdout).toMatch(/^Took over (?:1 setting|\d+ settings) and 1 environment\.\n$/);
  expect((await call('settings.get', to, {})).stdout).toContain('"keepDays":12');
  expect((await call('environments.list', to, {})).stdout).toContain('"note":"kept"');
});

it('tells what is to be done when the app starts next, as of a command that was killed before it did it', async () => {
  const data = makeTemporaryFolder('pending');
  expect(
    (await runOnce(['call', 'data.reset', '--data', data], { input: '{"word":"reset"}' })).exitCode,
  ).toBe(0);
  const { stdout } = await runOnce(['data', 'show', '--data', data]);
  expect(stdout).toContain(
    'when the app starts next, everything is put aside; countersign call data.keep calls it off',
  );
  await runOnce(['call', 'data.keep', '--data', data]);
  expect((await runOnce(['data', 'show', '--data', data])).stdout).not.toContain('starts next');
});
