import type { QueuedForward } from './forward-store';

/** Webhooks of one reference, first in first out; one of them at a time is under way. */
export interface Lane {
  readonly key: string;
  readonly waiting: QueuedForward[];
  /** Place of the first in `waiting`; what lies before is done. */
  head: number;
  /** Attempts made with the first, and when it may be tried again (epoch milliseconds). */
  attempt: number;
  nextAt: number;
}

/**
 * What is to be forwarded, in memory as numbers: one lane a reference, so that its webhooks arrive in their order.
 *
 * A lane that failed waits by itself and holds up no other. Whatever has no reference is a lane of its own.
 */
export class Lanes {
  readonly #lanes = new Map<string, Lane>();
  readonly #busy = new Set<Lane>();
  #ready: Lane[] = [];
  #readyFrom = 0;
  /** Lanes that wait, soonest last. */
  #resting: Lane[] = [];
  #size = 0;

  /** Webhooks held, those under way included. */
  get size(): number {
    return this.#size;
  }

  /** Webhooks under way. */
  get taken(): number {
    return this.#busy.size;
  }

  add(forward: QueuedForward): void {
    this.#size += 1;
    const key = forward.reference === null ? `#${forward.id}` : `=${forward.reference}`;
    const known = this.#lanes.get(key);
    if (known !== undefined) return void known.waiting.push(forward);
    const { attempt, nextAt } = forward;
    const lane: Lane = { key, waiting: [forward], head: 0, attempt, nextAt };
    this.#lanes.set(key, lane);
    this.#place(lane);
  }

  /** Takes the next lane whose first webhook may go; null: none now. */
  take(now: number): Lane | null {
    for (
      let last = this.#resting.at(-1);
      last !== undefined && last.nextAt <= now;
      last = this.#resting.at(-1)
    ) {
      this.#ready.push(this.#resting.pop()!);
    }
    const lane = this.#ready[this.#readyFrom];
    if (lane === undefined) return null;
    this.#readyFrom += 1;
    if (this.#readyFrom > 1000 || this.#readyFrom === this.#ready.length) {
      this.#ready = this.#ready.slice(this.#readyFrom);
      this.#readyFrom = 0;
    }
    this.#busy.add(lane);
    return lane;
  }

  /** Gives a lane back that was taken but not tried. */
  giveBack(lane: Lane): void {
    if (this.#busy.delete(lane)) this.#place(lane);
  }

  /** The first of a lane is done: the next may go. */
  advance(lane: Lane): void {
    if (!this.#busy.delete(lane)) return;
    this.#size -= 1;
    lane.head += 1;
    const next = lane.waiting[lane.head];
    if (next === undefined) return void this.#lanes.delete(lane.key);
    if (lane.head > 1000) lane.waiting.splice(0, lane.head);
    if (lane.head > 1000) lane.head = 0;
    lane.attempt = next.attempt;
    lane.nextAt = next.nextAt;
    this.#place(lane);
  }

  /** The first of a lane failed: the lane waits until then. */
  postpone(lane: Lane, attempt: number, nextAt: number): void {
    if (!this.#busy.delete(lane)) return;
    lane.attempt = attempt;
    lane.nextAt = nextAt;
    this.#place(lane);
  }

  /** When the soonest of those that wait may go; null: none waits. */
  nextAt(): number | null {
    return this.#readyFrom < this.#ready.length ? 0 : (this.#resting.at(-1)?.nextAt ?? null);
  }

  /** Lets go of all. What is under way counts for nothing here. */
  clear(): void {
    this.#lanes.clear();
    this.#busy.clear();
    this.#ready = [];
    this.#readyFrom = 0;
    this.#resting = [];
    this.#size = 0;
  }

  #place(lane: Lane): void {
    if (lane.nextAt === 0) return void this.#ready.push(lane);
    // Sorted insert from the soonest side: what is put back waits longest, so that the search halves.
    let low = 0;
    let high = this.#resting.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#resting[middle]!.nextAt > lane.nextAt) low = middle + 1;
      else high = middle;
    }
    this.#resting.splice(low, 0, lane);
  }
}
