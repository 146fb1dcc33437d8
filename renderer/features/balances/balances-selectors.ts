import { markOfLimit, shortOfLimit, type Wallet } from '@shared/payments/read-wallets';
import type { Product } from '@shared/payments/tables/products';
import type { JourneyPlace, JourneySummary } from '@shared/contract/journey';
import type { MethodOutput } from '@shared/contract/contract';
import { compareDecimals, formatDecimal, parseDecimal, subtractLiterals } from '@shared/payments/decimal';
import type { ClientError } from '../../transport/client-error';
import { formatExact } from '../../ui/format-time';
import { formatAmount, formatAmountChange } from '@shared/payments/format-amount';

/** A wallet as far as readings are kept of it. */
export type WalletAmounts = Pick<Wallet, 'currency' | 'actualBalance' | 'availableBalance'>;

export interface BalanceReading {
  at: number;
  wallets: readonly WalletAmounts[];
}

/** One wallet of one product: the row that is chosen. */
export interface WalletChoice {
  product: Product;
  currency: string;
}

/** Amounts of a wallet from one reading on, until the next one that differs. */
export interface WalletStep {
  at: number;
  available: string;
  actual: string;
  /** Of the available amount, since the step before; null for the first, and where an amount cannot be read. */
  change: string | null;
}

export type BalanceFault = Pick<ClientError, 'message'> & { code: string; details?: ClientError['details'] };

/** Why a product could not be read: the app did not ask, or the service did not answer. */
export function faultOf({
  answer,
  error,
}: {
  answer: { exchange: Exchange } | null;
  error: ClientError | null;
}): BalanceFault | null {
  return error ?? answer?.exchange.error ?? null;
}

/** The error of all products where it is one and the same: said once, over all of them. */
export function commonError(errors: readonly (BalanceFault | null)[]): BalanceFault | null {
  const [first] = errors;
  if (!first) return null;
  return errors.every((one) => one?.code === first.code && one.message === first.message) ? first : null;
}

interface TriedBalances {
  answer: { exchange: Exchange } | null;
  error: ClientError | null;
  isLoading?: boolean;
}

/** Says why there is no wallet to show, of all products together; null while the first answers are under way. */
export function describeNoWallet(entries: readonly TriedBalances[]): { title: string; text: string } | null {
  if (entries.some(({ answer, error, isLoading }) => isLoading && answer === null && error === null))
    return null;
  const tried = entries.filter(({ answer, error }) => answer !== null || error !== null);
  if (tried.length === 0)
    return { title: 'No wallet yet', text: 'Its amounts over time, and when they changed, stand here.' };
  const isEachAtFault = tried.every(
    (one) => faultOf(one) !== null || (one.answer !== null && describeRefusal(one.answer.exchange) !== null),
  );
  // It stands there; here it would stand a second time on one screen.
  return isEachAtFault
    ? { title: 'No wallet could be read', text: 'The table, or the line above it, says why.' }
    : { title: 'No wallet to show', text: 'The service told of none for what was asked.' };
}

/** What is held: actual less available; null where nothing is, or where an amount cannot be read. */
export function heldOf(wallet: Wallet): string | null {
  const held = subtractLiterals(wallet.actualBalance, wallet.availableBalance);
  return held === null || held.units === 0n ? null : formatDecimal(held);
}

const isSame = (a: readonly WalletAmounts[], b: readonly WalletAmounts[]): boolean =>
  JSON.stringify(a) === JSON.stringify(b);

/** Adds a reading where it says something new: what stayed the same is a line that goes on. */
export function addReading(
  readings: readonly BalanceReading[],
  reading: BalanceReading,
  limit: number,
): BalanceReading[] {
  const last = readings.at(-1);
  if (last && isSame(last.wallets, reading.wallets)) return [...readings];
  return [...readings, reading].slice(-limit);
}

/** Puts readings of earlier days before those of this session. */
export function joinReadings(
  kept: readonly BalanceReading[],
  readings: readonly BalanceReading[],
): BalanceReading[] {
  const first = readings[0]?.at ?? Infinity;
  return [...kept.filter(({ at }) => at < first), ...readings];
}

