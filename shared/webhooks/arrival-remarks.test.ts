import { describe, expect, it } from 'vitest';
import {
  readWebhookTimestamp,
  remarkArrival,
  type WebhookArrival,
  type PaymentNews,
} from './arrival-remarks';

const at = 1_800_000_000_000;
const webhook = (more: Partial<WebhookArrival> = {}): WebhookArrival => ({
  receivedAt: at,
  webhookId: null,
  status: 'SUCCESS',
  code: '200.100',
  amount: '1000.00',
  paymentUuid: '77',
  stampedAt: null,
  ...more,
});
const nothing: PaymentNews = { earlier: [], accepted: null, statuses: [], moreStates: {} };
const kinds = (one: WebhookArrival, news: Partial<PaymentNews>) =>
  remarkArrival(one, { ...nothing, ...news }).map(({ kind }) => kind);

describe('the moment at which a webhook came', () => {
  it('is not remarked on where nothing is odd, or nothing known', () => {
    expect(kinds(webhook(), {})).toEqual([]);
    expect(kinds(webhook(), { accepted: { sentAt: at - 50, answeredAt: at } })).toEqual([]);
    expect(kinds(webhook(), { statuses: [{ at: at - 5, state: 'processing' }] })).toEqual([]);
    expect(kinds(webhook(), { statuses: [{ at: at + 5, state: 'succeeded' }] })).toEqual([]);
  });

  it('is early before the answer that accepted the payment, and not where it came before the request', () => {
    const accepted = { sentAt: at - 20, answeredAt: at + 120 };
    expect(remarkArrival(webhook(), { ...nothing, accepted })[0]?.text).toMatch(
      /^Early: it came 120 ms before the answer that accepted the payment/,
    );
    expect(kinds(webhook(), { accepted: { sentAt: at + 1, answeredAt: at + 120 } })).toEqual([]);
  });

  it('is late after a status query that said the final state, unless an earlier webhook had brought it', () => {
    const statuses = [{ at: at - 12_000, state: 'succeeded' }];
    expect(remarkArrival(webhook(), { ...nothing, statuses })).toEqual([
      { kind: 'late', text: 'Late: a status query said “succeeded” 12.0 s before it came.' },
    ]);
    const first = webhook({ receivedAt: at - 13_000, webhookId: 'a' });
    expect(kinds(webhook({ webhookId: 'a' }), { statuses, earlier: [first] })).toEqual([]);
    expect(kinds(webhook({ status: 'PENDING' }), { statuses })).toEqual([]);
  });

  it('is out of order by the stamps of the service alone', () => {
    const first = webhook({ receivedAt: at - 100, webhookId: 'b', status: 'PENDING', stampedAt: at + 5000 });
    const second = webhook({ webhookId: 'a', stampedAt: at });
    expect(remarkArrival(second, { ...nothing, earlier: [first] })[0]?.text).toMatch(
      /^Out of order: the service stamped it 5\.0 s before a webhook of this payment that came first/,
    );
    expect(kinds(webhook({ webhookId: 'a', stampedAt: at + 5000 }), { earlier: [first] })).toEqual([]);
    expect(kinds(webhook({ webhookId: 'a' }), { earlier: [first] })).toEqual([]);
  });

  it('repeats what was said under another webhook-id; attempts with one id are told elsewhere', () => {
    const first = webhook({ receivedAt: at - 3000, webhookId: 'a' });
    expect(remarkArrival(webhook({ webhookId: 'b' }), { ...nothing, earlier: [first] })[0]?.text).toMatch(
      /^Repeated: a webhook that says the same came 3\.0 s before, under another webhook-id/,
    );
    expect(kinds(webhook({ webhookId: 'a' }), { earlier: [first] })).toEqual([]);
    expect(kinds(webhook({ webhookId: 'b', amount: '1000.01' }), { earlier: [first] })).toEqual([]);
  });

  it('says of one that came before by a clock which was ahead no more than that it came before', () => {
    const earlier = [webhook({ receivedAt: at + 86_400_000, webhookId: 'a' })];
    const tell = (status: string): string | undefined =>
      remarkArrival(webhook({ webhookId: 'b', status }), { ...nothing, earlier })[0]?.text;
    expect(tell(earlier[0]!.status!)).toMatch(
      /^Repeated: a webhook that says the same came before, under another webhook-id/,
    );
    expect(tell('FAILED')).toMatch(
      /^It disagrees: it says “failed”, and another webhook before it said “succeeded”/,
    );
  });

  it('disagrees with another final state, whoever said it and whenever', () => {
    const statuses = [{ at: at + 2000, state: 'failed' }];
    expect(remarkArrival(webhook(), { ...nothing, statuses })[0]?.text).toMatch(
      /^It disagrees: it says “succeeded”, and a status query 2\.0 s after it said “failed”/,
    );
    const earlier = [webhook({ receivedAt: at - 1000, status: 'FAILED', webhookId: 'a' })];
    expect(kinds(webhook({ webhookId: 'b' }), { earlier })).toEqual(['disagrees']);
    expect(kinds(webhook({ status: null }), { statuses, earlier })).toEqual([]);
  });

  it('came at the very moment of the request or of the answer: that is early, and not', () => {
    expect(kinds(webhook(), { accepted: { sentAt: at, answeredAt: at + 1 } })).toEqual(['early']);
    expect(kinds(webhook(), { accepted: { sentAt: at - 1, answeredAt: at } })).toEqual([]);
  });

  it('is late by the first query that said the final state, and by none at that very moment', () => {
    const statuses = [
      { at: at - 1000, state: 'succeeded' },
      { at: at - 9000, state: 'succeeded' },
      { at: at - 5000, state: 'succeeded' },
    ];
    expect(remarkArrival(webhook(), { ...nothing, statuses })[0]?.text).toContain('9.0 s before it came');
    expect(kinds(webhook(), { statuses: [{ at, state: 'succeeded' }] })).toEqual([]);
  });

  it.each([
    ['a final one that came after the query', { receivedAt: at - 8000 }, ['late']],
    ['one that is not final', { receivedAt: at - 13_000, status: 'PENDING' }, ['late']],
    ['a final one that came at the moment of the query', { receivedAt: at - 12_000 }, []],
  ] as const)('is late or not where there was %s', (_what, more, expected) => {
    const statuses = [{ at: at - 12_000, state: 'succeeded' }];
    const earlier = [webhook({ ...more, webhookId: 'a' })];
    expect(kinds(webhook({ webhookId: 'a' }), { statuses, earlier })).toEqual(expected);
  });

  it('is out of order by the newest stamp, however many there are', () => {
    const earlier = [at + 1000, null, at + 5000, at - 4000].map((stampedAt) =>
      webhook({ webhookId: 'b', status: 'PENDING', stampedAt }),
    );
    const [remark] = remarkArrival(webhook({ webhookId: 'a', stampedAt: at }), { ...nothing, earlier });
    expect(remark?.text).toContain('stamped it 5.0 s before');
  });

  it.each([
    ['neither has an id', null, null, 'without one webhook-id'],
    ['the first has none', null, 'b', 'without one webhook-id'],
    ['the second has none', 'a', null, 'without one webhook-id'],
    ['each has its own', 'a', 'b', 'under another webhook-id'],
  ])('repeats, where %s', (_what, first, second, words) => {
    const earlier = [webhook({ receivedAt: at - 3000, webhookId: first })];
    const [remark] = remarkArrival(webhook({ webhookId: second }), { ...nothing, earlier });
    expect([remark?.kind, remark?.text]).toEqual(['repeated', expect.stringContaining(words)]);
  });

  it.each([{ code: '500' }, { paymentUuid: '78' }, { status: 'PENDING' }, { amount: null }])(
    'repeats nothing that said other things: %j',
    (more) => {
      const earlier = [webhook({ receivedAt: at - 3000, webhookId: 'a', ...more })];
      expect(kinds(webhook({ webhookId: 'b' }), { earlier })).toEqual([]);
    },
  );

  it('repeats nothing where it says nothing, or where it is one more attempt of any of several', () => {
    const earlier = [webhook({ webhookId: 'c' }), webhook({ webhookId: 'a' })];
    expect(kinds(webhook({ webhookId: 'a' }), { earlier })).toEqual([]);
    const silent = webhook({ webhookId: 'd', status: null });
    expect(kinds(webhook({ webhookId: 'e', status: null }), { earlier: [silent] })).toEqual([]);
  });

  it('disagrees with the latest that said otherwise, before or after it', () => {
    const statuses = [
      { at: at - 9000, state: 'failed' },
      { at: at - 2000, state: 'canceled' },
      { at: at - 4000, state: 'failed' },
    ];
    const texts = (of: PaymentNews['statuses']) =>
      remarkArrival(webhook(), { ...nothing, statuses: of }).find(({ kind }) => kind === 'disagrees')?.text;
    expect(texts(statuses)).toContain('a status query 2.0 s before it said “canceled”');
    expect(texts([{ at: at + 1, state: 'failed' }])).toContain('after it said');
  });

  it('reads stamps of whole seconds, and no others', () => {
    expect(readWebhookTimestamp('1800000000')).toBe(1_800_000_000_000);
    expect(readWebhookTimestamp(' 1800000000 ')).toBe(1_800_000_000_000);
    for (const text of [null, '', 'now', '-1', '1e9', '1800000000.5', '9'.repeat(40)])
      expect(readWebhookTimestamp(text)).toBeNull();
  });
});
