import type { OutgoingAnswer } from '../../platform/http1/write-answer';
import {
  checkoutHeaders,
  checkoutOutcomes,
  readWayBack,
  writeCheckoutPage,
  writeUnknownCheckout,
} from './checkout-page';
import type { Payment } from '../store/payment-store';
import type { AnswerRoute } from '../http/http-adapter';
import { reportFailure } from '../http/report-failure';
import type { SandboxContext } from '../sandbox-context';

const HTML_TYPE = 'text/html; charset=utf-8';
const PATH = /^\/checkout\/([0-9a-f-]{36})$/;

type CheckoutContext = Pick<SandboxContext, 'payments' | 'settlement' | 'commit'>;

/**
 * Serves the hosted checkout page: shows the payment, takes the customer's choice, sends them back.
 *
 * @param listContexts - all in which the payment may be: its id is nothing that anybody guesses
 * @source payments-service-interface, part 4.6; assumption A2
 */
export function createCheckoutRoutes(listContexts: () => readonly CheckoutContext[]): AnswerRoute {
  return ({ method, path, body }) => {
    const checkoutId = PATH.exec(path)?.[1];
    const context = listContexts().find(({ payments }) => payments.findByCheckout(checkoutId ?? ''));
    const payment = context?.payments.findByCheckout(checkoutId ?? '');
    if (context === undefined || payment === undefined)
      return answerPage(404, writeUnknownCheckout(), checkoutHeaders([]));
    if (method === 'GET' || method === 'HEAD') return showPayment(200, payment);
    if (method !== 'POST') return showPayment(405, payment, ['Allow', 'GET, POST']);
    return choose(context, payment, new URLSearchParams(body.toString('utf8')).get('outcome'));
  };
}

/** Ends the payment as the customer chose, and answers once that is on the disk. */
async function choose(
  { settlement, commit, payments }: CheckoutContext,
  payment: Payment,
  choice: string | null,
): Promise<OutgoingAnswer> {
  const state = checkoutOutcomes.get(choice ?? '');
  if (state === undefined) return showPayment(400, payment);
  try {
    settlement.finish(payment, state);
  } catch (error) {
    // Told below: the commit fails with it.
    reportFailure(error);
  }
  if ((await commit.afterCommit()) !== null) return showPayment(500, payment);
  const after = payments.findByUuid(payment.paymentUuid) ?? payment;
  const back = redirectTarget(after);
  if (back === null) return showPayment(200, after);
  return answerPage(303, '', ['Location', back, ...headersOf(after)]);
}

function showPayment(httpStatus: number, payment: Payment, more: readonly string[] = []): OutgoingAnswer {
  return answerPage(httpStatus, writeCheckoutPage(payment), [...more, ...headersOf(payment)]);
}

function answerPage(httpStatus: number, body: string, more: readonly string[]): OutgoingAnswer {
  return { httpStatus, headers: ['Content-Type', HTML_TYPE, ...more], body };
}

/** Gives where the customer goes, with what became of the payment; null where there is nowhere to go. */
function redirectTarget(payment: Payment): string | null {
  const url = readWayBack(payment);
  if (url === null) return null;
  url.searchParams.set('reference', payment.reference);
  url.searchParams.set('state', payment.state);
  return url.href;
}

function headersOf(payment: Payment): string[] {
  const target = redirectTarget(payment);
  const origin = target === null ? '' : new URL(target).origin;
  // A host may hold `;` and `,`, which begin a directive or a policy of their own.
  return checkoutHeaders(/^https?:\/\/[\w.:[\]-]+$/.test(origin) ? [origin] : []);
}
