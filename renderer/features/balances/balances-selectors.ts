import type { Wallet } from '@shared/payments/read-wallets';
import type { MethodOutput } from '@shared/contract/contract';
import { formatChange, formatDecimal, subtractLiterals } from '@shared/payments/decimal';

export interface BalanceReading {
  at: number;
  wallets: Wallet[];
}

/** What is held: actual less available. */
export function heldOf(wallet: Wallet): string | null {
  const held = subtractLiterals(wallet.actualBalance, wallet.availableBalance);
  return held === null ? null : formatDecimal(held);
}

/** True where the available amount has reached the limit that was set for it. */
export function isBelowLimit(wallet: Wallet): boolean {
  if (wallet.alertLimit === null) return false;
  const rest = subtractLiterals(wallet.availableBalance, wallet.alertLimit);
  return rest !== null && rest.units <= 0n;
}

/** Available as a share of actual, for the bar; null where it says nothing. */
export function availableShare(wallet: Wallet): number | null {
  const actual = Number(wallet.actualBalance);
  const available = Number(wallet.availableBalance);
  if (!(actual > 0) || !Number.isFinite(available)) return null;
  return Math.min(1, Math.max(0, available / actual));
}

/** Change of the available amount since the reading before, signed; null where there is none. */
export function changeOf(readings: readonly BalanceReading[], currency: string): string | null {
  const amounts = readings.slice(-2).map((one) => one.wallets.find((wallet) => wallet.currency === currency));
  const [before, now] = amounts;
  if (!before || !now) return null;
  const change = subtractLiterals(now.availableBalance, before.availableBalance);
  return change === null || change.units === 0n ? null : formatChange(change);
}

/** Readings as columns for a chart: instants in seconds, then one row of amounts. */
export function chartColumns(
  readings: readonly BalanceReading[],
  currency: string,
): { times: number[]; available: (number | null)[]; actual: (number | null)[] } {
  const amount = (reading: BalanceReading, field: 'availableBalance' | 'actualBalance'): number | null => {
    const value = Number(reading.wallets.find((wallet) => wallet.currency === currency)?.[field]);
    return Number.isFinite(value) ? value : null;
  };
  return {
    times: readings.map((reading) => reading.at / 1000),
    available: readings.map((reading) => amount(reading, 'availableBalance')),
    actual: readings.map((reading) => amount(reading, 'actualBalance')),
  };
}

type Exchange = MethodOutput<'balances.fetch'>['exchange'];

/** What an answer without wallets means (interface 7.3); null where the service answered with balances. */
export function describeRefusal(exchange: Exchange): { headline: string; detail: string } | null {
  const { response, error, reading } = exchange;
  if (error) return { headline: error.message, detail: error.code };
  if (!response || response.httpStatus < 400) return null;
  const codes = [`HTTP ${response.httpStatus}`];
  if (reading?.code) codes.push(`code ${reading.code}`);
  if (reading?.status) codes.push(`status ${reading.status}`);
  if (reading?.description) codes.push(reading.description);
  const headlines: Record<number, string> = {
    401: 'The service does not accept the token for these balances',
    404: 'This currency is not provisioned for the product',
    429: 'Too many requests; wait a moment and refresh',
  };
  return {
    headline: headlines[response.httpStatus] ?? reading?.title ?? 'The service refused to tell the balances',
    detail: codes.join(' · '),
  };
}
