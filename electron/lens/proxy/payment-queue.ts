import { isProduct } from '@shared/payments/tables/products';
import type { JudgedExchange } from './stored-exchange';

/** Of the latest so many bytes; what a load test sends beyond them is left out of the journeys. */
const MOST_BYTES = 8 * 1024 * 1024;
/** An answer of the interface is far shorter; what is longer is in the proxy's own store. */
const MOST_BODY_BYTES = 64 * 1024;
/** Taken for everything beside the bodies. */
const REST_BYTES = 2000;

/** An exchange on its way to the history: a payment, or the question what became of one. */
export type ProxiedPayment = Omit<JudgedExchange, 'requestBody' | 'answerBody'> & {
  readonly requestBody: string;
  readonly answerBody: string;
};

/** Holds payments and status queries until somebody takes them, the latest of them. */
export class PaymentQueue {
  #waiting: { payment: ProxiedPayment; bytes: number }[] = [];
  #bytes = 0;

  add(exchange: JudgedExchange): void {
    const { operation, reference } = exchange;
    if (reference === null || operation === null) return;
    if (!isProduct(operation) && operation !== 'status') return;
    const [requestBody, answerBody] = [exchange.requestBody, exchange.answerBody].map((body) =>
      body.subarray(0, MOST_BODY_BYTES).toString('utf8'),
    ) as [string, string];
    const bytes = REST_BYTES + 2 * (requestBody.length + answerBody.length);
    this.#waiting.push({ payment: { ...exchange, requestBody, answerBody }, bytes });
    this.#bytes += bytes;
    while (this.#bytes > MOST_BYTES) this.#bytes -= this.#waiting.shift()!.bytes;
  }

  /** Gives what waits, once, oldest first. */
  take(): ProxiedPayment[] {
    this.#bytes = 0;
    return this.#waiting.splice(0).map(({ payment }) => payment);
  }
}
