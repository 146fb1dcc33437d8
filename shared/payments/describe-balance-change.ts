import type { BalanceAround } from '../contract/balances';
import { showControls } from '../show-controls';
import { formatDecimal, parseDecimal, subtractDecimals, subtractLiterals, type Decimal } from './decimal';
import { formatAmount } from './format-amount';

/**
 * Says what a wallet did around a payment, and how much of it the payment accounts for.
 *
 * Only what readings show: where one is missing, or charges are not known, that is what it says.
 * @param formatTime - an instant as the reader knows it
 */
export function describeBalanceChange(around: BalanceAround, formatTime: (at: number) => string): string {
  const { before, after, product, currency } = around;
  if (before === null) return 'Not known: no reading before it.';
  if (after === null)
    return around.isFinal
      ? 'Not known yet: no reading after its outcome. Read the balances once more.'
      : 'Not known yet: no reading after it. Read the balances once more.';
  const change = subtractLiterals(after.available, before.available);
  if (change === null) return 'Not known: a balance was read that is no number.';
  const wallet = `${showControls(currency)} ${product}`;
  const times = `between ${formatTime(before.at)} and ${formatTime(after.at)}`;
  const moved =
    change.units === 0n
      ? `${wallet} stayed at ${formatAmount(after.available)} ${times}`
      : `${wallet} ${change.units < 0n ? 'fell' : 'rose'} by ${writeSize(change)} ${times}`;
  return `${moved}; ${describeShare(around, change)}`;
}

function describeShare(around: BalanceAround, change: Decimal): string {
  const share = readShare(around);
  if (share === null) return describeUnknownShare(around);
  const rest = subtractDecimals(change, share);
  const own = `this payment accounts for ${writeSize(share)}${describeState(around)}.`;
  return rest.units === 0n
    ? own
    : `${own} Another ${writeSize(rest)} ${rest.units < 0n ? 'left' : 'came in'} for other reasons${describeOthers(around.otherCount)}`;
}

/** What the payment itself does to the available balance; null: that is not known. */
function readShare({ product, mayBeTaken, state, amount, totalAmount }: BalanceAround): Decimal | null {
  const nothing = { units: 0n, scale: 2 };
  if (!mayBeTaken || state === 'failed' || state === 'canceled') return nothing;
  // What is collected comes in with its success, without a hold before it.
  if (product === 'collection') {
    if (state === null) return null;
    return state === 'succeeded' ? parseDecimal(amount ?? '') : nothing;
  }
  const total = parseDecimal(totalAmount ?? '');
  return total === null ? null : subtractDecimals({ units: 0n, scale: 0 }, total);
}

function describeUnknownShare({ amount, product }: BalanceAround): string {
  if (amount === null) return 'how much of it is this payment is not known.';
  return product === 'collection'
    ? `this payment is over ${formatAmount(amount)}, and its outcome is not known: query its status.`
    : `this payment is over ${formatAmount(amount)}, and its charges are not known: query its status.`;
}

function describeState({ mayBeTaken, state, isFinal, product }: BalanceAround): string {
  if (!mayBeTaken) return ' (it was not taken)';
  if (state === 'failed' || state === 'canceled')
    return ` (it ${state === 'failed' ? 'failed' : 'was canceled'})`;
  return isFinal || product === 'collection' ? '' : ' (held: it is not final)';
}

function describeOthers(count: number): string {
  if (count === 0) return '.';
  return `: ${count === 1 ? 'another payment was' : `${count} other payments were`} sent in between.`;
}

function writeSize({ units, scale }: Decimal): string {
  return formatAmount(formatDecimal({ units: units < 0n ? -units : units, scale }));
}
