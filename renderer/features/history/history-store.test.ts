import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { setTransport } from '../../transport/client';
import { createFakeTransport, type FakeTransport } from '../../transport/fake';
import { compareWith, setFilter, startHistory, useHistoryStore } from './history-store';

let fake: FakeTransport;
const state = () => useHistoryStore.getState();

beforeEach(() => {
  vi.useFakeTimers();
  useHistoryStore.setState(useHistoryStore.getInitialState(), true);
  fake = createFakeTransport({ 'history.list': () => ({ exchanges: [], nextBefore: null }) });
  setTransport(fake);
});

afterEach(() => {
  vi.useRealTimers();
});

it('leaves on show that nothing was found while it asks again, and says so of what was asked alone', async () => {
  const stop = startHistory();
  await vi.runAllTimersAsync();
  const phases: string[] = [];
  const stopWatching = useHistoryStore.subscribe(({ phase }) => phases.push(phase));
  setFilter({ search: 'fo' });
  expect(state().answeredFilter.search).toBe('');
  await vi.runAllTimersAsync();
  expect(state().answeredFilter.search).toBe('fo');
  stopWatching();
  expect(new Set(phases)).toEqual(new Set(['ready']));
  stop();
});

it('compares with what was chosen last, in whatever order the answers come', async () => {
  const answers: (() => void)[] = [];
  fake.handlers['history.get'] = ({ id }) =>
    new Promise((resolve) => answers.push(() => resolve({ id } as never)));
  const both = [compareWith('a'), compareWith('b')];
  await vi.runAllTimersAsync();
  answers[1]!();
  answers[0]!();
  await Promise.all(both);
  expect(state().other?.id).toBe('b');
  const late = compareWith('a');
  await vi.runAllTimersAsync();
  await compareWith(null);
  answers[2]!();
  await late;
  expect(state().other).toBeNull();
});
