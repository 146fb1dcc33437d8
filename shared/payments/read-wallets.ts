import { memberOf, readJsonTree, textOf } from '@shared/json/json-tree';
import { formatDecimal, subtractLiterals } from './decimal';

/** One wallet, amounts exactly as the service wrote them. */
export interface Wallet {
  currency: string;
  actualBalance: string;
  availableBalance: string;
  alertLimit: string | null;
  status: string;
}

/**
 * Reads the wallets of a balances answer; none where it is an error or in another form.
 *
 * @source payments-service-interface, parts 2.5 and 4.4
 */
export function readWallets(bodyText: string): Wallet[] {
  const results = memberOf(readJsonTree(bodyText), 'results');
  if (results?.kind !== 'array') return [];
  return results.items.flatMap((item) => {
    const currency = textOf(item, 'currency');
    if (currency === null) return [];
    return [
      {
        currency,
        actualBalance: textOf(item, 'actual_balance') ?? '',
        availableBalance: textOf(item, 'available_balance') ?? '',
        alertLimit: textOf(item, 'alert_limit'),
        status: textOf(item, 'status') ?? '',
      },
    ];
  });
}

/** How far the available amount has fallen to or below the limit that was set for it; null where it is above, or there is none. */
export function shortOfLimit({ alertLimit, availableBalance }: Wallet): string | null {
  const short = alertLimit === null ? null : subtractLiterals(alertLimit, availableBalance);
  return short === null || short.units < 0n ? null : formatDecimal(short);
}
