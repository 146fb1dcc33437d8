import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addDecimals,
  compareDecimals,
  formatDecimal,
  parseDecimal,
  subtractLiterals,
  toIntegerLiteral,
  toUnits,
} from './decimal';

const read = (literal: string) => parseDecimal(literal)!;

describe('a decimal', () => {
  it.each([
    ['1000', '1000'],
    ['1000.00', '1000.00'],
    ['1e3', '1000'],
    ['12.5e1', '125'],
    ['1.5E-3', '0.0015'],
    ['-0.05', '-0.05'],
    ['-0', '0'],
    ['0.00', '0.00'],
    ['0e99', '0'],
    ['0e-99', `0.${'0'.repeat(60)}`],
    ['12345678901234567890.01', '12345678901234567890.01'],
    ['1e59', `1${'0'.repeat(59)}`],
    ['9'.repeat(60), '9'.repeat(60)],
    [`1.${'2'.repeat(59)}`, `1.${'2'.repeat(59)}`],
    ['1e-60', `0.${'0'.repeat(59)}1`],
  ])('%s is written %s', (literal, written) => {
    expect(formatDecimal(read(literal))).toBe(written);
  });

  it.each([
    '',
    'abc',
    '01',
    '.5',
    '1.',
    '+1',
    '1e60',
    '1e-61',
    `1.${'2'.repeat(60)}`,
    '1e999999999',
    `${'9'.repeat(61)}`,
  ])('is not read from %s', (literal) => {
    expect(parseDecimal(literal)).toBeNull();
  });

  it('is written and read back as the same', () => {
    const literals = fc.tuple(fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }), fc.nat(20));
    fc.assert(
      fc.property(literals, ([units, scale]) => {
        expect(parseDecimal(formatDecimal({ units, scale }))).toEqual({ units, scale });
      }),
    );
  });

  it('is added to and compared with another by value, whatever its fraction', () => {
    expect(addDecimals(read('0.1'), read('0.20'))).toEqual({ units: 30n, scale: 2 });
    expect(compareDecimals(read('5'), read('5.00'))).toBe(0);
    expect(compareDecimals(read('-2'), read('1e-9'))).toBe(-1);
    expect(compareDecimals(read('90071992547409931.01'), read('90071992547409931'))).toBe(1);
  });

  it.each([
    ['10.5', 2, 1050n],
    ['10.500', 2, 1050n],
    ['1e3', 0, 1000n],
    ['-0.3', 1, -3n],
    ['10.505', 2, null],
    ['0.1', 0, null],
  ])('%s at scale %i is %s', (literal, scale, units) => {
    expect(toUnits(read(literal), scale)).toBe(units);
  });
});

describe('a change', () => {
  it.each([
    ['998990.00', '1000000', '-1010.00'],
    ['1000000', '998990.00', '1010.00'],
    ['0.3', '0.1', '0.2'],
    ['5', '5.00', '0.00'],
    ['12345678901234567890.01', '12345678901234567890', '0.01'],
    ['1e3', '999', '1'],
    ['-5', '-7.5', '2.5'],
    ['0.05', '0.1', '-0.05'],
  ])('from %s back to %s is %s', (later, earlier, expected) => {
    expect(formatDecimal(subtractLiterals(later, earlier)!)).toBe(expected);
  });

  it.each([
    ['', '1'],
    ['1', 'NaN'],
    ['1e-99', '1'],
  ])('is null between %j and %j', (later, earlier) => {
    expect(subtractLiterals(later, earlier)).toBeNull();
  });
});

describe('an integer literal', () => {
  it.each([
    ['1000', '1000'],
    ['1000.00', '1000'],
    ['1e3', '1000'],
    ['1.5E+3', '1500'],
    ['1500e-2', '15'],
    ['-2.0', '-2'],
    ['0.0', '0'],
    ['-0', '0'],
    ['9007199254740993.0', '9007199254740993'],
    ['1.5', null],
    ['1e-1', null],
    ['1e999', null],
    ['01', null],
    ['', null],
  ])('of %j is %j, without rounding', (literal, expected) => {
    expect(toIntegerLiteral(literal)).toBe(expected);
  });
});
