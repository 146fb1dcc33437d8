import { formatDecimal, parseDecimal } from '../../payments/decimal';
import { groupThousands } from '../../payments/group-thousands';

/** Signs of currencies as formatters write them beside the code; those of `Intl` and of Java. @source Unicode CLDR, common/main */
const SIGNS: Readonly<Record<string, readonly string[]>> = {
  KES: ['Ksh', 'KSh'],
  UGX: ['USh', 'Ush'],
  TZS: ['TSh', 'Tsh'],
  XOF: ['F\u202fCFA', 'F CFA', 'CFA'],
  XAF: ['FCFA', 'F CFA'],
  EUR: ['€'],
  GBP: ['£'],
  NGN: ['₦'],
  GHS: ['GH₵'],
  ZAR: ['R'],
  RWF: ['RF', 'FRw'],
};

/** Zero in the digits of Arabic, Persian, Devanagari and Bengali, and what parts groups and the fraction there. */
const OTHER_DIGITS = [
  [0x660, '٬', '٫'],
  [0x6f0, '٬', '٫'],
  [0x966, ',', '.'],
  [0x9e6, ',', '.'],
] as const;

/**
 * Lists what is seldom made of an amount: as languages print an object that holds it, as money, in digits of other scripts.
 *
 * @param literal - as it stands in the body; nothing is listed of what is no decimal
 * @param currency - of the body; empty: not known
 */
export function listPrintedNumbers(literal: string, currency: string): string[] {
  const decimal = parseDecimal(literal.trim());
  if (decimal === null) return [];
  const plain = formatDecimal(decimal);
  const [whole = '0', fraction = ''] = plain.split('.');
  const [top, bottom] = toRatio(whole, fraction);
  return [
    ...[literal, plain].flatMap((text) => [
      `Decimal('${text}')`,
      `Decimal(${text})`,
      `BigDecimal('${text}')`,
    ]),
    `Fraction(${top}, ${bottom})`,
    `(${top}/${bottom})`,
    `${top}/${bottom}`,
    `${whole}n`,
    ...(fraction === '' ? listCharacters(Number(whole)) : []),
    `${plain}+0i`,
    ...listScaled(whole, fraction),
    ...[8, 10, 12, 15].map((width) => plain.padStart(width, ' ')),
    ...[7, 8, 10].map((places) => `${whole}.${fraction.padEnd(places, '0')}`),
    ...OTHER_DIGITS.flatMap((digits) => writeDigits(whole, fraction, digits)),
    // The currency beside the amount as it is sent is a field more.
    ...listMoney(whole, fraction, currency).filter((form) => form.replace(currency, '') !== literal),
  ];
}

/** What Go's `string(500)` and Java's `(char) 500` are; below 128 it would be a letter or digit that may have come otherwise. */
function listCharacters(code: number): string[] {
  return code >= 0x80 && code <= 0x10_ffff && (code < 0xd800 || code > 0xdfff)
    ? [String.fromCodePoint(code)]
    : [];
}

function toRatio(whole: string, fraction: string): [bigint, bigint] {
  let [top, bottom] = [BigInt(whole + fraction), 10n ** BigInt(fraction.length)];
  for (const factor of [2n, 5n]) {
    while (bottom % factor === 0n && top % factor === 0n) [top, bottom] = [top / factor, bottom / factor];
  }
  return [top, bottom];
}

/** With an exponent and any number of digits before it, as decimals of Java, Python and Ruby and `%e` of PHP print them. */
function listScaled(whole: string, fraction: string): string[] {
  const digits = (whole + fraction).replace(/^0+(?=\d)/, '');
  const exponent = whole.length - 1;
  const few = digits.replace(/(?<!0)0+$/, '');
  const found = [`0.${few}e${whole.length}`, `0.${few}E${whole.length}`];
  for (let count = Math.max(1, few.length); count <= Math.max(digits.length, 7); count += 1) {
    const shown = few.padEnd(count, '0');
    const mantissa = count === 1 ? shown : `${shown[0]!}.${shown.slice(1)}`;
    for (const mark of ['e+', 'E+', 'e', 'E']) found.push(`${mantissa}${mark}${exponent}`);
  }
  if (exponent >= 3) found.push(...listEngineering(few, exponent));
  return found;
}

/** The exponent is a multiple of three. @source java.math.BigDecimal, toEngineeringString */
function listEngineering(digits: string, exponent: number): string[] {
  const before = (exponent % 3) + 1;
  const wide = digits.padEnd(before, '0');
  const mantissa = wide.length > before ? `${wide.slice(0, before)}.${wide.slice(before)}` : wide;
  return ['E+', 'e+', 'E', 'e'].map((mark) => `${mantissa}${mark}${exponent - (exponent % 3)}`);
}

function writeDigits(
  whole: string,
  fraction: string,
  [zero, group, point]: (typeof OTHER_DIGITS)[number],
): string[] {
  const write = (text: string): string =>
    text.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)));
  const behind = fraction === '' ? '' : point + fraction;
  return [write(whole + behind), write(groupThousands(whole, group) + behind)];
}

/** With the currency before or behind, in what most formatters make of the number. */
function listMoney(whole: string, fraction: string, currency: string): string[] {
  const cents = fraction.padEnd(2, '0').slice(0, 2);
  const bare = fraction === '' ? [whole, groupThousands(whole, ',')] : [`${whole}.${fraction}`];
  const grouped = [',', '.', ' ', '\u00a0', '\u202f', "'"].flatMap((mark) => [
    `${groupThousands(whole, mark)}${mark === ',' || mark === "'" ? '.' : ','}${cents}`,
    ...(fraction === '' ? [groupThousands(whole, mark)] : []),
  ]);
  const numbers = [...new Set([...bare, `${whole}.${cents}`, ...grouped])];
  const signs = [...(currency === '' ? [] : [currency, ...(SIGNS[currency] ?? [])]), '$', '€'];
  return [...new Set(signs)].flatMap((sign) =>
    numbers.flatMap((number) =>
      ['', ' ', '\u00a0', '\u202f'].flatMap((gap) => [sign + gap + number, number + gap + sign]),
    ),
  );
}
