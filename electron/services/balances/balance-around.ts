import type { BalanceAround } from '@shared/contract/balances';
import { localEnvironmentId } from '@shared/contract/environment-id';
import type { EnvironmentRecord } from '@shared/contract/environments';
import { readJsonTree, textOf } from '@shared/json/json-tree';
import { findRecord } from '@shared/payments/read-answer';
import { isProduct } from '@shared/payments/tables/products';
import { formatSortableId } from '../../platform/sortable-id';
import { errorsOf } from '../errors-of';
import { isAddressOf } from '../environments/address-binding';
import { mayBeTaken } from '../history/choose-answered';
import type { HistoryService } from '../history/create-history-service';
import type { ExchangeRow } from '../history/history-store';
import { isOfWallet, readWallet } from '../history/read-wallet';
import type { JourneyService } from '../journey/create-journey-service';

const AroundError = errorsOf<'balances.around'>();

export type AroundHistory = Pick<HistoryService, 'balances' | 'handlers'> & {
  store: Pick<HistoryService['store'], 'listOfPayment'>;
};

/** So many status answers are looked at for the charges, the latest. */
const MOST_ANSWERS = 5;
/** So many readings after a payment was sent are looked at for the one that follows its outcome. */
const MOST_READINGS = 500;

export interface AroundSources {
  readonly history: AroundHistory;
  /** Whose service has the payment; null: the first that it went to. */
  readonly asked: Pick<EnvironmentRecord, 'id' | 'label' | 'baseUrl'> | null;
  readonly summariseAt: JourneyService['summariseAt'];
}

/** Reads what a wallet was before a payment and after it; null where it names no wallet. */
export async function readBalanceAround(
  reference: string,
  { history, asked, summariseAt }: AroundSources,
): Promise<BalanceAround | null> {
  const sent = history.store.listOfPayment(reference);
  const moved = readWallet(asked === null ? sent : requireSentTo(asked, sent));
  if (moved === null) return null;
  const { wallet, address, sentAt, amount } = moved;
  // Elsewhere the reference is another payment, of another wallet.
  const exchanges = sent.filter((one) => isOfWallet(one, moved));
  const summary = await summariseAt(reference, (one) => isOfWallet(one, moved));
  const { state, finalAt } = summary ?? { state: null, finalAt: null };
  const settledAt = finalAt ?? readAnsweredAt(exchanges) ?? sentAt;
  const readings = history.balances.listAround(wallet, sentAt, MOST_READINGS, address);
  const before = readings.find(({ read_at }) => read_at < sentAt);
  const after = readings.find(({ read_at }) => read_at >= settledAt);
  const within = before && after ? { from: before.read_at, to: after.read_at } : null;
  const shown = (reading: typeof before): BalanceAround['before'] =>
    reading === undefined ? null : { at: reading.read_at, available: reading.available_balance };
  return {
    reference,
    product: wallet.product,
    currency: wallet.currency,
    sentAt,
    mayBeTaken: state !== null || exchanges.some(mayBeTaken),
    state,
    isFinal: finalAt !== null,
    before: shown(before),
    after: shown(after),
    amount,
    totalAmount: await readTotalAmount(exchanges, history),
    otherCount:
      within === null ? 0 : history.balances.countOtherPayments({ wallet, address, reference, ...within }),
  };
}

/** What went to the service of an environment. @throws {AppError} `journey.unknown` where nothing of a payment did */
function requireSentTo(
  { id, label, baseUrl }: Pick<EnvironmentRecord, 'id' | 'label' | 'baseUrl'>,
  sent: readonly ExchangeRow[],
): ExchangeRow[] {
  const own = sent.filter((one) =>
    id === localEnvironmentId ? one.environment === id : isAddressOf(one.url, baseUrl),
  );
  if (own.some(({ operation }) => isProduct(operation))) return own;
  throw new AroundError(
    'journey.unknown',
    `No payment with this reference was sent from here to the service that '${label}' is now: choose the environment that it went to. A status query asks the service for it.`,
    { details: { environment: id } },
  );
}

/** When the answer to the payment was there; null: none came. */
function readAnsweredAt(exchanges: readonly ExchangeRow[]): number | null {
  const paid = exchanges.find(({ operation, total_ms }) => isProduct(operation) && total_ms !== null);
  return paid === undefined ? null : paid.sent_at + (paid.total_ms ?? 0);
}

/**
 * What the service took for the payment, charges included, by its newest status; null: not known.
 *
 * @param exchanges - those of one service: elsewhere the reference may be another payment
 * @source payments-service-interface, part 2.4
 */
async function readTotalAmount(
  exchanges: readonly ExchangeRow[],
  history: AroundHistory,
): Promise<string | null> {
  const queries = exchanges.filter(({ operation, outcome }) => operation === 'status' && outcome === 'ok');
  for (const { id } of queries.slice(-MOST_ANSWERS).reverse()) {
    const { response } = await history.handlers['history.get']({
      id: formatSortableId(id),
      isForScreen: false,
    });
    const total = textOf(findRecord(readJsonTree(response?.body ?? '')), 'total_amount');
    if (total !== null) return total;
  }
  return null;
}
