import { describe, expect, it } from 'vitest';
import { formatRowTime, groupDigits } from './format';

describe('format', () => {
  it('groups thousands and leaves other literals as written', () => {
    expect(groupDigits('1234567.50')).toBe('1,234,567.50');
    expect(groupDigits('-1515.00')).toBe('-1,515.00');
    expect(groupDigits('1e3')).toBe('1e3');
    expect(groupDigits('12345678901234567890')).toBe('12,345,678,901,234,567,890');
  });

  it('shows the clock for today and the day before that', () => {
    const now = new Date(2026, 10, 21, 12).getTime();
    expect(formatRowTime(new Date(2026, 10, 21, 9, 5, 4).getTime(), now)).toBe('09:05:04');
    expect(formatRowTime(new Date(2026, 10, 2).getTime(), now)).toBe('2 Nov');
    expect(formatRowTime(new Date(2025, 10, 2).getTime(), now)).toBe('2 Nov 2025');
  });
});
