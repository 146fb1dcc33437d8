import type { PreparedRequest } from '../http-file/prepare-request';
import { readPayment, type PaymentFacts } from '../payments/read-payment';
import { foresee } from './find-missing-values';
import type { RunPlan, RunRequest } from './plan-run';

/** Stands for a reference, an amount, a currency or a party that is drawn when the request leaves, or comes with an answer of the run. */
export const NOT_KNOWN_YET = '…';

/** A request of a run, and what it would pay; null: it moves no money. */
export interface ForeseenPayment {
  readonly request: RunRequest;
  readonly prepared: PreparedRequest;
  readonly payment: Omit<PaymentFacts, 'isCollection'> | null;
}

/** Tells what a run would pay, as far as that is known before it: where a part comes with the run, nothing is claimed. */
export function foreseePayments(plan: RunPlan, values: Parameters<typeof foresee>[1]): ForeseenPayment[] {
  const others = foresee(plan, values, '1');
  return foresee(plan, values).map(({ request, prepared }, index) => {
    const payment = readPayment(prepared);
    const other = readPayment(others[index]!.prepared);
    if (payment === null) return { request, prepared, payment };
    const keepKnown = (name: 'reference' | 'amount' | 'currency' | 'party'): string | null =>
      payment[name] === other?.[name] ? payment[name] : NOT_KNOWN_YET;
    const facts = {
      reference: keepKnown('reference'),
      amount: keepKnown('amount'),
      currency: keepKnown('currency'),
      party: keepKnown('party'),
    };
    return { request, prepared, payment: facts };
  });
}
