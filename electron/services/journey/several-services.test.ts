import { expect, it } from 'vitest';
import type { WebhookSummary } from '@shared/contract/inbox';
import { remarkJourney } from '@shared/journey/remark-journey';
import type { PaymentState } from '@shared/payments/tables/states';
import type { BalanceReadingRow } from '../history/balance-readings';
import type { ExchangeRow } from '../history/history-store';
import { readWallets } from '../history/read-wallet';
import { listJourneyEvents, summariseJourney } from './build-journey';

let at = 0;
const paid = (environment: string, more: Partial<ExchangeRow> = {}) =>
  ({
    id: (at += 1000),
    sent_at: at,
    total_ms: 5,
    environment,
    url: `https://${environment}.test/pay`,
    operation: 'payout',
    title: 'Pay',
    amount: '10',
    currency: 'KES',
    outcome: 'accepted',
    error_code: null,
    is_finished: 1,
    is_signed: 1,
    payment_uuid: null,
    state: null,
    settled_state: null,
    settled_at: null,
    summary: 'A summary',
    http_status: 200,
    ...more,
  }) as ExchangeRow;
const told = (environment: string, state: string) =>
  paid(environment, { operation: 'status', outcome: 'ok', state });
const unknown = { outcome: null, http_status: null, error_code: 'sending.timeout' };
const webhook = (paymentUuid: string | null, status: string) =>
  ({
    id: String((at += 1000)),
    receivedAt: at,
    method: 'POST',
    path: '/',
    respondedStatus: 200,
    earlierAttempts: 0,
    answers: null,
    status,
    paymentUuid,
  }) as WebhookSummary;

function read(exchanges: ExchangeRow[], webhooks: WebhookSummary[] = [], balances: BalanceReadingRow[] = []) {
  const parts = {
    reference: 'R-1',
    exchanges,
    webhooks,
    wallets: readWallets(exchanges).map((moved) => ({
      moved,
      balances: balances.filter(({ environment }) => environment === moved.wallet.environment),
      others: [],
    })),
    moreStatesOf: (environment: string): Record<string, PaymentState> =>
      environment === 'two' ? { SETTLED: 'succeeded' } : {},
    placeOf: ({ environment, url }: { environment: string; url: string }) => ({
      label: environment,
      service: new URL(url).origin,
    }),
  };
  const summary = summariseJourney(parts)!;
  const events = listJourneyEvents(parts, summary);
  const [remark] = remarkJourney({ summary, events, unasked: [] }, at);
  return { summary, events, said: remark?.text ?? '' };
}

it('calls a payment failed for nobody who sent its reference to a second service, too, and names both', () => {
  const [one, two] = [paid('one', { payment_uuid: '11' }), paid('two', { payment_uuid: '22' })];
  const taken = read([one, two], [webhook('11', 'FAILED')]);
  expect(taken.summary).toMatchObject({ state: null, isDisputed: true, finalAt: null });
  expect(taken.said).toBe(
    'They disagree: this reference went to 2 services, and each has a payment of its own. https://one.test said “failed”; https://two.test took it, and its end is not known. Ask each for its status before you act on it.',
  );
  expect(taken.events.at(-1)).toMatchObject({ service: 'https://one.test', state: 'failed' });
  const lost = read([one, paid('two', unknown), told('one', 'succeeded')]);
  expect(lost.summary).toMatchObject({ state: null, isDisputed: true, track: { accepted: 'unknown' } });
  expect(lost.said).toMatch(/https:\/\/two\.test may have taken it: nobody knows/);
  const again = read([one, paid('two', { outcome: 'duplicate' }), told('one', 'failed')]);
  expect(again.said).toMatch(/https:\/\/two\.test may have one from before/);
  const underWay = read([one, paid('two', { is_finished: 0, outcome: null }), told('one', 'failed')]);
  expect(underWay.said).toMatch(/https:\/\/two\.test has not answered yet/);
});

it('gives each service the webhook with the payment UUID that it gave', () => {
  const sent = [paid('one', { payment_uuid: '11' }), paid('two', { payment_uuid: '22' })];
  const apart = read(sent, [webhook('11', 'FAILED'), webhook('22', 'SUCCESS')]);
  expect(apart.said).toMatch(
    /^They disagree: https:\/\/one\.test said “failed”, and https:\/\/two\.test “succeeded”/,
  );
  const alike = read(sent, [webhook('11', 'SUCCESS'), webhook('22', 'SUCCESS')]);
  expect(alike.summary).toMatchObject({ state: 'succeeded', isDisputed: false });
  const unplaced = read(sent, [webhook(null, 'FAILED')]);
  expect(unplaced.summary).toMatchObject({ state: null, isDisputed: true });
  expect(unplaced.said).toMatch(/a webhook said “failed”, and not of which payment/);
});

it('lets a service that refused it, or was never reached, say nothing of the payment at another one', () => {
  const refused = paid('one', { outcome: 'rejected', http_status: 400 });
  const unsent = paid('one', { outcome: null, http_status: null, error_code: 'sending.unreachable' });
  for (const first of [refused, unsent]) {
    const { summary } = read([first, paid('two', { payment_uuid: '22' })], [webhook('22', 'SUCCESS')]);
    expect(summary).toMatchObject({ environment: 'two', state: 'succeeded', isDisputed: false });
  }
});

