import { describe, expect, it } from 'vitest';
import { formatAmount, formatAmountChange, formatRowTime, groupDigits } from './format';

describe('format', () => {
  it('groups thousands and leaves other literals as written', () => {
    expect(groupDigits('1234567.50')).toBe('1,234,567.50');
    expect(groupDigits('-1515.00')).toBe('-1,515.00');
    expect(groupDigits('1e3')).toBe('1e3');
    expect(groupDigits('12345678901234567890')).toBe('12,345,678,901,234,567,890');
  });

  it('writes amounts of balances in one format, exactly', () => {
    expect(['1000', '998485.5', '1e3', '0.125', '-7'].map(formatAmount)).toEqual([
      '1,000.00',
      '998,485.50',
      '1,000.00',
      '0.125',
      '−7.00',
    ]);
    expect(formatAmount('90071992547409931.01')).toBe('90,071,992,547,409,931.01');
    expect(formatAmount('n/a')).toBe('n/a');
    expect(formatAmount('1\u202e2')).toBe('1[RLO]2');
    expect(['5', '-5.5'].map(formatAmountChange)).toEqual(['+5.00', '−5.50']);
  });

  it('shows the clock for today and the day before that', () => {
    const now = new Date(2026, 10, 21, 12).getTime();
    expect(formatRowTime(new Date(2026, 10, 21, 9, 5, 4).getTime(), now)).toBe('09:05:04');
    expect(formatRowTime(new Date(2026, 10, 2).getTime(), now)).toBe('2 Nov');
    expect(formatRowTime(new Date(2025, 10, 2).getTime(), now)).toBe('2 Nov 2025');
  });
});
