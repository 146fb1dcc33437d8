import { describe, expect, it } from 'vitest';
import { formatAmount, formatAmountChange, formatMoney, roomFor } from './format-amount';

describe('formatAmount', () => {
  it('writes every amount in one format, exactly', () => {
    expect(['1000', '998485.5', '1e3', '0.125', '-7', '0', '-1515.00'].map(formatAmount)).toEqual([
      '1,000.00',
      '998,485.50',
      '1,000.00',
      '0.125',
      '−7.00',
      '0.00',
      '−1,515.00',
    ]);
    expect(formatAmount('90071992547409931.01')).toBe('90,071,992,547,409,931.01');
  });

  it('leaves what is no number as it is, without what would turn the text after it', () => {
    expect(formatAmount('n/a')).toBe('n/a');
    expect(formatAmount('1\u202e2')).toBe('1[RLO]2');
  });

  it('writes the sign of a change', () => {
    expect(['5', '-5.5'].map(formatAmountChange)).toEqual(['+5.00', '−5.50']);
  });

  it('names the currency where it is known', () => {
    expect(formatMoney('KES', '1500')).toBe('KES 1,500.00');
    expect(formatMoney(null, '1500')).toBe('1,500.00');
    expect(formatMoney('KES', null)).toBe('KES');
    expect(formatMoney('\u202eSEK', null)).toBe('[RLO]SEK');
  });
});

describe('roomFor', () => {
  it('is what the longest fraction of a column takes, at least two digits and at most six', () => {
    expect(roomFor([null, '5'])).toBe(2);
    expect(roomFor(['5', '0.125'])).toBe(3);
    expect(roomFor(['0.123456789'])).toBe(6);
  });
});
