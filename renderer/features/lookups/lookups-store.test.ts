import type { MethodOutput } from '@shared/contract/contract';
import type { Exchange } from '@shared/contract/sending';
import { AppError } from '@shared/errors';
import { beforeEach, describe, expect, it, vi, afterEach } from 'vitest';
import { setTransport } from '../../transport/client';
import { createFakeTransport, type FakeTransport } from '../../transport/fake';
import { findSuggestion, headlineOf, listMatching, readRecord, suggestReferences } from './lookups-selectors';
import { useBulkStore } from './bulk-store';
import { askAbout, useLookupsStore } from './lookups-store';

const watchIntervalMs = 2000;

const exchange: Exchange = {
  id: 'x',
  environment: 'local',
  operation: 'status',
  identity: null,
  title: 'Status query',
  sentAt: 1,
  reference: 'R',
  request: {
    method: 'POST',
    url: 'http://127.0.0.1/tsq/v1/query/payments',
    headers: [],
    body: null,
    stringToSign: null,
    signature: null,
    keyFingerprint: null,
    spans: [],
  },
  response: null,
  timings: null,
  reading: null,
  error: null,
};

const answer = (state: string | null, isFound = true) => ({ exchange, isFound, state });
const summary = {
  id: 'x',
  environment: 'local',
  operation: 'payout' as const,
  identity: null,
  title: 'Salary',
  sentAt: 5,
  reference: 'emp-1',
  method: 'POST',
  url: '',
  httpStatus: 201,
  totalMs: 1,
  outcome: 'accepted',
  isPinned: false,
  summary: '',
};

let fake: FakeTransport;
const state = () => useLookupsStore.getState();
const asked = (): number => fake.calls.filter((one) => one.method === 'lookups.status').length;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('window', new EventTarget());
  vi.stubGlobal('document', { documentElement: { dataset: {} } });
  useLookupsStore.setState(useLookupsStore.getInitialState(), true);
  fake = createFakeTransport({
    'environments.list': () => ({
      environments: [
        { id: 'local', name: 'local' },
        { id: 'data/uat', name: 'uat' },
      ] as MethodOutput<'environments.list'>['environments'],
    }),
    'history.list': () => ({ exchanges: [summary], nextBefore: null }),
    'lookups.status': () => answer('processing'),
  });
  setTransport(fake);
});

afterEach(() => {
  state().stopWatching();
  vi.useRealTimers();
});

describe('the token that asks', () => {
  const askedWith = () =>
    fake.calls.filter((one) => one.method === 'lookups.status').map(({ input }) => input);

  it('is that of the product which a typed payment was sent as, unless another one is chosen after it', async () => {
    await state().start('local');
    state().change({ value: 'emp-1' });
    expect(state()).toMatchObject({ product: 'payout', knownProduct: 'payout' });
    state().change({ product: 'collection' });
    await state().ask();
    expect(askedWith()).toMatchObject([{ value: 'emp-1', product: 'collection' }]);
    expect(state().knownProduct).toBe('payout');
    state().change({ value: 'emp-2' });
    expect(state()).toMatchObject({ product: 'collection', knownProduct: null });
  });

  it('is known of older payments, too, one by one and in a list', async () => {
    fake = createFakeTransport({
      'environments.list': () => ({
        environments: [{ id: 'local', name: 'local' }] as MethodOutput<'environments.list'>['environments'],
      }),
      'history.list': ({ reference }) => ({
        exchanges: reference === 'old-1' ? [{ ...summary, reference }] : [],
        nextBefore: null,
      }),
      'lookups.status': () => answer('succeeded'),
    });
    setTransport(fake);
    await state().start('local');
    state().change({ value: 'old-1' });
    await state().ask();
    expect(askedWith()).toMatchObject([{ value: 'old-1', product: 'payout' }]);
    state().change({ value: '', product: 'remittance' });
    useBulkStore.getState().change({ text: 'old-1, else-1', perSecond: 50 });
    const all = useBulkStore.getState().askAll();
    await vi.runAllTimersAsync();
    await all;
    expect(askedWith().slice(1)).toMatchObject([
      { value: 'old-1', product: 'payout' },
      { value: 'else-1', product: 'remittance' },
    ]);
  });
});

