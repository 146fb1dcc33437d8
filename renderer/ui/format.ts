import { formatDecimal, parseDecimal } from '@shared/payments/decimal';
import { formatExact } from './format-time';
import { showControls } from './show-controls';

/** Puts a comma between thousands of a number as written; anything else stays as it is. */
export function groupDigits(literal: string): string {
  const match = /^(-?)(\d+)(\.\d+)?$/.exec(literal);
  if (!match) return literal;
  const [, sign, whole, fraction] = match;
  return `${sign}${whole!.replace(/\B(?=(\d{3})+$)/g, ',')}${fraction ?? ''}`;
}

/**
 * Writes an amount of a balance in the one format there is: thousands apart, two digits behind the point, more where
 * it has more. What is no number stays as it is. Amounts of a request are literals, because they are signed: not this.
 */
export function formatAmount(literal: string): string {
  const decimal = parseDecimal(literal);
  if (decimal === null) return showControls(literal);
  const missing = Math.max(0, 2 - decimal.scale);
  const text = formatDecimal({
    units: decimal.units * 10n ** BigInt(missing),
    scale: decimal.scale + missing,
  });
  return groupDigits(text).replace('-', '−');
}

/** Writes a change of an amount, with its sign. */
export function formatAmountChange(literal: string): string {
  const text = formatAmount(literal);
  return text.startsWith('−') ? text : `+${text}`;
}

/** Clock time for today, day and month before that: what a mail client shows beside a row. */
export function formatRowTime(at: number, now: number): string {
  const date = new Date(at);
  if (date.toDateString() === new Date(now).toDateString()) return formatExact(at).slice(11, 19);
  const month = date.toLocaleString('en', { month: 'short' });
  const year = date.getFullYear() === new Date(now).getFullYear() ? '' : ` ${date.getFullYear()}`;
  return `${date.getDate()} ${month}${year}`;
}
