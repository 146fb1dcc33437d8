/** Digits that a balance may have behind the point; more is not an amount. */
const MAX_SCALE = 18;

/**
 * Subtracts two amounts written as JSON numbers, exactly.
 *
 * @returns the difference with a sign ('+5.00', '-1010', '0'); null where one of them cannot be read
 */
export function subtractAmounts(later: string, earlier: string): string | null {
  const [a, b] = [readDecimal(later), readDecimal(earlier)];
  if (a === null || b === null) return null;
  const scale = Math.max(a.scale, b.scale);
  const difference = a.units * 10n ** BigInt(scale - a.scale) - b.units * 10n ** BigInt(scale - b.scale);
  if (difference === 0n) return '0';
  const digits = String(difference < 0n ? -difference : difference).padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  const sign = difference < 0n ? '-' : '+';
  return scale === 0 ? `${sign}${whole}` : `${sign}${whole}.${digits.slice(-scale)}`;
}

function readDecimal(text: string): { units: bigint; scale: number } | null {
  const match = /^(-?)(\d{1,40})(?:\.(\d{1,40}))?(?:[eE]([+-]?\d{1,2}))?$/.exec(text);
  if (match === null) return null;
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  const units = BigInt(whole + fraction) * (sign === '-' ? -1n : 1n);
  const scale = fraction.length - Number(exponent);
  if (scale > MAX_SCALE) return null;
  return scale >= 0 ? { units, scale } : { units: units * 10n ** BigInt(-scale), scale: 0 };
}
