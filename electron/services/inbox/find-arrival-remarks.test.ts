import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createListener } from '../../listener/create-listener';
import { InboxReader } from '../../listener/inbox-reader';
import { inboxMigrations } from '../../listener/inbox-schema';
import type { StoredWebhook } from '../../listener/inbox-log';
import { openDatabase } from '../../platform/database/database';
import type { ExchangeRow } from '../history/history-store';
import type { PaymentState } from '@shared/payments/tables/states';
import { findArrivalRemarks } from './find-arrival-remarks';
import { makeTemporaryFolder } from '../../../test/support/temporary';

const post = async (url: string, stamp: number, body: object): Promise<void> => {
  const headers = { 'webhook-id': `msg_${stamp}`, 'webhook-timestamp': String(stamp) };
  await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
};

it('says at a stored webhook what is odd about when it came, before it is in the catalogue and after', async () => {
  const file = join(makeTemporaryFolder('remarks'), 'inbox.db');
  const listener = createListener({ file });
  const rule = { respondStatus: 200, delayMs: 0 };
  const { url } = await listener.start({ id: 'main', port: 0, alternatives: 0, rule, isHttps: false });
  await post(url, 1_800_000_060, { status: 'PENDING', client_reference: 'R-1' });
  await post(url, 1_800_000_000, { status: 'SUCCESS', client_reference: 'R-1' });
  await post(url, 1_800_000_000, { status: 'SUCCESS', client_reference: 'R-2' });
  const database = openDatabase({ file, migrations: inboxMigrations });
  const reader = new InboxReader(database);
  const poll = {
    environment: 'data/uat',
    operation: 'status',
    sent_at: 1000,
    total_ms: 5,
    state: 'failed',
  } as ExchangeRow;
  const history = {
    findAnswered: () => ({ row: null, oneOf: 0 }),
    listOfPayment: (reference: string) => (reference === 'R-1' ? [poll] : []),
  };
  let moreStates: Record<string, PaymentState> = {};
  const readService = (sent: { environment: string }) => `https://${sent.environment.replace('/', '.')}.test`;
  const readWebhookStates = (id: string) => (id === 'data/uat' ? moreStates : {});
  const remark = async (at: number): Promise<string[]> => {
    const { rows } = reader.list({ limit: 3, before: null, search: '', filter: 'all' });
    const sources = { history, readWebhookStates, readService };
    const remarks = await findArrivalRemarks(reader.get(rows[at]!.id)!, reader, sources);
    return remarks.map(({ kind }) => kind);
  };
  for (let round = 0; round < 2; round++) {
    expect(await Promise.all([0, 1, 2].map(remark))).toEqual([[], ['late', 'out_of_order', 'disagrees'], []]);
    await listener.inbox.whenIndexed();
  }
  const broken = {
    ...history,
    listOfPayment: () => {
      throw new Error('damaged');
    },
  };
  const { rows } = reader.list({ limit: 3, before: null, search: '', filter: 'all' });
  const damaged = { history: broken, readWebhookStates, readService };
  expect(await findArrivalRemarks(reader.get(rows[1]!.id)!, reader, damaged)).toHaveLength(1);
  // What the profile of its environment names is judged like what the interface does.
  moreStates = { PENDING: 'succeeded' };
  expect(await remark(2)).toEqual(['late', 'disagrees']);
  // Sent to one service and asked of another: what that one knows may be another payment.
  const paid = { ...poll, environment: 'data/live', operation: 'payout', state: null } as ExchangeRow;
  history.listOfPayment = () => [poll, paid];
  expect(await remark(2)).toEqual([]);
  history.listOfPayment = () => [poll, { ...paid, environment: 'data/uat' } as ExchangeRow];
  expect(await remark(2)).toEqual(['late', 'disagrees']);
  database.close();
  await listener.close();
});

it('judges a webhook by the news of the payment whose UUID it carries, not by those of another service’s', async () => {
  const stored = (id: number, uuid: string | null, status: string) =>
    ({
      row: {
        id,
        received_at: id * 1000,
        webhook_id: `msg_${id}`,
        status,
        code: null,
        amount: null,
        client_reference: 'R-1',
        payment_uuid: uuid,
      },
      headers: [['webhook-timestamp', String(1_800_000_100 - id)]],
    }) as unknown as StoredWebhook;
  const headOf = ({ headers }: StoredWebhook): Buffer =>
    Buffer.from(
      `POST / HTTP/1.1\r\n${headers.map(([name, value]) => `${name}: ${value}`).join('\r\n')}\r\n\r\n`,
    );
  const sent = (environment: string, more: Partial<ExchangeRow>) =>
    ({
      environment,
      sent_at: 500,
      total_ms: 5,
      operation: 'payout',
      outcome: 'accepted',
      state: null,
      error_code: null,
      payment_uuid: null,
      ...more,
    }) as ExchangeRow;
  const asked = (environment: string, state: string, payment_uuid: string | null) =>
    sent(environment, { operation: 'status', outcome: 'ok', sent_at: 1500, state, payment_uuid });
  let exchanges: ExchangeRow[] = [];
  const remark = async (webhook: StoredWebhook, earlier: StoredWebhook[]): Promise<string[]> => {
    const source = { findEarlier: () => earlier.map((one) => ({ row: one.row, head: headOf(one) })) };
    const remarks = await findArrivalRemarks(webhook, source, {
      history: { findAnswered: () => ({ row: null, oneOf: 0 }), listOfPayment: () => exchanges },
      readWebhookStates: (id): Record<string, PaymentState> => (id === 'two' ? { SUCCESS: 'failed' } : {}),
      readService: ({ environment }) => `https://${environment}.test`,
    });
    return remarks.map(({ kind }) => kind);
  };
  const [first, second] = [stored(3, '11', 'FAILED'), stored(4, '22', 'SUCCESS')];
  // Nothing was sent from here: the UUIDs alone tell them apart.
  exchanges = [asked('one', 'failed', '11')];
  expect(await remark(second, [first])).toEqual([]);
  expect(await remark(stored(4, '11', 'SUCCESS'), [first])).toEqual(['late', 'out_of_order', 'disagrees']);
  expect(await remark(stored(4, null, 'SUCCESS'), [first])).toEqual(['late', 'out_of_order', 'disagrees']);
  // Of which of two it tells nobody knows.
  expect(await remark(stored(5, null, 'SUCCESS'), [second, first])).toEqual([]);
  exchanges = [
    sent('one', { payment_uuid: '11' }),
    sent('two', { payment_uuid: '22', sent_at: 2500, total_ms: 9000 }),
    asked('one', 'failed', null),
  ];
  expect(await remark(stored(5, null, 'SUCCESS'), [second, first])).toEqual([]);
  expect(await remark(stored(5, null, 'SUCCESS'), [])).toEqual([]);
  // What one service said is no news of the payment at the other; each has names of its own for states.
  expect(await remark(stored(4, '22', 'FAILED'), [first])).toEqual(['early']);
  expect(await remark(stored(5, '22', 'SUCCESS'), [stored(4, '22', 'FAILED'), first])).toEqual([
    'early',
    'out_of_order',
  ]);
  expect(await remark(stored(4, '11', 'SUCCESS'), [second])).toEqual(['late', 'disagrees']);
  expect(await remark(stored(4, '99', 'SUCCESS'), [second, first])).toEqual([]);
});
