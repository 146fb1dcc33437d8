import { describe, expect, it } from 'vitest';
import { defineColumns, webhookTable, type WebhookReading } from './webhook-columns';

const headers: Record<string, string> = { 'content-type': 'application/json', 'webhook-id': 'wh_1' };
const payload: Record<string, string> = {
  status: 'FAILED',
  code: '7',
  amount: '1.50',
  transaction_reference: 'R-1',
  reference: 'R-2',
  payment_uuid: '70001',
  payment_reference: 'PR1',
};
const received: WebhookReading = {
  receivedAt: 1_800_000_000_000,
  respondedStatus: 202,
  method: 'POST',
  path: '/hook?a=1',
  bodyBytes: 100,
  fullBytes: null,
  rule: 'late ones',
  signature: { verdict: 'invalid', reason: 'It is old.' },
  header: (name) => headers[name] ?? null,
  field: (...names) => names.map((name) => payload[name]).find((value) => value !== undefined) ?? null,
};
const bare: WebhookReading = {
  ...received,
  fullBytes: 9_000_000,
  rule: null,
  signature: { verdict: 'unsigned', reason: null },
  header: () => null,
  field: () => null,
};

const inLists = {
  receivedAt: 1_800_000_000_000,
  method: 'POST',
  path: '/hook?a=1',
  contentType: 'application/json',
  sizeBytes: 100,
  respondedStatus: 202,
  isRead: false,
  status: 'FAILED',
  amount: '1.50',
  clientReference: 'R-1',
  paymentUuid: '70001',
  webhookId: 'wh_1',
  rule: 'late ones',
  isKeptCut: false,
  verdict: 'invalid',
  isPinned: false,
  note: '',
  tags: [],
};

describe('a webhook that came', () => {
  const read = () => webhookTable.readRow(received);

  it('has a value, or none, in each column', () => {
    expect(Object.keys(read())).toEqual(webhookTable.names);
    expect(Object.values(read())).not.toContain(undefined);
  });

  it('is shown in lists with what tells it from others', () => {
    expect(webhookTable.view(read(), 'list')).toEqual(inLists);
  });

  it('is shown with more where it is opened', () => {
    expect(webhookTable.view(read(), 'detail')).toEqual({
      answeredInMs: null,
      code: '7',
      paymentReference: 'PR1',
      verdictReason: 'It is old.',
    });
  });

  it('is printed whole, by the names of its columns and with its moment as text', () => {
    const printed = webhookTable.json(read());
    expect(Object.keys(printed)).toEqual(webhookTable.names);
    expect(printed).toMatchObject({
      received_at: '2027-01-15T08:00:00.000Z',
      client_reference: 'R-1',
      verdict_reason: 'It is old.',
      is_read: false,
      tags: [],
    });
  });

  it('is printed alike when it comes through the contract, as far as that shows it', () => {
    const { code, answered_ms, payment_reference, verdict_reason, ...rest } = webhookTable.json(read());
    expect(webhookTable.jsonOfView(webhookTable.view(read(), 'list'))).toEqual(rest);
    expect(webhookTable.jsonOfView(webhookTable.view(read(), 'detail'))).toEqual({
      code,
      answered_ms,
      payment_reference,
      verdict_reason,
    });
    expect(webhookTable.jsonOfView({ id: '12', toString: 'x' })).toEqual({});
  });
});

it('is told by the whole size of what was too long to be kept, and that it was', () => {
  const shown = webhookTable.view(webhookTable.readRow(bare), 'list');
  expect(shown).toMatchObject({
    sizeBytes: 9_000_000,
    isKeptCut: true,
    rule: null,
    contentType: null,
    status: null,
  });
});

it.each([
  [
    { is_read: 1, is_pinned: 1 },
    { isRead: true, isPinned: true },
  ],
  [
    { is_read: 0, is_pinned: 0 },
    { isRead: false, isPinned: false },
  ],
  [{ tags: 'urgent ask' }, { tags: ['urgent', 'ask'] }],
  [{ tags: ' urgent  ask ' }, { tags: ['urgent', 'ask'] }],
  [{ note: 'ask them' }, { note: 'ask them' }],
  // Before verdicts were kept, and of a version that has others.
  [{ verdict: null }, { verdict: null }],
  [{ verdict: 'revoked' }, { verdict: null }],
  [
    { path: '/hook?token=abcdefghijklmnopqrstuvwxyz' },
    { path: expect.not.stringContaining('abcdefghijkl') as string },
  ],
])('shows a row that holds %j as %j', (stored, shown) => {
  const row = { ...webhookTable.readRow(received), ...stored };
  expect(webhookTable.view(row, 'list')).toMatchObject(shown);
});

it('needs one entry for a column more: row, views and JSON follow', () => {
  const { readRow, view, json, jsonOfView, names } = defineColumns({
    seen_at: { sql: 'INTEGER NOT NULL', read: () => 0, name: 'seenAt', in: 'detail', kind: 'instant' },
  });
  const row = readRow(received);
  expect(names).toEqual(['seen_at']);
  expect(row).toEqual({ seen_at: 0 });
  expect([view(row, 'list'), view(row, 'detail')]).toEqual([{}, { seenAt: 0 }]);
  expect(json(row)).toEqual({ seen_at: '1970-01-01T00:00:00.000Z' });
  expect(jsonOfView({ seenAt: 0 })).toEqual({ seen_at: '1970-01-01T00:00:00.000Z' });
});
