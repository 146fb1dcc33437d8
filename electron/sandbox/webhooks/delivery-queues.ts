/**
 * What is due, in memory, as numbers only: one lane an endpoint, first in first out, one at a time in each.
 *
 * A slow receiver holds up its own lane and one place of the cap, never another receiver.
 */
export interface DeliveryLanes {
  /** How many are held, those in flight included. */
  size(): number;
  has(seq: number): boolean;
  add(endpoint: string, seq: number): void;
  /** Takes the next one whose lane is free; null when there is none or the cap is reached. */
  take(): { endpoint: string; seq: number } | null;
  /** Frees the lane of one that was taken. */
  release(endpoint: string, seq: number): void;
  clear(): void;
}

interface Lane {
  readonly endpoint: string;
  waiting: number[];
  /** Place of the first in `waiting`; what lies before was taken. */
  head: number;
  isBusy: boolean;
}

/** @param cap - how many may be taken at a time, over all lanes */
export function createDeliveryLanes(cap: number): DeliveryLanes {
  const lanes = new Map<string, Lane>();
  const held = new Set<number>();
  let ready: Lane[] = [];
  let taken = 0;

  const takeFrom = (lane: Lane): number => {
    const seq = lane.waiting[lane.head]!;
    lane.head += 1;
    if (lane.head === lane.waiting.length) {
      lane.waiting = [];
      lane.head = 0;
    } else if (lane.head > 1000) {
      lane.waiting = lane.waiting.slice(lane.head);
      lane.head = 0;
    }
    return seq;
  };

  return {
    size: () => held.size,
    has: (seq) => held.has(seq),
    add(endpoint, seq) {
      if (held.has(seq)) return;
      held.add(seq);
      let lane = lanes.get(endpoint);
      if (!lane) lanes.set(endpoint, (lane = { endpoint, waiting: [], head: 0, isBusy: false }));
      if (!lane.isBusy && lane.waiting.length === 0) ready.push(lane);
      lane.waiting.push(seq);
    },
    take() {
      if (taken >= cap) return null;
      const lane = ready.shift();
      if (!lane) return null;
      lane.isBusy = true;
      taken += 1;
      return { endpoint: lane.endpoint, seq: takeFrom(lane) };
    },
    release(endpoint, seq) {
      if (!held.delete(seq)) return;
      taken -= 1;
      const lane = lanes.get(endpoint);
      if (!lane) return;
      lane.isBusy = false;
      if (lane.waiting.length > 0) ready.push(lane);
      else lanes.delete(endpoint);
    },
    clear() {
      lanes.clear();
      held.clear();
      ready = [];
      taken = 0;
    },
  };
}