/** The clock for a reading of today, with its date for one before. */
export function formatReadingTime(at: number, now: number): string {
  const exact = formatExact(at);
  if (exact.slice(0, 10) === formatExact(now).slice(0, 10)) return exact.slice(11, 19);
  return `${formatDay(at, exact.slice(0, 4) !== formatExact(now).slice(0, 4))} ${exact.slice(11, 16)}`;
}

/** Writes a day as the table and the axis have it: '26 Nov', '26 Nov 2026'. */
export function formatDay(at: number, hasYear: boolean): string {
  const day = new Date(at).toLocaleDateString('en-GB', { day: 'numeric', month: 'short' });
  return hasYear ? `${day} ${formatExact(at).slice(0, 4)}` : day;
}

/** Where the amounts of one wallet changed, oldest first. */
export function stepsOf(readings: readonly BalanceReading[], currency: string): WalletStep[] {
  const steps: WalletStep[] = [];
  for (const { at, wallets } of readings) {
    const wallet = wallets.find((one) => one.currency === currency);
    if (!wallet) continue;
    const { availableBalance: available, actualBalance: actual } = wallet;
    const before = steps.at(-1);
    if (before && isEqual(before.available, available) && isEqual(before.actual, actual)) continue;
    steps.push({ at, available, actual, change: before ? changeBetween(before.available, available) : null });
  }
  return steps;
}

/** Change of the available amount since the first reading; null where there is none. */
export function changeOf(steps: readonly WalletStep[]): string | null {
  const [first, last] = [steps[0], steps.at(-1)];
  return first && last ? changeBetween(first.available, last.available) : null;
}

function changeBetween(before: string, now: string): string | null {
  const change = subtractLiterals(now, before);
  return change === null || change.units === 0n ? null : formatDecimal(change);
}

/** `5` and `5.00` are one amount written twice. */
function isEqual(a: string, b: string): boolean {
  const [left, right] = [parseDecimal(a), parseDecimal(b)];
  return left && right ? compareDecimals(left, right) === 0 : a === b;
}

/** Instants in seconds, then a row for each line: available, actual, alert limit. */
export interface ChartColumns {
  times: number[];
  lines: (number | null)[][];
  /** The same, as the service wrote them. */
  literals: (string | null)[][];
}

/** Steps as columns for a chart; the last amounts stand until `until`. */
export function chartColumns(
  steps: readonly WalletStep[],
  alertLimit: string | null,
  until: number,
): ChartColumns {
  const last = steps.at(-1);
  const shown = last && until > last.at ? [...steps, { ...last, at: until }] : steps;
  const literals = [
    shown.map(({ available }) => available),
    shown.map(({ actual }) => actual),
    shown.map(() => alertLimit),
  ];
  const lines = literals.map((row) => row.map(toPixelNumber));
  if (isFarBelow(lines)) lines[2] = shown.map(() => null);
  return { times: shown.map(({ at }) => at / 1000), lines, literals };
}

/** A payment as one service has it. */
export interface WalletPayment extends Pick<JourneyPlace, 'amount' | 'currency' | 'sentAt'> {
  reference: string;
}

/**
 * Payments that went to the service which has this wallet, by whatever environment: another one has a payment of its own with
 * the same reference.
 *
 * @param address - where the environment is now; null: the embedded sandbox, whatever its port
 */
export function paymentsOf(
  payments: readonly JourneySummary[],
  { environment, address }: { environment: string; address: string | null },
  { product, currency }: WalletChoice,
): WalletPayment[] {
  const service = address === null ? null : (URL.parse(address)?.origin ?? null);
  const isThere = (place: JourneyPlace): boolean =>
    address === null
      ? place.environment === environment
      : place.service !== null && place.service === service;
  return payments.flatMap(({ reference, sentTo }) => {
    const own = sentTo.filter(isThere);
    const place = own.find((one) => one.operation === product && one.currency === currency);
    return place === undefined ? [] : [{ ...place, reference }];
  });
}

/**
 * References of this wallet's payments that were sent from here since the reading before, the newest first.
 *
 * Others may have moved it, too: it says when, not why.
 * @param before - the reading before; undefined: it was the first, and what came earlier is not known
 * @param payments - those of the wallet
 */
