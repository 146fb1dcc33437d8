/** One host takes no more places than these, however many are free. */
const HOST_CAP = 16;

/** Endpoints of one host that may be taken from, and how many of it are taken. */
interface Host {
  readonly name: string;
  ready: EndpointQueue[];
  taken: number;
}

/** One endpoint's deliveries, first in first out. */
interface EndpointQueue {
  readonly endpoint: string;
  readonly host: Host;
  waiting: number[];
  /** Place of the first in `waiting`; what lies before was taken. */
  head: number;
  isBusy: boolean;
}

/**
 * What is due, in memory, as numbers only: one queue an endpoint, first in first out, one at a time in each.
 *
 * A slow receiver holds up its own queue and one place of the cap. A host takes half of the places that the others leave, and {@link
 * HOST_CAP} at most, however many endpoints it has: one that answers none of them holds up no other.
 */
export class DeliveryQueues {
  private readonly queues = new Map<string, EndpointQueue>();
  private readonly held = new Set<number>();
  /** Those that have endpoints here, the one that was taken from last at the end. */
  private readonly hosts = new Map<string, Host>();
  private taken = 0;

  /** @param cap - how many may be taken at a time, over all queues */
  constructor(private readonly cap: number) {}

  /** How many are held, those in flight included. */
  size(): number {
    return this.held.size;
  }

  /** How many of an endpoint wait to be taken. */
  countWaiting(endpoint: string): number {
    const queue = this.queues.get(endpoint);
    return queue === undefined ? 0 : queue.waiting.length - queue.head;
  }

  has(seq: number): boolean {
    return this.held.has(seq);
  }

  add(endpoint: string, seq: number): void {
    if (this.held.has(seq)) return;
    this.held.add(seq);
    let queue = this.queues.get(endpoint);
    if (!queue) {
      queue = { endpoint, host: this.findHost(endpoint), waiting: [], head: 0, isBusy: false };
      this.queues.set(endpoint, queue);
    }
    if (!queue.isBusy && queue.waiting.length === 0) queue.host.ready.push(queue);
    queue.waiting.push(seq);
  }

  /** Takes the next one whose queue is free; null when there is none or the cap is reached. */
  take(): { endpoint: string; seq: number } | null {
    if (this.taken >= this.cap) return null;
    for (const host of this.hosts.values()) {
      const left = this.cap - this.taken + host.taken;
      if (host.ready.length > 0 && host.taken < Math.min(HOST_CAP, Math.ceil(left / 2)))
        return this.takeOf(host);
    }
    return null;
  }

  private takeOf(host: Host): { endpoint: string; seq: number } {
    const queue = host.ready.shift()!;
    this.hosts.delete(host.name);
    this.hosts.set(host.name, host);
    queue.isBusy = true;
    host.taken += 1;
    this.taken += 1;
    return { endpoint: queue.endpoint, seq: takeFrom(queue) };
  }

  release(endpoint: string, seq: number): void {
    if (!this.held.delete(seq)) return;
    this.taken -= 1;
    const queue = this.queues.get(endpoint);
    if (!queue) return;
    const { host } = queue;
    queue.isBusy = false;
    host.taken -= 1;
    if (queue.waiting.length > 0) host.ready.push(queue);
    else this.queues.delete(endpoint);
    if (host.taken === 0 && host.ready.length === 0) this.hosts.delete(host.name);
  }

  /** Puts back one that was taken, before all that wait behind it. */
  putBack(endpoint: string, seq: number): void {
    const queue = this.queues.get(endpoint);
    if (!queue || !this.held.has(seq)) return;
    this.taken -= 1;
    queue.host.taken -= 1;
    queue.isBusy = false;
    queue.waiting.splice(0, queue.head, seq);
    queue.head = 0;
    queue.host.ready.push(queue);
  }

  clear(): void {
    this.queues.clear();
    this.held.clear();
    this.hosts.clear();
    this.taken = 0;
  }

  private findHost(endpoint: string): Host {
    // Scheme and authority of an address.
    const name = endpoint.split('/', 3).join('/');
    let host = this.hosts.get(name);
    if (!host) this.hosts.set(name, (host = { name, ready: [], taken: 0 }));
    return host;
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
