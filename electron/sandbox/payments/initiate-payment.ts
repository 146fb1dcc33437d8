import { JSON_NUMBER, JSON_STRING } from '@shared/json/json-sink';
import { findSignedFields } from '@shared/signing/signed-fields';
import { joinSignedFields } from '@shared/signing/string-to-sign';
import { AppError } from '@shared/errors';
import { initiationOutcomes } from '@shared/payments/tables/codes';
import type { Product } from '@shared/payments/tables/products';
import { validateInitiation, type FieldError } from '@shared/payments/validate-fields';
import { findAccountOutcome, type AccountOutcome } from './account-outcomes';
import {
  answerEnvelope,
  answerErrorObject,
  answerJson,
  answerRejection,
  answerTooMany,
  type Answer,
} from '../http/answers';
import { findInitiation, type InitiationFinder } from './find-initiation';
import { computeCharges, toJsonNumber, toMinor } from '../money/money';
import type { Candidate, Decision } from './initiation-batch';
import type { CheckoutDetails, Payment } from '../store/payment-store';
import type { SandboxContext, ServiceRequest } from '../sandbox-context';
import type { Wallet } from '../money/wallets';

/** Place of the amount among the signed fields. */
const AMOUNT = 1;
/** How often the account 0008 is answered 429 before it is accepted. */
const REFUSALS_BEFORE_ACCEPTANCE = 2;

interface InitiationBody {
  transaction: { reference: string; amount: number; currency: string; description: string };
  recipient?: { account: string };
  customer?: { name?: string };
  callback_url: string;
  redirect_url?: string;
}

/**
 * Answers the initiation of a remittance, payout or collection, after the token and its product were checked.
 *
 * The order of the checks is fixed: signature, fields, duplicate, business rules. One reference is one payment,
 * over all products: a second use of it is a duplicate, whatever else the body says (assumption A7).
 * @returns null where the answer comes later, through `request.resume`
 * @source payments-service-interface, parts 4.1, 4.2, 5.5; design 5; assumptions A2, A4, A7
 */
export function initiatePayment(
  context: SandboxContext,
  product: Product,
  request: ServiceRequest,
): Answer | null {
  const finder = findInitiation(request.text);
  const isReadable = finder.kinds.every(isSignable);
  if (product === 'collection' || !isReadable) return checkFields(context, product, request, finder);
  const signature = readSignature(context, request.signature);
  if (typeof signature === 'string') return answerEnvelope('authentication', 'signature', signature);
  context.keys.verify(joinSignedFields(finder).text, signature, (isValid) =>
    request.resume(() =>
      isValid
        ? checkFields(context, product, request, finder)
        : answerEnvelope('authentication', 'signature', MISMATCH),
    ),
  );
  return null;
}

const MISMATCH =
  'X-Custom-Signature does not verify against the string to sign of this body with any registered key.';

function isSignable(kind: number): boolean {
  return kind === JSON_STRING || kind === JSON_NUMBER;
}

/** Gives the raw signature, or the reason why it cannot be checked. */
function readSignature(context: SandboxContext, signature: string | undefined): Buffer | string {
  if (signature === undefined || signature === '') return 'The X-Custom-Signature header is missing.';
  const bytes = Buffer.from(signature, 'base64');
  // What is not standard Base64 does not come back as it was.
  if (bytes.toString('base64') !== signature) {
    return 'X-Custom-Signature is not standard Base64 (letters, digits, + and /, padded with =, in one line).';
  }
  return context.keys.list().length > 0
    ? bytes
    : 'No public key is registered, so no signature can be checked. Register the SPKI PEM of your key first.';
}

/** The checks that come after the signature. */
function checkFields(
  context: SandboxContext,
  product: Product,
  request: ServiceRequest,
  finder: InitiationFinder,
): Answer | null {
  const literal = finder.kinds[AMOUNT] === JSON_NUMBER ? finder.valueOf(AMOUNT) : undefined;
  const errors = validateInitiation(product, request.value, {
    amountLiteral: literal,
    allowsPlainHttp: context.allowsPlainHttp,
  });
  if (errors.length > 0) return answerFieldErrors(context, errors, request.id);
  const body = request.value as unknown as InitiationBody;
  const outcome = findAccountOutcome(body.recipient?.account ?? '');
  if (outcome.answer === 'field_error') {
    const message = 'is not an account that this corridor can reach';
    return answerFieldErrors(context, [{ field: 'recipient.account', message }], request.id);
  }
  context.admissions.admit(new Initiation(context, product, request, body, outcome, finder));
  return null;
}

/** An initiation whose signature and fields are right. */
class Initiation implements Candidate {
  readonly reference: string;

