/**
 * What is due, in memory, as numbers only: one queue an endpoint, first in first out, one at a time in each.
 *
 * A slow receiver holds up its own queue and one place of the cap, never another receiver.
 */
export interface DeliveryQueues {
  /** How many are held, those in flight included. */
  size(): number;
  has(seq: number): boolean;
  add(endpoint: string, seq: number): void;
  /** Takes the next one whose queue is free; null when there is none or the cap is reached. */
  take(): { endpoint: string; seq: number } | null;
  /** Frees the queue of one that was taken. */
  release(endpoint: string, seq: number): void;
  clear(): void;
}

interface EndpointQueue {
  readonly endpoint: string;
  waiting: number[];
  /** Place of the first in `waiting`; what lies before was taken. */
  head: number;
  isBusy: boolean;
}

/** @param cap - how many may be taken at a time, over all queues */
export function createDeliveryQueues(cap: number): DeliveryQueues {
  const queues = new Map<string, EndpointQueue>();
  const held = new Set<number>();
  let ready: EndpointQueue[] = [];
  let taken = 0;

  const takeFrom = (queue: EndpointQueue): number => {
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
  };

  return {
    size: () => held.size,
    has: (seq) => held.has(seq),
    add(endpoint, seq) {
      if (held.has(seq)) return;
      held.add(seq);
      let queue = queues.get(endpoint);
      if (!queue) queues.set(endpoint, (queue = { endpoint, waiting: [], head: 0, isBusy: false }));
      if (!queue.isBusy && queue.waiting.length === 0) ready.push(queue);
      queue.waiting.push(seq);
    },
    take() {
      if (taken >= cap) return null;
      const queue = ready.shift();
      if (!queue) return null;
      queue.isBusy = true;
      taken += 1;
      return { endpoint: queue.endpoint, seq: takeFrom(queue) };
    },
    release(endpoint, seq) {
      if (!held.delete(seq)) return;
      taken -= 1;
      const queue = queues.get(endpoint);
      if (!queue) return;
      queue.isBusy = false;
      if (queue.waiting.length > 0) ready.push(queue);
      else queues.delete(endpoint);
    },
    clear() {
      queues.clear();
      held.clear();
      ready = [];
      taken = 0;
    },
  };
}
