import { readNumberParts } from '../../json/number-literal';
import { formatDecimal, parseDecimal, toIntegerLiteral } from '../../payments/decimal';
import { groupThousands } from '../../payments/group-thousands';
import { printAsGo } from './print-languages';

/**
 * Lists the ways in which code writes an amount, other than as it stands in the body.
 *
 * Formatters, floating point of several languages, grouping, minor units: each text once, those that are met often
 * first.
 * @param literal - the amount as written; any text, where it is quoted
 * @returns `commonCount`: how many of the forms are met often
 */
export function listNumberForms(literal: string): { forms: string[]; commonCount: number } {
  if (readNumberParts(literal.trim()) === null) return { forms: [], commonCount: 0 };
  const common = new Set<string>();
  const all = new Set<string>();
  const integer = toIntegerLiteral(literal.trim());
  if (integer === null) {
    addDecimalForms(common, all, literal.trim());
  } else {
    addCommonIntegerForms(common, integer);
    addIntegerForms(all, integer);
  }
  addFloatForms(all, Number(literal));
  addGoForms(all, literal.trim());
  for (const forms of [common, all]) forms.delete(literal);
  return { forms: [...new Set([...common, ...all])], commonCount: common.size };
}

/** `1234567` as `12,34,567`, lakhs and crores. */
function groupIndian(digits: string): string {
  const groups = [digits.slice(-3)];
  for (let end = digits.length - 3; end > 0; end -= 2) groups.push(digits.slice(Math.max(0, end - 2), end));
  return groups.reverse().join(',');
}

function addCommonIntegerForms(forms: Set<string>, integer: string): void {
  const [, sign = '', digits = ''] = /^(-?)(.*)$/.exec(integer)!;
  const grouped = sign + groupThousands(digits, ',');
  forms.add(integer).add(`${integer}.00`).add(`${integer}.0`).add(grouped).add(`${grouped}.00`);
  forms
    .add(`${integer}00`)
    .add(`${sign}${groupIndian(digits)}`)
    .add(`${sign}${groupIndian(digits)}.00`);
}

const GROUP_MARKS = [' ', '.', "'", '_', '\u00a0', '\u202f', '\u2019'];

function addIntegerForms(forms: Set<string>, integer: string): void {
  const [, sign = '', digits = ''] = /^(-?)(.*)$/.exec(integer)!;
  for (const fraction of ['.000', '.0000', '.00000', '.000000', ',00', '.', ',0'])
    forms.add(integer + fraction);
  for (const mark of GROUP_MARKS) {
    const grouped = sign + groupThousands(digits, mark);
    forms
      .add(grouped)
      .add(`${grouped}${mark === '.' ? ',' : '.'}00`)
      .add(`${grouped},00`);
  }
  forms.add(`${sign + groupThousands(digits, ',')}.0`);
  forms.add(`${integer}000`).add(`${integer}00.0`).add(`${integer}00.00`);
  if (digits.endsWith('00')) forms.add(integer.slice(0, -2)).add(`${integer.slice(0, -2)}.0`);
  const wide = digits.padStart(3, '0');
  forms.add(`${sign}${wide.slice(0, -2)}.${wide.slice(-2)}`);
  forms.add(`+${digits}`).add(`0${digits}`).add(`-${digits}`);
  for (const width of [8, 10, 12, 13, 15, 18]) {
    forms.add(digits.padStart(width, '0')).add(`${digits}00`.padStart(width, '0'));
  }
  addExponentForms(forms, sign, digits);
}

