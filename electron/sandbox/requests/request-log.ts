import { reportFailure } from '../http/report-failure';
import type { ReceivedRequest } from './received-request';
import { MOST_REQUESTS, type RequestQuery, type RequestStore, type RequestSummary } from './request-store';
import { toStoredRequest, type StoredRequest } from './stored-request';

/** What came within so long is written together; `kill -9` loses that much of the log, and of nothing else. */
const FLUSH_MS = 1000;
/** Where more come than the ring holds, a load test runs: what is in it is written less often. */
const LOAD_FLUSH_MS = 5000;
/** Written in one turn of the event loop; the requests that come meanwhile have the next one. */
const SLICE = 25;
const MOST_WAITING_BYTES = 8 * 1024 * 1024;
/** Bodies that are kept in memory as they came, for the doctor: those that the store has masked or cut. */
const MOST_EXACT_BYTES = 2 * 1024 * 1024;

/** The latest requests of a sandbox, over restarts. Reading sees everything that was answered. */
export interface RequestLog {
  /** Takes a request after its answer was decided: keeps it in memory, and nothing more. */
  add(request: ReceivedRequest): void;
  find(id: string): StoredRequest | null;
  /** The body as it came, where it is known; else as it was kept. */
  bodyOf(request: StoredRequest): string;
  /** Newest first. */
  list(query: Partial<RequestQuery> & Pick<RequestQuery, 'limit'>): RequestSummary[];
  /** How many accepted requests came faster than they are kept, since the log was emptied. */
  skipped(): number;
  clear(): void;
  /** Writes what is waiting. */
  close(): void;
}

const everything = { operation: null, statusClass: null, reference: null, text: null };

/**
 * Makes the log of a sandbox.
 *
 * Answers do not wait for it. A request goes into a list of a thousand; once a second, under load every five seconds,
 * what is in it is masked and written, in slices. Of what comes meanwhile accepted requests are counted alone (to hold
 * each for a moment cost a tenth of a load test's time), and refused ones push the oldest out. Strings to sign and checks
 * are worked out when somebody opens a request.
 * @param openStore - called with the first batch or the first reading
 */
export function createRequestLog(parts: {
  readonly consumerSecret: string;
  openStore(): RequestStore;
}): RequestLog {
  const waiting = new WaitingRequests();
  const exact = new ExactBodies();
  let store: RequestStore | null = null;
  /** Taken out of the ring, not written yet. */
  let batch: ReceivedRequest[] = [];
  let timer: NodeJS.Timeout | null = null;
  let turn: NodeJS.Immediate | null = null;
  let waitedMs = 0;

  const write = (received: readonly ReceivedRequest[]): void => {
    if (received.length === 0) return;
    try {
      const requests = received.map((one) => toStoredRequest(one, parts.consumerSecret));
      exact.keep(received, requests);
      (store ??= parts.openStore()).insertAll(requests);
    } catch (error) {
      // The log of a request is not worth its answer: what cannot be written is left out.
      reportFailure(error);
    }
  };
  const writeSlice = (): void => {
    write(batch.splice(0, SLICE));
    turn = batch.length > 0 ? setImmediate(writeSlice) : null;
  };
  const onTime = (): void => {
    timer = null;
    waitedMs += FLUSH_MS;
    if (waiting.hasOverflowed && waitedMs < LOAD_FLUSH_MS) return startTimer();
    waitedMs = 0;
    batch.push(...waiting.takeAll());
    if (turn === null) writeSlice();
  };
  const startTimer = (): void => {
    timer = setTimeout(onTime, FLUSH_MS).unref();
  };
  const flush = (): void => {
    if (timer !== null) clearTimeout(timer);
    if (turn !== null) clearImmediate(turn);
    timer = turn = null;
    waitedMs = 0;
    write([...batch.splice(0), ...waiting.takeAll()]);
  };
  const read = (): RequestStore => {
    flush();
    return (store ??= parts.openStore());
  };

  return {
    add(request) {
      waiting.add(request);
      if (timer === null) startTimer();
    },
    find: (id) => read().find(id),
    bodyOf: ({ id, requestBody }) => exact.get(id) ?? requestBody.toString('utf8'),
    skipped: () => waiting.skipped,
    list: (query) => read().list({ ...everything, ...query, limit: Math.min(query.limit, MOST_REQUESTS) }),
    clear() {
      batch = [];
      waiting.takeAll();
      waiting.skipped = 0;
      exact.clear();
      read().clear();
    },
    close() {
      flush();
      store?.close();
      store = null;
    },
  };
}

/** Requests that wait to be written, bounded in number and in bytes. */
class WaitingRequests {
  private ring: ReceivedRequest[] = [];
  /** Where the oldest stands once the ring is full. */
  private oldest = 0;
  private bytes = 0;
  skipped = 0;

  add(request: ReceivedRequest): void {
    if (this.hasOverflowed && request.answer.verdict === 'accepted') {
      this.skipped += 1;
      return;
    }
    this.bytes += sizeOf(request);
    if (this.ring.length < MOST_REQUESTS) this.ring.push(request);
    else {
      this.bytes -= sizeOf(this.ring[this.oldest]!);
      this.ring[this.oldest] = request;
      this.oldest = (this.oldest + 1) % MOST_REQUESTS;
    }
    if (this.bytes > MOST_WAITING_BYTES) this.dropOldest();
  }

  get hasOverflowed(): boolean {
    return this.ring.length >= MOST_REQUESTS;
  }

  /** Gives what is waiting, oldest first, and forgets it. */
  takeAll(): ReceivedRequest[] {
    const { ring, oldest } = this;
    this.ring = [];
    this.oldest = 0;
    this.bytes = 0;
    return oldest === 0 ? ring : [...ring.slice(oldest), ...ring.slice(0, oldest)];
  }

  private dropOldest(): void {
    const kept = this.takeAll();
    const bytes = kept.map(sizeOf);
    let from = 0;
    let total = bytes.reduce((sum, one) => sum + one, 0);
    // Half of the room is made at once: large requests do not each move all the others.
    while (from < kept.length - 1 && total > MOST_WAITING_BYTES / 2) total -= bytes[from++]!;
    this.ring = kept.slice(from);
    this.bytes = total;
  }
}

function sizeOf({ request, answer }: ReceivedRequest): number {
  return request.head.length + request.body.length + answer.body.length;
}

/** Bodies whose signature was refused and which the store has not as they came. */
class ExactBodies {
  private readonly bodies = new Map<string, Buffer>();
  private bytes = 0;

  keep(received: readonly ReceivedRequest[], stored: readonly StoredRequest[]): void {
    stored.forEach(({ id, verdict, detail }, index) => {
      const { body } = received[index]!.request;
      if (verdict !== 'signature' || detail.stringToSign === null || body.length > MOST_EXACT_BYTES) return;
      this.bodies.set(id, body);
      this.bytes += body.length;
    });
    for (const [id, body] of this.bodies) {
      if (this.bytes <= MOST_EXACT_BYTES) return;
      this.bodies.delete(id);
      this.bytes -= body.length;
    }
  }

  get(id: string): string | undefined {
    return this.bodies.get(id)?.toString('utf8');
  }

  clear(): void {
    this.bodies.clear();
    this.bytes = 0;
  }
}
