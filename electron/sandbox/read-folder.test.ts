import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../test/support/temporary';
import { openDatabase } from '../platform/database/database';
import { readUndelivered } from './read-folder';
import { listMigrations, storeName } from './store/sandbox-store';
import { WebhookStore } from './webhooks/webhook-store';

const body = (uuid: string): string => `{"client_reference":"R-1","payment_uuid":"${uuid}"}`;

it('finds the newest webhook of a payment that was tried in vain, by the machine’s clock', () => {
  const folder = makeTemporaryFolder('undelivered');
  expect(readUndelivered(folder, 'R-1', ['77'])).toBeUndefined();
  const db = openDatabase({ file: join(folder, storeName), migrations: listMigrations() });
  db.exec("INSERT OR REPLACE INTO meta VALUES ('clock_offset_ms', '60000')");
  const store = new WebhookStore(db);
  const attempt = { attempt: 1, at: 0, durationMs: 1, httpStatus: null, error: 'refused', responseBody: '' };
  const fail = { state: 'pending', step: 1, copies: 1, nextAttemptAt: 100_000 } as const;
  store.insert('one', 'http://127.0.0.1:9/', body('77'), 'R-1', 1, 0);
  expect(readUndelivered(folder, 'R-1', ['77'])).toBeUndefined();
  store.record(1, attempt, fail);
  const found = { callbackUrl: 'http://127.0.0.1:9/', attempts: 1, error: 'refused', nextAttemptAt: 40_000 };
  expect(readUndelivered(folder, 'R-1', [null, '77'])).toEqual(found);
  expect(readUndelivered(folder, 'R-1', ['78', null])).toBeUndefined();
  store.record(1, { ...attempt, attempt: 2 }, { ...fail, state: 'failed', nextAttemptAt: null });
  expect(readUndelivered(folder, 'R-1', ['77'])).toMatchObject({ attempts: 2, nextAttemptAt: null });
  store.record(
    1,
    { ...attempt, attempt: 3, error: null },
    { ...fail, state: 'delivered', nextAttemptAt: null },
  );
  expect(readUndelivered(folder, 'R-1', ['77'])).toBeUndefined();
  // Delivered again by hand, to a handler that is down by now.
  store.record(1, { ...attempt, attempt: 4 }, fail);
  expect(readUndelivered(folder, 'R-1', ['77'])).toBeUndefined();
  db.close();
});