function addExponentForms(forms: Set<string>, sign: string, digits: string): void {
  const mantissa = digits.replace(/(?<!0)0+$/, '');
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

/** What 32 or 64 bits hold of an integer that is too large for them: the rest of it, or the largest that they can hold. */
export function listOverflows(integer: string): { text: string; bits: number }[] {
  const value = BigInt(integer);
  return [32, 64].flatMap((bits) => {
    const held = BigInt.asIntN(bits, value);
    if (held === value) return [];
    const most = 2n ** BigInt(bits - 1);
    return [held, BigInt.asUintN(bits, value), value < 0n ? -most : most - 1n, 2n * most - 1n]
      .filter((one) => one !== value)
      .map((one) => ({ text: String(one), bits }));
  });
}

/** So many integers at most are one floating-point number: above 2^64 there are too many to try. */
const MOST_ROUNDED = 2048n;

/** Lists the other integers that floating point reads as the same number: above 2^53 several are. */
export function listRoundedAlike(integer: string): string[] {
  const value = Number(integer);
  const step = 2n ** BigInt(Math.max(0, Math.floor(Math.log2(Math.abs(value) || 1)) - 52));
  if (step === 1n || step > MOST_ROUNDED) return [];
  const first = BigInt(value) - step / 2n;
  return Array.from({ length: Number(step) + 1 }, (_, index) => String(first + BigInt(index))).filter(
    (one) => one !== integer && Number(one) === value,
  );
}

/** As code writes a text of digits that it took for a number; those that are met often first. */
export function listDigitForms(digits: string): string[] {
  const integer = BigInt(digits).toString();
  const forms = new Set([integer, ...listOverflows(integer).map(({ text }) => text)]);
  addFloatForms(forms, Number(digits));
  forms.delete(digits);
  return [...forms];
}

/** What Go prints where a verb does not fit its value: `%s` of a number, `%d` of what JSON gave, which is a float64. */
function addGoForms(forms: Set<string>, literal: string): void {
  const value = Number(literal);
  if (!Number.isFinite(value)) return;
  const printed = String(value);
  for (const verb of ['s', 'd']) forms.add(`%!${verb}(float64=${printAsGo(literal)})`);
  if (Number.isInteger(value)) for (const type of ['int', 'int64']) forms.add(`%!s(${type}=${printed})`);
  forms.add(`%!d(string=${printed})`).add(`%!d(json.Number=${literal})`);
  for (const type of ['int', 'string', 'json.Number']) forms.add(`%!f(${type}=${literal})`);
}

function addDecimalForms(common: Set<string>, forms: Set<string>, literal: string): void {
  const decimal = parseDecimal(literal);
  if (decimal === null) return;
  const plain = formatDecimal(decimal);
  const [whole = '0', fraction = ''] = plain.split('.');
  const bare = fraction.replace(/(?<!0)0+$/, '');
  const cents = fraction.padEnd(2, '0').slice(0, 2);
  const rounded = String(Math.round(Number(plain)));
  const minor = `${whole}${cents}`.replace(/^0+(?=\d)/, '');
  common.add(Number(plain).toFixed(2)).add(`${whole}.${bare}`).add(plain).add(whole).add(rounded).add(minor);
  common.add(`${groupThousands(whole, ',')}.${cents}`).add(Number(plain).toFixed(1));
  common.add(groupThousands(rounded, ',')).add(`${groupIndian(whole)}.${cents}`);
  forms
    .add(`${whole},${bare}`)
    .add(`${whole},${fraction}`)
    .add(`${whole},${cents}`)
    .add(`${groupThousands(whole, ',')}.${fraction}`);
  for (const mark of GROUP_MARKS) {
    const grouped = groupThousands(whole, mark);
    if (mark !== '.') forms.add(`${grouped}.${cents}`).add(`${grouped}.${fraction}`);
    forms.add(`${grouped},${cents}`).add(`${grouped},${fraction}`);
  }
  for (const places of [3, 4, 5, 6]) forms.add(Number(plain).toFixed(places));
  forms
    .add(String(Math.ceil(Number(plain))))
    .add(groupIndian(rounded))
    .add(`${minor}.0`)
    .add(`${minor}.00`);
  for (const width of [8, 10, 12, 15]) {
    for (const form of [minor, plain, `${whole}.${cents}`]) forms.add(form.padStart(width, '0'));
  }
}

/** Floating point as JavaScript, Python, Java, Go, PHP and C print it. */
function addFloatForms(forms: Set<string>, value: number): void {
  if (!Number.isFinite(value)) return;
  const shortest = String(value);
  forms.add(shortest).add(shortest.replace('e+', 'E').replace('e', 'E')).add(shortest.replace('e+', 'E+'));
  if (Number.isInteger(value) && Math.abs(value) < 1e21) {
    const rounded = BigInt(value).toString();
    forms.add(rounded).add(`${rounded}.0`).add(`${rounded}.00`);
  }
  for (const digits of [6, 14, 15, 16, 17]) {
    const short = value.toPrecision(digits);
    forms.add(short.includes('.') ? short.replace(/\.?(?<!0)0+(?=$|e)/, '') : short);
    const wide = widenExponent(short.includes('.') ? short.replace(/\.?(?<!0)0+(?=$|e)/, '') : short);
    // PHP writes it with a capital, whatever its `precision` is.
    forms.add(wide).add(wide.toUpperCase());
  }
  // `%e`, `%E`, `%.2e`: the exponent has two digits at least.
  for (const places of [6, 2, 1, 0, undefined]) {
    const exponential = widenExponent(value.toExponential(places));
    forms.add(exponential).add(exponential.toUpperCase());
  }
  const [mantissa = '', exponent = '0'] = value.toExponential().split('e');
  const java = mantissa.includes('.') ? mantissa : `${mantissa}.0`;
  forms.add(`${java}E${Number(exponent)}`).add(`${java}E${exponent}`);
  // .NET has three digits.
  forms.add(widenExponent(value.toExponential(6), 3).toUpperCase());
  forms.add(value.toFixed(2)).add(value.toFixed(6));
}

function widenExponent(text: string, digits = 2): string {
  return text.replace(
    /(e[+-])(\d+)$/,
    (_, mark: string, exponent: string) => mark + exponent.padStart(digits, '0'),
  );
}
