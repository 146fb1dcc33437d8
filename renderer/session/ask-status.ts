import { isProduct } from '@shared/payments/tables/products';
import { call } from '../transport/client';

/** Asks the service what became of a payment; whatever shows its journey is told by the event that follows. */
export async function askStatus(payment: {
  environment: string;
  operation: string;
  reference: string;
}): Promise<void> {
  const { environment, operation, reference } = payment;
  await call('lookups.status', {
    environment,
    product: isProduct(operation) ? operation : 'payout',
    by: 'transaction_reference',
    value: reference,
    isForScreen: true,
  });
}
