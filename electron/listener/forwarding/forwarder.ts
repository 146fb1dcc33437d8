import { roundMs } from '@shared/round-ms';
import { formatSortableId } from '../../platform/sortable-id';
import type { Arrivals } from '../arrivals';
import type { LogRow } from '../inbox-log';
import { backOffMs, LONGEST_PAUSE_MS } from './back-off';
import { SinkHealth, type Refusals } from './sink-health';
import type { Carrier, ForwardOutcome } from './delivery';
import type { KeptAttempt, ForwardStore, QueuedForward, Sink } from './forward-store';
import { OrderedQueues, type OrderedQueue } from './ordered-queues';
import { readForwardFilter, takeAll, takeSlice } from './take-webhooks';

/** So many webhooks are held as numbers; the rest waits on disk. More are loaded, a page at a time, when half of them are gone. */
const HELD = 20_000;
const PAGE = 2000;
/** So many of one reference; more are looked for when half of them are gone. */
const HELD_OF_ONE = 500;
const MAX_BYTES_UNDER_WAY = 32 * 1024 * 1024;
/** Rows kept for the moment between receiving and forwarding. A row takes half a kilobyte beside its bytes. */
const MAX_CACHED_BYTES = 4 * 1024 * 1024;
const MAX_CACHED_ROWS = 2000;
const RETRY_WRITING_MS = 1000;
/** At the end, what is under way may take so long to be answered. */
const FAREWELL_MS = 2000;

/** An attempt as it is told: on disk already. */
export interface ToldAttempt extends KeptAttempt {
  readonly sink: Sink;
  readonly delivery: ForwardOutcome;
}

export interface ForwarderState {
  /** How many wait, those under way included. */
  readonly backlogCount: number;
  /** Why nothing goes through at present; null: it does. */
  readonly trouble: string | null;
  /** Epoch milliseconds; null while nothing is in the way. */
  readonly nextAttemptAt: number | null;
  /** Of those that wait, the one whose attempt failed last, also while others go through; null: none failed. */
  readonly failedId: string | null;
  /** Webhooks that wait because the sink refuses them while others go through. */
  readonly refusals: Refusals;
}

export interface ForwarderOptions {
  store: ForwardStore;
  arrivals: Arrivals;
  /** What a filter on the verdict verifies signatures with. */
  readKeys(): readonly string[];
  carrier: Carrier;
  filter: string;
  onAttempt(attempt: ToldAttempt): void;
  /** Webhooks that were looked at and are not forwarded. */
  onLeftOut(ids: readonly number[]): void;
  /** The state may be another one; asked for by {@link Forwarder.state}. */
  onChange(): void;
}

interface EndedAttempt {
  readonly queue: OrderedQueue;
  readonly attempt: KeptAttempt;
  readonly delivery: ForwardOutcome;
}

interface Leaving {
  readonly queue: OrderedQueue;
  readonly row: LogRow;
}

/**
 * Forwards the webhooks of the inbox to one sink: at least once, each reference in its order, over any restart.
 *
 * What is durable in the inbox is taken into the queue on disk; the next webhook of a reference goes only once it is on
 * disk how the one before it ended. While the sink is gone, one webhook at a time asks whether it is back.
 */
export class Forwarder {
  readonly #options: ForwarderOptions;
  readonly #passes: ReturnType<typeof readForwardFilter>;
  readonly #queues = new OrderedQueues();
  readonly #cache = new Map<number, LogRow>();
  #cachedBytes = 0;
  #bytesUnderWay = 0;
  #takenId = 0;
  #loadedId = 0;
  #mayLoad = true;
  /** References of which more is queued up to the id that was loaded last, and after which id. */
  readonly #passedOver = new Map<string, number>();
  /** Under way when the queue was read anew: whether they count as waiting, the disk knows alone. */
  #uncounted = new Set<number>();
  #backlog = 0;
  #ended: EndedAttempt[] = [];
  #turn: NodeJS.Immediate | null = null;
  #timer: NodeJS.Timeout | null = null;
  #isClosed = false;
  readonly #health = new SinkHealth();
  #writeFault: string | null = null;

  /** @throws {AppError} `inbox.bad_filter` */
  constructor(options: ForwarderOptions) {
    this.#options = options;
    this.#passes = readForwardFilter(options.filter, options.readKeys);
  }

