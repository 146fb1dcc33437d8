/** One endpoint's deliveries, first in first out. */
interface EndpointQueue {
  readonly endpoint: string;
  waiting: number[];
  /** Place of the first in `waiting`; what lies before was taken. */
  head: number;
  isBusy: boolean;
}

/**
 * What is due, in memory, as numbers only: one queue an endpoint, first in first out, one at a time in each.
 *
 * A slow receiver holds up its own queue and one place of the cap, never another receiver.
 */
export class DeliveryQueues {
  private readonly queues = new Map<string, EndpointQueue>();
  private readonly held = new Set<number>();
  private ready: EndpointQueue[] = [];
  private taken = 0;

  /** @param cap - how many may be taken at a time, over all queues */
  constructor(private readonly cap: number) {}

  /** How many are held, those in flight included. */
  size(): number {
    return this.held.size;
  }

  has(seq: number): boolean {
    return this.held.has(seq);
  }

  add(endpoint: string, seq: number): void {
    if (this.held.has(seq)) return;
    this.held.add(seq);
    let queue = this.queues.get(endpoint);
    if (!queue) this.queues.set(endpoint, (queue = { endpoint, waiting: [], head: 0, isBusy: false }));
    if (!queue.isBusy && queue.waiting.length === 0) this.ready.push(queue);
    queue.waiting.push(seq);
  }

  /** Takes the next one whose queue is free; null when there is none or the cap is reached. */
  take(): { endpoint: string; seq: number } | null {
    if (this.taken >= this.cap) return null;
    const queue = this.ready.shift();
    if (!queue) return null;
    queue.isBusy = true;
    this.taken += 1;
    return { endpoint: queue.endpoint, seq: takeFrom(queue) };
  }

  release(endpoint: string, seq: number): void {
    if (!this.held.delete(seq)) return;
    this.taken -= 1;
    const queue = this.queues.get(endpoint);
    if (!queue) return;
    queue.isBusy = false;
    if (queue.waiting.length > 0) this.ready.push(queue);
    else this.queues.delete(endpoint);
  }

  /** Puts back one that was taken, before all that wait behind it. */
  putBack(endpoint: string, seq: number): void {
    const queue = this.queues.get(endpoint);
    if (!queue || !this.held.has(seq)) return;
    this.taken -= 1;
    queue.isBusy = false;
    queue.waiting.splice(0, queue.head, seq);
    queue.head = 0;
    this.ready.push(queue);
  }

  clear(): void {
    this.queues.clear();
    this.held.clear();
    this.ready = [];
    this.taken = 0;
  }
}

function takeFrom(queue: EndpointQueue): number {
  const seq = queue.waiting[queue.head]!;
  queue.head += 1;
  if (queue.head === queue.waiting.length) {
    queue.waiting = [];
    queue.head = 0;
  } else if (queue.head > 1000) {
    queue.waiting = queue.waiting.slice(queue.head);
    queue.head = 0;
  }
  return seq;
}
