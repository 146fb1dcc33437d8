import type { Journey, JourneySummary } from '@shared/contract/journey';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { setTransport } from '../../transport/client';
import { createFakeTransport, type FakeTransport } from '../../transport/fake';
import { describeMoment, describeKnown, readSteps, readTrack, tagOf, titleOf } from './payments-selectors';
import { usePaymentsStore } from './payments-store';

function journey(reference: string, change: Partial<JourneySummary> = {}): JourneySummary {
  return {
    reference,
    environment: 'local',
    operation: 'payout',
    title: 'Salary',
    amount: '42000',
    currency: 'KES',
    startedAt: 1000,
    lastAt: 2000,
    finalAt: null,
    track: { signed: 'done', accepted: 'done', webhook: 'waiting', final: 'none' },
    state: null,
    isDisputed: false,
    sentTo: [],
    ...change,
  };
}

let fake: FakeTransport;
let stop = (): void => undefined;
const state = () => usePaymentsStore.getState();
const references = (): string[] => state().rows.map((row) => row.reference);

beforeEach(() => {
  vi.useFakeTimers();
  usePaymentsStore.setState(usePaymentsStore.getInitialState(), true);
  fake = createFakeTransport({
    'journey.list': ({ before }) => ({
      journeys: before ? [journey('a')] : [journey('c'), journey('b')],
      nextBefore: before ? null : 1000,
    }),
    'journey.get': ({ reference }) => ({ summary: journey(reference), events: [], unasked: [] }),
    'history.get': () => Promise.reject(new Error('gone')),
  });
  setTransport(fake);
});

afterEach(() => {
  stop();
  vi.useRealTimers();
});

async function begin(): Promise<void> {
  stop = state().start();
  await vi.runAllTimersAsync();
}

