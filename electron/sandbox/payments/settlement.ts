import type { GroupCommit } from '../store/group-commit';
import type { FinalState, Payment, PaymentStore } from '../store/payment-store';
import { reportFailure } from '../http/report-failure';
import type { SandboxClock } from '../sandbox-clock';
import type { Wallets } from '../money/wallets';
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
  /** Told after the commit. */
  onSettled(): void;
}

/** Brings payments to their final state when they are due. */
export interface Settlement {
  /** Tells of a payment that is due at this instant of the sandbox clock. */
  wake(dueAt: number): void;
  /** Ends a payment now. @returns false where it had its final state already */
  finish(payment: Payment, state: FinalState): boolean;
  /** Takes up what an earlier run left. */
  start(): void;
  stop(): void;
}

/**
 * Makes the settlement, driven by the sandbox clock and the store alone: nothing is lost over a restart.
 *
 * State, money and webhook are written in one transaction; a payment ends once.
 */
export function createSettlement(parts: SettlementParts): Settlement {
  const { clock, commit, payments, wallets, webhooks } = parts;
  let cancel: (() => void) | null = null;
  let plannedAt = Number.POSITIVE_INFINITY;
  let isStopped = false;
  let next: NodeJS.Immediate | null = null;

  const plan = (at: number): void => {
    if (isStopped || at >= plannedAt) return;
    cancel?.();
    plannedAt = at;
    cancel = clock.schedule(at, settleDue);
  };

  const finish = (payment: Payment, state: FinalState): boolean => {
    const isEnded = commit.write(() => {
      if (!payments.finish(payment.paymentUuid, state, clock.now())) return false;
      moveMoney(wallets, payment, state);
      webhooks.enqueue({
        callbackUrl: payment.callbackUrl,
        body: writeWebhookBody(payment, state),
        transactionReference: payment.reference,
        copies: payment.copies,
      });
      return true;
    });
    if (isEnded) {
      commit.afterCommit((failure) => {
        if (failure !== null) return plan(clock.now() + RETRY_MS);
        webhooks.wake();
        parts.onSettled();
      });
    }
    return isEnded;
  };

  const settleDue = (): void => {
    cancel = null;
    plannedAt = Number.POSITIVE_INFINITY;
    if (isStopped) return;
    try {
      settleBatch();
    } catch (error) {
      // A disk that is full may be freed: the payments are still due.
      reportFailure(error);
      plan(clock.now() + RETRY_MS);
    }
  };

  const settleBatch = (): void => {
    const due = payments.listDue(clock.now(), BATCH);
    for (const payment of due) finish(payment, payment.finalState ?? 'succeeded');
    if (due.length === BATCH) {
      next = setImmediate(settleDue);
      return;
    }
    const at = payments.nextDueAt();
    if (at !== null) plan(at);
  };

  return {
    wake: plan,
    finish,
    start: settleDue,
    stop() {
      isStopped = true;
      cancel?.();
      if (next !== null) clearImmediate(next);
    },
  };
}

/** Success takes what was held, or brings in what was collected; anything else gives back. */
function moveMoney(wallets: Wallets, payment: Payment, state: FinalState): void {
  const wallet = wallets.find(payment.product, payment.currency);
  if (wallet === undefined) return;
  const total = payment.amountMinor + payment.chargesMinor;
  if (payment.product === 'collection') {
    if (state === 'succeeded') wallets.credit(wallet, payment.amountMinor);
  } else if (state === 'succeeded') wallets.take(wallet, total);
  else wallets.release(wallet, total);
}
