import type { MethodInput } from '@shared/contract/contract';
import type { Exchange } from '@shared/contract/sending';
import { AppError } from '@shared/errors';
import { describe, expect, it, vi } from 'vitest';
import { useAppStatus } from '../../../session/app-status';
import { openRequest } from '../tree/collection-actions';
import { readInsight, selectActiveTab } from '../requests-selectors';
import { updateTab, useRequestsStore, type Question } from '../requests-store';
import { acceptedReading, makeExchange, refuseUnconfirmed, startFakeBackEnd, signed } from '../test-support';
import { readReferenceUse } from './ask-about-reference';
import { chooseReference } from './choose-reference';
import { repeatLater, stopRepeating, useRepeatStore } from './repeat-later';
import { retrySafely, useRetryStore } from './retry-safely';
import { allowProduction } from './allow-production';
import { followRedirect } from './follow-redirect';
import { sendAgain, sendRequest } from './sending-actions';

const active = () => selectActiveTab(useRequestsStore.getState())!;
const insight = () => readInsight(active(), useAppStatus.getState().status!.environment);
const journey = {
  summary: {
    reference: 'R-1',
    environment: 'local',
    operation: 'remittance' as const,
    title: 'a',
    amount: null,
    currency: null,
    startedAt: 0,
    lastAt: 0,
    finalAt: null,
    track: { signed: 'done', accepted: 'done', webhook: 'waiting', final: 'waiting' } as const,
    state: null,
    isDisputed: false,
    sentTo: [],
  },
  events: [],
  unasked: [],
};

