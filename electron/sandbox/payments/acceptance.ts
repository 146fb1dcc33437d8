import { initiationOutcomes } from '@shared/payments/tables/codes';
import { answerJson, type Answer } from '../http/answers';
import { computeCharges, toJsonNumber } from '../money/money';
import type { SandboxContext } from '../sandbox-context';
import type { CheckoutDetails, Payment } from '../store/payment-store';
import type { AccountOutcome } from './account-outcomes';
import type { Initiation, InitiationBody } from './initiation';

/** Describes the payment that an accepted initiation makes. */
export function describePayment(
  context: SandboxContext,
  { product, request, body, metaJson }: Initiation,
  { outcome, amountMinor }: { outcome: AccountOutcome; amountMinor: bigint },
): Payment {
  const now = context.clock.now();
  const checkout = product === 'collection' ? describeCheckout(context, body) : null;
  const finalState = checkout === null ? outcome.finalState : null;
  return {
    paymentUuid: String(request.number),
    reference: body.transaction.reference,
    paymentReference: context.random.reference(),
    requestUuid: request.id,
    product,
    amountMinor,
    chargesMinor: computeCharges(amountMinor),
    currency: body.transaction.currency,
    account: body.recipient?.account ?? null,
    state: 'processing',
    finalState,
    copies: outcome.copies,
    dueAt: finalState === null ? null : now + (outcome.settleMs ?? context.settings.settleMs),
    callbackUrl: body.callback_url,
    metaJson,
    checkout,
    timeReceived: now,
    lastUpdated: now,
  };
}

function describeCheckout(context: SandboxContext, body: InitiationBody): CheckoutDetails {
  return {
    id: context.random.uuid(),
    redirectUrl: body.redirect_url ?? '',
    description: body.transaction.description,
    customerName: body.customer?.name ?? '',
  };
}

/** Writes the acceptance in the form that is set. @source parts 2.3 and 4.1; assumption A4 */
export function answerAccepted(context: SandboxContext, payment: Payment, origin: string): Answer {
  const form =
    context.settings.acceptanceForm === '100'
      ? initiationOutcomes.acceptedOtherForm
      : initiationOutcomes.accepted;
  const checkoutUrl =
    payment.checkout === null
      ? ''
      : `,"checkout_url":${JSON.stringify(`${origin}/checkout/${payment.checkout.id}`)}`;
  const body =
    `{"status":"${form.status}","code":"${form.code}","description":"Accepted for processing",` +
    `"data":{"amount":${toJsonNumber(payment.amountMinor)},` +
    `"transaction_reference":${JSON.stringify(payment.reference)},"payment_uuid":"${payment.paymentUuid}",` +
    `"payment_reference":"${payment.paymentReference}",` +
    `"time_received":"${writeInstant(payment.timeReceived)}"${checkoutUrl}}}`;
  return answerJson(form.httpStatus, body, 'accepted');
}

let instant = 0;
let instantText = new Date(0).toISOString();

/** Writes epoch milliseconds in ISO 8601, UTC. Requests that come together mostly have the same. */
function writeInstant(milliseconds: number): string {
  if (milliseconds !== instant) {
    instant = milliseconds;
    instantText = new Date(milliseconds).toISOString();
  }
  return instantText;
}
