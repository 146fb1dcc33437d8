/** More digits than any amount that is held exactly, fraction zeros included. */
const MAX_LITERAL_LENGTH = 64;
/** How almost every amount is written. */
const PLAIN_AMOUNT = /^[1-9]\d{0,14}$/;

/**
 * Reads an amount from its JSON literal, exactly.
 *
 * `1000`, `1000.00` and `1e3` are the same whole amount; `0.1e1` is too. Nothing is rounded on the way: a
 * literal whose exact value is not a whole number is refused even where a double would round it to one.
 *
 * @param literal - a number as written in JSON
 * @returns the amount in major units, or null when it is not whole or above 2^53 - 1
 * @source payments-service-interface, parts 2.1, 2.2 and 8
 */
export function readAmount(literal: string): number | null {
  if (PLAIN_AMOUNT.test(literal)) return Number(literal);
  if (literal.length > MAX_LITERAL_LENGTH) return null;
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(literal);
  if (!match) return null;
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  const digits = (whole + fraction).replace(/^0+/, '');
  if (digits === '') return 0;
  const significant = digits.replace(/0+$/, '');
  // The value is `significant` times ten to this power.
  const power = Number(exponent) - fraction.length + (digits.length - significant.length);
  if (power < 0 || significant.length + power > 16) return null;
  const value = Number(significant + '0'.repeat(power));
  if (!Number.isSafeInteger(value)) return null;
  return sign === '-' ? -value : value;
}
