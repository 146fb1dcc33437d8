import type { JourneyPlace, JourneySummary } from '@shared/contract/journey';
import {
  compareDecimals,
  formatDecimal,
  parseDecimal,
  subtractLiterals,
  type Decimal,
} from '@shared/payments/decimal';
import { formatAmount, formatAmountChange, formatMoney } from '@shared/payments/format-amount';
import { formatSortableId } from '../../platform/sortable-id';
import type { MovedWallet } from '../history/read-wallet';
import type { BalanceReadingRow } from '../history/balance-readings';
import type { JourneyEvent, JourneyWallet, UnderWay } from './journey-parts';

/** Charges that nobody told are at most one in so many of the amount: a larger change is not said to be the payment's. */
const CHARGES_DIVISOR = 10n;

/** A query whose duration is not known was over by then. */
const LONGEST_READING_MS = 30_000;

/** A balance is read while its query is under way, not when that was sent. */
export function endOfReading({ read_at, total_ms }: BalanceReadingRow): number {
  return read_at + (total_ms ?? LONGEST_READING_MS);
}

/** Steps of a payment that took nothing. */
const untaken: ReadonlySet<JourneySummary['track']['accepted']> = new Set(['none', 'failed', 'later']);

type Change = 'none' | 'own' | 'unclear';

/**
 * Tells of the readings after the payment began, where they differ from the one before.
 *
 * A change is told as the payment's only where nothing else that is known here could have made it.
 * @param summary - of the payment that the wallet's service has
 * @param sentTo - where payments of the reference went, all of them
 */
export function describeBalances(
  { moved, balances, others }: JourneyWallet,
  summary: JourneySummary,
  sentTo: JourneySummary['sentTo'],
): JourneyEvent[] {
  const readings = listOwnReadings(balances, summary.finalAt);
  const place = nameWalletPlace(moved, sentTo);
  return readings.flatMap((reading, index) => {
    const earlier = readings[index - 1];
    if (reading.read_at < summary.startedAt || isSameBalance(reading, earlier)) return [];
    const judged = earlier === undefined ? 'none' : judgeChange(earlier, reading, others, summary);
    const tell = (now: string, before: string | undefined): string =>
      judged === 'own' && before !== undefined ? describeChange(now, before) : '';
    return [
      {
        kind: 'balance' as const,
        at: reading.read_at,
        title: `Balance: ${formatMoney(reading.currency, reading.available_balance)} available${tell(reading.available_balance, earlier?.available_balance)}`,
        detail: [
          `actual ${formatAmount(reading.actual_balance)}${tell(reading.actual_balance, earlier?.actual_balance)}`,
          `${reading.product} wallet`,
          ...(place === null ? [] : [place]),
          ...(judged === 'unclear' ? ['how much of its change is this payment is not known'] : []),
        ].join(' · '),
        tone: 'quiet' as const,
        exchangeId: formatSortableId(reading.exchange_id),
        webhookId: null,
        state: null,
        service: null,
      },
    ];
  });
}

/** Where the wallet is that was read, where payments of the reference went to several places; null: there is one alone. */
function nameWalletPlace({ wallet, address }: MovedWallet, sentTo: JourneySummary['sentTo']): string | null {
  if (sentTo.length < 2) return null;
  const isThere = ({ environment, service }: JourneyPlace): boolean =>
    environment === wallet.environment && (address === null || `${service}/` === address);
  return sentTo.find(isThere)?.name ?? null;
}

/** Readings until the first one after the payment was final: later ones tell of other payments. */
function listOwnReadings(
  readings: readonly BalanceReadingRow[],
  finalAt: number | null,
): readonly BalanceReadingRow[] {
  const last = finalAt === null ? -1 : readings.findIndex((reading) => reading.read_at >= finalAt);
  return last === -1 ? readings : readings.slice(0, last + 1);
}

function judgeChange(
  earlier: BalanceReadingRow,
  reading: BalanceReadingRow,
  others: JourneyWallet['others'],
  summary: JourneySummary,
): Change {
  if (others === null || others.some((one) => isWithin(one, earlier.read_at, endOfReading(reading))))
    return 'unclear';
  const isPossible =
    mayMove(
      reading.available_balance,
      earlier.available_balance,
      readAvailableSigns(earlier, reading, summary),
      summary,
    ) && mayMove(reading.actual_balance, earlier.actual_balance, readActualSigns(summary), summary);
  return isPossible ? 'own' : 'unclear';
}

function isWithin({ from, to }: UnderWay, start: number, end: number): boolean {
  return from <= end && (to === null || to >= start);
}

interface Signs {
  readonly mayFall: boolean;
  readonly mayRise: boolean;
}

/** Which way a payment can move what is available: it is held, and let go where it fails; a collection comes in. */
function readAvailableSigns(
  earlier: BalanceReadingRow,
  reading: BalanceReadingRow,
  summary: JourneySummary,
): Signs {
  if (summary.operation === 'collection') return readActualSigns(summary);
  const hasEndedInVain = isFailure(summary) && isFinalBy(reading, summary);
  return {
    mayFall: isTaken(summary) && !hasEndedInVain,
    mayRise: isTaken(summary) && hasEndedInVain && earlier.read_at >= summary.startedAt,
  };
}

/** What is held stays in the wallet until the payment succeeds. */
function readActualSigns(summary: JourneySummary): Signs {
  const mayMoveAtAll = isTaken(summary) && !isFailure(summary);
  const isCollected = summary.operation === 'collection';
  return { mayFall: mayMoveAtAll && !isCollected, mayRise: mayMoveAtAll && isCollected };
}

const isTaken = ({ track }: JourneySummary): boolean => !untaken.has(track.accepted);
const isFailure = ({ state }: JourneySummary): boolean => state === 'failed' || state === 'canceled';
const isFinalBy = ({ read_at }: BalanceReadingRow, { finalAt }: JourneySummary): boolean =>
  finalAt !== null && read_at >= finalAt;

/** Tells whether a payment of this amount can have moved a balance so: not at all, or by the amount and its charges. */
function mayMove(now: string, before: string, { mayFall, mayRise }: Signs, summary: JourneySummary): boolean {
  const change = subtractLiterals(now, before);
  const amount = parseDecimal(summary.amount ?? '');
  if (change === null || amount === null) return false;
  if (change.units === 0n) return true;
  if (!(change.units < 0n ? mayFall : mayRise)) return false;
  const size: Decimal = { ...change, units: change.units < 0n ? -change.units : change.units };
  const most: Decimal = { units: amount.units * (CHARGES_DIVISOR + 1n), scale: amount.scale };
  const tenfold: Decimal = { ...size, units: size.units * CHARGES_DIVISOR };
  return compareDecimals(size, amount) >= 0 && compareDecimals(tenfold, most) <= 0;
}

function isSameBalance(reading: BalanceReadingRow, earlier: BalanceReadingRow | undefined): boolean {
  return (
    reading.available_balance === earlier?.available_balance &&
    reading.actual_balance === earlier.actual_balance
  );
}

function describeChange(now: string, before: string): string {
  const change = subtractLiterals(now, before);
  if (change === null) return '';
  return change.units === 0n ? ' (unchanged)' : ` (${formatAmountChange(formatDecimal(change))})`;
}