describe('payments store', () => {
  it('leaves on show that nothing was found while it asks again, and says so of what was asked alone', async () => {
    fake.handlers['journey.list'] = () => ({ journeys: [], nextBefore: null });
    await begin();
    const phases: string[] = [];
    const stopWatching = usePaymentsStore.subscribe(({ phase }) => phases.push(phase));
    state().setSearch('fo');
    expect(state().answeredSearch).toBe('');
    await vi.runAllTimersAsync();
    expect(state().answeredSearch).toBe('fo');
    stopWatching();
    expect(new Set(phases)).toEqual(new Set(['ready']));
  });

  it('pages on without showing a reference twice', async () => {
    await begin();
    await state().loadMore();
    expect(references()).toEqual(['c', 'b', 'a']);
  });

  it('moves a changed payment up and reads the open timeline again', async () => {
    await begin();
    await state().select('b');
    fake.handlers['journey.list'] = () => ({
      journeys: [journey('b', { state: 'succeeded' }), journey('c')],
      nextBefore: 1000,
    });
    fake.calls.length = 0;
    fake.emit('journey.changed', { references: ['b'] });
    await vi.runAllTimersAsync();
    expect(references()).toEqual(['b', 'c']);
    expect(fake.calls.map((one) => one.method).toSorted()).toEqual(['journey.get', 'journey.list']);
    expect(state().selectedReference).toBe('b');
  });

  it('reads on from where so many came that those before no longer follow', async () => {
    await begin();
    const all = ['g', 'f', 'e', 'd', 'c', 'b', 'a'];
    fake.handlers['journey.list'] = ({ before }) => {
      const page = all.slice(before ?? 0, (before ?? 0) + 2);
      const next = (before ?? 0) + 2;
      return { journeys: page.map((one) => journey(one)), nextBefore: next < all.length ? next : null };
    };
    fake.emit('journey.changed', { references: ['g', 'f', 'e', 'd'] });
    await vi.runAllTimersAsync();
    for (let page = 0; page < 3; page++) await state().loadMore();
    expect(references()).toEqual(all);
  });

  it('shows the reading that was asked for last, in whatever order they come', async () => {
    await begin();
    const answers: ((state: string) => void)[] = [];
    fake.handlers['journey.get'] = ({ reference }) =>
      new Promise((resolve) => {
        answers.push((value) =>
          resolve({ summary: journey(reference, { state: value }), events: [], unasked: [] }),
        );
      });
    const readings = [state().select('b'), state().select('b')];
    answers[1]!('succeeded');
    answers[0]!('initiated');
    await Promise.all(readings);
    expect(state().journey?.summary.state).toBe('succeeded');
  });

  it('asks the status of the payment on show, by its environment and product', async () => {
    fake.handlers['lookups.status'] = () => Promise.reject(new Error('unreachable'));
    await begin();
    await state().select('b');
    await state().ask(null);
    expect(fake.calls.findLast((one) => one.method === 'lookups.status')?.input).toMatchObject({
      environment: 'local',
      product: 'payout',
      by: 'transaction_reference',
      value: 'b',
    });
    expect(state()).toMatchObject({ isAsking: false, askError: { message: expect.any(String) } });
  });

  it('says why a status could not be asked beside its own payment alone', async () => {
    let refuse = (_reason: Error): void => undefined;
    fake.handlers['lookups.status'] = () => new Promise((_resolve, reject) => (refuse = reject));
    await begin();
    await state().select('b');
    const asking = state().ask(null);
    await vi.advanceTimersByTimeAsync(0);
    await state().select('c');
    expect(state().isAsking).toBe(false);
    const former = refuse;
    const askingNext = state().ask(null);
    await vi.advanceTimersByTimeAsync(0);
    former(new Error('unreachable'));
    await asking;
    expect(state()).toMatchObject({ selectedReference: 'c', isAsking: true, askError: null });
    refuse(new Error('unreachable'));
    await askingNext;
    expect(state()).toMatchObject({ isAsking: false, askError: { message: expect.any(String) } });
  });

  it('can ask again of a payment that was gone back to before another one came', async () => {
    let refuse = (_reason: Error): void => undefined;
    fake.handlers['lookups.status'] = () => new Promise((_resolve, reject) => (refuse = reject));
    await begin();
    await state().select('b');
    const read = fake.handlers['journey.get']!;
    fake.handlers['journey.get'] = (input) =>
      input.reference === 'b' ? read(input) : new Promise(() => undefined);
    void state().select('c');
    const asking = state().ask(null);
    await vi.advanceTimersByTimeAsync(0);
    await state().select('b');
    refuse(new Error('unreachable'));
    await asking;
    expect(state()).toMatchObject({ selectedReference: 'b', isAsking: false });
  });

  it('says nothing of a reading that failed when a later one has come', async () => {
    await begin();
    const list = fake.handlers['journey.list']!;
    let refuse = (_reason: Error): void => undefined;
    fake.handlers['journey.list'] = () => new Promise((_resolve, reject) => (refuse = reject));
    fake.emit('journey.changed', { references: ['b'] });
    await vi.runAllTimersAsync();
    fake.handlers['journey.list'] = list;
    fake.emit('journey.changed', { references: ['b'] });
    await vi.runAllTimersAsync();
    refuse(new Error('unreachable'));
    await vi.runAllTimersAsync();
    expect(state().error).toBeNull();
  });

  it('reads a journey of the local sandbox again when something changes there', async () => {
    const place = {
      name: 'A',
      service: null,
      operation: 'payout' as const,
      amount: '1',
      currency: 'KES',
      sentAt: 1,
    };
    const countReads = (): number => fake.calls.filter(({ method }) => method === 'journey.get').length;
    const changeIn = async (environment: string): Promise<number> => {
      const sentTo = [{ ...place, environment }];
      fake.handlers['journey.get'] = ({ reference }) => ({
        summary: journey(reference, { sentTo }),
        events: [],
        unasked: [],
      });
      await state().select('b');
      const before = countReads();
      fake.emit('sandbox.changed', { reason: 'webhooks' });
      fake.emit('sandbox.changed', { reason: 'webhooks' });
      await vi.runAllTimersAsync();
      return countReads() - before;
    };
    await begin();
    expect(await changeIn('data/uat')).toBe(0);
    expect(await changeIn('local')).toBe(1);
  });

  it('asks that service of several which the button is about, by the environment and product that went there', async () => {
    const place = { name: 'Two', amount: '1', currency: 'KES', sentAt: 1 };
    const sentTo = [
      { ...place, environment: 'local', service: 'http://127.0.0.1:1', operation: 'payout' as const },
      { ...place, environment: 'data/two', service: 'https://two.test', operation: 'collection' as const },
    ];
    fake.handlers['journey.get'] = ({ reference }) => ({
      summary: journey(reference, { sentTo }),
      events: [],
      unasked: [],
    });
    fake.handlers['lookups.status'] = () => Promise.reject(new Error('unreachable'));
    await begin();
    await state().select('b');
    const asked = () => fake.calls.findLast((one) => one.method === 'lookups.status')?.input;
    await state().ask('https://two.test');
    expect(asked()).toMatchObject({
      environment: 'data/two',
      product: 'collection',
      value: 'b',
      sentTo: 'https://two.test',
    });
    await state().ask(null);
    expect(asked()).toMatchObject({ environment: 'local', sentTo: 'http://127.0.0.1:1' });
    await state().ask('https://gone.test');
    expect(asked()).toMatchObject({ environment: 'local', product: 'payout', sentTo: 'https://gone.test' });
  });

  it('says why an exchange could not be opened, and closes it on the second press', async () => {
    await begin();
    await state().toggleExchange('x');
    expect(state().exchangeError).not.toBeNull();
    await state().toggleExchange('x');
    expect(state()).toMatchObject({ openExchangeId: null, exchangeError: null });
  });

  it('says why the list could not be read', async () => {
    fake.handlers['journey.list'] = () => Promise.reject(new Error('broken'));
    await begin();
    expect(state().phase).toBe('failed');
  });
});

