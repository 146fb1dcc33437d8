const NUMBER = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
const MAX_DIGITS = 60;

/** A decimal number taken apart: `digits` × 10^`exponent`, exactly as written. */
export interface NumberParts {
  readonly isNegative: boolean;
  readonly digits: string;
  readonly exponent: number;
  readonly hasFraction: boolean;
  readonly hasExponent: boolean;
}

/** Takes a JSON number literal apart without ever rounding; null where the text is no such literal. */
export function readNumberParts(literal: string): NumberParts | null {
  const match = NUMBER.exec(literal);
  if (match === null) return null;
  const fraction = match[3] ?? '';
  return {
    isNegative: match[1] === '-',
    digits: `${match[2] ?? ''}${fraction}`.replace(/^0+(?=\d)/, ''),
    exponent: Number(match[4] ?? 0) - fraction.length,
    hasFraction: match[3] !== undefined,
    hasExponent: match[4] !== undefined,
  };
}

/** Writes a literal as a plain integer, `1000` for `1e3` and `1000.00`; null where it is none, or has over 60 digits. */
export function toIntegerLiteral(literal: string): string | null {
  const parts = readNumberParts(literal);
  if (parts === null) return null;
  const sign = parts.isNegative ? '-' : '';
  if (/^0+$/.test(parts.digits)) return '0';
  if (parts.exponent >= 0) {
    if (parts.digits.length + parts.exponent > MAX_DIGITS) return null;
    return sign + parts.digits + '0'.repeat(parts.exponent);
  }
  const cut = parts.digits.length + parts.exponent;
  if (cut <= 0 || cut > MAX_DIGITS || !/^0*$/.test(parts.digits.slice(cut))) return null;
  return sign + parts.digits.slice(0, cut);
}