  /** Goes on where forwarding to this sink ended, and takes what comes from now on. */
  start(): void {
    const { store, arrivals, filter, readKeys } = this.#options;
    this.#takenId = settleEarlier(store, arrivals, readKeys);
    store.begin(filter, this.#takenId);
    this.#backlog = store.countQueued();
    this.wake();
  }

  /** There may be more to do: webhooks have come, or one is done. */
  wake(): void {
    if (this.#isClosed) return;
    this.#turn ??= setImmediate(() => {
      this.#turn = null;
      this.#run();
    });
  }

  state(): ForwarderState {
    const { trouble, restUntil, failedId, refusals } = this.#health;
    return {
      backlogCount: this.#backlog,
      trouble: this.#writeFault ?? trouble,
      nextAttemptAt: restUntil > 0 ? restUntil : null,
      failedId: failedId === null ? null : formatSortableId(failedId),
      refusals,
    };
  }

  /** Webhooks that came while forwarding was off. */
  countMissed(): number {
    const { store, arrivals } = this.#options;
    return store.listGaps().reduce((sum, { fromId, toId }) => sum + arrivals.count(fromId, toId), 0);
  }

  /** Queues what came while forwarding was off, as far as it passes. @returns how many */
  async takeMissed(): Promise<number> {
    const { store, arrivals } = this.#options;
    let count = 0;
    for (let [gap] = store.listGaps(); gap !== undefined && !this.#isClosed; [gap] = store.listGaps()) {
      const range = { after: gap.fromId, upTo: gap.toId, gap };
      count += takeSlice(arrivals, store, this.#passes, range).taken.length;
      await new Promise(setImmediate);
    }
    if (!this.#isClosed) this.reload();
    return count;
  }

  /** Reads the queue anew, where something else than this has changed it. What is under way goes on. */
  reload(): void {
    this.#health.forgetAll();
    this.#readAnew();
  }

  #readAnew(): void {
    // A slow one that is under way holds up its own reference, and none of the others.
    this.#uncounted = new Set(this.#queues.clearWaiting());
    this.#loadedId = 0;
    this.#passedOver.clear();
    this.#mayLoad = true;
    this.#backlog = this.#options.store.countQueued();
    this.#options.onChange();
    this.wake();
  }

  /** @param isOff - what comes from now on is not to be forwarded later; false: it is, at the next start */
  async close({ isOff }: { isOff: boolean }): Promise<void> {
    this.#isClosed = true;
    if (this.#turn !== null) clearImmediate(this.#turn);
    if (this.#timer !== null) clearTimeout(this.#timer);
    const { store, arrivals, carrier, readKeys } = this.#options;
    const giveUpAt = performance.now() + FAREWELL_MS;
    while (this.#bytesUnderWay > 0 && performance.now() < giveUpAt) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await carrier.close();
    this.#record();
    if (isOff) store.end(settleEarlier(store, arrivals, readKeys));
  }

  #run(): void {
    try {
      this.#record();
      const hasMore = this.#take();
      this.#load();
      this.#dispatch();
      this.#setWriteFault(null);
      if (hasMore) this.wake();
      else this.#sleep();
    } catch (error) {
      // The log and the queue stay as they are: nothing is lost, and it is tried again.
      this.#setWriteFault(`The queue of forwards cannot be used (${describe(error)}); it is tried again.`);
      this.#wakeIn(RETRY_WRITING_MS);
    }
  }

  /** Takes the next webhooks of the log into the queue. @returns whether there may be more */
  #take(): boolean {
    const { store, arrivals, onLeftOut } = this.#options;
    const upTo = arrivals.lastId();
    if (upTo <= this.#takenId) return false;
    const range = { after: this.#takenId, upTo, gap: null };
    const { isDone, takenId, taken, rows } = takeSlice(arrivals, store, this.#passes, range);
    this.#takenId = isDone ? upTo : takenId;
    this.#backlog += taken.length;
    const isHeld = !this.#mayLoad && this.#queues.size < HELD;
    if (isHeld) {
      for (const [id, reference] of taken) this.#hold({ id, reference, attempt: 0, nextAt: 0 });
      this.#loadedId = taken.at(-1)?.[0] ?? this.#loadedId;
      this.#keep(rows, taken);
    } else this.#mayLoad = true;
    if (taken.length < rows.length) {
      const passed = new Set(taken.map(([id]) => id));
      onLeftOut(rows.filter(({ id }) => !passed.has(id)).map(({ id }) => id));
    }
    if (taken.length > 0) this.#options.onChange();
    return !isDone;
  }

  /** Keeps rows that were just read until they leave, as far as there is room; while nothing leaves, none. */
  #keep(rows: readonly LogRow[], taken: readonly (readonly [number, unknown])[]): void {
    if (this.#health.failures > 0) return;
    const wanted = new Set(taken.map(([id]) => id));
    for (const row of rows) {
      if (this.#cache.size >= MAX_CACHED_ROWS) return;
      if (!wanted.has(row.id) || this.#cachedBytes + row.raw.length > MAX_CACHED_BYTES) continue;
      this.#cache.set(row.id, row);
      this.#cachedBytes += row.raw.length;
    }
  }

  /** Holds a webhook, behind those of its reference that came before; those that are too many are passed over for now. */
  #hold(forward: QueuedForward): void {
    const { id, reference } = forward;
    if (reference === null) return this.#queues.add(forward);
    if (this.#isPassedOver(forward)) return;
    if (this.#queues.countOf(reference) < HELD_OF_ONE) this.#queues.add(forward);
    else this.#passedOver.set(reference, id - 1);
  }

  /** Whether it, or what of its reference comes right before it, waits on disk alone. */
  #isPassedOver({ id, reference }: QueuedForward): boolean {
    return reference !== null && id > (this.#passedOver.get(reference) ?? Infinity);
  }

  /** Loads more of a reference that was passed over and has few left. */
  #fillUp(): void {
    const few = [...this.#passedOver].find(([one]) => this.#queues.countOf(one) <= HELD_OF_ONE / 2);
    if (few === undefined) return;
    const [reference, after] = few;
    const rows = this.#options.store.listQueued(after, PAGE);
    this.#passedOver.delete(reference);
    for (const row of rows) if (row.reference === reference && row.id <= this.#loadedId) this.#hold(row);
    const isDone = rows.length < PAGE || this.#passedOver.has(reference);
    if (!isDone) this.#passedOver.set(reference, rows.at(-1)!.id);
    this.wake();
  }

  #load(): void {
    this.#fillUp();
    if (!this.#mayLoad || this.#queues.size > HELD / 2) return;
    const rows = this.#options.store.listQueued(this.#loadedId, PAGE);
    for (const row of rows) this.#hold(row);
    this.#loadedId = rows.at(-1)?.id ?? this.#loadedId;
    this.#mayLoad = rows.length === PAGE;
    // The next page in the next turn, unless these are many enough for now.
    if (this.#mayLoad && this.#queues.size <= HELD / 2) this.wake();
  }

  #dispatch(): void {
    const { carrier, store } = this.#options;
    const now = Date.now();
    if (this.#health.restUntil > 0) return;
    const places = this.#health.failures > 0 ? 1 : carrier.concurrency;
    const leaving: Leaving[] = [];
    let bytes = this.#bytesUnderWay;
    while (this.#queues.taken < places && bytes < MAX_BYTES_UNDER_WAY) {
      const queue = this.#queues.take(now);
      if (queue === null) break;
      const { id } = queue.waiting[queue.head]!;
      const row = this.#readRow(id);
      if (row === null) {
        // It was deleted from the inbox.
        store.forget([id]);
        this.#backlog -= 1;
        this.#queues.advance(queue);
        if (this.#health.forget(id)) this.#options.onChange();
      } else {
        leaving.push({ queue, row });
        bytes += row.raw.length;
      }
    }
    this.#send(leaving);
  }

  /** What leaves again after a kill has another number of its attempt: it is on disk before it leaves. */
  #send(leaving: readonly Leaving[]): void {
    if (leaving.length === 0) return;
    try {
      this.#options.store.leave(leaving.map(({ row }) => row.id));
    } catch (error) {
      for (const { queue } of leaving) this.#queues.postpone(queue, queue.attempt, queue.nextAt);
      throw error;
    }
    for (const { queue, row } of leaving) void this.#attempt(queue, row);
  }

  #readRow(id: number): LogRow | null {
    const cached = this.#cache.get(id);
    if (cached === undefined) return this.#options.arrivals.get(id);
    this.#cache.delete(id);
    this.#cachedBytes -= cached.raw.length;
    return cached;
  }

  #dropKept(): void {
    this.#cache.clear();
    this.#cachedBytes = 0;
  }

  async #attempt(queue: OrderedQueue, row: LogRow): Promise<void> {
    const { id } = row;
    const attempt = queue.attempt + 1;
    const startedAt = performance.now();
    const at = Date.now();
    const failuresBefore = this.#health.failures;
    this.#bytesUnderWay += row.raw.length;
    const delivery = await this.#options.carrier
      .deliver({ row, id: formatSortableId(id), attempt })
      .catch((error: unknown): ForwardOutcome => ({
        isDelivered: false,
        httpStatus: null,
        reason: `The webhook could not be delivered (${describe(error)}).`,
        isUnreachable: false,
      }));
    this.#bytesUnderWay -= row.raw.length;
    if (this.#health.note(id, queue.key, delivery, failuresBefore)) this.#options.onChange();
    if (this.#health.failures > 0) this.#dropKept();
    const { isDelivered, httpStatus, reason } = delivery;
    const nextAt = isDelivered ? null : Math.max(Date.now() + backOffMs(attempt), this.#health.restUntil);
    const durationMs = roundMs(performance.now() - startedAt);
    const outcome = isDelivered ? 'delivered' : 'retrying';
    const ended: KeptAttempt = { id, attempt, at, outcome, httpStatus, reason, durationMs, nextAt };
    this.#ended.push({ queue, attempt: ended, delivery });
    this.wake();
  }

  /** Writes how attempts ended, then lets the next of their queues go, and tells of them. */
  #record(): void {
    if (this.#ended.length === 0) return;
    const ended = this.#ended;
    this.#options.store.record(ended.map(({ attempt }) => attempt));
    this.#ended = [];
    const isEarlierOnDisk = (forward: QueuedForward): boolean =>
      forward.id > this.#loadedId || this.#isPassedOver(forward);
    const isOvertaking = ended.some(
      ({ queue, attempt }) => attempt.nextAt !== null && isEarlierOnDisk(queue.waiting[queue.head]!),
    );
    for (const { queue, attempt, delivery } of ended) {
      if (attempt.nextAt === null) {
        this.#backlog -= 1;
        this.#queues.advance(queue);
      } else this.#queues.postpone(queue, attempt.attempt, attempt.nextAt);
      this.#options.onAttempt({ ...attempt, sink: this.#options.store.sink, delivery });
    }
    const uncounted = ended.filter(({ attempt }) => this.#uncounted.delete(attempt.id));
    if (uncounted.length > 0) this.#backlog = this.#options.store.countQueued();
    if (isOvertaking) this.#readAnew();
    else this.#options.onChange();
  }

  #sleep(): void {
    const next = this.#queues.nextAt();
    if (next === null || this.#queues.taken >= this.#options.carrier.concurrency) return;
    const at = Math.max(next, this.#health.restUntil);
    if (this.#health.failures > 0 && this.#queues.taken > 0) return;
    if (at > 0) this.#wakeIn(Math.min(Math.max(1, at - Date.now()), LONGEST_PAUSE_MS));
  }

  #wakeIn(ms: number): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.wake(), ms);
  }

  #setWriteFault(fault: string | null): void {
    if (this.#writeFault === fault) return;
    this.#writeFault = fault;
    this.#options.onChange();
  }
}

/**
 * Looks at what came while forwarding was on and nobody looked at it: the process had ended in between.
 *
 * @returns the last id of the log
 */
export function settleEarlier(
  store: ForwardStore,
  arrivals: Arrivals,
  readKeys: () => readonly string[],
): number {
  const last = arrivals.lastId();
  const progress = store.readProgress();
  if (progress === null || progress.untilId !== null) return last;
  takeAll(arrivals, store, readForwardFilter(progress.filter, readKeys), {
    after: progress.takenId,
    upTo: last,
  });
  return last;
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message.slice(0, 200) : String(error);
}