describe('the token that asks where one reference went to two services', () => {
  const places = [
    { id: 'data/one', name: 'one', baseUrl: 'https://one.test/v1' },
    { id: 'data/two', name: 'two', baseUrl: 'https://two.test' },
    { id: 'data/again', name: 'again', baseUrl: 'https://one.test/v2' },
  ] as MethodOutput<'environments.list'>['environments'];
  const sent = [
    { ...summary, environment: 'data/two', url: 'https://two.test/pay', operation: 'collection' as const },
    { ...summary, environment: 'data/one', url: 'https://one.test/v1/pay' },
  ];
  const listing = (isRecent: boolean) =>
    createFakeTransport({
      'environments.list': () => ({ environments: places }),
      'history.list': ({ reference }) => ({
        exchanges: isRecent || reference === 'emp-1' ? sent : [],
        nextBefore: null,
      }),
      'lookups.status': () => answer('succeeded'),
    });

  it.each([true, false])(
    'is that of the payment at the one that is asked (sent lately: %s)',
    async (isRecent) => {
      setTransport(listing(isRecent));
      await state().start('data/one');
      for (const [environment, product] of [
        ['data/one', 'payout'],
        ['data/two', 'collection'],
        ['data/again', 'payout'],
      ] as const) {
        state().change({ environment, value: 'emp-1' });
        await state().ask();
        expect(state()).toMatchObject({ product, knownProduct: product });
      }
      state().change({ environment: 'data/two' });
      expect(state().knownProduct).toBe(isRecent ? 'collection' : null);
    },
  );

  it('lists the reference with each environment that can be asked, and asks the one that is chosen', async () => {
    const gone = { ...sent[0]!, environment: 'data/gone' };
    const named = { ...sent[1]!, environment: 'one' };
    setTransport(
      createFakeTransport({
        'environments.list': () => ({ environments: places }),
        'history.list': () => ({
          exchanges: [
            gone,
            ...sent,
            named,
            sent[0]!,
            { ...gone, reference: 'old' },
            { ...gone, reference: 'old' },
          ],
          nextBefore: null,
        }),
        'lookups.status': () => answer('succeeded'),
      }),
    );
    await state().start('data/again');
    const rows = state().suggestions.map(({ reference, environment }) => [reference, environment]);
    expect(rows).toEqual([
      ['emp-1', 'data/two'],
      ['emp-1', 'data/one'],
      ['old', 'data/gone'],
    ]);
    for (const suggestion of state().suggestions.slice(0, 2)) {
      state().choose(suggestion);
      expect(state()).toMatchObject({
        environment: suggestion.environment,
        product: suggestion.product,
        value: 'emp-1',
      });
      expect(findSuggestion(state().suggestions, 'emp-1', state().environment)).toBe(suggestion);
    }
    expect(new Set(listMatching(state().suggestions, '').map(({ id }) => id)).size).toBe(3);
    expect(findSuggestion(state().suggestions, 'emp-1', 'data/again')).toBe(state().suggestions[0]);
  });

  it('is asked about where it was sent, whatever environment the form has', async () => {
    const there = listing(true);
    setTransport(there);
    await state().start('data/one');
    state().change({ value: 'emp-1', environment: 'local' });
    const shown = findSuggestion(state().suggestions, 'emp-1', 'local')!;
    await askAbout(shown);
    const input = there.calls.find(({ method }) => method === 'lookups.status')?.input;
    expect(input).toMatchObject({ environment: shown.environment, product: shown.product, value: 'emp-1' });
    expect(shown.environment).not.toBe('local');
    expect(state().environment).toBe(shown.environment);
  });

  it('is left as it is where its environment has another address by now', async () => {
    setTransport(listing(true));
    await state().start('data/one');
    useLookupsStore.setState({ environments: [{ ...places[0]!, baseUrl: 'https://three.test' }] });
    state().change({ value: 'emp-1' });
    expect(state()).toMatchObject({ product: 'remittance', knownProduct: null });
  });
});

