import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { sayIfLong } from './say-if-long';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const after = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

it('says what goes on once, where it takes more than three seconds', async () => {
  const said: string[] = [];
  const long = sayIfLong(
    (line) => said.push(line),
    'Reading rows.csv.',
    () => after(60_000),
  );
  await vi.advanceTimersByTimeAsync(2999);
  expect(said).toEqual([]);
  await vi.advanceTimersByTimeAsync(60_000);
  await long;
  expect(said).toEqual(['Reading rows.csv.']);
});

it('says nothing of what was short, or failed', async () => {
  const said: string[] = [];
  const say = (line: string) => said.push(line);
  expect(await sayIfLong(say, 'Reading rows.csv.', () => Promise.resolve(7))).toBe(7);
  await expect(
    sayIfLong(say, 'Reading rows.csv.', () => Promise.reject(new Error('line 3'))),
  ).rejects.toThrow('line 3');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(said).toEqual([]);
});
