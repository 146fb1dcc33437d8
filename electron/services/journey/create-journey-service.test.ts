import { beforeEach, describe, expect, it } from 'vitest';
import { systemRandom } from '../../platform/node-ports';
import type { EnvironmentRecord } from '@shared/contract/environments';
import type { EventMap } from '@shared/contract/events';
import type { WebhookSummary } from '@shared/contract/inbox';
import type { Exchange } from '@shared/contract/sending';
import { readAnswer } from '@shared/payments/read-answer';
import { createEventBus } from '../../platform/event-bus';
import { BACKEND_TITLE } from '../history/history-store';
import { remarkJourney } from '@shared/journey/remark-journey';
import { createHistoryService, type HistoryService } from '../history/create-history-service';
import { createJourneyService, type JourneyService } from './create-journey-service';
import { makeWebhookSummary } from '../../../test/support/webhook-summary';

let now: number;
let events: ReturnType<typeof createEventBus>;
let history: HistoryService;
let journey: JourneyService;
let webhooks: WebhookSummary[];
let teamWebhooks: WebhookSummary[];
let unasked: string[];
let environment: string;
let environments: EnvironmentRecord[];

beforeEach(() => {
  now = 1_800_000_000_000;
  events = createEventBus();
  webhooks = [];
  teamWebhooks = [];
  unasked = [];
  environment = 'local';
  environments = [];
  history = createHistoryService({
    ports: {
      clock: { now: () => now, monotonicMs: () => now },
      random: systemRandom,
      logger: { log: () => undefined },
      dataDirectory: '',
    },
    events,
    file: ':memory:',
  });
  journey = createJourneyService({
    history,
    events,
    environments: { list: () => environments },
    team: { findByPayment: async () => ({ webhooks: teamWebhooks, unasked }) },
    inbox: {
      findByPayment: async (reference, uuids) =>
        webhooks.filter((one) => one.clientReference === reference || uuids.includes(one.paymentUuid ?? '')),
      findByText: async (text) => webhooks.filter((one) => JSON.stringify(one).includes(text)),
    },
  });
});

function record(
  operation: Exchange['operation'],
  httpStatus: number | null,
  requestBody: string | null,
  body: string,
  error: Exchange['error'] = null,
  reference = 'R-1',
  title = `The ${operation}`,
): Exchange {
  now += 1000;
  const reading = httpStatus === null ? null : readAnswer(operation, httpStatus, body);
  const exchange: Exchange = {
    id: history.nextId(),
    environment,
    operation,
    identity: null,
    title,
    sentAt: now,
    reference: operation === 'payout' ? reference : null,
    request: {
      method: 'POST',
      url: `${environments.find(({ id }) => id === environment)?.baseUrl ?? 'http://x'}/`,
      headers: [],
      body: requestBody,
      stringToSign: null,
      signature: operation === 'payout' ? 'c2ln' : null,
      keyFingerprint: null,
      spans: [],
    },
    response:
      httpStatus === null
        ? null
        : {
            httpStatus,
            headers: [],
            body,
            bodyBase64: null,
            sizeBytes: body.length,
            isCut: false,
            requestId: null,
          },
    timings: null,
    reading,
    error,
  };
  history.begin(exchange, null);
  if (httpStatus !== null || error !== null) history.finish(exchange, null, Buffer.from(body));
  return exchange;
}

const PAYMENT = '{"transaction":{"reference":"R-1","amount":1000.00,"currency":"KES"}}';
const ACCEPTED = '{"status":"200.100","code":"ACCEPTED","data":{"payment_uuid":"77"}}';
const webhook = (more: Partial<WebhookSummary> = {}): WebhookSummary =>
  makeWebhookSummary({
    id: '00000000001',
    receivedAt: (now += 1000),
    path: '/cb',
    sizeBytes: 10,
    status: 'SUCCESS',
    amount: '1000.00',
    clientReference: 'R-1',
    paymentUuid: '77',
    ...more,
  });
const get = async () => journey.handlers['journey.get']({ reference: 'R-1' });
const wallet = (available: string) => [
  { currency: 'KES', actualBalance: '1000000', availableBalance: available, status: 'ACTIVE' },
];

