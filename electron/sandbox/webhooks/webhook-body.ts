import { webhookStatuses } from '@shared/payments/tables/states';
import { toJsonNumber } from '../money/money';
import type { FinalState, Payment } from '../store/payment-store';

/** `code` of a webhook, by the state that it reports. Not shown by the interface: the codes of its envelopes. */
const WEBHOOK_CODES: Readonly<Record<FinalState, string>> = {
  succeeded: '200.100',
  failed: '400.500',
  canceled: '400.100',
};

/** What of a payment its webhook tells. */
export type ReportedPayment = Pick<
  Payment,
  'reference' | 'amountMinor' | 'paymentUuid' | 'paymentReference' | 'metaJson'
>;

/**
 * Writes the webhook of a payment's final state; `meta` is echoed as it was written.
 *
 * @source payments-service-interface, part 6; assumption A3
 */
export function writeWebhookBody(payment: ReportedPayment, state: FinalState): string {
  return (
    `{"status":"${webhookStatuses[state]}","code":"${WEBHOOK_CODES[state]}",` +
    `"amount":${toJsonNumber(payment.amountMinor)},"client_reference":${JSON.stringify(payment.reference)},` +
    `"payment_uuid":"${payment.paymentUuid}","payment_reference":"${payment.paymentReference}",` +
    `"metadata":${payment.metaJson ?? '{}'}}`
  );
}

/**
 * Writes a sample webhook in the same form, from the simulator's request.
 *
 * @param metadataJson - literal of the request's `metadata`; null where it had none
 * @source payments-service-interface, part 4.5
 */
export function writeSampleBody(
  value: Readonly<Record<string, unknown>>,
  amountLiteral: string | null,
  metadataJson: string | null,
): string {
  const text = (name: string): string => JSON.stringify(value[name] ?? null);
  return (
    `{"status":${text('status')},"code":${text('code')},"amount":${amountLiteral ?? 'null'},` +
    `"client_reference":${text('client_reference')},"payment_uuid":${text('payment_uuid')},` +
    `"payment_reference":${text('payment_reference')},"metadata":${metadataJson ?? '{}'}}`
  );
}
