import { initiationOutcomes } from '@shared/payments/tables/codes';
import { answerEnvelope, answerRejection, answerTooMany, type Answer } from '../http/answers';
import { computeCharges, toJsonNumber, toMinor } from '../money/money';
import type { Ledger, KeptWallet } from '../money/wallets';
import type { SandboxContext } from '../sandbox-context';
import { findOutcome, type AccountOutcome } from './account-outcomes';
import type { Initiation } from './initiation';

/** How often the account 0008 is answered 429 before it is accepted. */
const REFUSALS_BEFORE_ACCEPTANCE = 2;

/** What the rules say of an initiation: a refusal, or what it is accepted with. */
export type Ruling =
  | { readonly refusal: Answer }
  | {
      readonly refusal: null;
      readonly wallet: KeptWallet;
      readonly outcome: AccountOutcome;
      readonly amountMinor: bigint;
    };

/** Applies the outcome table and the rules of the wallet to an initiation that is no duplicate. @source design 5 */
export function applyBusinessRules(
  context: SandboxContext,
  ledger: Ledger,
  { product, request, body }: Initiation,
): Ruling {
  const { reference, amount, currency } = body.transaction;
  // A header that names none was refused with the fields.
  const outcome = findOutcome(body.recipient?.account ?? '', request.outcome)!;
  const answered = answerByOutcome(context, outcome, reference, request.id);
  if (answered !== null) return { refusal: answered };
  const wallet = ledger.find(product, currency);
  if (wallet === undefined) {
    return reject(`No ${currency} wallet is provisioned for the ${product} product.`);
  }
  if (wallet.status !== 'ACTIVE') return reject(`The ${currency} wallet is ${wallet.status}.`);
  const amountMinor = toMinor(amount);
  if (amountMinor === null) return reject('The amount is larger than this service moves.');
  const available = wallet.actualMinor - wallet.heldMinor;
  const needed = amountMinor + computeCharges(amountMinor);
  if (product !== 'collection' && needed > available) {
    return reject(
      `Insufficient funds: ${toJsonNumber(needed)} ${currency} with charges, ${toJsonNumber(available)} available.`,
    );
  }
  return { refusal: null, wallet, outcome, amountMinor };
}

function reject(description: string): Ruling {
  return { refusal: answerRejection(initiationOutcomes.rejected, 'rules', description, null) };
}

/** Gives what the outcome table answers in place of acceptance; null where it lets the payment through. */
function answerByOutcome(
  context: SandboxContext,
  { answer }: AccountOutcome,
  reference: string,
  requestId: string,
): Answer | null {
  if (answer === 'internal_error') return answerEnvelope('internal', 'outcome', 'Internal server error');
  if (answer !== 'too_many_requests') return null;
  if (context.refusals.count(reference) > REFUSALS_BEFORE_ACCEPTANCE) return null;
  const refusal = answerTooMany(requestId, 'Too many requests for this account. Try again.', 1);
  return { ...refusal, verdict: 'outcome' };
}
