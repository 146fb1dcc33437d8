/** Wallet amounts are kept in hundredths, whatever the currency: charges have two decimals. */
const MINOR_PER_MAJOR = 100n;
const CHARGE_DIVISOR = 100n;
const DECIMAL = /^(0|[1-9]\d*)(?:\.(\d{1,2})0*)?$/;

/** The largest amount that is taken, in hundredths: keeps every sum of a wallet exact in the store. */
export const LARGEST_MINOR = 100_000_000_000_000n;

/**
 * Converts an amount of the interface to hundredths, exactly.
 *
 * @param amount - number of a request, major units
 * @returns null where it is negative, finer than a hundredth, or too large to be a payment
 */
export function toMinor(amount: number): bigint | null {
  if (Number.isSafeInteger(amount)) return amount < 0 ? null : withinLimit(BigInt(amount) * MINOR_PER_MAJOR);
  const match = DECIMAL.exec(String(amount));
  if (match === null) return null;
  return withinLimit(BigInt(match[1]!) * MINOR_PER_MAJOR + BigInt((match[2] ?? '').padEnd(2, '0')));
}

function withinLimit(minor: bigint): bigint | null {
  return minor > LARGEST_MINOR ? null : minor;
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
  const sign = minor < 0n ? '-' : '';
  const digits = (minor < 0n ? -minor : minor).toString().padStart(3, '0');
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
