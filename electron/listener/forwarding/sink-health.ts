import { backOffMs, isPauseOver } from './back-off';
import type { ForwardOutcome } from './delivery';

/** So many references failing one after the other, and none delivered: it is the backend, and not a webhook. */
const MANY_FAILING = 20;

/** Webhooks that a sink does not take while it takes, or may take, others. */
export interface Refusals {
  readonly count: number;
  /** Why one of them was, the last as far as it still waits. */
  readonly reason: string | null;
}

/**
 * What is known of a sink from the attempts with it.
 *
 * Two things are kept apart, since each asks for another deed: a sink that nothing goes to at present (`trouble`), which is
 * left alone for a while, and single webhooks that it refuses (`refusals`), which hold up nobody else.
 */
export class SinkHealth {
  /** Failures of the sink in a row, and until when it is left alone. */
  #failures = 0;
  #restUntil = 0;
  #reason: string | null = null;
  /** Its last failure was that it could not be reached. */
  #isGone = false;
  readonly #failing = new Set<string>();
  /** Webhooks that wait after they were refused, and why. */
  readonly #refused = new Map<number, string | null>();
  #lastFailedId: number | null = null;

  /** Failures of the sink in a row; 0: it works as far as is known. */
  get failures(): number {
    return this.#failures;
  }

  /** Epoch milliseconds: before then it is left alone; 0: it need not be. */
  get restUntil(): number {
    return isPauseOver(this.#restUntil, Date.now()) ? 0 : this.#restUntil;
  }

  /** Why nothing goes through at present; null: it does, or nothing says otherwise. */
  get trouble(): string | null {
    return this.#failures > 0 ? this.#reason : null;
  }

  get refusals(): Refusals {
    const last = this.#lastFailedId === null ? undefined : this.#refused.get(this.#lastFailedId);
    const [first = null] = last === undefined ? this.#refused.values() : [last];
    return { count: this.#refused.size, reason: first };
  }

  /** Of those that wait, the one whose attempt failed last; null: none failed. */
  get failedId(): number | null {
    return this.#lastFailedId;
  }

  /**
   * Takes how an attempt ended.
   *
   * @param queue - what the webhook keeps its order in
   * @param failuresBefore - failures of the sink when the attempt began: those that were under way together count once
   * @returns whether anything is to be told otherwise than before
   */
  note(id: number, queue: string, outcome: ForwardOutcome, failuresBefore: number): boolean {
    if (outcome.isDelivered) return this.#noteDelivered(id);
    this.#noteFailed(id, queue, outcome, failuresBefore);
    return true;
  }

  /** A webhook waits no more, though it was not delivered. @returns whether anything is to be told otherwise */
  forget(id: number): boolean {
    const isKnown = this.#refused.delete(id);
    if (this.#lastFailedId !== id) return isKnown;
    const [other = null] = this.#refused.keys();
    this.#lastFailedId = other;
    return true;
  }

  /** Forgets the webhooks; what is known of the sink stays. */
  forgetAll(): void {
    this.#refused.clear();
    this.#lastFailedId = null;
  }

  #noteDelivered(id: number): boolean {
    const wasInTrouble = this.#failures > 0;
    this.#noteReached();
    return this.forget(id) || wasInTrouble;
  }

  #noteFailed(
    id: number,
    queue: string,
    { isUnreachable, reason }: ForwardOutcome,
    failuresBefore: number,
  ): void {
    this.#lastFailedId = id;
    this.#reason = reason;
    const isKnown = this.#refused.has(id);
    if (isUnreachable) this.#isGone = true;
    else {
      this.#refused.set(id, reason);
      if (this.#isGone) this.#noteReached();
      // That it refuses the same one again says nothing new of it.
      if (isKnown && this.#failures === 0) return;
    }
    if (this.#failing.size < MANY_FAILING) this.#failing.add(queue);
    if (!isUnreachable && this.#failing.size < MANY_FAILING) return;
    if (failuresBefore !== this.#failures) return;
    this.#failures += 1;
    this.#restUntil = Date.now() + backOffMs(this.#failures);
  }

  /** It answers again: whether it refuses one webhook or all shows from here on. */
  #noteReached(): void {
    this.#isGone = false;
    this.#failing.clear();
    this.#failures = 0;
    this.#restUntil = 0;
  }
}
