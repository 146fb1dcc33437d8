import type { IncomingMessage, ServerResponse } from 'node:http';
import { checkoutHeaders, checkoutOutcomes, writeCheckoutPage, writeUnknownCheckout } from './checkout-page';
import type { Payment } from '../store/payment-store';
import { readBody } from '../http/read-body';
import { reportFailure } from '../http/report-failure';
import type { SandboxContext } from '../sandbox-context';

const HTML_TYPE = 'text/html; charset=utf-8';
const PATH = /^\/checkout\/([0-9a-f-]{36})$/;

/**
 * Serves the hosted checkout page: shows the payment, takes the customer's choice, sends them back.
 *
 * @source payments-service-interface, part 4.6; assumption A2
 */
export function createCheckoutRoutes(context: Pick<SandboxContext, 'payments' | 'settlement' | 'commit'>) {
  const { payments, settlement, commit } = context;

  const send = (response: ServerResponse, status: number, id: string, page: string, more: string[]): void => {
    response.writeHead(status, [
      'Content-Type',
      HTML_TYPE,
      'Content-Length',
      String(Buffer.byteLength(page)),
      'X-Request-Id',
      id,
      ...more,
    ]);
    response.end(page);
  };

  const choose = async (
    payment: Payment,
    choice: string | null,
    response: ServerResponse,
    id: string,
  ): Promise<void> => {
    const state = checkoutOutcomes.get(choice ?? '');
    if (state === undefined) {
      return send(response, 400, id, writeCheckoutPage(payment), headersOf(payment));
    }
    try {
      settlement.finish(payment, state);
    } catch (error) {
      // Told below: the commit fails with it.
      reportFailure(error);
    }
    const failure = await commit.afterCommit();
    if (failure !== null) return send(response, 500, id, writeCheckoutPage(payment), headersOf(payment));
    const after = payments.findByUuid(payment.paymentUuid) ?? payment;
    const back = redirectTarget(after);
    if (back === null) return send(response, 200, id, writeCheckoutPage(after), headersOf(after));
    send(response, 303, id, '', ['Location', back, ...headersOf(after)]);
  };

  return (message: IncomingMessage, response: ServerResponse, path: string, _query: string, id: string) => {
    const checkoutId = PATH.exec(path)?.[1];
    const payment = checkoutId === undefined ? undefined : payments.findByCheckout(checkoutId);
    if (payment === undefined) return send(response, 404, id, writeUnknownCheckout(), checkoutHeaders([]));
    if (message.method === 'GET' || message.method === 'HEAD') {
      return send(response, 200, id, writeCheckoutPage(payment), headersOf(payment));
    }
    if (message.method !== 'POST') {
      return send(response, 405, id, writeCheckoutPage(payment), [
        'Allow',
        'GET, POST',
        ...headersOf(payment),
      ]);
    }
    readBody(message, (reading) => {
      const form = new URLSearchParams(reading.ok ? reading.bytes.toString('utf8') : '');
      void choose(payment, form.get('outcome'), response, id);
    });
  };
}

/** Gives where the customer goes, with what became of the payment; null where there is nowhere to go. */
function redirectTarget({ checkout, state, reference }: Payment): string | null {
  if (!checkout?.redirectUrl || !URL.canParse(checkout.redirectUrl)) return null;
  const url = new URL(checkout.redirectUrl);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null;
  url.searchParams.set('reference', reference);
  url.searchParams.set('state', state);
  return url.href;
}

function headersOf(payment: Payment): string[] {
  const target = redirectTarget(payment);
  const origin = target === null ? '' : new URL(target).origin;
  // A host may hold `;` and `,`, which begin a directive or a policy of their own.
  return checkoutHeaders(/^https?:\/\/[\w.:[\]-]+$/.test(origin) ? [origin] : []);
}
