import { expect, it } from 'vitest';
import { listPrintedNumbers } from './printed-numbers';

it.each([
  ['Python, repr of a Decimal', '32000', "Decimal('32000')"],
  ['Python, repr of a Fraction', '1500.50', 'Fraction(3001, 2)'],
  ['Python, a Decimal with an exponent', '32000', '3.2000e+4'],
  ['Ruby, BigDecimal#to_s', '32000', '0.32e5'],
  ['Ruby, inspect of a Rational', '32000', '(32000/1)'],
  ['Go, a big.Rat', '32000', '32000/1'],
  ['Java, a BigDecimal of scale -2', '32000', '3.20E+4'],
  ['Java, toEngineeringString', '32000', '32E+3'],
  ['Java, a BigDecimal of scale 8', '32000', '32000.00000000'],
  ['PHP, sprintf %e', '32000', '3.200000e+4'],
  ['Node, inspect of a bigint', '32000', '32000n'],
  ['Node, ar-EG', '32000', '٣٢٬٠٠٠'],
  ['Node, fa-IR', '32000.5', '۳۲٬۰۰۰٫5'.replace('5', '۵')],
  ['Node, en-KE with the sign of KES', '32000', 'Ksh\u00a032,000.00'],
  ['Node, en-US with KES', '32000', 'KES\u00a032,000.00'],
  ['Java, en-KE', '32000', 'Ksh32,000.00'],
  ['Node, de-DE with EUR', '32000', '32.000,00\u00a0€'],
  ['PHP, in words before it', '32000', 'KES 32,000.00'],
  ['padded with blanks', '32000', '       32000'],
])('%s: %s as %s', (_source, literal, form) => {
  expect(listPrintedNumbers(literal, 'KES')).toContain(form);
});

it('writes no money of a currency that is not known, and nothing of what is no decimal', () => {
  expect(listPrintedNumbers('32000', '').some((form) => form.includes('KES'))).toBe(false);
  expect(listPrintedNumbers('1e3x', 'KES')).toEqual([]);
  expect(listPrintedNumbers('32000', 'KES')).not.toContain('32000KES');
});