  constructor(
    private readonly context: SandboxContext,
    private readonly product: Product,
    private readonly request: ServiceRequest,
    private readonly body: InitiationBody,
    private readonly outcome: AccountOutcome,
    private readonly finder: InitiationFinder,
  ) {
    this.reference = body.transaction.reference;
  }

  /** Duplicate, business rules, acceptance: in one go, so that no other request comes between. */
  decide(isTaken: boolean): Decision {
    const { context, product, request, body, outcome } = this;
    const { reference, amount, currency } = body.transaction;
    const amountMinor = toMinor(amount);
    const wallet = context.wallets.find(product, currency);
    // Counts the refusals of a reference, so it is asked for a duplicate, too.
    const refusal =
      answerByOutcome(context, outcome, reference, request.id) ??
      refuseByWallet(product, currency, wallet, amountMinor);
    if (isTaken) return { answer: answerDuplicate(), payment: null };
    if (refusal !== null || amountMinor === null || wallet === undefined) {
      return { answer: refusal!(), payment: null };
    }
    const payment = describePayment(context, product, request, body, outcome, amountMinor, this.finder);
    if (product !== 'collection') context.wallets.hold(wallet, amountMinor + payment.chargesMinor);
    if (payment.dueAt !== null) context.wakeSettlement(payment.dueAt);
    return { answer: answerAccepted(context, payment, request.host), payment };
  }

  tell(answer: Answer): void {
    this.request.resume(() => answer);
  }
}

function answerFieldErrors(
  context: SandboxContext,
  fieldErrors: readonly FieldError[],
  requestId: string,
): Answer {
  const description = 'Validation failed';
  if (context.settings.badRequestForm === 'envelope') {
    return answerEnvelope('validation', 'fields', description, { fieldErrors });
  }
  const first = fieldErrors[0]!;
  const message = fieldErrors.map(({ field, message: text }) => `${field} ${text}`).join('; ');
  return answerErrorObject(400, 'fields', 'validation_failed', message, requestId, {
    param: first.field,
    fieldErrors,
  });
}

function answerDuplicate(): Answer {
  return answerRejection(initiationOutcomes.duplicate, 'duplicate', 'duplicate ignored', {});
}

/** Gives what the outcome table answers in place of acceptance; a function, since a duplicate goes before it. */
function answerByOutcome(
  context: SandboxContext,
  outcome: AccountOutcome,
  reference: string,
  requestId: string,
): (() => Answer) | null {
  if (outcome.answer === 'internal_error') {
    return () => answerEnvelope('internal', 'rules', 'Internal server error');
  }
  if (outcome.answer !== 'too_many_requests') return null;
  if (context.countRefusal(reference) > REFUSALS_BEFORE_ACCEPTANCE) return null;
  return () => answerTooMany(requestId, 'Too many requests for this account. Try again.', 1);
}

/** Applies the business rules; gives the refusal, or null where the payment may go ahead. */
function refuseByWallet(
  product: Product,
  currency: string,
  wallet: Wallet | undefined,
  amountMinor: bigint | null,
): (() => Answer) | null {
  const reject = (description: string) => () =>
    answerRejection(initiationOutcomes.rejected, 'rules', description, null);
  if (wallet === undefined) return reject(`No ${currency} wallet is provisioned for the ${product} product.`);
  if (wallet.status !== 'ACTIVE') return reject(`The ${currency} wallet is ${wallet.status}.`);
  if (amountMinor === null) return reject('The amount is larger than this service moves.');
  if (product === 'collection') return null;
  const available = wallet.actualMinor - wallet.heldMinor;
  const needed = amountMinor + computeCharges(amountMinor);
  if (needed <= available) return null;
  return reject(
    `Insufficient funds: ${toJsonNumber(needed)} ${currency} with charges, ${toJsonNumber(available)} available.`,
  );
}

function describePayment(
  context: SandboxContext,
  product: Product,
  request: ServiceRequest,
  body: InitiationBody,
  outcome: AccountOutcome,
  amountMinor: bigint,
  finder: InitiationFinder,
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
    metaJson: finder.metaLiteral(),
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
function answerAccepted(context: SandboxContext, payment: Payment, host: string | undefined): Answer {
  const form =
    context.settings.acceptanceForm === '100'
      ? initiationOutcomes.acceptedOtherForm
      : initiationOutcomes.accepted;
  const checkoutUrl =
    payment.checkout === null ? '' : `,"checkout_url":"http://${host ?? ''}/checkout/${payment.checkout.id}"`;
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

/** Gives the string that a body should have been signed over; null where a signed field is missing or of a wrong type. */
export function readExpectedString(body: string): string | null {
  try {
    return joinSignedFields(findSignedFields(body)).text;
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}
