import { describe, expect, it } from 'vitest';
import { formatRowTime } from './format-row-time';

describe('formatRowTime', () => {
  it('shows the clock for today and the day before that', () => {
    const now = new Date(2026, 10, 21, 12).getTime();
    expect(formatRowTime(new Date(2026, 10, 21, 9, 5, 4).getTime(), now)).toBe('09:05:04');
    expect(formatRowTime(new Date(2026, 10, 2).getTime(), now)).toBe('2 Nov');
    expect(formatRowTime(new Date(2025, 10, 2).getTime(), now)).toBe('2 Nov 2025');
  });
});
