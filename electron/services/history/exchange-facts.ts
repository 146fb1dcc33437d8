import type { Operation } from '@shared/contract/common';
import type { Reading } from '@shared/contract/sending';
import { memberOf, readJsonMembers, textOf, type JsonNode } from '@shared/json/json-tree';
import { findRecord, RECORD_MEMBERS } from '@shared/payments/read-answer';
import { isProduct } from '@shared/payments/tables/products';

/** What ties an exchange to a payment. */
export interface ExchangeFacts {
  reference: string | null;
  paymentUuid: string | null;
  /** Amount and currency of a payment, as written in its request. */
  amount: string | null;
  currency: string | null;
}

/**
 * Reads the reference and the payment UUID from request and answer.
 *
 * @source payments-service-interface, parts 2.1 to 2.4, 4.3 and 4.5
 */
export function readExchangeFacts(
  operation: Operation,
  requestBody: string | null,
  responseBody: string | null,
  reading: Reading | null,
): ExchangeFacts {
  const request =
    requestBody === null
      ? null
      : readJsonMembers(
          requestBody,
          'transaction',
          'transaction_reference',
          'client_reference',
          'payment_uuid',
        );
  const readResponse = (): JsonNode | null =>
    responseBody === null ? null : readJsonMembers(responseBody, ...RECORD_MEMBERS);
  const transaction = memberOf(request, 'transaction');
  const isPayment = isProduct(operation);
  return {
    reference: isPayment
      ? textOf(transaction, 'reference')
      : (textOf(request, 'transaction_reference') ??
        textOf(findRecord(readResponse()), 'transaction_reference') ??
        textOf(request, 'client_reference')),
    paymentUuid: reading?.paymentUuid ?? textOf(request, 'payment_uuid'),
    amount: isPayment ? textOf(transaction, 'amount') : null,
    currency: isPayment ? textOf(transaction, 'currency') : null,
  };
}

/** Of an exchange that others sent the whole time alone is known. */
export const notMeasured = {
  queueMs: null,
  dnsMs: null,
  connectMs: null,
  tlsMs: null,
  firstByteMs: null,
  downloadMs: null,
};
