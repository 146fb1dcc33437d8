import { memberOf, readJsonTree, textOf, type JsonNode } from '@shared/json/json-tree';
import { formatDecimal, parseDecimal, subtractLiterals } from './decimal';

/** One wallet, amounts exactly as the service wrote them. */
export interface Wallet {
  currency: string;
  actualBalance: string;
  availableBalance: string;
  alertLimit: string | null;
  status: string;
}

/** The wallets of an answer. */
export interface WalletList {
  readonly wallets: readonly Wallet[];
  /** So many more stand in the answer: beyond those that are read of one, or with values of a length that no amount has. */
  readonly unreadCount: number;
}

export const noWallets: WalletList = { wallets: [], unreadCount: 0 };

/** There are fewer than 200 currencies; each wallet that is read is kept, and looked up each time. */
const MOST_WALLETS = 500;
const LONGEST_VALUE = 200;

/**
 * Reads the wallets of a balances answer; none where it is an error or in another form.
 *
 * @source payments-service-interface, parts 2.5 and 4.4
 */
export function readWallets(bodyText: string): WalletList {
  const results = memberOf(readJsonTree(bodyText), 'results');
  if (results?.kind !== 'array') return noWallets;
  const wallets: Wallet[] = [];
  let unreadCount = 0;
  for (const item of results.items) {
    const wallet = readWallet(item);
    if (wallet === null) continue;
    const isLong = Object.values(wallet).some((value) => value !== null && value.length > LONGEST_VALUE);
    if (isLong || wallets.length === MOST_WALLETS) unreadCount += 1;
    else wallets.push(wallet);
  }
  return { wallets, unreadCount };
}

function readWallet(item: JsonNode): Wallet | null {
  const currency = textOf(item, 'currency');
  if (currency === null) return null;
  return {
    currency,
    actualBalance: textOf(item, 'actual_balance') ?? '',
    availableBalance: textOf(item, 'available_balance') ?? '',
    alertLimit: textOf(item, 'alert_limit'),
    status: textOf(item, 'status') ?? '',
  };
}

/** Says of an answer that not all of its wallets are shown; null where all are. */
export function describeUnread({ wallets, unreadCount }: WalletList): string | null {
  if (unreadCount === 0) return null;
  const total = wallets.length + unreadCount;
  return `${unreadCount} of ${total} wallets of this answer are left out: at most ${MOST_WALLETS} are read, of values of at most ${LONGEST_VALUE} characters.`;
}

/** How far the available amount has fallen to or below the limit that was set for it; null where it is above, or there is none. */
export function shortOfLimit({ alertLimit, availableBalance }: Wallet): string | null {
  const short = alertLimit === null ? null : subtractLiterals(alertLimit, availableBalance);
  return short === null || short.units < 0n ? null : formatDecimal(short);
}

/** What a wallet is marked with whose available amount has fallen to its limit, or below it; null: neither. */
export function markOfLimit(wallet: Wallet): 'at its limit' | 'below its limit' | null {
  const short = shortOfLimit(wallet);
  if (short === null) return null;
  return parseDecimal(short)?.units === 0n ? 'at its limit' : 'below its limit';
}