describe('lookups store', () => {
  it('starts in the active environment with the references sent lately', async () => {
    await state().start('uat');
    expect(state().environment).toBe('uat');
    expect(state().suggestions.map((one) => one.reference)).toEqual(['emp-1']);
  });

  it('keeps the environment that it asked, until that one is deleted', async () => {
    await state().start('local');
    state().change({ environment: 'data/uat', value: 'R' });
    await state().ask();
    await state().start('local');
    expect(state()).toMatchObject({ environment: 'data/uat', result: { isFound: true } });
    fake.handlers['environments.list'] = () => ({
      environments: [{ id: 'local', name: 'local' }] as MethodOutput<'environments.list'>['environments'],
    });
    await state().start('local');
    expect(state()).toMatchObject({ environment: 'local', result: null, value: 'R' });
  });

  it('takes reference, product and environment from a suggestion', async () => {
    await state().start('uat');
    state().choose(state().suggestions[0]!);
    expect(state()).toMatchObject({ value: 'emp-1', product: 'payout', environment: 'local' });
  });

  it('asks by exactly one identifier, edge spaces gone', async () => {
    state().change({ by: 'payment_uuid', value: ' 88 ' });
    await state().ask();
    expect(fake.calls[0]?.input).toMatchObject({ by: 'payment_uuid', value: '88' });
  });

  it('watches until the state is final and remembers the states seen', async () => {
    state().change({ value: 'R' });
    const watching = state().watch();
    await vi.advanceTimersByTimeAsync(watchIntervalMs * 1.5);
    expect(state().watchCount).toBe(2);
    fake.handlers['lookups.status'] = () => answer('succeeded');
    await vi.advanceTimersByTimeAsync(watchIntervalMs * 2);
    await watching;
    expect(state().watchCount).toBeNull();
    expect(state().seen.map((one) => one.state)).toEqual(['processing', 'succeeded']);
  });

  it('stops asking when the watch is stopped or the input changes', async () => {
    state().change({ value: 'R' });
    void state().watch();
    await vi.advanceTimersByTimeAsync(10);
    state().change({ value: 'S' });
    const before = asked();
    await vi.advanceTimersByTimeAsync(watchIntervalMs * 3);
    expect(asked()).toBe(before);
    expect(state().watchCount).toBeNull();
  });

  it('takes back that nothing answers once it does, and reads what it has to', async () => {
    const { 'environments.list': list } = fake.handlers;
    fake.handlers['environments.list'] = () => {
      throw new AppError('app.unreachable', 'The back end does not answer.');
    };
    useLookupsStore.setState({ environments: [] });
    const stop = state().follow();
    await state().start('local');
    expect(state().error?.code).toBe('app.unreachable');
    fake.handlers['environments.list'] = list!;
    fake.setConnection('offline');
    fake.setConnection('online');
    await vi.advanceTimersByTimeAsync(10);
    expect([state().error, state().environments.length > 0]).toEqual([null, true]);
    fake.handlers['lookups.status'] = fake.handlers['environments.list'] = () => {
      throw new AppError('app.unreachable', 'The back end does not answer.');
    };
    state().change({ value: 'R' });
    await state().ask();
    expect(state().error?.code).toBe('app.unreachable');
    fake.setConnection('offline');
    fake.setConnection('online');
    expect(state().error).toBeNull();
    stop();
  });

  it('says that a watch has ended without a final state, wherever the clock was put, until something else is asked', async () => {
    state().change({ value: 'R' });
    const watching = state().watch();
    vi.setSystemTime(Date.now() + 86_400_000);
    await vi.advanceTimersByTimeAsync(5 * 60_000);
    vi.setSystemTime(Date.now() - 2 * 86_400_000);
    await vi.advanceTimersByTimeAsync(5 * 60_000 - 1);
    expect(state()).toMatchObject({ watchCount: expect.any(Number) as number, watchEnd: null });
    await vi.advanceTimersByTimeAsync(10);
    await watching;
    expect(state()).toMatchObject({
      watchCount: null,
      watchEnd: 'Not final after 10 min; the watch has ended.',
    });
    await state().ask();
    expect(state().watchEnd).toBeNull();
  });

  it('has the window ask before it is closed while a watch goes on, and no longer', async () => {
    const doesAsk = (): boolean => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
    state().change({ value: 'R' });
    void state().watch();
    await vi.advanceTimersByTimeAsync(watchIntervalMs);
    expect(doesAsk()).toBe(true);
    state().stopWatching();
    await vi.advanceTimersByTimeAsync(0);
    expect(doesAsk()).toBe(false);
    fake.handlers['lookups.status'] = () => answer('succeeded');
    await state().watch();
    await vi.advanceTimersByTimeAsync(0);
    expect(doesAsk()).toBe(false);
  });

  it('takes nothing back of what was told where the last answers of a watch do not tell', async () => {
    fake.handlers['lookups.status'] = () => answer('processing');
    state().change({ value: 'R' });
    const watching = state().watch();
    await vi.advanceTimersByTimeAsync(10);
    fake.handlers['lookups.status'] = () => ({ ...answer(null), isFound: null }) as never;
    await vi.advanceTimersByTimeAsync(10 * 60_000);
    await watching;
    expect(state().watchEnd).toBe('Not final after 10 min; the watch has ended.');
  });

  it('leaves the service alone as long as its 429 says, of the query and of its token', async () => {
    const limited = { httpStatus: 429, headers: [['Retry-After', '20']] };
    const details = { httpStatus: 429, retryAfter: '20' };
    const refused = new AppError('tokens.unavailable', 'no token now', { details });
    fake.handlers['lookups.status'] = () =>
      ({ ...answer(null), isFound: null, exchange: { ...exchange, response: limited } }) as never;
    state().change({ value: 'R' });
    const watching = state().watch();
    await vi.advanceTimersByTimeAsync(19_900);
    expect(asked()).toBe(1);
    fake.handlers['lookups.status'] = () => Promise.reject(refused);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(asked()).toBe(2);
    fake.handlers['lookups.status'] = () => answer('succeeded');
    await vi.advanceTimersByTimeAsync(200);
    await watching;
    expect([asked(), state().result?.state]).toEqual([3, 'succeeded']);
  });

  it('watches on where the token was not given because nobody was there', async () => {
    const away = new AppError('sending.unreachable', 'Nobody there.');
    fake.handlers['lookups.status'] = () => Promise.reject(away);
    state().change({ value: 'R' });
    const watching = state().watch();
    await vi.advanceTimersByTimeAsync(10);
    expect(state()).toMatchObject({ watchCount: 1, error: { message: 'Nobody there.' } });
    fake.handlers['lookups.status'] = () => answer('succeeded');
    await vi.advanceTimersByTimeAsync(watchIntervalMs);
    await watching;
    expect(state()).toMatchObject({ error: null, result: { state: 'succeeded' } });
  });

  it('ends a watch on an error and keeps the error', async () => {
    fake.handlers['lookups.status'] = () => Promise.reject(new Error('no'));
    state().change({ value: 'R' });
    await state().watch();
    expect(state()).toMatchObject({ watchCount: null, result: null });
    expect(state().error).not.toBeNull();
  });
});

