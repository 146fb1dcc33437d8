const NUMBER = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

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
