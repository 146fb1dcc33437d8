import { readNumberParts } from '../json/number-literal';

/** An exact decimal number: `units` × 10^-`scale`. `1000.00` is 100000 at scale 2, so that its zeros are kept. */
export interface Decimal {
  readonly units: bigint;
  /** Digits behind the point, 0 or more. */
  readonly scale: number;
}

/** More digits than any amount has, before and behind the point; a literal that needs more is not read. */
const MOST_DIGITS = 60;

/**
 * Reads a number as JSON writes it, exactly: `1000`, `1000.00`, `1e3`, `-0.5`.
 *
 * @returns null where the text is no such literal, or takes over 60 digits when written out
 */
export function parseDecimal(literal: string): Decimal | null {
  const parts = readNumberParts(literal);
  if (parts === null) return null;
  const { digits, exponent, isNegative } = parts;
  const scale = Math.max(-exponent, 0);
  if (digits === '0') return { units: 0n, scale: Math.min(scale, MOST_DIGITS) };
  const zeros = Math.max(exponent, 0);
  if (Math.max(digits.length + zeros, scale) > MOST_DIGITS) return null;
  const units = BigInt(digits) * 10n ** BigInt(zeros);
  return { units: isNegative ? -units : units, scale };
}

/** Adds exactly; the result has the longer fraction of the two. */
export function addDecimals(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale);
  return { units: widen(a, scale) + widen(b, scale), scale };
}

/** Takes the second from the first, exactly; the result has the longer fraction of the two. */
export function subtractDecimals(a: Decimal, b: Decimal): Decimal {
  return addDecimals(a, { units: -b.units, scale: b.scale });
}

/** Gives how much the first of two literals is above the second; null where one cannot be read. */
export function subtractLiterals(later: string, earlier: string): Decimal | null {
  const [a, b] = [parseDecimal(later), parseDecimal(earlier)];
  return a === null || b === null ? null : subtractDecimals(a, b);
}

/** Compares by value: below 0 where the first is smaller, 0 where both are the same (`5` and `5.00`), else above. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  const { units } = subtractDecimals(a, b);
  return units < 0n ? -1 : units > 0n ? 1 : 0;
}

/**
 * Gives a decimal as a whole number of 10^-`scale`: at scale 2, `10.5` is 1050 hundredths.
 *
 * @returns null where that would drop a digit that is not zero
 */
export function toUnits(decimal: Decimal, scale: number): bigint | null {
  if (decimal.scale <= scale) return widen(decimal, scale);
  const step = 10n ** BigInt(decimal.scale - scale);
  return decimal.units % step === 0n ? decimal.units / step : null;
}

/** Writes a decimal in full, with as many digits behind the point as its scale says. */
export function formatDecimal({ units, scale }: Decimal): string {
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
  const cut = digits.length - scale;
  const text = scale === 0 ? digits : `${digits.slice(0, cut)}.${digits.slice(cut)}`;
  return units < 0n ? `-${text}` : text;
}

/** Writes a literal as a plain integer, `1000` for `1e3` and `1000.00`; null where it is none, or has over 60 digits. */
export function toIntegerLiteral(literal: string): string | null {
  const decimal = parseDecimal(literal);
  return decimal === null ? null : (toUnits(decimal, 0)?.toString() ?? null);
}

function widen({ units, scale }: Decimal, wanted: number): bigint {
  return scale === wanted ? units : units * 10n ** BigInt(wanted - scale);
}

/** Tells whether two literals are the same number: `1e3` is `1000.00`. What is no number is the same as nothing. */
export function isSameNumber(a: string, b: string): boolean {
  const [left, right] = [parseDecimal(a), parseDecimal(b)];
  return left !== null && right !== null && compareDecimals(left, right) === 0;
}