describe('an answer', () => {
  it('does not stand beside another payment', async () => {
    fake.handlers['lookups.status'] = () => answer('succeeded');
    state().change({ value: 'R' });
    await state().ask();
    expect(state().result).not.toBeNull();
    state().change({ value: 'S' });
    expect(state().result).toBeNull();
  });

  it('that comes after another payment was chosen is not shown', async () => {
    let settle = (): void => undefined;
    fake.handlers['lookups.status'] = () =>
      new Promise((resolve) => (settle = () => resolve(answer('failed'))));
    state().change({ value: 'R' });
    const asking = state().ask();
    await vi.waitFor(() => expect(asked()).toBe(1));
    state().change({ value: 'S' });
    settle();
    await asking;
    expect(state()).toMatchObject({ result: null, isAsking: false });
  });

  it('is not asked for where another question stands there before it could be', async () => {
    state().change({ value: 'R' });
    const asking = state().ask();
    state().change({ value: 'S' });
    await asking;
    expect(asked()).toBe(0);
    expect(state().isAsking).toBe(false);
  });
});

describe('lookups selectors', () => {
  it('lists what fits the text typed, and everything where that is one of them', () => {
    const list = ['emp-1', 'emp-2', 'inv-1'].map((reference) => ({
      reference,
      product: 'payout' as const,
      environment: 'local',
      title: 'Salary',
      sentAt: 5,
    }));
    const ids = (typed: string) => listMatching(list, typed).map(({ reference }) => reference);
    expect(ids(' EMP ')).toEqual(['emp-1', 'emp-2']);
    expect(ids('emp-1')).toHaveLength(3);
    expect(ids('nothing')).toHaveLength(3);
  });

  it('suggests each payment reference once, and no queries', () => {
    const list = [
      summary,
      summary,
      { ...summary, operation: 'status' as const, identity: null, reference: 'q' },
    ];
    expect(suggestReferences(list, [])).toHaveLength(1);
  });

  it('speaks a sentence for each outcome', () => {
    expect(headlineOf(answer('succeeded')).tone).toBe('good');
    expect(headlineOf(answer(null)).text).toBe('Found, without a state');
    expect(
      headlineOf({ ...answer(null, false), exchange: { ...exchange, error: { code: 'c', message: 'm' } } }),
    ).toEqual({
      text: 'm',
      tone: 'bad',
    });
  });

  it('keeps amounts as the service wrote them', () => {
    const rows = readRecord('{"data":{"state":"succeeded","amount": 1500.00,"payment_uuid":"88"}}');
    expect(rows).toEqual([
      { field: 'state', value: 'succeeded' },
      { field: 'payment_uuid', value: '88' },
      { field: 'amount', value: '1500.00' },
    ]);
    expect(readRecord('not json')).toEqual([]);
    expect(readRecord('{"data":null}')).toEqual([]);
  });
});
