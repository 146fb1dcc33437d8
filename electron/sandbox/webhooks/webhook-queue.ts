import { AppError } from '@shared/errors';
import type { SqlDatabase } from '../../platform/ports';
import type { SandboxClock } from '../sandbox-clock';
import type { SandboxRandom } from '../sandbox-random';
import { createDeliveryLanes } from './delivery-queues';
import { retrySchedules, type RetrySchedule } from './webhook-schedules';
import { createWebhookSender, type Resolver, type SendOutcome } from './webhook-sender';
import { createWebhookSecret, signWebhook } from './webhook-signature';
import {
  createWebhookStore,
  toWebhookId,
  type Delivery,
  type DeliveryAttempt,
  type DeliveryChange,
  type DeliveryJob,
  type DueMark,
} from './webhook-store';

export { webhookMigrations, type Delivery } from './webhook-store';

export interface WebhookQueueOptions {
  /** Opened with {@link webhookMigrations}. */
  db: SqlDatabase;
  clock: SandboxClock;
  random: SandboxRandom;
  schedule: RetrySchedule;
  /** Hosts beyond this machine; names or addresses, with or without a port. */
  allowedHosts: readonly string[];
  /** Whether Standard Webhooks signature headers are sent. */
  signing: boolean;
  /** Tells the host of the app's own tunnel. */
  isOwnHost?(host: string): boolean;
  /** Called once an attempt is on record. */
  onAttempt?(deliveryId: string): void;
  /** Real milliseconds for one attempt; 15 s where left out. */
  timeoutMs?: number;
  /** How many attempts run at a time over all endpoints; 16 where left out. */
  inFlightCap?: number;
  /** For tests; the system's resolver where left out. */
  resolve?: Resolver;
}

/** What may be changed while the queue runs. */
export type WebhookSettings = Pick<
  WebhookQueueOptions,
  'schedule' | 'allowedHosts' | 'signing' | 'isOwnHost'
>;

export interface NewDelivery {
  callbackUrl: string;
  body: string;
  transactionReference: string | null;
  /** How often it is to be received; 1 where left out. Every copy carries the same `webhook-id`. */
  copies?: number;
}

export interface WebhookQueue {
  /** Writes a delivery, inside the caller's transaction where there is one; call `wake` after its commit. */
  enqueue(delivery: NewDelivery): string;
  start(): void;
  /** Ends what is in flight; it stays pending and is sent again after the next start. */
  stop(): Promise<void>;
  /** Newest first. */
  list(limit: number): Delivery[];
  get(id: string): Delivery | undefined;
  /** Sends again at once, whatever became of it. @throws {AppError} `sandbox.delivery_unknown` */
  redeliver(id: string): void;
  /** Looks for what is due: after a commit, or when the clock was moved. */
  wake(): void;
  configure(settings: Partial<WebhookSettings>): void;
  /** Forgets every delivery and ends what is in flight. */
  clear(): void;
  /** `whsec_…`, made at first use; what receivers verify signatures with. */
  signingSecret(): string;
}

interface Result {
  readonly job: DeliveryJob;
  readonly attempt: DeliveryAttempt;
  readonly change: DeliveryChange;
}

const IN_FLIGHT_CAP = 16;
/** So many due deliveries are held as numbers; the rest waits in the database. */
const HELD_CAP = 20_000;
/** Finished deliveries beyond the newest so many are forgotten. */
const KEPT_DELIVERIES = 5000;
/** Results of so many milliseconds share one commit. A crash in between sends those webhooks again. */
const RESULT_DELAY_MS = 5;
/** Wait before the database is tried again after it failed. */
const TROUBLE_DELAY_MS = 1000;
/** Pruning is done once in so many results. */
const PRUNE_EVERY = 500;

/**
 * Makes the durable queue that delivers webhooks: at least once, over any restart, in order for each endpoint.
 *
 * A delivery is a row; memory holds the numbers of those that are due. All waiting goes through the sandbox
 * clock, so that advancing it brings retries about. The database may be shared with a caller that keeps a
 * transaction open over several turns: the queue then waits for its end before it reads or writes.
 * @source payments-service-interface, part 6; design 5; assumption A3
 */
