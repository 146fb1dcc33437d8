import type { Environment } from '@shared/contract/environments';
import type { MethodOutput } from '@shared/contract/contract';
import { AppError } from '@shared/errors';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { useEnvironments } from '../../session/environments';
import { tellRenamed } from '../../session/renamed-environments';
import { setTransport } from '../../transport/client';
import { createFakeTransport, type FakeTransport } from '../../transport/fake';
import { useBulkStore } from './bulk-store';
import { useLookupsStore } from './lookups-store';

const place = (name: string, baseUrl = `https://${name}.test`): Environment =>
  ({ id: name === 'local' ? name : `data/${name}`, name, label: name, baseUrl }) as Environment;
const answer = {
  exchange: { sentAt: 1, response: null, reading: null, error: null },
  isFound: true,
  state: 'processing',
} as unknown as MethodOutput<'lookups.status'>;

let fake: FakeTransport;
const state = () => useLookupsStore.getState();
const asked = () =>
  fake.calls.flatMap(({ method, input }) => (method === 'lookups.status' ? [input] : [])) as {
    environment: string;
  }[];
const tell = (...environments: Environment[]): void =>
  useEnvironments.setState({ environments, error: null });

beforeEach(async () => {
  vi.useFakeTimers();
  vi.stubGlobal('window', new EventTarget());
  vi.stubGlobal('document', { documentElement: { dataset: {} } });
  useEnvironments.setState(useEnvironments.getInitialState(), true);
  useLookupsStore.setState(useLookupsStore.getInitialState(), true);
  useBulkStore.setState(useBulkStore.getInitialState(), true);
  fake = createFakeTransport({
    'environments.list': () => ({ environments: [place('local'), place('one'), place('two')] }),
    'history.list': () => ({ exchanges: [], nextBefore: null }),
    'lookups.status': () => answer,
  });
  setTransport(fake);
  await state().start('local');
  state().change({ environment: 'data/one', value: 'R' });
});

afterEach(() => {
  state().stopWatching();
  useBulkStore.getState().stop();
  vi.useRealTimers();
});

describe('environments that change while a payment is watched', () => {
  it('end the watch and take its answer away where the one that is asked moves or goes, and it is said why', async () => {
    const changes = [
      [[place('local'), place('one', 'https://else.test')], 'data/one', '“one” has another address now'],
      [[place('local'), place('uno')], 'local', 'There is no environment “one” any more'],
    ] as const;
    for (const [environments, environment, why] of changes) {
      tell(place('local'), place('one'), place('two'));
      state().change({ environment: 'data/one' });
      void state().watch();
      await vi.advanceTimersByTimeAsync(2500);
      expect(state()).toMatchObject({ watchCount: 2, result: { state: 'processing' } });
      const before = asked().length;
      tell(...environments);
      await vi.advanceTimersByTimeAsync(60_000);
      expect(asked()).toHaveLength(before);
      expect(state()).toMatchObject({
        environment,
        environments,
        value: 'R',
        result: null,
        seen: [],
        watchCount: null,
        watchEnd: `${why}; the watch has ended.`,
      });
    }
  });

  it('leave it alone where another one changes, or the sandbox in the app gets another port', async () => {
    for (const id of ['data/one', 'local']) {
      state().change({ environment: id });
      void state().watch();
      await vi.advanceTimersByTimeAsync(2500);
      tell(place('local', 'http://127.0.0.1:2'), place('one'), place('two', 'https://else.test'));
      expect(state()).toMatchObject({ environment: id, watchCount: 2, result: { state: 'processing' } });
    }
  });

  it('leave it alone where the active one is switched before anything was answered', async () => {
    fake.handlers['lookups.status'] = () =>
      Promise.reject(new AppError('sending.unreachable', 'Nobody there.'));
    void state().watch();
    await vi.advanceTimersByTimeAsync(100);
    await state().start('data/two');
    await vi.advanceTimersByTimeAsync(2500);
    expect(asked().map(({ environment }) => environment)).toEqual(['data/one', 'data/one']);
  });

  it('take the error of another question away with its environment', async () => {
    fake.handlers['lookups.status'] = () => Promise.reject(new Error('no'));
    await state().ask();
    await state().start('data/two');
    expect(state()).toMatchObject({ environment: 'data/two', error: null });
  });
});

it('shows no answer of the address where the environment was when it was asked, nor an earlier one over a later', async () => {
  const answers: ((state: string) => void)[] = [];
  fake.handlers['lookups.status'] = () =>
    new Promise((resolve) => answers.push((found) => resolve({ ...answer, state: found })));
  tell(place('local'), place('one'), place('two'));
  void state().ask();
  await vi.advanceTimersByTimeAsync(0);
  tell(place('local'), place('one', 'https://else.test'), place('two'));
  expect(state().isAsking).toBe(false);
  void state().ask();
  await vi.advanceTimersByTimeAsync(0);
  answers[0]!('failed');
  await vi.advanceTimersByTimeAsync(0);
  expect(state()).toMatchObject({ result: null, isAsking: true });
  void state().ask();
  await vi.advanceTimersByTimeAsync(0);
  answers[2]!('succeeded');
  await vi.advanceTimersByTimeAsync(0);
  answers[1]!('processing');
  await vi.advanceTimersByTimeAsync(0);
  expect(state()).toMatchObject({ result: { state: 'succeeded' }, isAsking: false });
});

it('go on with a payment and a list that are asked for where the environment gets another name', async () => {
  void state().watch();
  useBulkStore.getState().change({ text: 'a, b', perSecond: 1 });
  void useBulkStore.getState().askAll();
  await vi.advanceTimersByTimeAsync(500);
  tellRenamed({ from: 'data/one', to: 'data/uno' });
  tell(place('local'), { ...place('uno'), baseUrl: 'https://one.test' }, place('two'));
  expect(state()).toMatchObject({ environment: 'data/uno', result: { state: 'processing' }, watchEnd: null });
  const before = asked().length;
  await vi.advanceTimersByTimeAsync(2500);
  const later = asked().slice(before);
  expect(later.length).toBeGreaterThan(1);
  expect(new Set(later.map(({ environment }) => environment))).toEqual(new Set(['data/uno']));
});

it('asks nobody for the rest of a list whose environment has moved meanwhile, and says it in each row; the table keeps its name', async () => {
  tell(place('local'), place('one'), place('two'));
  useBulkStore.getState().change({ text: 'a, b, c', perSecond: 1 });
  void useBulkStore.getState().askAll();
  await vi.advanceTimersByTimeAsync(500);
  tell(place('local'), place('one', 'https://else.test'));
  await vi.advanceTimersByTimeAsync(10_000);
  state().change({ environment: 'data/two' });
  const { rows, isRunning, askedIn } = useBulkStore.getState();
  expect(askedIn).toBe('one');
  expect(asked()).toHaveLength(1);
  expect(isRunning).toBe(false);
  expect(rows.map(({ outcome }) => outcome)).toEqual(['found', 'not_known', 'not_known']);
  expect(rows[2]?.reason).toBe(
    '“one” has another address now than when the list began: nothing was sent. Query all again to ask there.',
  );
});
