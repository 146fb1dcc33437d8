import { expect, test } from 'vitest';
import { openDatabase } from '../../platform/database/database';
import { createPaymentStore } from './payment-store';
import { sandboxMigrations } from './sandbox-migrations';

const [first, lighter] = sandboxMigrations;

test('payments of an earlier version are read as before', () => {
  const db = openDatabase({ file: ':memory:', migrations: [first] });
  const detail = {
    paymentReference: 'PR1',
    requestUuid: '0a3f8a1e-0000-4000-8000-00000000000c',
    product: 'collection',
    amountMinor: 100_050,
    chargesMinor: 1001,
    currency: 'KES',
    account: null,
    finalState: null,
    copies: 1,
    callbackUrl: 'https://example.com/"w"',
    metaJson: '{"a": 1.0,"b":"\\u00e9"}',
    checkout: { id: 'c1', redirectUrl: '', description: 'Shoes "red"', customerName: 'شركة' },
    timeReceived: 1_790_000_000_123,
  };
  const insert = db.prepare(
    'INSERT INTO payments (payment_uuid, reference, due_at, detail) VALUES (?, ?, ?, ?)',
  );
  insert.run([12, 'ref-1', 5, JSON.stringify(detail)]);
  insert.run([
    13,
    'ref-2',
    null,
    JSON.stringify({ ...detail, metaJson: null, checkout: null, account: '12' }),
  ]);
  db.exec(lighter.sql);
  const payments = createPaymentStore(db);
  expect(payments.findByReference('ref-1')).toEqual({
    ...detail,
    paymentUuid: '12',
    reference: 'ref-1',
    state: 'processing',
    dueAt: 5,
    amountMinor: 100_050n,
    chargesMinor: 1001n,
    lastUpdated: detail.timeReceived,
  });
  expect(payments.findByUuid('13')).toMatchObject({ metaJson: null, checkout: null, account: '12' });
  expect(payments.listDue(5, 10).map(({ reference }) => reference)).toEqual(['ref-1']);
  expect(payments.finish('12', 'succeeded', 7)).toBe(true);
  expect(() => db.exec("UPDATE payments SET state = 'gone'")).toThrow(/CHECK/);
  expect(() => insert.run([14, 'ref-1', null, '[]'])).toThrow(/UNIQUE/);
});
