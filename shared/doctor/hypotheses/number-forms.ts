import { readNumberParts } from '../../json/number-literal';
import { formatDecimal, parseDecimal, toIntegerLiteral } from '../../payments/decimal';

/**
 * Lists the ways in which code writes an amount, other than as it stands in the body.
 *
 * Formatters, floating point of several languages, grouping, minor units: each text once.
 * @param literal - the amount as written; any text, where it is quoted
 */
export function listNumberForms(literal: string): string[] {
  const parts = readNumberParts(literal.trim());
  if (parts === null) return [];
  const forms = new Set<string>();
  const integer = toIntegerLiteral(literal.trim());
  if (integer !== null) addIntegerForms(forms, integer);
  else addFractionForms(forms, literal.trim());
  addFloatForms(forms, Number(literal));
  forms.delete(literal);
  return [...forms];
}

function addIntegerForms(forms: Set<string>, integer: string): void {
  const sign = integer.startsWith('-') ? '-' : '';
  const digits = integer.slice(sign.length);
  forms.add(integer);
  for (const fraction of ['.00', '.0', '.000', '.0000', '.000000', ',00', '.', ',0'])
    forms.add(integer + fraction);
  const groups = digits.replace(/\B(?=(\d{3})+$)/g, ',');
  for (const mark of [',', ' ', '.', "'", '_', '\u00a0', '\u202f'])
    forms.add(sign + groups.replaceAll(',', mark));
  forms.add(`${sign + groups}.00`).add(`${sign + groups.replaceAll(',', '.')},00`);
  forms.add(`${integer}00`).add(`${integer}000`);
  if (digits.endsWith('00')) forms.add(integer.slice(0, -2));
  if (digits.length > 2) forms.add(`${integer.slice(0, -2)}.${integer.slice(-2)}`);
  forms.add(`+${digits}`).add(`0${digits}`).add(`-${digits}`);
  for (const width of [8, 10, 12, 15, 18]) if (digits.length < width) forms.add(digits.padStart(width, '0'));
  addExponentForms(forms, sign, digits);
}

function addExponentForms(forms: Set<string>, sign: string, digits: string): void {
  const mantissa = digits.replace(/0+$/, '');
  if (mantissa === '') return;
  const exponent = digits.length - 1;
  const tail = mantissa.slice(1);
  for (const head of new Set([
    `${mantissa[0]}${tail === '' ? '' : `.${tail}`}`,
    `${mantissa[0]}.${tail || '0'}`,
  ])) {
    for (const mark of [`e${exponent}`, `E${exponent}`, `e+${exponent}`, `E+${exponent}`])
      forms.add(sign + head + mark);
    const wide = String(exponent).padStart(2, '0');
    forms.add(`${sign}${head}e+${wide}`).add(`${sign}${head}E+${wide}`);
  }
  const zeros = digits.length - mantissa.length;
  if (zeros > 0) forms.add(`${sign}${mantissa}e${zeros}`).add(`${sign}${mantissa}E${zeros}`);
}

function addFractionForms(forms: Set<string>, literal: string): void {
  const decimal = parseDecimal(literal);
  if (decimal === null) return;
  const plain = formatDecimal(decimal);
  const [whole = '0', fraction = ''] = plain.split('.');
  const bare = fraction.replace(/0+$/, '');
  forms.add(whole).add(plain).add(`${whole}.${bare}`).add(`${whole},${bare}`).add(`${whole},${fraction}`);
  for (const places of [1, 2, 3, 4, 6]) forms.add(Number(plain).toFixed(places));
  forms.add(String(Math.round(Number(plain)))).add(String(Math.ceil(Number(plain))));
  forms.add(`${whole}${fraction.padEnd(2, '0').slice(0, 2)}`.replace(/^0+(?=\d)/, ''));
  forms.add(`${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${fraction.padEnd(2, '0').slice(0, 2)}`);
}

/** Floating point as JavaScript, Python, Java, Go and PHP print it. */
function addFloatForms(forms: Set<string>, value: number): void {
  if (!Number.isFinite(value)) return;
  const shortest = String(value);
  forms.add(shortest).add(shortest.replace('e+', 'E').replace('e', 'E')).add(shortest.replace('e+', 'E+'));
  if (Number.isInteger(value) && Math.abs(value) < 1e21) {
    const rounded = BigInt(value).toString();
    forms.add(rounded).add(`${rounded}.0`).add(`${rounded}.00`);
  }
  for (const digits of [6, 14, 15, 16, 17]) forms.add(value.toPrecision(digits).replace(/\.?0+(?=$|e)/, ''));
  const [mantissa = '', exponent = '0'] = value.toExponential().split('e');
  const java = mantissa.includes('.') ? mantissa : `${mantissa}.0`;
  forms.add(`${java}E${Number(exponent)}`).add(`${java}E+${Number(exponent)}`);
  forms.add(value.toFixed(2)).add(value.toFixed(6));
}
