import { products, type Product } from '@shared/payments/tables/products';
import { AppError } from '@shared/errors';
import { requireAnswer } from './finish-exchange';
import type { Session } from './session';
import { usageError } from './usage-error';
import type { LookupAnswer } from '@shared/lookups/run-lookups';

/** The one field that a payment is asked for by. */
export interface PaymentIdentifier {
  by: 'transaction_reference' | 'payment_uuid' | 'request_uuid';
  value: string;
}

/** How the products of many payments are tried. */
export interface ProductTrial {
  /** The one that found the payment before comes first: those of a list are mostly of one product. */
  order: readonly Product[];
  /** Comes between two queries for one payment. */
  pause(): Promise<void>;
}

/**
 * Makes the question for one payment, to be asked once or again and again.
 *
 * A payment is seen with its own product's token alone: without a product, each is tried.
 */
export function createStatusQuery(
  session: Session,
  wanted: Product | undefined,
  id: PaymentIdentifier,
  trial?: ProductTrial,
): () => Promise<LookupAnswer> {
  let candidates: readonly Product[] = wanted === undefined ? (trial?.order ?? products) : [wanted];
  return async () => {
    let missing: LookupAnswer | null = null;
    let refusal: AppError | null = null;
    for (const product of candidates) {
      if (product !== candidates[0]) await trial?.pause();
      try {
        const answer: LookupAnswer = await session.call('lookups.status', {
          environment: session.environment.id,
          product,
          ...id,
        });
        requireAnswer(answer.exchange);
        if (answer.isFound) {
          candidates = [product];
          if (trial) trial.order = [product, ...trial.order.filter((other) => other !== product)];
        }
        // What has enough of questions is not asked the next one at once.
        if (answer.isFound || answer.exchange.response?.httpStatus === 429) return answer;
        // One that does not tell outweighs those that say no.
        if (missing === null || answer.isFound === null) missing = answer;
      } catch (error) {
        // An account need not have every product.
        if (!(error instanceof AppError) || error.code !== 'tokens.refused' || wanted !== undefined)
          throw error;
        refusal = error;
      }
    }
    if (missing === null) throw refusal ?? usageError('No product to ask for.');
    return missing;
  };
}

/** As `status --json` prints it. */
export function describeFound({ exchange, isFound, state }: LookupAnswer): Record<string, unknown> {
  const { response } = requireAnswer(exchange);
  return { http_status: response.httpStatus, found: isFound, state, body: response.body };
}
