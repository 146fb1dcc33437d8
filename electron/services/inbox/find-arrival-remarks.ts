import type { HeaderList } from '@shared/contract/common';
import type { WebhookRow } from '@shared/contract/webhook-columns';
import { findHeader } from '@shared/find-header';
import {
  readWebhookTimestamp,
  remarkArrival,
  type ArrivalRemark,
  type WebhookArrival,
  type PaymentNews,
} from '@shared/webhooks/arrival-remarks';
import { findServices } from '@shared/journey/find-services';
import { isProduct } from '@shared/payments/tables/products';
import type { StoredWebhook } from '../../listener/inbox-log';
import { readWebhookHead } from '../../listener/read-webhook';
import type { SentTo } from '../environments/find-service';
import { findWebhookOwners } from '../journey/webhook-owner';
import type { InboxSource } from './inbox-source';
import type { HistoryService } from '../history/create-history-service';
import type { ExchangeRow } from '../history/history-store';

/** What of the rest of the app the judgement of a webhook needs. */
export interface PaymentSources {
  readonly history: Pick<HistoryService['store'], 'findAnswered' | 'listOfPayment'>;
  /** States that webhooks of an environment report beside those that are known everywhere. */
  readWebhookStates(environment: string): PaymentNews['moreStates'];
  /** The service that something was sent to, by its origin; null: not known. */
  readService(sent: SentTo): string | null;
}

type History = PaymentSources['history'];

/** So many earlier webhooks of a payment are looked at: more belong to a test of load. */
const MOST_EARLIER = 50;

/** Says what is odd about the moment at which a webhook came, by the other news of its payment. */
export async function findArrivalRemarks(
  { row, headers }: StoredWebhook,
  source: Pick<InboxSource, 'findEarlier'>,
  sources: PaymentSources,
): Promise<ArrivalRemark[]> {
  if (row.client_reference === null && row.payment_uuid === null) return [];
  const found = await source.findEarlier(row, MOST_EARLIER);
  const arrived = found.map((one) => toArrived(one.row, readWebhookHead(one.head).headers));
  const named = new Set(arrived.map(({ paymentUuid }) => paymentUuid).filter((uuid) => uuid !== null));
  // Which of several payments it is of nobody can tell, nor what is odd about it then.
  if (row.payment_uuid === null && named.size > 1) return [];
  // A reference is one payment only within one service: what names another UUID is another payment's.
  const isOwn = (uuid: string | null): boolean =>
    uuid === null || row.payment_uuid === null || uuid === row.payment_uuid;
  const earlier = arrived.filter(({ paymentUuid }) => isOwn(paymentUuid));
  return remarkArrival(toArrived(row, headers), { earlier, ...readNews(row, sources) });
}

function toArrived(row: WebhookRow, headers: HeaderList): WebhookArrival {
  const stamp = findHeader(headers, 'webhook-timestamp');
  return {
    receivedAt: row.received_at,
    webhookId: row.webhook_id,
    status: row.status,
    code: row.code,
    amount: row.amount,
    paymentUuid: row.payment_uuid,
    stampedAt: readWebhookTimestamp(stamp),
  };
}

function readNews(
  row: WebhookRow,
  { history, readWebhookStates, readService }: PaymentSources,
): Omit<PaymentNews, 'earlier'> {
  const exchanges = listExchanges(row, history);
  const placeOf = (sent: SentTo): { service: string | null } => ({ service: readService(sent) });
  const owner = findWebhookOwners({ exchanges, placeOf })({ paymentUuid: row.payment_uuid });
  const moreStates = readWebhookStates(owner.environment);
  // What is known is of another payment, or may be: nothing follows from it.
  if (owner.isOther || owner.isUnplaced) return { accepted: null, statuses: [], moreStates };
  const payments = exchanges.filter(({ operation }) => isProduct(operation));
  const isOfPayment = findServices(owner.service === null ? payments.map(readService) : [owner.service]);
  const isSame = (one: ExchangeRow): boolean =>
    isOfPayment(readService(one)) &&
    (one.payment_uuid === null || row.payment_uuid === null || one.payment_uuid === row.payment_uuid);
  const accepted = payments.find((one) => one.outcome === 'accepted' && isSame(one));
  return {
    accepted:
      accepted === undefined || accepted.total_ms === null
        ? null
        : { sentAt: accepted.sent_at, answeredAt: accepted.sent_at + accepted.total_ms },
    statuses: exchanges
      .filter((one) => one.operation === 'status' && one.state !== null && isSame(one))
      .map(({ sent_at, total_ms, state }) => ({ at: sent_at + (total_ms ?? 0), state: state! })),
    moreStates,
  };
}

/** A history that cannot be read must not hide what was received. */
function listExchanges({ client_reference, payment_uuid }: WebhookRow, history: History): ExchangeRow[] {
  try {
    const reference = client_reference ?? history.findAnswered(null, payment_uuid).row?.reference ?? null;
    return reference === null ? [] : history.listOfPayment(reference);
  } catch {
    return [];
  }
}
