import { isPauseOver } from './back-off';
import type { QueuedForward } from './forward-store';

/** Webhooks of one reference, first in first out; one of them at a time is under way. */
export interface OrderedQueue {
  readonly key: string;
  readonly waiting: QueuedForward[];
  /** Place of the first in `waiting`; what lies before is done. */
  head: number;
  /** Attempts made with the first, and when it may be tried again (epoch milliseconds). */
  attempt: number;
  nextAt: number;
}

/**
 * What is to be forwarded, in memory as numbers: one queue a reference, so that its webhooks arrive in their order.
 *
 * A queue that failed waits by itself and holds up no other. Whatever has no reference is a queue of its own.
 */
export class OrderedQueues {
  readonly #queues = new Map<string, OrderedQueue>();
  readonly #busy = new Set<OrderedQueue>();
  #ready: OrderedQueue[] = [];
  #readyFrom = 0;
  /** Queues that wait, soonest last. */
  #resting: OrderedQueue[] = [];
  #size = 0;

  /** Webhooks held, those under way included. */
  get size(): number {
    return this.#size;
  }

  /** Webhooks under way. */
  get taken(): number {
    return this.#busy.size;
  }

  /** How many of a reference are held. */
  countOf(reference: string): number {
    const queue = this.#queues.get(`=${reference}`);
    return queue === undefined ? 0 : queue.waiting.length - queue.head;
  }

  add(forward: QueuedForward): void {
    const key = forward.reference === null ? `#${forward.id}` : `=${forward.reference}`;
    const known = this.#queues.get(key);
    // It is under way already, and was read anew.
    if (known?.waiting[known.head]?.id === forward.id) return;
    this.#size += 1;
    if (known !== undefined) return void known.waiting.push(forward);
    const { attempt, nextAt } = forward;
    const queue: OrderedQueue = { key, waiting: [forward], head: 0, attempt, nextAt };
    this.#queues.set(key, queue);
    this.#place(queue);
  }

  /** Takes the next queue whose first webhook may go; null: none now. */
  take(now: number): OrderedQueue | null {
    this.#wakeRested(now);
    const queue = this.#ready[this.#readyFrom];
    if (queue === undefined) return null;
    this.#readyFrom += 1;
    if (this.#readyFrom > 1000 || this.#readyFrom === this.#ready.length) {
      this.#ready = this.#ready.slice(this.#readyFrom);
      this.#readyFrom = 0;
    }
    this.#busy.add(queue);
    return queue;
  }

  /** The first of a queue is done: the next may go. */
  advance(queue: OrderedQueue): void {
    if (!this.#busy.delete(queue)) return;
    this.#size -= 1;
    queue.head += 1;
    const next = queue.waiting[queue.head];
    if (next === undefined) return void this.#queues.delete(queue.key);
    if (queue.head > 1000) queue.waiting.splice(0, queue.head);
    if (queue.head > 1000) queue.head = 0;
    queue.attempt = next.attempt;
    queue.nextAt = next.nextAt;
    this.#place(queue);
  }

  /** The first of a queue failed: the queue waits until then. */
  postpone(queue: OrderedQueue, attempt: number, nextAt: number): void {
    if (!this.#busy.delete(queue)) return;
    queue.attempt = attempt;
    queue.nextAt = nextAt;
    const [failed, next] = queue.waiting.slice(queue.head, queue.head + 2);
    if (failed !== undefined && next !== undefined && next.id < failed.id) {
      // What came before it was queued while it was under way: that goes first now.
      const rest = [{ ...failed, attempt, nextAt }, ...queue.waiting.slice(queue.head + 1)];
      queue.waiting.splice(0, queue.waiting.length, ...rest.toSorted((left, right) => left.id - right.id));
      queue.head = 0;
      queue.attempt = next.attempt;
      queue.nextAt = next.nextAt;
    }
    this.#place(queue);
  }

  /** When the soonest of those that wait may go; null: none waits. */
  nextAt(): number | null {
    return this.#readyFrom < this.#ready.length ? 0 : (this.#resting.at(-1)?.nextAt ?? null);
  }

  /** Lets go of all that waits, to be read anew. What is under way goes on. @returns its ids */
  clearWaiting(): number[] {
    this.#queues.clear();
    this.#ready = [];
    this.#readyFrom = 0;
    this.#resting = [];
    for (const queue of this.#busy) {
      queue.waiting.splice(0, queue.waiting.length, queue.waiting[queue.head]!);
      queue.head = 0;
      this.#queues.set(queue.key, queue);
    }
    this.#size = this.#busy.size;
    return [...this.#busy].map(({ waiting: [first] }) => first!.id);
  }

  #wakeRested(now: number): void {
    const resting = this.#resting;
    while (resting.length > 0 && isPauseOver(resting.at(-1)!.nextAt, now)) this.#ready.push(resting.pop()!);
    // Those of a clock that was set back since lie at the other end.
    const count = resting.findIndex(({ nextAt }) => !isPauseOver(nextAt, now));
    if (count > 0) this.#ready.push(...resting.splice(0, count).toReversed());
  }

  #place(queue: OrderedQueue): void {
    if (queue.nextAt === 0) return void this.#ready.push(queue);
    // Sorted insert from the soonest side: what is put back waits longest, so that the search halves.
    let low = 0;
    let high = this.#resting.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#resting[middle]!.nextAt > queue.nextAt) low = middle + 1;
      else high = middle;
    }
    this.#resting.splice(low, 0, queue);
  }
}
