import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { canRecordCalls, findForeignCalls, recordMainJob } from '../support/record-calls';
import { skipWelcome } from '../support/skip-welcome';
import { electronCommand, expect, test } from './fixtures';

test.skip(!canRecordCalls(), 'calls are recorded by unshare, ip and strace, and one of them is not here');

test('the desktop app makes no call of its own: start, payout, webhook and doctor stay on this machine', () => {
  test.setTimeout(180_000);
  const folder = mkdtempSync(join(tmpdir(), 'countersign-own-calls-'));
  mkdirSync(join(folder, 'data'));
  skipWelcome(join(folder, 'data'));
  const { executablePath, args } = electronCommand(join(folder, 'data'));
  const job = recordMainJob(folder, 'electron', executablePath, ['--remote-debugging-port=0', ...args]);
  expect(job).toMatchObject({ httpStatus: 201, webhooks: 1, verdict: 'valid' });
  expect(job.calls.length).toBeGreaterThan(3);
  expect(findForeignCalls(job)).toEqual([]);
  rmSync(folder, { recursive: true, force: true });
});
