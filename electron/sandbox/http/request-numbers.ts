import { writeRequestId, type PaymentStore } from '../store/payment-store';
import type { SandboxRandom } from '../sandbox-random';

/** Numbers of requests: they go up one by one from the first, which is random; a payment has that of its request. */
export class RequestNumbers {
  private last: number;

  constructor(
    payments: PaymentStore,
    private readonly random: SandboxRandom,
  ) {
    // Fourteen digits: below 2^48, which is what an id of a request has room for.
    this.last = Number(payments.largestUuid() ?? random.numericId().slice(0, 14));
  }

  /** Passes by the payments of a state that was loaded. */
  passBy(payments: Pick<PaymentStore, 'largestUuid'>): void {
    this.last = Math.max(this.last, Number(payments.largestUuid() ?? 0));
  }

  next(): number {
    return (this.last += 1);
  }

  /** Draws the id of a request, with the number in it that its payment will have. */
  drawId(number = this.next()): string {
    return writeRequestId(this.random.uuid(), number);
  }
}