describe('journeys', () => {
  it('knows of a payment of the own backend what the sandbox decided, though no webhook comes here', async () => {
    record('payout', 201, PAYMENT, ACCEPTED, null, 'R-1', BACKEND_TITLE);
    expect(history.store.listUndecided(9)).toEqual([{ paymentUuid: '77', reference: 'R-1' }]);
    const told: unknown[] = [];
    events.subscribe('journey.changed', ({ references }) => told.push(references));
    history.settle([{ paymentUuid: '77', reference: 'R-1', state: 'failed', at: now + 500 }]);
    expect([told, history.store.listUndecided(9)]).toEqual([[['R-1']], []]);
    const found = await get();
    expect(found.summary).toMatchObject({
      state: 'failed',
      finalAt: now + 500,
      track: { accepted: 'done', webhook: 'none', final: 'failed' },
    });
    expect(found.events.map(({ kind, title }) => [kind, title]).at(-1)).toEqual([
      'settled',
      'Decided by the sandbox: failed',
    ]);
    // Its webhook goes to the backend: that none came here is no gap.
    expect(remarkJourney(found, now + 3_600_000)).toEqual([]);
  });

  const find = async (search: string) => {
    const { journeys } = await journey.handlers['journey.list']({ limit: 9, before: null, search });
    return journeys.map(({ reference }) => reference);
  };

  it('marks a payment in the list, too, of which two final states were told, or one though nothing was taken', async () => {
    const list = async () =>
      (await journey.handlers['journey.list']({ limit: 10, before: null, search: '' })).journeys;
    record('payout', 201, PAYMENT, ACCEPTED);
    webhooks = [webhook()];
    expect((await list()).map(({ state, isDisputed }) => [state, isDisputed])).toEqual([
      ['succeeded', false],
    ]);
    webhooks.push(webhook({ status: 'FAILED' }));
    expect((await list()).map(({ state, isDisputed }) => [state, isDisputed])).toEqual([['failed', true]]);
    expect((await get()).summary).toMatchObject({
      isDisputed: true,
      finalAt: null,
      track: { accepted: 'done', webhook: 'done', final: 'unknown' },
    });
  });

  it('takes no state from another service, where the reference may be another payment', async () => {
    const place = (id: string, baseUrl: string) => ({ id, label: id, baseUrl, setup: { profile: {} } });
    environments = [
      place('local', 'http://127.0.0.1:4010'),
      place('uat', 'https://uat.test/v1'),
      place('uat-again', 'https://uat.test/v2'),
    ] as EnvironmentRecord[];
    environment = 'uat';
    record('payout', 504, PAYMENT, '');
    const ask = (where: string, state: string): void => {
      environment = where;
      record('status', 200, '{"transaction_reference":"R-1"}', `{"data":{"state":"${state}"}}`);
    };
    ask('local', 'failed');
    const elsewhere = await get();
    expect(elsewhere.summary).toMatchObject({
      state: null,
      isDisputed: false,
      track: { accepted: 'unknown' },
    });
    expect(elsewhere.events.at(-1)).toMatchObject({
      title: 'Status: failed',
      detail: expect.stringMatching(/ · local$/) as string,
      service: 'http://127.0.0.1:4010',
    });
    ask('uat-again', 'succeeded');
    expect((await get()).summary).toMatchObject({ state: 'succeeded', isDisputed: false });
    // Paid at both, each with an end of its own.
    environment = 'local';
    record('payout', 201, PAYMENT, ACCEPTED);
    const both = await get();
    expect(both.summary.isDisputed).toBe(true);
    expect(remarkJourney(both, now)[0]?.text).toMatch(
      /^They disagree: http.*Each may have a payment of its own/,
    );
  });

  it('asks a payment of the address that it was sent to, whatever its environment has now', async () => {
    const place = (baseUrl: string) => [{ id: 'data/uat', label: 'uat', baseUrl, setup: { profile: {} } }];
    environments = place('https://uat.test') as EnvironmentRecord[];
    environment = 'data/uat';
    record('payout', 504, PAYMENT, '');
    environments = place('https://other.test') as EnvironmentRecord[];
    const ask = (state: string) =>
      record('status', 200, '{"transaction_reference":"R-1"}', `{"data":{"state":"${state}"}}`);
    ask('failed');
    const moved = await get();
    expect(moved.summary).toMatchObject({ state: null, track: { accepted: 'unknown' } });
    expect(moved.events.map(({ detail }) => detail?.split(' · ').at(-1))).toEqual([
      'uat at https://uat.test',
      'HTTP 504',
      'uat at https://other.test',
    ]);
    // Its environment is gone: what was sent is still known by its address.
    environments = [];
    expect((await get()).summary.state).toBeNull();
    environments = place('https://uat.test') as EnvironmentRecord[];
    ask('succeeded');
    expect((await get()).summary.state).toBe('succeeded');
  });

  it('knows the embedded sandbox by itself, whatever port it got', async () => {
    const place = (baseUrl: string) => [{ id: 'local', label: 'local', baseUrl, setup: { profile: {} } }];
    environments = place('http://127.0.0.1:4010') as EnvironmentRecord[];
    record('payout', 504, PAYMENT, '');
    environments = place('http://127.0.0.1:4011') as EnvironmentRecord[];
    record('status', 200, '{"transaction_reference":"R-1"}', '{"data":{"state":"failed"}}');
    const { summary, events: timeline } = await get();
    expect(summary.state).toBe('failed');
    expect(timeline.some(({ detail }) => detail?.includes(' at '))).toBe(false);
  });

  it('marks a payment that was refused, and whose webhook says that it was made', async () => {
    record('payout', 400, PAYMENT, '{"status":"400.000","code":"VALIDATION","description":"no"}');
    webhooks = [webhook()];
    expect((await get()).summary).toMatchObject({ state: 'succeeded', isDisputed: true });
  });

  it('waits for webhook and end after acceptance', async () => {
    record('payout', 201, PAYMENT, ACCEPTED);
    const { summary, events: timeline } = await get();
    expect(summary).toMatchObject({
      amount: '1000.00',
      currency: 'KES',
      state: 'processing',
      track: { signed: 'done', accepted: 'done', webhook: 'waiting', final: 'waiting' },
    });
    expect(timeline.map(({ kind }) => kind)).toEqual(['sent', 'accepted']);
  });

  it('shows a balance only where it changed, and none that a later payment changed', async () => {
    const read = (available: string) =>
      history.recordBalances(record('balances', 200, null, '{}'), 'payout', wallet(available));
    read('1000000');
    record('payout', 201, PAYMENT, ACCEPTED);
    read('1000000');
    read('998990.00');
    record('status', 200, '{"transaction_reference":"R-1"}', '{"data":{"state":"succeeded"}}');
    read('998990.00');
    read('900000.00');
    const { events: timeline } = await get();
    expect(timeline.filter(({ kind }) => kind === 'balance')).toHaveLength(1);
  });

  describe('says a change of the wallet to be its own', () => {
    const read = (available: string) =>
      history.recordBalances(record('balances', 200, null, '{}'), 'payout', wallet(available));
    const payOther = (answer = ACCEPTED) => {
      const body = PAYMENT.replace('R-1', 'R-2').replace('1000.00', '1500.00');
      record('payout', answer === ACCEPTED ? 201 : 400, body, answer.replace('77', '88'), null, 'R-2');
    };
    const listTitles = async () =>
      (await get()).events.filter(({ kind }) => kind === 'balance').map(({ title }) => title);
    const later = () => (now += 60_000);

    it('where no other payment was under way', async () => {
      payOther('{"status":"400","code":"1","description":"refused"}');
      read('1000000');
      later();
      record('payout', 201, PAYMENT, ACCEPTED);
      read('998990');
      expect(await listTitles()).toEqual(['Balance: KES 998,990.00 available (−1,010.00)']);
    });

    it('and not where another one was, whatever the size', async () => {
      read('1000000');
      record('payout', 201, PAYMENT, ACCEPTED);
      later();
      payOther();
      read('998990');
      expect(await listTitles()).toEqual(['Balance: KES 998,990.00 available']);
      const told = (await get()).events.find(({ kind }) => kind === 'balance');
      expect(told!.detail).toMatch(/how much of its change is this payment is not known$/);
    });

    it('nor while one that was sent before is not known to be final', async () => {
      payOther();
      later();
      read('1000000');
      later();
      record('payout', 201, PAYMENT, ACCEPTED);
      read('998990');
      expect(await listTitles()).toEqual(['Balance: KES 998,990.00 available']);
      webhooks = [webhook({ clientReference: 'R-2', paymentUuid: '88', receivedAt: now - 70_000 })];
      expect(await listTitles()).toEqual(['Balance: KES 998,990.00 available (−1,010.00)']);
    });

    it.each([
      ['998485', 'SUCCESS', ''],
      ['999001', 'SUCCESS', ''],
      ['1001010', 'SUCCESS', ''],
      ['999000', 'SUCCESS', ' (−1,000.00)'],
      ['998990', 'FAILED', ''],
    ])('of a size that it can have: %s after %s', async (available, status, said) => {
      read('1000000');
      record('payout', 201, PAYMENT, ACCEPTED);
      webhooks = [webhook({ status })];
      read(available);
      const [title] = await listTitles();
      expect(title!.split(' available')[1]).toBe(said);
    });

    it('and what is let go when it fails', async () => {
      read('1000000');
      record('payout', 201, PAYMENT, ACCEPTED);
      read('998990');
      webhooks = [webhook({ status: 'FAILED' })];
      read('1000000');
      expect(await listTitles()).toEqual([
        'Balance: KES 998,990.00 available (−1,010.00)',
        'Balance: KES 1,000,000.00 available (+1,010.00)',
      ]);
    });
  });

  it('ends when its state is final, whatever comes in later', async () => {
    record('payout', 201, PAYMENT, ACCEPTED);
    expect((await get()).summary.finalAt).toBeNull();
    webhooks = [webhook()];
    const { finalAt } = (await get()).summary;
    record('status', 200, '{"transaction_reference":"R-1"}', '{"data":{"state":"succeeded"}}');
    const { summary } = await get();
    expect(summary.finalAt).toBe(finalAt);
    expect(summary.lastAt).toBeGreaterThan(finalAt!);
  });

  it('waits for no webhook once a status query has told the outcome, and names who could not be asked', async () => {
    record('payout', 201, PAYMENT, ACCEPTED);
    expect((await get()).summary.track.webhook).toBe('waiting');
    record('status', 200, '{"transaction_reference":"R-1"}', '{"data":{"state":"succeeded"}}');
    unasked = ['QA'];
    expect(await get()).toMatchObject({
      summary: { track: { webhook: 'none', final: 'done' } },
      unasked: ['QA'],
    });
  });

  it('joins no balance that was read at another address of its environment', async () => {
    environment = 'uat';
    const read = (baseUrl: string, available: string): void => {
      environments = [{ id: 'uat', label: 'uat', baseUrl, setup: { profile: {} } }] as EnvironmentRecord[];
      history.recordBalances(record('balances', 200, null, '{}'), 'payout', wallet(available));
    };
    read('https://other.test', '5');
    read('https://uat.test', '1000000');
    record('payout', 201, PAYMENT, ACCEPTED);
    read('https://other.test', '6');
    read('https://uat.test/v2', '998990.00');
    const found = await get();
    const balances = found.events.filter(({ kind }) => kind === 'balance').map(({ title }) => title);
    expect(balances).toEqual(['Balance: KES 998,990.00 available (−1,010.00)']);
  });

  it('joins what was read of the wallet of each service that took a payment of the reference', async () => {
    for (environment of ['uat', 'qa'])
      for (const available of ['5000', '3990']) {
        const own = { id: environment, label: environment, baseUrl: `https://${environment}.test` };
        environments = [own as EnvironmentRecord];
        history.recordBalances(record('balances', 200, null, '{}'), 'payout', wallet(available));
        if (available === '5000') record('payout', 201, PAYMENT, ACCEPTED);
      }
    const told = (await get()).events.filter(({ kind }) => kind === 'balance');
    expect(told.map(({ title }) => title)).toEqual(
      Array(2).fill('Balance: KES 3,990.00 available (−1,010.00)'),
    );
  });

  it('joins request, webhook, polls and balances on one timeline, with what the balance did', async () => {
    history.recordBalances(record('balances', 200, null, '{}'), 'payout', wallet('1000000'));
    record('payout', 201, PAYMENT, ACCEPTED);
    record('status', 200, '{"payment_uuid":"77"}', '{"data":{"state":"processing","payment_uuid":"77"}}');
    webhooks.push(webhook());
    history.recordBalances(record('balances', 200, null, '{}'), 'payout', wallet('998990.00'));
    const { summary, events: timeline } = await get();
    expect(timeline.map(({ kind }) => kind)).toEqual(['sent', 'accepted', 'status', 'webhook', 'balance']);
    expect(timeline.at(-1)!.title).toBe('Balance: KES 998,990.00 available (−1,010.00)');
    expect(summary).toMatchObject({ state: 'succeeded', track: { webhook: 'done', final: 'done' } });
  });

  it('ends as failed where the webhook says so, and a late poll of an older state changes nothing', async () => {
    record('payout', 201, PAYMENT, ACCEPTED);
    webhooks.push(webhook({ status: 'FAILED' }));
    record('status', 200, '{"transaction_reference":"R-1"}', '{"data":{"state":"processing"}}');
    expect((await get()).summary).toMatchObject({ state: 'failed', track: { final: 'failed' } });
  });

  it('stops at a refusal', async () => {
    record('payout', 400, PAYMENT, '{"status":"400.100","code":"REJECTED","description":"Wallet suspended"}');
    const { summary, events: timeline } = await get();
    expect(summary.track).toEqual({ signed: 'done', accepted: 'failed', webhook: 'none', final: 'none' });
    expect(timeline.at(-1)).toMatchObject({ kind: 'refused', tone: 'bad' });
  });

  it('does not call a payment refused that came too fast: it can be sent again later', async () => {
    record('payout', 429, PAYMENT, '{"code":"400.429","description":"Too many requests"}');
    const { summary, events: timeline } = await get();
    expect(summary.track).toEqual({ signed: 'done', accepted: 'later', webhook: 'none', final: 'none' });
    expect(timeline.at(-1)).toMatchObject({ title: 'Too many requests: wait, then try again', tone: 'warn' });
  });

  it.each([
    ['an HTTP 500', 500, '{"code":"400.500","description":"Internal error"}'],
    ['an answer in no known form', 201, '<html>Bad gateway</html>'],
  ])(
    'does not call a payment refused after %s: whether it was taken is unknown, until a query tells',
    async (_what, status, body) => {
      record('payout', status, PAYMENT, body);
      const { summary, events: timeline } = await get();
      expect(summary).toMatchObject({ state: null, track: { accepted: 'unknown', final: 'none' } });
      expect(timeline.at(-1)).toMatchObject({ kind: 'unknown', tone: 'warn' });
      record('status', 200, '{"transaction_reference":"R-1"}', '{"data":{"state":"succeeded"}}');
      expect((await get()).summary).toMatchObject({ state: 'succeeded', track: { accepted: 'done' } });
    },
  );

  it.each([
    ['sending.unreachable', 'none', 'refused'],
    ['sending.closed', 'unknown', 'unknown'],
    ['sending.timeout', 'unknown', 'unknown'],
  ] as const)('knows after %s whether the payment can have left', async (code, accepted, kind) => {
    record('payout', null, PAYMENT, '', { code, message: 'No answer.' });
    const { summary, events: timeline } = await get();
    expect(summary.track.accepted).toBe(accepted);
    expect(timeline.at(-1)?.kind).toBe(kind);
    expect(timeline.some(({ title }) => title === 'Signed and sent' || title === 'Sent')).toBe(
      kind === 'unknown',
    );
  });

  it('waits while the answer is not there yet', async () => {
    record('payout', null, PAYMENT, '');
    expect((await get()).summary.track.accepted).toBe('waiting');
  });

  it('knows a payment that was not sent from here by its webhook', async () => {
    webhooks.push(webhook());
    expect((await get()).summary).toMatchObject({ title: 'Not sent from here', state: 'succeeded' });
  });

  it('finds webhooks of an open team inbox among its own, in the order of their arrival', async () => {
    record('payout', 201, PAYMENT, ACCEPTED);
    teamWebhooks.push(webhook({ id: 'team-1/00000000009', status: 'PENDING' }));
    webhooks.push(webhook());
    const { events: timeline } = await get();
    const ids = timeline.flatMap(({ webhookId }) => webhookId ?? []);
    expect(ids).toEqual(['team-1/00000000009', '00000000001']);
  });

  it('refuses a reference that nothing is known of', async () => {
    await expect(journey.handlers['journey.get']({ reference: 'x' })).rejects.toMatchObject({
      code: 'journey.unknown',
    });
  });

  it('lists a reference once, however often it was sent, and pages without a gap', async () => {
    for (let index = 0; index < 3; index++) record('payout', 201, PAYMENT, ACCEPTED);
    for (let index = 0; index < 5; index++) {
      now -= 1000;
      const exchange = record('payout', 201, PAYMENT, ACCEPTED);
      const next = { ...exchange, id: history.nextId(), reference: `S-${index}` };
      history.begin(next, null);
    }
    const seen: string[] = [];
    for (let before: number | null = null; ;) {
      const page = await journey.handlers['journey.list']({ limit: 2, before, search: '' });
      seen.push(...page.journeys.map(({ reference }) => reference));
      if (page.nextBefore === null) break;
      before = page.nextBefore;
    }
    expect(seen).toEqual(['S-4', 'S-3', 'S-2', 'S-1', 'S-0', 'R-1']);
    expect(await find('s-2')).toHaveLength(1);
  });

  it('finds a payment by an identifier that only an answer of the service holds', async () => {
    record('payout', 201, PAYMENT, ACCEPTED);
    const status = '{"data":{"state":"succeeded","payment_reference":"TXN8F2K"}}';
    record('status', 200, '{"transaction_reference":"R-1"}', status);
    expect(await find('TXN8F2K')).toEqual(['R-1']);
    expect(await find('TXN8F2')).toEqual([]);
    const { events: timeline } = await get();
    expect(timeline.map(({ state }) => state)).toEqual([null, null, 'succeeded']);
  });

  it.each([
    ['msg_2abc', 'R-1'],
    ['idem-77', 'R-1'],
    ['msg_other', 'R-1'],
    // Nothing of that one was sent from here.
    // Nor of the one whose UUID begins with it.
    ['9901', 'R-9'],
  ])('finds a payment by %s, which only its webhooks hold', async (text, found) => {
    record('payout', 201, PAYMENT, ACCEPTED);
    webhooks = [
      webhook({ webhookId: 'msg_2abc' }),
      // Told by the UUID alone; its headers are searched, too.
      webhook({ clientReference: null, note: 'idem-77' }),
      // Of another payment with its reference: the journey says so.
      webhook({ paymentUuid: '88', webhookId: 'msg_other' }),
      webhook({ clientReference: 'R-9', paymentUuid: '99', webhookId: 'msg_2abc', note: 'idem-77' }),
      webhook({ clientReference: 'R-9', paymentUuid: '9901' }),
      webhook({ clientReference: 'R-8', paymentUuid: '99011' }),
    ];
    expect(await find(text)).toEqual([found]);
  });

  it('tells which journeys webhooks changed', () => {
    const changed: EventMap['journey.changed'][] = [];
    events.subscribe('journey.changed', (payload) => changed.push(payload));
    events.emit('inbox.received', {
      webhooks: [webhook(), webhook(), webhook({ clientReference: null })],
      count: 3,
      unreadCount: 3,
    });
    expect(changed).toEqual([{ references: ['R-1'] }]);
  });
});
