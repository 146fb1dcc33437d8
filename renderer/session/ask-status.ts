import { isProduct } from '@shared/payments/tables/products';
import { call } from '../transport/client';

/**
 * Asks the service what became of a payment; whatever shows its journey is told by the event that follows.
 *
 * @param payment - `sentTo`: the address that it went to, null where it is not known; nobody is asked where its environment has
 * another one by now
 */
export async function askStatus(payment: {
  environment: string;
  operation: string;
  reference: string;
  sentTo: string | null;
}): Promise<void> {
  const { environment, operation, reference, sentTo } = payment;
  await call('lookups.status', {
    environment,
    product: isProduct(operation) ? operation : 'payout',
    by: 'transaction_reference',
    value: reference,
    sentTo,
    isForScreen: true,
  });
}
