import { formatDecimal, parseDecimal, toUnits } from '@shared/payments/decimal';

/** Wallet amounts are kept in hundredths, whatever the currency: charges have two decimals. */
const MINOR_SCALE = 2;
const CHARGE_DIVISOR = 100n;

/** The largest amount that is taken, in hundredths: keeps every sum of a wallet exact in the store. */
export const LARGEST_MINOR = 100_000_000_000_000n;

/**
 * Converts an amount of the interface to hundredths, exactly.
 *
 * @param amount - major units: number of a request, or plain decimal text
 * @returns null where it is negative, finer than a hundredth, or too large to be a payment
 */
export function toMinor(amount: number | string): bigint | null {
  const decimal = parseDecimal(String(amount));
  const minor = decimal === null ? null : toUnits(decimal, MINOR_SCALE);
  return minor === null || minor < 0n || minor > LARGEST_MINOR ? null : minor;
}

/** Computes the charges: 1 % of the amount, two decimals, half up. */
export function computeCharges(amountMinor: bigint): bigint {
  return (amountMinor + CHARGE_DIVISOR / 2n) / CHARGE_DIVISOR;
}

/** Writes hundredths as a JSON number in major units: `1000`, `10.5`, `0.05`. */
export function toJsonNumber(minor: bigint): string {
  const text = toFixed(minor);
  if (text.endsWith('.00')) return text.slice(0, -3);
  return text.endsWith('0') ? text.slice(0, -1) : text;
}

/** Writes hundredths in major units with two decimals: `1000.00`. */
export function toFixed(minor: bigint): string {
  return formatDecimal({ units: minor, scale: MINOR_SCALE });
}
