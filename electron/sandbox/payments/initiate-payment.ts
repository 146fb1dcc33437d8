import { JSON_NUMBER } from '@shared/json/json-sink';
import type { Product } from '@shared/payments/tables/products';
import { initiationOutcomes } from '@shared/payments/tables/codes';
import { validateInitiation, type FieldError } from '@shared/payments/validate-fields';
import { checkSignature } from '../admission/check-signature';
import {
  answerEnvelope,
  answerErrorObject,
  answerNothingKept,
  answerRejection,
  type Answer,
} from '../http/answers';
import { reportFailure } from '../http/report-failure';
import type { ServiceRequest } from '../http/service-request';
import type { Ledger } from '../money/wallets';
import type { SandboxContext } from '../sandbox-context';
import type { Payment } from '../store/payment-store';
import { answerAccepted, describePayment } from './acceptance';
import { findOutcome, outcomeNames } from './account-outcomes';
import { applyBusinessRules } from './business-rules';
import { findInitiation, type InitiationFinder } from './find-initiation';
import type { Initiation, InitiationBody } from './initiation';

/** Place of the amount among the signed fields. */
const AMOUNT = 1;

/**
 * Answers the initiation of a remittance, payout or collection, after the token and its product were checked.
 *
 * The order of the steps is fixed: signature, fields; then, with all that came at the same time and in one
 * transaction, duplicate, business rules, money held, payment kept; settlement planned; answer. One reference is one
 * payment, over all products: a second use of it is a duplicate, whatever else the body says (assumption A7).
 * @source payments-service-interface, parts 4.1, 4.2, 5.5; design 5; assumptions A2, A4, A7
 */
export async function initiatePayment(
  context: SandboxContext,
  product: Product,
  request: ServiceRequest,
): Promise<Answer> {
  const finder = findInitiation(request.text);
  const refusal =
    (await checkSignature(context, product, request, finder)) ??
    checkFields(context, product, request, finder);
  if (refusal !== null) return refusal;
  const body = request.value as unknown as InitiationBody;
  return context.initiations({ product, request, body, metaJson: finder.metaLiteral() });
}

/** Judges every field at once; then what the recipient's account stands for. */
function checkFields(
  context: SandboxContext,
  product: Product,
  request: ServiceRequest,
  finder: InitiationFinder,
): Answer | null {
  const amountLiteral = finder.kinds[AMOUNT] === JSON_NUMBER ? finder.valueOf(AMOUNT) : undefined;
  const { allowsPlainHttp } = context;
  const errors = validateInitiation(product, request.value, { amountLiteral, allowsPlainHttp });
  if (errors.length > 0) return answerFieldErrors(context, errors, request.id);
  const { recipient } = request.value as unknown as InitiationBody;
  const outcome = findOutcome(recipient?.account ?? '', request.outcome);
  if (outcome === undefined) {
    const message = `is none of ${outcomeNames.join(', ')}, nor the last four digits of an account that stands for one`;
    return answerFieldErrors(context, [{ field: 'X-Sandbox-Outcome', message }], request.id);
  }
  if (outcome.answer !== 'field_error') return null;
  const message = 'is not an account that this corridor can reach';
  return answerFieldErrors(context, [{ field: 'recipient.account', message }], request.id);
}

/**
 * Decides initiations that came together, in the order in which they came, and answers once they are on the disk.
 *
 * One look-up of references and one insert serve all of them.
 */
export async function decideInitiations(
  context: SandboxContext,
  initiations: readonly Initiation[],
): Promise<Answer[]> {
  const { commit, settlement } = context;
  try {
    const decisions = commit.write(() => decideInTurn(context, initiations));
    const failure = await commit.afterCommit();
    if (failure !== null) throw failure;
    for (const { payment } of decisions) if (payment !== null) settlement.plan(payment);
    return decisions.map(({ answer }) => ({ ...answer, isDurable: true }));
  } catch (error) {
    reportFailure(error);
    return initiations.map(answerNothingKept);
  }
}

/** What became of an initiation; a payment where it was accepted. */
interface Decision {
  readonly answer: Answer;
  readonly payment: Payment | null;
}

/** What one initiation takes, its reference and its money, the next one sees. */
function decideInTurn(context: SandboxContext, initiations: readonly Initiation[]): Decision[] {
  const { payments, wallets } = context;
  const ledger = wallets.open();
  const taken = new Set(payments.findTaken(initiations.map(({ body }) => body.transaction.reference)));
  const accepted: Payment[] = [];
  const decisions = initiations.map((initiation): Decision => {
    const { reference } = initiation.body.transaction;
    if (taken.has(reference)) return { answer: answerDuplicate(), payment: null };
    const decision = decideOne(context, ledger, initiation);
    if (decision.payment === null) return decision;
    taken.add(reference);
    accepted.push(decision.payment);
    return decision;
  });
  payments.insertAll(accepted);
  ledger.save();
  return decisions;
}

function decideOne(context: SandboxContext, ledger: Ledger, initiation: Initiation): Decision {
  const ruling = applyBusinessRules(context, ledger, initiation);
  if (ruling.refusal !== null) return { answer: ruling.refusal, payment: null };
  const payment = describePayment(context, initiation, ruling);
  if (payment.product !== 'collection') {
    ledger.hold(ruling.wallet, payment.amountMinor + payment.chargesMinor);
  }
  return { answer: answerAccepted(context, payment, initiation.request.readOrigin()), payment };
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