it('lists each place that the reference went to with what was sent there, and says of each service what is missing', () => {
  const one = paid('one', { payment_uuid: '11' });
  const refused = paid('two', { outcome: 'rejected', http_status: 400, amount: '1' });
  const unsent = paid('three', { outcome: null, http_status: null, error_code: 'sending.dns' });
  const sent = [
    one,
    refused,
    paid('two', { payment_uuid: '22', operation: 'collection', currency: 'USD', amount: '7' }),
    paid('two', { url: 'https://moved.test/x', ...unknown }),
    unsent,
    told('four', 'processing'),
  ];
  const { summary } = read(sent);
  expect(summary.sentTo.map(({ sentAt, ...place }) => [...Object.values(place), typeof sentAt])).toEqual([
    ['one', 'one', 'https://one.test', 'payout', '10', 'KES', 'number'],
    ['two', 'two at https://two.test', 'https://two.test', 'collection', '7', 'USD', 'number'],
    ['two', 'two at https://moved.test', 'https://moved.test', 'payout', '10', 'KES', 'number'],
  ]);
  at += 240_000;
  const gaps = (webhooks: WebhookSummary[]) => {
    const { events } = read(sent, webhooks);
    return remarkJourney({ summary, events, unasked: [] }, at).filter(({ kind }) => kind === 'gap');
  };
  expect(gaps([]).map(({ service, canAsk }) => [service, canAsk])).toEqual([
    ['https://one.test', true],
    ['https://two.test', true],
    ['https://moved.test', true],
  ]);
  const [two, moved] = gaps([webhook('11', 'SUCCESS')]);
  expect(two?.text).toMatch(
    /^https:\/\/two\.test: Accepted 4 min \d+ s ago, and no webhook of it is known here/,
  );
  expect(moved?.text).toMatch(
    /^https:\/\/moved\.test: Sent 4 min \d+ s ago, and nobody said whether it was taken/,
  );
  // What may be of any of them may be of this one.
  expect(gaps([webhook(null, 'SUCCESS')]).map(({ service }) => service)).toEqual(['https://moved.test']);
});

it('names the place of the wallet that was read, where payments of the reference went to several', () => {
  const reading = (available: string, environment = 'two') =>
    ({
      exchange_id: 1,
      environment,
      read_at: (at += 1000),
      product: 'payout',
      currency: 'KES',
      actual_balance: available,
      available_balance: available,
      total_ms: 1,
    }) as BalanceReadingRow;
  const before = reading('100');
  const refused = paid('two', { outcome: 'rejected', http_status: 400, url: 'https://old.test' });
  const [one, two] = [paid('two'), paid('one')];
  const after = reading('90');
  const detailOf = (sent: ExchangeRow[]) =>
    read(sent, [], [before, after]).events.find(({ kind }) => kind === 'balance')?.detail;
  expect(detailOf([one])).toMatch(/ · payout wallet$/);
  expect(detailOf([one, two])).toMatch(/ · payout wallet · two$/);
  expect(detailOf([refused, one, two])).toMatch(/ · payout wallet · two at https:\/\/two\.test$/);
  // Each service has a wallet of its own, and a payment of its own that moved it.
  const readings = [reading('500', 'one'), reading('490', 'one')];
  const [first, second] = [reading('100'), paid('two')];
  const sent = [paid('one', { sent_at: readings[0]!.read_at + 1 }), second];
  const told = read(sent, [], [...readings, first, reading('90')]).events.filter(
    ({ kind }) => kind === 'balance',
  );
  expect(told.map(({ title, detail }) => `${title} · ${detail}`)).toEqual([
    'Balance: KES 490.00 available (−10.00) · actual 490.00 (−10.00) · payout wallet · one',
    'Balance: KES 90.00 available (−10.00) · actual 90.00 (−10.00) · payout wallet · two',
  ]);
});

it('takes no state from a webhook with a payment UUID that no service gave', () => {
  const sent = paid('one', { payment_uuid: '11' });
  const other = read([sent], [webhook('99', 'FAILED')]);
  expect(other.summary).toMatchObject({ state: 'processing', isDisputed: false });
  expect(other.events.at(-1)).toMatchObject({ title: 'Webhook: FAILED', state: null });
  expect(other.events.at(-1)?.detail).toMatch(
    /of another payment with this reference, 99: it does not count here$/,
  );
  // One that may be of a payment whose UUID nobody told counts.
  expect(read([sent, paid('two', unknown)], [webhook('99', 'FAILED')]).said).toMatch(
    /a webhook said “failed”/,
  );
  expect(read([paid('one', unknown)], [webhook('99', 'FAILED')]).summary.state).toBe('failed');
  // A second try of the same payment at the same service has its UUID, too.
  expect(read([paid('one', unknown), sent], [webhook('99', 'FAILED')]).summary.state).toBe('processing');
});

it('reads the state of a webhook by the names of the environment that its payment went to', () => {
  const sent = [paid('one', { payment_uuid: '11' }), paid('two', { payment_uuid: '22' })];
  const stateOf = (uuid: string | null, payments = sent) =>
    read(payments, [webhook(uuid, 'SETTLED')]).events.at(-1)?.state;
  expect([stateOf('22'), stateOf('11'), stateOf(null)]).toEqual(['succeeded', null, null]);
  expect(stateOf(null, sent.toReversed())).toBeNull();
  const asked = told('one', 'processing');
  expect(stateOf('22', [asked, sent[1]!])).toBe('succeeded');
  expect(stateOf(null, [asked])).toBeNull();
});

it('reads a journey of thousands of queries in time that grows with their number', () => {
  const timeOf = (count: number): number => {
    const exchanges = [
      paid('one'),
      ...Array.from({ length: count }, (_, index) => told(index % 2 === 0 ? 'one' : 'two', 'processing')),
    ];
    const before = performance.now();
    expect(read(exchanges).events).toHaveLength(count + 2);
    return performance.now() - before;
  };
  timeOf(500);
  expect(timeOf(16_000)).toBeLessThan(25 * Math.max(1, Math.min(timeOf(2_000), timeOf(2_000))));
});
