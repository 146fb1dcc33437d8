import { describe, expect, it } from 'vitest';
import { subtractAmounts } from './subtract-amounts';

describe('subtractAmounts', () => {
  it.each([
    ['998990.00', '1000000', '-1010.00'],
    ['1000000', '998990.00', '+1010.00'],
    ['0.3', '0.1', '+0.2'],
    ['5', '5.00', '0'],
    ['12345678901234567890.01', '12345678901234567890', '+0.01'],
    ['1e3', '999', '+1'],
    ['-5', '-7.5', '+2.5'],
    ['0.05', '0.1', '-0.05'],
  ])('%s less %s is %s', (later, earlier, expected) => {
    expect(subtractAmounts(later, earlier)).toBe(expected);
  });

  it('gives null for what is no amount', () => {
    expect(subtractAmounts('', '1')).toBeNull();
    expect(subtractAmounts('1', 'NaN')).toBeNull();
    expect(subtractAmounts('1e-99', '1')).toBeNull();
  });
});