export function paymentsBefore(
  at: number,
  before: number | undefined,
  payments: readonly WalletPayment[],
): string[] {
  if (before === undefined) return [];
  return payments
    .filter(({ sentAt }) => sentAt > before && sentAt <= at)
    .toSorted((a, b) => b.sentAt - a.sentAt)
    .map(({ reference }) => reference);
}

/** What a drawing of the steps says, in words: where it begins and ends, how far it went between, and how often it moved. */
export function describeSteps(steps: readonly WalletStep[], now: number): string {
  const [first, last] = [steps[0], steps.at(-1)];
  if (!first || !last) return 'No readings yet';
  const say = ({ at, available }: WalletStep): string =>
    `${formatAmount(available)} at ${formatReadingTime(at, now)}`;
  if (first === last) return `Available ${say(first)}, unchanged since`;
  const known = steps.filter(({ available }) => toPixelNumber(available) !== null);
  const byAmount = known.toSorted((a, b) => Number(a.available) - Number(b.available));
  const [low, high] = [byAmount[0] ?? first, byAmount.at(-1) ?? first];
  const times = steps.length === 2 ? 'once' : `${steps.length - 1} times`;
  return `Available ${say(first)}, then ${say(last)}: changed ${times}, lowest ${formatAmount(low.available)}, highest ${formatAmount(high.available)}`;
}

/** A limit so far below that drawing it would flatten every step: it is named under the drawing alone. */
function isFarBelow([available, actual, limits]: readonly (number | null)[][]): boolean {
  const amounts = [...(available ?? []), ...(actual ?? [])].filter((amount) => amount !== null);
  const limit = limits?.[0] ?? null;
  if (limit === null || amounts.length === 0) return false;
  const [low, high] = [Math.min(...amounts), Math.max(...amounts)];
  // Where nothing moved there is no step to flatten.
  return high > low && low - limit > 2 * (high - low);
}

/** Good enough to draw with; what is written beside a drawing is the literal. */
function toPixelNumber(literal: string | null): number | null {
  const value = literal === null ? Number.NaN : Number(literal);
  return Number.isFinite(value) ? value : null;
}

const statusSentences: Readonly<Record<string, string>> = {
  SUSPENDED: 'The service has suspended this wallet: nothing is paid out of it.',
  INACTIVE: 'The service has not activated this wallet.',
};

/** What there is to know about a wallet, in sentences. */
export function describeWallet(wallet: Wallet, steps: readonly WalletStep[]): string {
  const [held, short, change] = [heldOf(wallet), shortOfLimit(wallet), changeOf(steps)];
  const sentences = [
    statusSentences[wallet.status],
    short === null
      ? undefined
      : markOfLimit(wallet) === 'at its limit'
        ? 'It stands at the alert limit.'
        : `${formatAmount(short)} short of the alert limit.`,
    held === null ? undefined : `${formatAmount(held)} is held for payments that are not final.`,
    change === null ? undefined : `${formatAmountChange(change)} since the first reading.`,
  ].filter((sentence) => sentence !== undefined);
  return sentences.join(' ') || 'Nothing is held, and nothing changed since the first reading.';
}

type Exchange = MethodOutput<'balances.fetch'>['exchange'];

/** What an answer without wallets means (interface 7.3); null where the service answered with balances. */
export function describeRefusal(exchange: Exchange): { headline: string; detail: string } | null {
  const { response, reading } = exchange;
  if (!response || response.httpStatus < 400) return null;
  // What is not there is told best by the service: a currency without a wallet, or no currency at all.
  const told = response.httpStatus === 404 ? reading?.description : null;
  const codes = [`HTTP ${response.httpStatus}`];
  if (reading?.code) codes.push(`code ${reading.code}`);
  if (reading?.status) codes.push(`status ${reading.status}`);
  if (reading?.description && !told) codes.push(reading.description);
  const headlines: Record<number, string> = {
    401: 'The service does not accept the token for these balances',
    404: 'This currency is not provisioned for the product',
    429: 'Too many requests; wait a moment and read again',
  };
  return {
    headline:
      told ?? headlines[response.httpStatus] ?? reading?.title ?? 'The service refused to tell the balances',
    detail: codes.join(' · '),
  };
}
