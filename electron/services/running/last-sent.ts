import { lastReference } from '@shared/http-file/last-reference';
import type { ResolveInputs } from '@shared/http-file/resolve-request';
import { isProduct, type Product } from '@shared/payments/tables/products';
import type { RunRequest } from '@shared/run/plan-run';
import type { RunOptions, RunTurn } from './run-context';

/** Notes a payment that left: now, or in the run that this one goes on with. */
export function noteSent(turn: RunTurn, product: Product | null, reference: string): void {
  const byProduct = { ...turn.lastSent?.byProduct, ...(product !== null && { [product]: reference }) };
  turn.lastSent = { reference, byProduct };
}

/** Notes one that the run before sent, as far as that is written down. */
export function noteSentBefore(turn: RunTurn, { block }: RunRequest, reference: string | null): void {
  const { operation } = block;
  if (reference !== null)
    noteSent(turn, operation !== null && isProduct(operation) ? operation : null, reference);
}

/** Gives the values that a request of a turn, and what is expected of it, are filled in with. */
export function giveValues(
  { environment: { variables, lastReferences } }: Pick<RunOptions, 'environment'>,
  { values, lastSent }: Pick<RunTurn, 'values' | 'lastSent'>,
): Pick<ResolveInputs, 'variables' | 'given' | 'lastReferences'> {
  if (lastSent === null) return { variables, given: values, lastReferences };
  return {
    variables: { ...variables, [lastReference]: lastSent.reference },
    given: values,
    lastReferences: { ...lastReferences, ...lastSent.byProduct },
  };
}