describe('payments selectors', () => {
  it('names a payment by what is known of it', () => {
    expect(titleOf(journey('a'))).toBe('Payout KES 42,000.00');
    expect(titleOf(journey('a', { amount: null, currency: null, operation: 'other' }))).toBe('Payment');
  });

  it('marks the state, or how far it came', () => {
    expect(tagOf(journey('a', { state: 'failed' }))).toEqual({ text: 'failed', tone: 'bad' });
    expect(tagOf(journey('a', { state: 'failed', isDisputed: true })).text).toBe('they disagree');
    expect(tagOf(journey('a')).text).toBe('accepted');
    const refused = { signed: 'done', accepted: 'failed', webhook: 'none', final: 'none' } as const;
    expect(tagOf(journey('a', { track: refused })).text).toBe('refused');
    const unsent = { ...refused, accepted: 'none' } as const;
    expect(tagOf(journey('a', { track: unsent }))).toEqual({ text: 'not sent', tone: 'quiet' });
    expect(describeKnown(journey('a', { track: unsent }))).toBeNull();
    expect(describeKnown(journey('a', { track: refused }))?.label).toBe('refused after');
    expect(describeKnown(journey('a', { finalAt: 66_000, startedAt: 1000 }))).toMatchObject({
      label: 'outcome known after',
      text: '1 min 5 s',
    });
    expect(describeKnown(journey('a'))?.label).toBe('last heard of after');
    const lost = { ...refused, accepted: 'unknown' } as const;
    expect(describeKnown(journey('a', { track: lost }))?.label).toBe('outcome not known after');
    const heardOf = { signed: 'none', accepted: 'none', webhook: 'done', final: 'none' } as const;
    expect(tagOf(journey('a', { operation: 'other', track: heardOf })).text).toBe('state not known');
  });

  it('gives the track in words', () => {
    expect(readTrack(journey('a')).map((one) => one.label)).toEqual([
      'signed: done',
      'accepted: done',
      'webhook: waiting',
      'final: not reached',
    ]);
    expect(describeMoment(2600, 1000)).toBe('+1.6 s');
    const asked = { signed: 'done', accepted: 'done', webhook: 'none', final: 'done' } as const;
    const labels = (given: Partial<JourneySummary>) =>
      readTrack(journey('a', given)).map(({ label }) => label);
    expect(labels({ track: asked })[2]).toBe('webhook: none known here');
    expect(labels({ track: { ...asked, accepted: 'failed' } })[2]).toBe('webhook: not reached');
    const refused = readTrack(journey('a', { track: { ...asked, accepted: 'failed' } }))[1];
    expect(refused).toMatchObject({ title: 'refused', label: 'accepted: refused' });
    const unsigned = { ...asked, signed: 'none' } as const;
    expect(labels({ track: unsigned, operation: 'collection' })[0]).toBe('signed: not needed');
    expect(labels({ track: unsigned, operation: 'payout' })[0]).toBe('signed: not reached');
  });

  it('times a step by the event that it was reached by', () => {
    const quiet = {
      title: '',
      detail: null,
      tone: 'quiet',
      exchangeId: null,
      webhookId: null,
      state: null,
      service: null,
    } as const;
    const events = [
      { ...quiet, kind: 'webhook', at: 1200 },
      { ...quiet, kind: 'refused', at: 8200 },
    ] satisfies Journey['events'];
    const track = { signed: 'none', accepted: 'done', webhook: 'done', final: 'done' } as const;
    const words = (summary: JourneySummary) =>
      readSteps({ summary, events, unasked: [] }).map(({ word }) => word);
    // Accepted as the webhook tells: the refusal of another try is not when.
    expect(words(journey('a', { track, finalAt: 1200 }))).toEqual([
      'not reached',
      'done',
      '+0.0 ms',
      '+0.0 ms',
    ]);
    expect(words(journey('a', { track: { ...track, accepted: 'failed' } }))[1]).toBe('+7.0 s');
  });
});
