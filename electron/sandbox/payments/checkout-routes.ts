import type { IncomingMessage, ServerResponse } from 'node:http';
import { checkoutHeaders, checkoutOutcomes, writeCheckoutPage, writeUnknownCheckout } from './checkout-page';
import type { Payment } from '../store/payment-store';
import { readBody } from '../http/read-body';
import { reportFailure } from '../http/report-failure';
import type { SandboxContext } from '../sandbox-context';

const HTML_TYPE = 'text/html; charset=utf-8';
const PATH = /^\/checkout\/([0-9a-f-]{36})$/;

type CheckoutContext = Pick<SandboxContext, 'payments' | 'settlement' | 'commit'>;

/** An answer of the page; `payment` decides where its form may lead. */
interface PageAnswer {
  readonly status: number;
  readonly page: string;
  readonly payment: Payment | null;
  readonly headers?: readonly string[];
}

/**
 * Serves the hosted checkout page: shows the payment, takes the customer's choice, sends them back.
 *
 * @source payments-service-interface, part 4.6; assumption A2
 */
export function createCheckoutRoutes(context: CheckoutContext) {
  return (message: IncomingMessage, response: ServerResponse, path: string, _query: string, id: string) => {
    const checkoutId = PATH.exec(path)?.[1];
    const payment = checkoutId === undefined ? undefined : context.payments.findByCheckout(checkoutId);
    if (payment === undefined) {
      return send(response, id, { status: 404, page: writeUnknownCheckout(), payment: null });
    }
    if (message.method === 'GET' || message.method === 'HEAD') {
      return send(response, id, showPage(200, payment));
    }
    if (message.method !== 'POST') {
      return send(response, id, { ...showPage(405, payment), headers: ['Allow', 'GET, POST'] });
    }
    readBody(message, (reading) => {
      const form = new URLSearchParams(reading.ok ? reading.bytes.toString('utf8') : '');
      void choose(context, payment, form.get('outcome')).then((answer) => send(response, id, answer));
    });
  };
}

/** Ends the payment as the customer chose, and answers once that is on the disk. */
async function choose(
  { settlement, commit, payments }: CheckoutContext,
  payment: Payment,
  choice: string | null,
): Promise<PageAnswer> {
  const state = checkoutOutcomes.get(choice ?? '');
  if (state === undefined) return showPage(400, payment);
  try {
    settlement.finish(payment, state);
  } catch (error) {
    // Told below: the commit fails with it.
    reportFailure(error);
  }
  if ((await commit.afterCommit()) !== null) return showPage(500, payment);
  const after = payments.findByUuid(payment.paymentUuid) ?? payment;
  const back = redirectTarget(after);
  if (back === null) return showPage(200, after);
  return { status: 303, page: '', payment: after, headers: ['Location', back] };
}

function showPage(status: number, payment: Payment): PageAnswer {
  return { status, page: writeCheckoutPage(payment), payment };
}

function send(
  response: ServerResponse,
  id: string,
  { status, page, payment, headers = [] }: PageAnswer,
): void {
  response.writeHead(status, [
    'Content-Type',
    HTML_TYPE,
    'Content-Length',
    String(Buffer.byteLength(page)),
    'X-Request-Id',
    id,
    ...headers,
    ...(payment === null ? checkoutHeaders([]) : headersOf(payment)),
  ]);
  response.end(page);
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
