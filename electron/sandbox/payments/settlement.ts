import type { ChangeNotice } from '../admin/change-notice';
import type { GroupCommit } from '../store/group-commit';
import type { FinalState, Payment, PaymentStore } from '../store/payment-store';
import { reportFailure } from '../http/report-failure';
import type { SandboxClock } from '../sandbox-clock';
import type { Ledger, Wallets } from '../money/wallets';
import { writeWebhookBody } from '../webhooks/webhook-body';
import type { WebhookQueue } from '../webhooks/webhook-queue';

/** Payments that are settled before others get their turn. */
const BATCH = 100;
/** Pause before what could not be written is tried again. */
const RETRY_MS = 1000;

export interface SettlementParts {
  readonly clock: SandboxClock;
  readonly commit: GroupCommit;
  readonly payments: PaymentStore;
  readonly wallets: Wallets;
  readonly webhooks: WebhookQueue;
  readonly notice: ChangeNotice;
}

/**
 * Brings payments to their final state when they are due, driven by the sandbox clock and the store alone: nothing is
 * lost over a restart.
 *
 * State, money and webhook are written in one transaction; a payment ends once.
 */
export class Settlement {
  private cancel: (() => void) | null = null;
  private plannedAt = Number.POSITIVE_INFINITY;
  private isStopped = false;
  private next: NodeJS.Immediate | null = null;

  constructor(private readonly parts: SettlementParts) {}

  /** Takes up what an earlier run left. */
  start(): void {
    this.settleDue();
  }

  stop(): void {
    this.isStopped = true;
    this.cancel?.();
    if (this.next !== null) clearImmediate(this.next);
  }

  /** Makes sure that a payment is settled when it is due. */
  plan({ dueAt }: Pick<Payment, 'dueAt'>): void {
    if (dueAt !== null) this.planAt(dueAt);
  }

  /** Ends a payment now. @returns false where it had its final state already */
  finish(payment: Payment, state: FinalState): boolean {
    return this.finishAll([{ payment, state }]) === 1;
  }

  private planAt(at: number): void {
    if (this.isStopped || at >= this.plannedAt) return;
    this.cancel?.();
    this.plannedAt = at;
    this.cancel = this.parts.clock.schedule(at, () => this.settleDue());
  }

  private settleDue(): void {
    this.cancel = null;
    this.plannedAt = Number.POSITIVE_INFINITY;
    if (this.isStopped) return;
    try {
      this.settleBatch();
    } catch (error) {
      // A disk that is full may be freed: the payments are still due.
      reportFailure(error);
      this.retryLater();
    }
  }

  private settleBatch(): void {
    const { payments, clock } = this.parts;
    const due = payments.listDue(clock.now(), BATCH);
    this.finishAll(due.map((payment) => ({ payment, state: payment.finalState ?? 'succeeded' })));
    if (due.length === BATCH) {
      this.next = setImmediate(() => this.settleDue());
      return;
    }
    this.plan({ dueAt: payments.nextDueAt() });
  }

  /** Writes the ends of payments in one transaction; webhooks go out after its commit. @returns how many had not ended before */
  private finishAll(ends: readonly { payment: Payment; state: FinalState }[]): number {
    if (ends.length === 0) return 0;
    const { commit, wallets } = this.parts;
    const ended = commit.write(() => {
      const ledger = wallets.open();
      const count = ends.filter(({ payment, state }) => this.writeEnd(ledger, payment, state)).length;
      ledger.save();
      return count;
    });
    if (ended > 0) void this.tellAfterCommit();
    return ended;
  }

  private writeEnd(ledger: Ledger, payment: Payment, state: FinalState): boolean {
    const { clock, payments, webhooks } = this.parts;
    if (!payments.finish(payment.paymentUuid, state, clock.now())) return false;
    moveMoney(ledger, payment, state);
    webhooks.enqueue({
      callbackUrl: payment.callbackUrl,
      body: writeWebhookBody(payment, state),
      transactionReference: payment.reference,
      copies: payment.copies,
    });
    return true;
  }

  private async tellAfterCommit(): Promise<void> {
    const failure = await this.parts.commit.afterCommit();
    if (failure !== null) return this.retryLater();
    this.parts.webhooks.wake();
    this.parts.notice.tell('payment');
  }

  private retryLater(): void {
    this.planAt(this.parts.clock.now() + RETRY_MS);
  }
}

/** Success takes what was held, or brings in what was collected; anything else gives back. */
function moveMoney(ledger: Ledger, payment: Payment, state: FinalState): void {
  const wallet = ledger.find(payment.product, payment.currency);
  if (wallet === undefined) return;
  const total = payment.amountMinor + payment.chargesMinor;
  if (payment.product === 'collection') {
    if (state === 'succeeded') ledger.credit(wallet, payment.amountMinor);
  } else if (state === 'succeeded') ledger.take(wallet, total);
  else ledger.release(wallet, total);
}
