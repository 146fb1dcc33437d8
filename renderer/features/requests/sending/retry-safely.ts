import { isProduct } from '@shared/payments/tables/products';
import { create } from 'zustand';
import { call } from '../../../transport/client';
import { toClientError } from '../../../transport/client-error';
import { findTab } from '../requests-store';
import { loadJourney, sendAgain } from './sending-actions';

/** What came of sending again, in words, by the exchange that shows it; and the tabs whose status is asked. */
export const useRetryStore = create<{ notes: Readonly<Record<string, string>>; asking: readonly string[] }>(
  () => ({
    notes: {},
    asking: [],
  }),
);

/** Why nothing is sent at once: stands beside the way to do it. */
export const whyStatusFirst =
  'Nobody knows whether the payment was taken. Its status is asked first; only where the service has no such payment is the same request, under the same reference, sent again.';

/**
 * Asks what became of a payment whose answer never came, and sends it once more only where the service does not have it.
 *
 * The same bytes under the same reference: should the first still be on its way, the service takes them for one.
 */
export async function retrySafely(tabId: string): Promise<void> {
  const exchange = findTab(tabId)?.exchange;
  if (
    !exchange?.reference ||
    !isProduct(exchange.operation) ||
    useRetryStore.getState().asking.includes(tabId)
  )
    return;
  const { environment, operation, reference } = exchange;
  useRetryStore.setState(({ asking }) => ({ asking: [...asking, tabId] }));
  try {
    const { isFound, state } = await call('lookups.status', {
      environment,
      product: operation,
      by: 'transaction_reference',
      value: reference,
      isForScreen: true,
    });
    if (findTab(tabId)?.exchange?.id !== exchange.id) return;
    if (isFound === null)
      return noteRetry(
        exchange.id,
        'The service did not tell its status: nothing was sent again. Ask once more in a while.',
      );
    if (isFound) {
      noteRetry(
        exchange.id,
        `The service has this payment${state === null ? '' : ` (${state})`}: nothing was sent again.`,
      );
      return await loadJourney(tabId);
    }
    const isSent = await sendAgain(tabId);
    const shown = findTab(tabId)?.exchange?.id ?? exchange.id;
    noteRetry(
      shown,
      !isSent
        ? 'The service has no such payment. What was sent is not at hand any more: choose “Same reference” and press Send.'
        : shown === exchange.id
          ? ''
          : 'The service had no such payment: the same request was sent again, under the same reference.',
    );
  } catch (error) {
    noteRetry(
      exchange.id,
      `Its status could not be asked, so nothing was sent again. ${toClientError(error).message}`,
    );
  } finally {
    useRetryStore.setState(({ asking }) => ({ asking: asking.filter((one) => one !== tabId) }));
  }
}

/** Says under an exchange what came of sending it again. */
export function noteRetry(exchangeId: string, text: string): void {
  // The last few: an exchange that is not on the screen needs none.
  useRetryStore.setState(({ notes }) => ({
    notes: Object.fromEntries([...Object.entries(notes).slice(-9), [exchangeId, text]]),
  }));
}
