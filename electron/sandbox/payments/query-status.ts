import { validateStatusQuery } from '@shared/payments/validate-fields';
import type { Product } from '@shared/payments/tables/products';
import { answerEnvelope, answerErrorObject, answerJson, type Answer } from '../http/answers';
import { toJsonNumber } from '../money/money';
import type { Payment } from '../store/payment-store';
import type { SandboxContext } from '../sandbox-context';
import type { ServiceRequest } from '../http/service-request';

/**
 * Answers a status query by exactly one identifying field.
 *
 * A payment of another product than the token's is an authentication failure, as part 5.3 has it; only a payment
 * that nobody made is not found.
 * @source payments-service-interface, parts 2.4, 4.3, 5.3; assumptions A5 and A6
 */
export function queryStatus(context: SandboxContext, product: Product, request: ServiceRequest): Answer {
  const errors = validateStatusQuery(request.value);
  if (errors.length > 0) {
    const { field, message } = errors[0]!;
    const text = errors.map((one) => `${one.field} ${one.message}`).join('; ');
    return answerErrorObject(400, 'fields', 'invalid_request', text || message, request.id, {
      param: field,
      fieldErrors: errors,
    });
  }
  const payment = findPayment(context, request.value);
  if (payment === undefined) {
    return answerEnvelope('not_found', 'not_found', 'No payment matches this identifier.', {
      status: 'NOT_FOUND',
    });
  }
  if (payment.product !== product) {
    const description = `The token is for ${product}; this payment needs a ${payment.product} token.`;
    return answerEnvelope('authentication', 'product', description);
  }
  return answerJson(200, writeStatusRecord(payment), 'ok');
}

function findPayment(context: SandboxContext, value: Readonly<Record<string, unknown>>): Payment | undefined {
  const { transaction_reference: reference, payment_uuid: paymentUuid, request_uuid: requestUuid } = value;
  if (typeof reference === 'string') return context.payments.findByReference(reference);
  if (typeof paymentUuid === 'string') return context.payments.findByUuid(paymentUuid);
  return context.payments.findByRequest(String(requestUuid));
}

function writeStatusRecord(payment: Payment): string {
  const { amountMinor, chargesMinor } = payment;
  return (
    `{"status":"200.100","code":"ACCEPTED","description":"Payment found","data":{` +
    `"transaction_reference":${JSON.stringify(payment.reference)},` +
    `"payment_reference":"${payment.paymentReference}","payment_uuid":"${payment.paymentUuid}",` +
    `"amount":${toJsonNumber(amountMinor)},"total_charges":${toJsonNumber(chargesMinor)},` +
    `"total_amount":${toJsonNumber(amountMinor + chargesMinor)},"state":"${payment.state}",` +
    `"time_received":"${new Date(payment.timeReceived).toISOString()}",` +
    `"last_updated":"${new Date(payment.lastUpdated).toISOString()}"}}`
  );
}
