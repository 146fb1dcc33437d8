import { parseDecimal, toUnits } from './decimal';

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
  const decimal = parseDecimal(literal);
  const whole = decimal === null ? null : toUnits(decimal, 0);
  if (whole === null) return null;
  const amount = Number(whole);
  return Number.isSafeInteger(amount) ? amount : null;
}
