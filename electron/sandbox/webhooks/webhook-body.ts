import { createHash } from 'node:crypto';
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

/** What a sample tells where its request leaves it out, so that it is a whole webhook all the same. */
const SAMPLE_AMOUNT = '100';

/**
 * Gives a sample what its request left out: the code of its status, and a payment that is told by its reference alone,
 * so that two samples of one reference are of one payment.
 *
 * @param newReference - names the payment where the request does not
 * @source payments-service-interface, part 4.5 (the production payload format); assumption A3
 */
export function completeSample(
  value: Readonly<Record<string, unknown>>,
  newReference: () => string,
): Record<string, unknown> {
  const given = Object.fromEntries(Object.entries(value).filter(([, one]) => one !== null));
  const status = given['status'] ?? webhookStatuses.succeeded;
  const state = (Object.keys(webhookStatuses) as FinalState[]).find((one) => webhookStatuses[one] === status);
  const reference = given['client_reference'] ?? newReference();
  const digest = createHash('sha256').update(String(reference)).digest();
  return {
    status,
    code: WEBHOOK_CODES[state ?? 'succeeded'],
    client_reference: reference,
    payment_uuid: String(100_000_000_000_000 + digest.readUIntBE(0, 6)),
    payment_reference: `PR${digest.toString('hex', 6, 12).toUpperCase()}`,
    ...given,
  };
}

/**
 * Writes a sample webhook in the form of a real one.
 *
 * @param value - its members, as {@link completeSample} gives them
 * @param amountLiteral - literal of the request's `amount`; null where it had none
 * @param metadataJson - literal of the request's `metadata`; null where it had none
 * @source payments-service-interface, part 4.5
 */
export function writeSampleBody(
  value: Readonly<Record<string, unknown>>,
  amountLiteral: string | null,
  metadataJson: string | null,
): string {
  const text = (name: string): string => JSON.stringify(value[name]);
  return (
    `{"status":${text('status')},"code":${text('code')},"amount":${amountLiteral ?? SAMPLE_AMOUNT},` +
    `"client_reference":${text('client_reference')},"payment_uuid":${text('payment_uuid')},` +
    `"payment_reference":${text('payment_reference')},"metadata":${metadataJson ?? '{}'}}`
  );
}
