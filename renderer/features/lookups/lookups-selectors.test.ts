import { toLookupRow } from '@shared/lookups/run-lookups';
import { expect, it } from 'vitest';
import { describeProgress } from './lookups-selectors';

it('says that a list is watched only where it is, also while the last of it waits to be asked once more', () => {
  const [first, last] = ['R-1', 'R-2'].map((value) =>
    toLookupRow({ line: 1, by: 'transaction_reference', value, product: null }),
  );
  const rows = [
    { ...first!, outcome: 'found', state: 'succeeded', queries: 1 } as const,
    { ...last!, outcome: 'asking', queries: 1, reason: 'Too many requests: again in 5 s' } as const,
  ];
  expect(describeProgress(rows, 2, { isRunning: true, isWatched: false })).toBe('2 of 2');
  expect(describeProgress(rows, 2, { isRunning: true, isWatched: true })).toBe('1 of 2 final, watching');
  expect(describeProgress(rows, 2, { isRunning: false, isWatched: true })).toBe('1 of 2 final, watch ended');
  expect(describeProgress(rows, 2, { isRunning: false, isWatched: false })).toBe('2 of 2, done');
  expect(describeProgress([rows[0]!], 1, { isRunning: false, isWatched: true })).toBe('1 of 1, done');
  expect(describeProgress(rows, 1, { isRunning: false, isWatched: true })).toBe('1 of 2, stopped');
});