export function createWebhookQueue(options: WebhookQueueOptions): WebhookQueue {
  const { db, clock } = options;
  const settings: WebhookSettings = { ...options };
  const store = createWebhookStore(db);
  const lanes = createDeliveryLanes(options.inFlightCap ?? IN_FLIGHT_CAP);
  const attempts = new Set<Promise<void>>();
  let sender = makeSender();
  let results: Result[] = [];
  let resultTimer: NodeJS.Timeout | null = null;
  let pumpTimer: NodeJS.Timeout | null = null;
  let cancelAppointment: (() => void) | null = null;
  let mark: DueMark = { at: -1, seq: 0 };
  let isRunning = false;
  let isLoadDue = true;
  let epoch = 0;
  let secret: string | null = null;
  let sincePrune = 0;

  function makeSender() {
    const { allowedHosts, isOwnHost } = settings;
    const { timeoutMs, resolve } = options;
    return createWebhookSender({ allowedHosts, isOwnHost, timeoutMs, resolve });
  }

  function signingSecret(): string {
    secret ??= store.readSecret();
    if (secret === null) store.saveSecret((secret = createWebhookSecret()));
    return secret;
  }

  function wake(delayMs = 0): void {
    isLoadDue = true;
    if (isRunning) pumpTimer ??= setTimeout(pump, delayMs);
  }

  function pump(): void {
    pumpTimer = null;
    if (!isRunning) return;
    if (db.inTransaction) return wake(1);
    try {
      if (isLoadDue) load();
    } catch {
      // The database is out of reach for a moment (disk full, locked): what is due stays due.
      return wake(TROUBLE_DELAY_MS);
    }
    for (let next = lanes.take(); next !== null; next = lanes.take()) startAttempt(next.endpoint, next.seq);
  }

  /** Brings what has come due into the lanes, and makes an appointment for what has not. */
  function load(): void {
    const room = HELD_CAP - lanes.size();
    if (room < HELD_CAP / 2) return;
    isLoadDue = false;
    const rows = store.listDue(mark, clock.now(), room);
    for (const { seq, callbackUrl } of rows) lanes.add(toEndpoint(callbackUrl), seq);
    const last = rows.at(-1);
    if (last) mark = { at: last.at, seq: last.seq };
    if (rows.length === room) isLoadDue = true;
    cancelAppointment?.();
    const nextAt = isLoadDue ? null : store.nextDueAt(mark);
    cancelAppointment = nextAt === null ? null : clock.schedule(nextAt, () => wake());
  }

  function startAttempt(endpoint: string, seq: number): void {
    const started = epoch;
    const run = attempt(seq)
      .catch(() => null)
      .then((result) => {
        if (started !== epoch) return;
        if (result) {
          results.push(result);
          resultTimer ??= setTimeout(flush, RESULT_DELAY_MS);
        }
        lanes.release(endpoint, seq);
        if (isRunning) pumpTimer ??= setTimeout(pump, 0);
      })
      .finally(() => attempts.delete(run));
    attempts.add(run);
  }

  /** Makes sure that a row which was given a new time is met: `load` never looks behind its mark. */
  function expect(seq: number, callbackUrl: string, at: number): void {
    if (at < mark.at || (at === mark.at && seq <= mark.seq)) lanes.add(toEndpoint(callbackUrl), seq);
  }

  async function attempt(seq: number): Promise<Result | null> {
    if (results.some((result) => result.job.seq === seq)) flush();
    const job = store.findJob(seq);
    if (!job || job.nextAttemptAt === null) return null;
    const at = clock.now();
    const outcome = await sender.send({
      callbackUrl: job.callbackUrl,
      headers: makeHeaders(job),
      body: job.body,
    });
    if (outcome.kind === 'aborted') return null;
    const { httpStatus, error, responseBody, durationMs } = outcome;
    return {
      job,
      attempt: { attempt: job.attempts + 1, at, durationMs, httpStatus, error, responseBody },
      change: decideChange(job, outcome, at),
    };
  }

  function decideChange(job: DeliveryJob, outcome: SendOutcome, at: number): DeliveryChange {
    const { copies } = job;
    if (outcome.kind === 'delivered') {
      return copies > 1
        ? { state: 'pending', step: 0, copies: copies - 1, nextAttemptAt: at }
        : { state: 'delivered', step: 0, copies: 0, nextAttemptAt: null };
    }
    const step = job.step + 1;
    const waitMs = retrySchedules[settings.schedule][step];
    if (outcome.kind === 'refused' || waitMs === undefined) {
      return { state: 'failed', step, copies, nextAttemptAt: null };
    }
    return { state: 'pending', step, copies, nextAttemptAt: clock.now() + waitMs };
  }

  function makeHeaders({ id, body }: DeliveryJob): Record<string, string> {
    const webhookId = toWebhookId(id);
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      'user-agent': 'Countersign-Sandbox/1',
      'webhook-id': webhookId,
    };
    if (!settings.signing) return headers;
    // Receivers compare it with their own clock, so it is the machine's time, not the sandbox's.
    const timestamp = Math.floor(Date.now() / 1000);
    headers['webhook-timestamp'] = String(timestamp);
    headers['webhook-signature'] = signWebhook(signingSecret(), webhookId, timestamp, body);
    return headers;
  }

  function record(batch: readonly Result[]): void {
    db.transaction(() => {
      for (const { job, attempt, change } of batch) store.record(job.seq, attempt, change);
      sincePrune += batch.length;
      if (sincePrune < PRUNE_EVERY) return;
      store.prune(KEPT_DELIVERIES, sincePrune * 2);
      sincePrune = 0;
    })();
  }

  /** Puts finished attempts on record, all in one commit. */
  function flush(): void {
    if (resultTimer !== null) clearTimeout(resultTimer);
    resultTimer = null;
    if (results.length === 0) return;
    if (db.inTransaction) {
      resultTimer = setTimeout(flush, 1);
      return;
    }
    const batch = results;
    try {
      record(batch);
    } catch {
      // Nothing is lost: what cannot be written now is written later, or sent again after a restart.
      resultTimer = setTimeout(flush, TROUBLE_DELAY_MS);
      return;
    }
    results = [];
    for (const { job, change } of batch) {
      if (change.nextAttemptAt !== null) expect(job.seq, job.callbackUrl, change.nextAttemptAt);
      options.onAttempt?.(job.id);
    }
    wake();
  }

  function abandon(): void {
    epoch += 1;
    lanes.clear();
    mark = { at: -1, seq: 0 };
    cancelAppointment?.();
    cancelAppointment = null;
    sender.abort();
  }

  return {
    enqueue({ callbackUrl, body, transactionReference, copies = 1 }) {
      const id = options.random.uuid();
      store.insert(id, callbackUrl, body, transactionReference, copies, clock.now());
      return id;
    },
    start() {
      isRunning = true;
      wake();
    },
    async stop() {
      isRunning = false;
      if (pumpTimer !== null) clearTimeout(pumpTimer);
      pumpTimer = null;
      flush();
      abandon();
      await Promise.allSettled(attempts);
      if (resultTimer !== null) clearTimeout(resultTimer);
    },
    list(limit) {
      flush();
      return store.list(limit);
    },
    get(id) {
      flush();
      return store.get(id);
    },
    redeliver(id) {
      flush();
      const job = store.findJobById(id);
      if (!job) throw unknownDelivery(id);
      if (lanes.has(job.seq)) return;
      const now = clock.now();
      store.change(job.seq, { state: 'pending', step: 0, copies: 1, nextAttemptAt: now }, job.attempts);
      expect(job.seq, job.callbackUrl, now);
      wake();
    },
    wake: () => wake(),
    configure(changed) {
      Object.assign(settings, changed);
      // Attempts under way end by the old rules, with the connections that they had.
      const retired = sender;
      sender = makeSender();
      void Promise.allSettled(attempts).then(() => retired.abort());
    },
    clear() {
      results = [];
      abandon();
      store.deleteAll();
    },
    signingSecret,
  };
}

/** Order is kept for one address, whatever its query says. */
function toEndpoint(callbackUrl: string): string {
  return callbackUrl.split(/[?#]/, 1)[0]!;
}

function unknownDelivery(id: string): AppError {
  return new AppError(
    'sandbox.delivery_unknown',
    'The sandbox has no delivery with this id. Old deliveries are forgotten; look at the list for those it has.',
    { details: { id } },
  );
}
