import { expect, it } from 'vitest';
import { defineColumns, webhookColumns, webhookTable } from '@shared/contract/webhook-columns';
import { webhookDetail } from '@shared/contract/inbox';
import { openDatabase } from '../platform/database/database';
import { InboxIndexer } from './inbox-indexer';
import { InboxReader } from './inbox-reader';
import { inboxMigrations } from './inbox-schema';
import { readWebhook } from './read-webhook';
import { WebhookWriter } from './webhook-writer';

const HEAD = 'POST /p?x=1 HTTP/1.1\r\nContent-Type: application/json\r\nWebhook-Id: wh_1';
const BODY = '{"status":"FAILED","code":"7","amount":1.50,"data":{"client_reference":"R-1"},"note":"late"}';
const received = {
  receivedAt: 1_800_000_000_000,
  respondedStatus: 200,
  remoteAddress: '127.0.0.1',
  rule: 'late ones',
  fullBytes: null,
  head: Buffer.from(HEAD),
  body: Buffer.from(BODY),
};

it('has every column in the schema of the file, with its type', () => {
  const database = openDatabase({ file: ':memory:', migrations: inboxMigrations });
  const columns = database.prepare('PRAGMA table_info(webhooks)').all() as {
    name: string;
    type: string;
    notnull: number;
  }[];
  const inFile = columns
    .filter(({ name }) => name !== 'id')
    .map(({ name, type, notnull }) => [name, notnull === 1 ? `${type} NOT NULL` : type]);
  expect(Object.fromEntries(inFile)).toEqual(
    Object.fromEntries(Object.entries(webhookColumns).map(([name, { sql }]) => [name, sql])),
  );
  database.close();
});

it('stores, reads, shows and prints every column, whatever the order of the table', () => {
  const database = openDatabase({ file: ':memory:', migrations: inboxMigrations });
  new WebhookWriter(database).write([received], received.receivedAt);
  const before = new InboxReader(database).list({ limit: 1, before: null, search: '', filter: 'all' })
    .rows[0]!;
  new InboxIndexer(database).runSlice(10);
  const after = new InboxReader(database).list({ limit: 1, before: null, search: '', filter: 'all' })
    .rows[0]!;
  expect(after).toEqual(before);
  expect(webhookTable.json(after)).toEqual({
    received_at: '2027-01-15T08:00:00.000Z',
    method: 'POST',
    path: '/p?x=1',
    content_type: 'application/json',
    size_bytes: BODY.length,
    responded_status: 200,
    answered_ms: null,
    is_read: false,
    status: 'FAILED',
    code: '7',
    amount: '1.50',
    client_reference: 'R-1',
    payment_uuid: null,
    payment_reference: null,
    webhook_id: 'wh_1',
    rule: 'late ones',
    is_cut: false,
    verdict: 'unsigned',
    verdict_reason: null,
    is_pinned: false,
    note: '',
    tags: [],
  });
  const shown = { ...webhookTable.view(after, 'list'), ...webhookTable.view(after, 'detail') };
  expect(webhookDetail.partial().strict().parse(shown)).toEqual(shown);
  database.close();
});

it('needs one entry for a field more: row, contract and JSON follow', () => {
  const more = defineColumns({
    extra: {
      sql: 'TEXT',
      read: (webhook: { field(name: string): string | null }) => webhook.field('note'),
      name: 'extra',
      in: 'list',
      kind: 'text_or_null',
    },
    ...webhookColumns,
  });
  const row = more.readRow(readWebhook(received));
  expect(row.extra).toBe('late');
  expect(more.names[0]).toBe('extra');
  expect(more.view(row, 'list').extra).toBe('late');
  expect(more.json(row)).toMatchObject({ extra: 'late', status: 'FAILED' });
});

it('gives no verdict on a signature over a body of which only the beginning is kept', () => {
  const head = Buffer.from(
    'POST / HTTP/1.1\r\nWebhook-Id: a\r\nWebhook-Timestamp: 1\r\nWebhook-Signature: v1,AAAA',
  );
  const facts = {
    receivedAt: 1,
    respondedStatus: 413,
    head,
    body: Buffer.from('{'),
    keys: [`whsec_${Buffer.alloc(24).toString('base64')}`],
  };
  const read = (fullBytes: number | null) => readWebhook({ ...facts, fullBytes }).signature;
  expect(read(70_000)).toMatchObject({
    verdict: 'unchecked',
    reason: expect.stringContaining('Only the beginning'),
  });
  expect(read(null).verdict).toBe('invalid');
});
