import type { Exchange } from '@shared/contract/sending';
import { readJsonTree, textOf } from '@shared/json/json-tree';
import { findServices } from '@shared/journey/find-services';
import { isOutcomeUnknown } from '@shared/payments/payment-outcome';
import { isProduct } from '@shared/payments/tables/products';
import type { PreparedRequest } from '@shared/http-file/prepare-request';
import { useRequestsStore, type OpenTab, type SendWord } from '../requests-store';

/** How the reference of what would be sent now stands to that of the last answer. */
export interface ReferenceUse {
  reference: string;
  isSame: boolean;
  /** Same reference, other bytes: and the first payment was taken, or may have been. */
  isReuse: boolean;
}

/**
 * Compares what would be sent with what the tab's answer belongs to.
 *
 * @param environment - where it would be sent: another one knows nothing of the reference
 * @returns null: no payment, or nothing was sent there yet
 */
export function readReferenceUse(
  { exchange }: OpenTab,
  prepared: Pick<PreparedRequest, 'operation' | 'body'> | null,
  environment: string | null,
): ReferenceUse | null {
  if (prepared === null || exchange === null || exchange.reference === null) return null;
  if (exchange.environment !== environment) return null;
  if (!isProduct(prepared.operation) || !isProduct(exchange.operation)) return null;
  const reference = textOf(readJsonTree(prepared.body ?? ''), 'transaction', 'reference');
  const isSame = reference === exchange.reference;
  const outcome = exchange.reading?.outcome ?? null;
  const mayBeTaken = outcome === 'accepted' || outcome === 'duplicate' || isPaymentUnknown(exchange);
  // What was kept has its secrets masked: such a body cannot be compared.
  const isComparable = !(prepared.body ?? '').includes('{{');
  const isReuse = isSame && mayBeTaken && isComparable && exchange.request.body !== prepared.body;
  return { reference: exchange.reference, isSame, isReuse };
}

/** Tells whether a payment was sent of which nobody knows whether it was taken. */
export function isPaymentUnknown({ operation, error, reading }: Exchange): boolean {
  return isProduct(operation) && isOutcomeUnknown(reading?.outcome ?? null, error?.code ?? null);
}

/** What a webhook or a status query has told since of a payment whose answer never came; null: nobody has told of it yet. */
export function readLaterWord({ exchange, journey }: Pick<OpenTab, 'exchange' | 'journey'>): string | null {
  if (exchange === null || journey === null || journey.summary.reference !== exchange.reference) return null;
  const own = journey.events.find(({ exchangeId }) => exchangeId === exchange.id);
  const isOfPayment = findServices(own === undefined ? [] : [own.service]);
  const told = journey.events.findLast(
    ({ state, at, service }) => state !== null && at >= exchange.sentAt && isOfPayment(service),
  );
  return told?.title ?? null;
}

/** Tells whether what would be sent now is the payment of the last answer, byte for byte: a repetition keeps its times, too. */
export function isRepetition({ exchange }: OpenTab, prepared: Pick<PreparedRequest, 'body'> | null): boolean {
  if (exchange === null || exchange.reference === null || prepared === null) return false;
  return prepared.body !== null && prepared.body === exchange.request.body;
}

/**
 * Asks before another body goes under the reference of a payment that was taken, or may have been: the interface does not
 * say what becomes of it.
 *
 * @returns true where it was asked
 */
export function askAboutReference(
  tab: OpenTab,
  prepared: PreparedRequest,
  environment: string,
  how: SendWord,
): boolean {
  if (how.isReuse) return false;
  const use = readReferenceUse(tab, prepared, environment);
  if (!use?.isReuse) return false;
  useRequestsStore.setState({
    question: { kind: 'reference', tabId: tab.id, reference: use.reference, how },
  });
  return true;
}
