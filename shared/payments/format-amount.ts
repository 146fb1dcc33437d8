import { largestOf } from '../largest-of';
import { showControls } from '../show-controls';
import { formatDecimal, parseDecimal } from './decimal';
import { groupThousands } from './group-thousands';

/** Digits behind the point that every amount is shown with; more where it has more. */
const SHOWN_SCALE = 2;

/**
 * Writes an amount in the one format there is: `1,000.00`, thousands apart, two digits behind the point or as many as
 * it has.
 *
 * For the eye alone: what is signed, sent or copied is the literal as it was written.
 * @param literal - a number as JSON writes it
 * @returns the amount, exactly; what is no number stays as it is, with marks for what would not be seen
 */
export function formatAmount(literal: string): string {
  const decimal = parseDecimal(literal);
  if (decimal === null) return showControls(literal);
  const missing = Math.max(0, SHOWN_SCALE - decimal.scale);
  const text = formatDecimal({
    units: decimal.units * 10n ** BigInt(missing),
    scale: decimal.scale + missing,
  });
  const [, sign, whole, fraction] = /^(-?)(\d+)(.*)/s.exec(text)!;
  return `${sign && '−'}${groupThousands(whole!, ',')}${fraction}`;
}

/** Writes an amount with its currency before it, as a sentence has it: `KES 1,000.00`; what is not known is left out. */
export function formatMoney(currency: string | null | undefined, literal: string | null): string {
  return [currency && showControls(currency), literal === null ? null : formatAmount(literal)]
    .filter(Boolean)
    .join(' ');
}

/** Writes a change of an amount, with its sign. */
export function formatAmountChange(literal: string): string {
  const text = formatAmount(literal);
  return text.startsWith('−') ? text : `+${text}`;
}

/** More digits behind the point than any currency has: beyond these a column makes no room. */
const MOST_ROOM = 6;

/** Digits behind the point that a column of amounts needs, so that its points stand under one another. */
export function roomFor(literals: readonly (string | null)[]): number {
  const scales = literals.map((literal) => (literal === null ? 0 : (parseDecimal(literal)?.scale ?? 0)));
  return Math.min(MOST_ROOM, largestOf(scales, SHOWN_SCALE));
}
