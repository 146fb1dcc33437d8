import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFailed } from 'vitest';
import { startCli, type RunningCommand } from '../support/run-cli';
import { runOnce } from './cli-once';
import { makeTemporaryFolder } from '../support/temporary';

const directory = makeTemporaryFolder('cli-app');
let app: RunningCommand;
let ready: Record<string, unknown>;

beforeAll(async () => {
  app = startCli(['app', '--no-open', '--json', '--port', '0', '--data', directory]);
  ready = await app.waitForLine((line) => line['event'] === 'ready');
});
afterAll(async () => {
  await app.stop();
});

it('prints its address, once it can be opened', () => {
  expect(Object.keys(ready)).toEqual(['event', 'url', 'host']);
  expect(ready).toMatchObject({
    host: 'web',
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\//) as string,
  });
});

it('shares its data directory: a command signs with its key, sends to its sandbox, and reads its inbox', async () => {
  // Seen to fail on a busy machine alone, which of the three did not do its part was not.
  onTestFailed(() => {
    const log = join(directory, 'logs', 'countersign.log');
    console.error(app.readOutput(), existsSync(log) ? readFileSync(log, 'utf8') : 'It logged nothing.');
  });
  const file = (name: string) => join(directory, 'collections', 'Payments API', name);
  const sent = await runOnce(['send', file('Payouts/Salary payout.http'), '--data', directory, '--json']);
  expect([sent.exitCode, sent.stderr]).toEqual([0, '']);
  const reference = sent.json[0]?.['reference'] as string;
  const status = await runOnce([
    'status',
    '--reference',
    reference,
    '--env',
    'local',
    '--data',
    directory,
    '--watch',
    '--interval-ms',
    '100',
    '--json',
  ]);
  expect(status.json.at(-1)).toMatchObject({ found: true, state: 'succeeded' });
  await expect
    .poll(() => runOnce(['inbox', 'list', '--data', directory, '--json']), { timeout: 30_000 })
    .toMatchObject({
      json: [{ client_reference: reference, path: '/hooks/payments' }],
      stderr: '',
      exitCode: 0,
    });
});

it('ends with exit code 0 when it is told to', async () => {
  await app.stop('SIGTERM');
  expect(app.child.exitCode).toBe(0);
  expect(existsSync(join(directory, 'inbox.db'))).toBe(true);
});
