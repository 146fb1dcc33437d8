import { describe, expect, it } from 'vitest';
import {
  describeDuration,
  describeSize,
  formatExact,
  formatRelative,
  formatRowTime,
  groupDigits,
} from './format';

describe('format', () => {
  it('groups thousands and leaves other literals as written', () => {
    expect(groupDigits('1234567.50')).toBe('1,234,567.50');
    expect(groupDigits('-1515.00')).toBe('-1,515.00');
    expect(groupDigits('1e3')).toBe('1e3');
    expect(groupDigits('12345678901234567890')).toBe('12,345,678,901,234,567,890');
  });

  it('says sizes and durations in the unit that fits', () => {
    expect([1, 214, 2_100_000].map(describeSize)).toEqual(['1 byte', '214 bytes', '2.1 MB']);
    expect([0.4, 38, 1600, 120_000, 3 * 86_400_000].map(describeDuration)).toEqual([
      '0.4 ms',
      '38 ms',
      '1.6 s',
      '2 min',
      '3 days',
    ]);
  });

  it('shows the clock for today and the day before that', () => {
    const now = new Date(2026, 10, 21, 12).getTime();
    expect(formatRowTime(new Date(2026, 10, 21, 9, 5, 4).getTime(), now)).toBe('09:05:04');
    expect(formatRowTime(new Date(2026, 10, 2).getTime(), now)).toBe('2 Nov');
    expect(formatRowTime(new Date(2025, 10, 2).getTime(), now)).toBe('2 Nov 2025');
    expect(formatExact(new Date(2026, 10, 2, 1, 2, 3).getTime())).toBe('2026-11-02 01:02:03');
  });

  it('tells past from future', () => {
    expect(formatRelative(0, 4000)).toBe('4 s ago');
    expect(formatRelative(1_200_000, 0)).toBe('in 20 min');
    expect(formatRelative(0, 10)).toBe('now');
  });
});
