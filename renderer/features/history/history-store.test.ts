import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { setTransport } from '../../transport/client';
import { createFakeTransport } from '../../transport/fake';
import { setFilter, startHistory, useHistoryStore } from './history-store';

const state = () => useHistoryStore.getState();

beforeEach(() => {
  vi.useFakeTimers();
  useHistoryStore.setState(useHistoryStore.getInitialState(), true);
  setTransport(createFakeTransport({ 'history.list': () => ({ exchanges: [], nextBefore: null }) }));
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