describe('the request that was sent', () => {
  const limited = { outcome: 'rate_limited' as const };
  const start = async (answers: ((input: MethodInput<'sending.send'>) => Exchange)[], more = {}) => {
    let sends = 0;
    const fake = startFakeBackEnd(
      { 'a.http': signed },
      { 'sending.send': (input) => answers[Math.min(sends++, answers.length - 1)]!(input), ...more },
    );
    await openRequest('a.http');
    await sendRequest(active().id);
    const inputs = () =>
      fake.calls
        .filter(({ method }) => method === 'sending.send')
        .map(({ input }) => input as MethodInput<'sending.send'>);
    return { fake, inputs };
  };
  const answer = (change: Partial<Exchange>, reading = {}) => {
    const base = makeExchange();
    return (input: MethodInput<'sending.send'>): Exchange => ({
      ...base,
      id: crypto.randomUUID(),
      reference: 'R-1',
      request: { ...base.request, body: input.body },
      ...change,
      reading: change.error ? null : { ...base.reading!, ...reading },
    });
  };
  const timedOut = answer({ error: { code: 'sending.timeout', message: 'late' }, response: null });

  it('goes out once more with the very same bytes, whatever was typed since', async () => {
    const { inputs } = await start([answer({}, limited)]);
    useRequestsStore.setState(({ tabs }) => ({
      tabs: tabs.map((tab) => ({ ...tab, text: tab.text.replace('1000', '9') })),
    }));
    expect(await sendAgain(active().id)).toBe(true);
    const [first, second] = inputs();
    expect({ ...second, sendId: '' }).toEqual({ ...first, sendId: '' });
    expect(second!.sendId).not.toBe(first!.sendId);
  });

  it('is asked about again on production, and then goes out as it was', async () => {
    const { inputs } = await start([answer({}, limited), refuseUnconfirmed(answer({}))]);
    await sendAgain(active().id);
    const question = useRequestsStore.getState().question as Extract<Question, { kind: 'production' }>;
    await allowProduction(active().id, question);
    const [first, refused, second] = inputs();
    expect(refused).not.toHaveProperty('production');
    expect({ ...second, sendId: '' }).toEqual({ ...first, production: 'data/live', sendId: '' });
  });

  it('is not sent in another environment', async () => {
    const { inputs } = await start([answer({}, limited)]);
    const status = useAppStatus.getState().status!;
    useAppStatus.setState({
      status: { ...status, environment: { ...status.environment!, id: 'data/other' } },
    });
    expect(await sendAgain(active().id)).toBe(false);
    expect(inputs()).toHaveLength(1);
  });

  it.each([
    [true, 'succeeded', 1, 'The service has this payment (succeeded)'],
    [false, null, 2, 'sent again, under the same reference'],
    [null, null, 1, 'did not tell its status: nothing was sent again'],
  ])(
    'after a time-out is sent again only where its status is unknown to the service: found %s',
    async (isFound, state, sends, said) => {
      const found = { exchange: makeExchange(), isFound, state };
      const { fake, inputs } = await start([timedOut, answer({}, { outcome: 'accepted' })], {
        'lookups.status': () => found,
        'journey.get': () => journey,
      });
      await retrySafely(active().id);
      expect(inputs()).toHaveLength(sends);
      expect(inputs().at(-1)!.body).toBe(inputs()[0]!.body);
      expect(fake.calls.find(({ method }) => method === 'lookups.status')?.input).toMatchObject({
        by: 'transaction_reference',
        value: 'R-1',
        product: 'remittance',
      });
      expect(useRetryStore.getState().notes[active().exchange!.id]).toContain(said);
    },
  );

  it('is retried safely in two tabs at once', async () => {
    const found = { exchange: makeExchange(), isFound: true, state: 'succeeded' };
    let answerAll = (): void => undefined;
    const isAnswered = new Promise<void>((resolve) => (answerAll = resolve));
    const { fake } = await start([timedOut], {
      'lookups.status': () => isAnswered.then(() => found),
      'journey.get': () => journey,
    });
    const first = active();
    useRequestsStore.setState(({ tabs }) => ({ tabs: [...tabs, { ...first, id: 'second' }] }));
    const retries = [retrySafely(first.id), retrySafely('second'), retrySafely('second')];
    expect(useRetryStore.getState().asking).toEqual([first.id, 'second']);
    answerAll();
    await Promise.all(retries);
    expect(fake.calls.filter(({ method }) => method === 'lookups.status')).toHaveLength(2);
    expect(useRetryStore.getState().asking).toEqual([]);
  });

  it('is not sent again where its status cannot be asked', async () => {
    const fail = () => {
      throw new AppError('sending.unreachable', 'Nobody there.');
    };
    const { inputs } = await start([timedOut], { 'lookups.status': fail });
    await retrySafely(active().id);
    expect(inputs()).toHaveLength(1);
    expect(useRetryStore.getState().notes[active().exchange!.id]).toContain('Nobody there.');
  });

  it('waits as long as the service asks, then goes out again, at most five times', async () => {
    vi.useFakeTimers();
    const refused = answer(
      { response: { ...makeExchange().response!, headers: [['Retry-After', '7']] } },
      limited,
    );
    const { inputs } = await start([(input) => ({ ...refused(input), sentAt: Date.now() })]);
    repeatLater(active().id);
    await vi.advanceTimersByTimeAsync(6900);
    expect(inputs()).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(2200);
    expect(inputs()).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(inputs()).toHaveLength(6);
    expect(new Set(inputs().map(({ body }) => body)).size).toBe(1);
    expect(useRetryStore.getState().notes[active().exchange!.id]).toContain('refused each time');
    stopRepeating(active().id);
    vi.useRealTimers();
  });

  it('is asked about once where it would go to production later, and sent by the answer alone', async () => {
    vi.useFakeTimers();
    const { inputs } = await start([answer({}, limited), refuseUnconfirmed(answer({}))]);
    repeatLater(active().id);
    await vi.advanceTimersByTimeAsync(600_000);
    expect(inputs()).toHaveLength(2);
    expect(useRequestsStore.getState().question?.kind).toBe('production');
    expect(useRepeatStore.getState().waiting).toEqual({});
    vi.useRealTimers();
  });

  it('waits as long whatever the clock says, and is not sent later where the user says so, or another answer is shown', async () => {
    vi.useFakeTimers();
    const { inputs } = await start([answer({}, limited)]);
    repeatLater(active().id);
    vi.setSystemTime(Date.now() - 86_400_000);
    const leftMs = useRepeatStore.getState().waiting[active().id]!.at - performance.now();
    expect(leftMs).toBeLessThan(60_000);
    stopRepeating(active().id);
    await vi.advanceTimersByTimeAsync(60_000);
    repeatLater(active().id);
    updateTab(active().id, { exchange: makeExchange() });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(inputs()).toHaveLength(1);
    vi.useRealTimers();
  });

  const to = (location: string, httpStatus = 307) =>
    answer({ response: { ...makeExchange().response!, httpStatus, headers: [['Location', location]] } });

  it('reads where an answer points as no payment: nothing is signed without its body', async () => {
    const { inputs } = await start([to('/moved', 302), answer({})]);
    await followRedirect(active().id);
    const [first, second] = inputs();
    expect(first!.operation).toBe('remittance');
    expect(second).toMatchObject({ method: 'GET', body: null, operation: 'other' });
    expect(JSON.stringify(second!.headers)).toMatch(/\{\{token/);
    expect(JSON.stringify(second!.headers)).not.toContain('signature');
  });

  it('follows where an answer points without token and signature, where that is another host', async () => {
    const { inputs } = await start([to('http://evil.example/x'), answer({})]);
    await followRedirect(active().id);
    const [first, second] = inputs();
    expect(JSON.stringify(first!.headers)).toContain('{{token');
    expect(second).toMatchObject({ url: 'http://evil.example/x', method: 'POST', body: first!.body });
    expect(JSON.stringify(second!.headers)).not.toMatch(/authorization|signature|\{\{/i);
  });
});

describe('the reference of the next send', () => {
  const accepted = (input: MethodInput<'sending.send'>): Exchange => {
    const base = makeExchange({ reading: acceptedReading });
    const { reference } = (JSON.parse(input.body!) as { transaction: { reference: string } }).transaction;
    return { ...base, reference, operation: 'remittance', request: { ...base.request, body: input.body } };
  };
  const sentReference = () => active().exchange!.reference;
  const next = (environment = useAppStatus.getState().status!.environment!.id) =>
    readReferenceUse(active(), insight().prepared, environment)!;

  it('is a new one after a drawn one, the same where it is chosen, and new again', async () => {
    startFakeBackEnd({ 'a.http': signed }, { 'sending.send': accepted, 'journey.get': () => journey });
    await openRequest('a.http');
    await sendRequest(active().id);
    expect(next()).toMatchObject({ isSame: false, isReuse: false });
    chooseReference(active().id, 'same');
    expect(next()).toMatchObject({ isSame: true, isReuse: false, reference: sentReference() });
    chooseReference(active().id, 'new');
    expect(next().isSame).toBe(false);
    expect(active().text).toBe(signed);
    expect(next('data/other')).toBeNull();
  });

  it('stays the same, and so do the bytes, where nobody knows whether the payment was taken', async () => {
    const faults = [{ code: 'sending.closed', message: 'gone' }, null];
    const fake = startFakeBackEnd(
      { 'a.http': signed },
      {
        'sending.send': (input) => {
          const error = faults.shift() ?? null;
          return error ? { ...accepted(input), error, reading: null, response: null } : accepted(input);
        },
        'journey.get': () => journey,
      },
    );
    await openRequest('a.http');
    await sendRequest(active().id);
    expect(next()).toMatchObject({ isSame: true, isReuse: false });
    await sendRequest(active().id);
    const [first, second] = fake.calls
      .filter(({ method }) => method === 'sending.send')
      .map(({ input }) => (input as { body: string }).body);
    expect(second).toBe(first);
    expect(next().isSame).toBe(false);
  });

  it('keeps the bytes of the first where it is the same, moments included: nothing is asked', async () => {
    const timed = signed.replace('"amount"', '"timestamp":"{{$datetime \'HH:mm:ss.SSS\'}}","amount"');
    const fake = startFakeBackEnd(
      { 'a.http': timed },
      { 'sending.send': accepted, 'journey.get': () => journey },
    );
    await openRequest('a.http');
    await sendRequest(active().id);
    chooseReference(active().id, 'same');
    await new Promise((done) => setTimeout(done, 5));
    await sendRequest(active().id);
    expect(useRequestsStore.getState().question).toBeNull();
    const bodies = fake.calls
      .filter(({ method }) => method === 'sending.send')
      .map(({ input }) => (input as MethodInput<'sending.send'>).body);
    expect(bodies).toHaveLength(2);
    expect(bodies[1]).toBe(bodies[0]);
  });

  it('is written into the body where it was typed', async () => {
    const typed = signed.replace('{{$uuid}}', 'R-7');
    startFakeBackEnd({ 'a.http': typed }, { 'sending.send': accepted, 'journey.get': () => journey });
    await openRequest('a.http');
    await sendRequest(active().id);
    expect(next().isSame).toBe(true);
    chooseReference(active().id, 'new');
    expect(active().text).not.toContain('R-7');
    expect(next().isSame).toBe(false);
    chooseReference(active().id, 'same');
    expect(active().text).toBe(typed);
  });

  it('is asked about where another body would go under it', async () => {
    const typed = signed.replace('{{$uuid}}', 'R-7');
    const fake = startFakeBackEnd(
      { 'a.http': typed },
      { 'sending.send': accepted, 'journey.get': () => journey },
    );
    const sends = () => fake.calls.filter(({ method }) => method === 'sending.send').length;
    await openRequest('a.http');
    await sendRequest(active().id);
    await sendRequest(active().id);
    expect(sends()).toBe(2);
    updateTab(active().id, { text: active().text.replace('1000', '2000') });
    await sendRequest(active().id);
    expect(sends()).toBe(2);
    const question = useRequestsStore.getState().question as Extract<Question, { kind: 'reference' }>;
    expect(question).toMatchObject({ kind: 'reference', reference: 'R-7' });
    await sendRequest(active().id, true, { ...question.how, isReuse: true });
    expect(sends()).toBe(3);
  });
});
