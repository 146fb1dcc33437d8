import { expect, it } from 'vitest';
import type { AppRun } from '@shared/contract/running';
import {
  countStates,
  describeEnd,
  describeRow,
  describeRun,
  isFailed,
  listFailed,
  listRunRows,
  markFiles,
  signOf,
  type RunRow,
} from './run-rows';

const item = (name: string) => ({
  name,
  folder: '',
  path: `${name}.http`,
  block: name,
  line: 1,
  operation: 'other' as const,
});

it('says of what had no turn that it was not sent, and offers it to be run again', () => {
  const run = {
    state: 'over',
    kept: [],
    items: ['passed', 'cut', 'failed', 'left'].map(item),
    results: [
      { place: 0, outcome: 'passed' },
      { place: 2, outcome: 'failed' },
      { place: 1, outcome: 'unfinished' },
    ],
  } as unknown as AppRun;
  const rows = listRunRows(run, []);
  expect(rows.map(({ item: { name }, state }) => `${name} ${state}`)).toEqual([
    'failed failed',
    'cut unfinished',
    'left unsent',
    'passed passed',
  ]);
  expect(countStates(rows)).toContainEqual({ state: 'unsent', count: 1 });
  expect(listFailed(rows).map(({ block }) => block)).toEqual(['failed', 'cut', 'left']);
  const underWay = listRunRows({ ...run, state: 'running', results: [] }, [0]);
  expect(underWay.filter(isFailed)).toEqual([]);
});

it('says in the strip how each ended by its own word: no answer is no failure, and one cancelled is not over well', () => {
  const tell = (state: string, ...outcomes: string[]) =>
    describeRun({
      state,
      kept: [],
      items: ['a', 'b', 'c', 'd'].map(item),
      results: outcomes.map((outcome, place) => ({ place, outcome })),
    } as unknown as AppRun);
  expect(tell('over', 'failed', 'error', 'error', 'passed')).toBe('Run: 1 failed, 2 no answer');
  expect(tell('over', 'passed', 'unfinished')).toBe('Run: 1 not finished, 2 not sent');
  expect(tell('over', 'passed', 'passed', 'skipped', 'passed')).toBe('Run: 3 passed, 1 skipped');
  expect(tell('running', 'passed')).toBe('Run: 1 of 4');
  expect(tell('running', 'passed', 'error')).toBe('Run: 2 of 4, 1 no answer');
});

it('calls what never left no request without an answer, in list, strip and tree', () => {
  const run = {
    state: 'over',
    kept: [{ item: item('c'), result: { place: 0, outcome: 'error', exchangeId: null, attempts: 0 } }],
    items: ['a', 'b'].map(item),
    results: [
      // Its token was asked for, and refused.
      { place: 0, outcome: 'error', exchangeId: null, attempts: 1 },
      { place: 1, outcome: 'error', exchangeId: 'e1', attempts: 1 },
    ],
  } as unknown as AppRun;
  expect(describeRun(run)).toBe('Run: 2 could not be sent, 1 no answer');
  expect([...markFiles(run)]).toEqual([
    ['a.http', 'unready'],
    ['b.http', 'error'],
    ['c.http', 'unready'],
  ]);
  expect(listFailed(listRunRows(run, []))).toHaveLength(3);
  const ends = listRunRows(run, []).map(({ state, result }) =>
    describeEnd(state, { ...result!, httpStatus: null }),
  );
  expect(ends.toSorted()).toEqual(['It could not be sent', 'It could not be sent', 'No answer']);
});

it('runs again what was skipped for one that failed, and keeps what is not run again, in list and tree', () => {
  const first = {
    state: 'over',
    kept: [],
    items: ['good', 'bad', 'after', 'off'].map(item),
    results: [
      { place: 0, outcome: 'passed' },
      { place: 1, outcome: 'failed' },
      { place: 2, outcome: 'skipped', reason: "depends on 'bad', which did not pass" },
      { place: 3, outcome: 'skipped', reason: 'not today' },
    ],
  } as unknown as AppRun;
  const rows = listRunRows(first, []);
  expect(listFailed(rows).map(({ block }) => block)).toEqual(['bad', 'after']);
  const again = { ...first, items: ['bad', 'after'].map(item), results: [{ place: 0, outcome: 'passed' }] };
  const kept = rows
    .filter(({ state }) => state !== 'failed')
    .filter(({ item: { name } }) => name !== 'after');
  const run = { ...again, kept, state: 'running' } as unknown as AppRun;
  const shown = listRunRows(run, [1]);
  expect(shown.map(({ item: { name }, state }) => `${name} ${state}`)).toEqual([
    'after waiting',
    'bad passed',
    'good passed',
    'off skipped',
  ]);
  expect(new Set(shown.map(({ id }) => id)).size).toBe(4);
  expect([...markFiles(run)]).toEqual([
    ['bad.http', 'passed'],
    ['good.http', 'passed'],
    ['off.http', 'skipped'],
  ]);
});

it('says of a payment what was answered and what came of it, and of one that failed what it expected', () => {
  const accepted = { reason: null, httpStatus: 201, summary: 'Accepted', later: 'failed', expectations: [] };
  const say = (more: object): string =>
    describeRow({ item: item('a'), result: { ...accepted, ...more } } as unknown as RunRow);
  expect(say({})).toBe('201 Accepted, then failed');
  expect(say({ later: null })).toBe('201 Accepted');
  const expectations = [{ outcome: 'failed', text: 'status 200', received: '201' }];
  expect(say({ expectations })).toBe('status 200 · received 201');
});

it('has a sign of its own for what failed, what is not finished and what passed', () => {
  expect(['failed', 'unfinished', 'passed'].map((state) => signOf(state as 'failed'))).toEqual([
    'cross',
    'open',
    'check',
  ]);
});
