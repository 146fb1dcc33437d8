import { describe, expect, it } from 'vitest';
import { isTooLong, planWaitMs, readRetryAfterMs } from './retry-after';

const now = Date.UTC(2026, 10, 22, 10, 0, 0);
const read = (value: string): number | null => readRetryAfterMs([['retry-AFTER', value]], now);

describe('Retry-After', () => {
  it.each([
    ['7', 7000],
    [' 0 ', 0],
    ['Sun, 22 Nov 2026 10:00:30 GMT', 30_000],
    ['Sunday, 22-Nov-26 10:01:00 GMT', 60_000],
    ['Sun Nov 22 10:00:05 2026', 5000],
    ['Sun, 22 Nov 2026 09:00:00 GMT', 0],
  ])('%j is %d ms', (value, wanted) => expect(read(value)).toBe(wanted));

  it.each(['', '-1', '1.5', '1e3', 'soon', '2026-11-22T10:00:30Z', 'Sun, 22 Nov 2026 10:00:30 CET'])(
    '%j says nothing',
    (value) => expect(read(value)).toBeNull(),
  );

  it.each(['9999999999', '9'.repeat(400)])('%s is longer than anybody waits', (value) =>
    expect(isTooLong(read(value))).toBe(true),
  );

  it.each([
    ['Sun, 22 Nov 2026 07:59:58 GMT', 7000],
    ['Sun, 22 Nov 2026 12:00:00 GMT', 0],
    ['by no clock', 0],
  ])('counts a date by the clock of the service, not by one here that is wrong: %s', (date, wanted) => {
    const headers = [
      ['Date', date],
      ['Retry-After', 'Sun, 22 Nov 2026 08:00:05 GMT'],
    ] as const;
    expect(readRetryAfterMs(headers, now)).toBe(wanted);
  });

  it('is not there without the header', () => expect(readRetryAfterMs([['x', '1']], now)).toBeNull());
});

describe('planWaitMs', () => {
  it('is never shorter than asked for, and not the same for everybody', () => {
    for (const random of [0, 0.5, 0.999]) {
      expect(planWaitMs(7000, 1, random)).toBeGreaterThanOrEqual(7000);
      expect(planWaitMs(7000, 1, random)).toBeLessThanOrEqual(9000);
      expect(planWaitMs(900_000, 1, random)).toBeGreaterThanOrEqual(900_000);
    }
    expect(planWaitMs(0, 1, 0.9)).not.toBe(planWaitMs(0, 1, 0.1));
  });

  it('is none where the service asks for more than a quarter of an hour', () => {
    expect(planWaitMs(900_001, 1, 0)).toBeNull();
    expect([isTooLong(900_000), isTooLong(900_001), isTooLong(null)]).toEqual([false, true, false]);
  });

  it('doubles where the service says nothing, up to half a minute', () => {
    expect([1, 2, 3, 6, 60].map((attempt) => planWaitMs(null, attempt, 0))).toEqual([
      1000, 2000, 4000, 30_000, 30_000,
    ]);
  });
});
