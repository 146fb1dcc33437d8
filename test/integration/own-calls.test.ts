import { join } from 'node:path';
import { expect, it } from 'vitest';
import { canRecordCalls, findForeignCalls, recordMainJob } from '../support/record-calls';
import { cliEntry } from '../support/run-cli';
import { makeTemporaryFolder } from '../support/temporary';

const canRecord = canRecordCalls();
const why = canRecord ? '' : ' (skipped: it needs unshare, ip and strace)';

it.skipIf(!canRecord)(
  `makes no call of its own: start, payout, webhook and doctor stay on this machine${why}`,
  () => {
    const folder = makeTemporaryFolder('own-calls');
    const args = [cliEntry, 'app', '--no-open', '--json', '--port', '0', '--data', join(folder, 'data')];
    const job = recordMainJob(folder, 'web', process.execPath, args);
    expect(job).toMatchObject({ httpStatus: 201, webhooks: 1, verdict: 'valid' });
    expect(job.calls.length).toBeGreaterThan(3);
    expect(findForeignCalls(job)).toEqual([]);
  },
);
