import { AppError } from '@shared/errors';
import { createWebhookSecret } from '../../platform/crypto/standard-webhooks';
import type { SqlDatabase } from '../../platform/ports';
import type { SandboxClock } from '../sandbox-clock';
import type { SandboxRandom } from '../sandbox-random';
import { createSealedValues, type SealedValues } from '../store/sealed-values';
import { attemptDelivery, type AttemptResult } from './attempt-delivery';
import { AttemptRecords, TROUBLE_DELAY_MS } from './attempt-records';
import { DueDeliveries } from './due-deliveries';
import type { RetrySchedule } from './webhook-schedules';
import { WebhookSender, type Resolver } from './webhook-sender';
import { WebhookStore, type Delivery, type DeliveryState } from './webhook-store';

export interface WebhookQueueOptions {
  /** Opened with `webhookMigrations`. */
  db: SqlDatabase;
  clock: SandboxClock;
  random: SandboxRandom;
  schedule: RetrySchedule;
  /** Hosts beyond this machine; names or addresses, with or without a port. */
  allowedHosts: readonly string[];
  /** Whether Standard Webhooks signature headers are sent. */
  signing: boolean;
  /** Seals the secret of signatures in the store; left out: it is kept as it is. */
  seal?: SealedValues;
  /** Tells the host of the app's own tunnel. */
  isOwnHost?(host: string): boolean;
  /** Others than this machine reach the sandbox: its own loopback is no callback host of theirs. */
  isExposed?: boolean;
  /** Called once an attempt is on record, with what its delivery is now. */
  onAttempt?(deliveryId: string, state: DeliveryState): void;
  /** Real milliseconds for one attempt; 15 s where left out. */
  timeoutMs?: number;
  /** How many attempts run at a time over all endpoints; 256 where left out. */
  inFlightCap?: number;
  /** For tests; the system's resolver where left out. */
  resolve?: Resolver;
}

/** Of the secret that webhooks are signed with, as the store has it. */
const SECRET_NAME = 'webhook_signing_secret';

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
  /** Of the sandbox's clock; 0 where left out. */
  delayMs?: number;
}

/** So many that hosts which answer nothing, each with the most places of a host, leave some to others. */
export const IN_FLIGHT_CAP = 256;

/**
 * The durable queue that delivers webhooks: at least once, over any restart, in order for each endpoint.
 *
 * A delivery is a row; memory holds the numbers of those that are due. All waiting goes through the sandbox
 * clock, so that advancing it brings retries about. The database may be shared with a caller that keeps a
 * transaction open over several turns: the queue then waits for its end before it reads or writes.
 * @source payments-service-interface, part 6; design 5; assumption A3
 */
export class WebhookQueue {
  private readonly settings: WebhookSettings;
  private readonly store: WebhookStore;
  private readonly due: DueDeliveries;
  private readonly records: AttemptRecords;
  private readonly attempts = new Set<Promise<void>>();
  private sender: WebhookSender;
  private turn: NodeJS.Timeout | null = null;
  private isRunning = false;
  /** Attempts of an earlier epoch count for nothing. */
  private epoch = 0;
  private secret: string | null = null;
  private readonly seal: SealedValues;

  constructor(private readonly options: WebhookQueueOptions) {
    const { db, clock, inFlightCap = IN_FLIGHT_CAP } = options;
    const store = new WebhookStore(db);
    this.settings = { ...options };
    this.store = store;
    this.seal = options.seal ?? createSealedValues(undefined);
    this.due = new DueDeliveries({ store, clock, inFlightCap, onDue: () => this.wake() });
    this.records = new AttemptRecords({ db, store, onRecorded: (results) => this.takeUp(results) });
    this.sender = this.makeSender();
  }

  /** Writes a delivery, inside the caller's transaction where there is one; call `wake` after its commit. */
  enqueue({ callbackUrl, body, transactionReference, copies = 1, delayMs = 0 }: NewDelivery): string {
    const id = this.options.random.uuid();
    this.store.insert(
      id,
      callbackUrl,
      body,
      transactionReference,
      copies,
      this.options.clock.now() + delayMs,
    );
    return id;
  }

  start(): void {
    this.sealBareSecret();
    this.isRunning = true;
    this.wake();
  }

  /** Ends what is in flight; it stays pending and is sent again after the next start. */
  async stop(): Promise<void> {
    this.isRunning = false;
    if (this.turn !== null) clearTimeout(this.turn);
    this.turn = null;
    this.records.flush();
    this.abandon();
    await Promise.allSettled(this.attempts);
    this.records.stop();
  }

  /** Newest first. */
  list(limit: number): Delivery[] {
    this.records.flush();
    return this.store.list(limit);
  }

  get(id: string): Delivery | undefined {
    this.records.flush();
    return this.store.get(id);
  }

  /** Sends again at once, whatever became of it. @throws {AppError} `sandbox.delivery_unknown` */
  redeliver(id: string): void {
    this.records.flush();
    const job = this.store.findJobById(id);
    if (!job) throw unknownDelivery(id);
    if (this.due.has(job.seq)) return;
    const now = this.options.clock.now();
    this.store.change(job.seq, { state: 'pending', step: 0, copies: 1, nextAttemptAt: now }, job.attempts);
    this.due.reschedule(job.seq, job.callbackUrl, now);
    this.wake();
  }

  /** Looks for what is due: after a commit, or when the clock was moved. */
  wake(delayMs = 0): void {
    this.due.expectMore();
    if (this.isRunning) this.turn ??= setTimeout(this.sendDue, delayMs);
  }

  configure(changed: Partial<WebhookSettings>): void {
    Object.assign(this.settings, changed);
    // Attempts under way end by the old rules, with the connections that they had.
    const retired = this.sender;
    this.sender = this.makeSender();
    void Promise.allSettled(this.attempts).then(() => retired.abort());
  }

  /** Goes by what the store has now: something else was put in its place. */
  reload(): void {
    this.records.clear();
    this.abandon();
    this.wake();
  }

  /** Forgets every delivery and ends what is in flight. */
  clear(): void {
    this.records.clear();
    this.abandon();
    this.store.deleteAll();
  }

  /** `whsec_…`, made at first use; what receivers verify signatures with. */
  signingSecret(): string {
    this.secret ??= this.readSecret();
    return this.secret;
  }

  private readSecret(): string {
    const stored = this.store.readSecret();
    const secret = stored === null ? createWebhookSecret() : this.seal.open(SECRET_NAME, stored);
    if (stored === null || this.seal.isBare(stored)) {
      this.store.saveSecret(this.seal.seal(SECRET_NAME, secret));
    }
    return secret;
  }

  /** A secret that an earlier version kept in the clear does not stay there. */
  private sealBareSecret(): void {
    const stored = this.store.readSecret();
    if (stored !== null && this.seal.isBare(stored)) this.readSecret();
  }

  private makeSender(): WebhookSender {
    const { allowedHosts, isOwnHost } = this.settings;
    const { timeoutMs, resolve, isExposed } = this.options;
    return new WebhookSender({ allowedHosts, isOwnHost, timeoutMs, resolve, isExposed });
  }

  /** Starts an attempt for each delivery that is due and may be sent now. */
  private readonly sendDue = (): void => {
    this.turn = null;
    if (!this.isRunning) return;
    if (this.options.db.inTransaction) return this.wake(1);
    try {
      if (this.due.load()) this.wake();
    } catch {
      // The database is out of reach for a moment (disk full, locked): what is due stays due.
      return this.wake(TROUBLE_DELAY_MS);
    }
    for (let next = this.due.take(); next !== null; next = this.due.take()) {
      const run = this.attempt(next.endpoint, next.seq).finally(() => this.attempts.delete(run));
      this.attempts.add(run);
    }
  };

  private async attempt(endpoint: string, seq: number): Promise<void> {
    const started = this.epoch;
    const result = await this.send(seq).catch(() => 'trouble' as const);
    if (started !== this.epoch) return;
    if (result === 'trouble') return this.putBackLater(endpoint, seq);
    if (result !== null) this.records.add(result);
    this.due.release(endpoint, seq);
    if (this.isRunning) this.turn ??= setTimeout(this.sendDue, 0);
  }

  /** The database is out of reach for a moment: it holds up its endpoint, and is tried again. */
  private putBackLater(endpoint: string, seq: number): void {
    const { epoch } = this;
    setTimeout(() => {
      if (epoch !== this.epoch) return;
      this.due.putBack(endpoint, seq);
      this.wake();
    }, TROUBLE_DELAY_MS).unref();
  }

  private async send(seq: number): Promise<AttemptResult | null> {
    if (this.records.has(seq)) this.records.flush();
    const job = this.store.findJob(seq);
    if (!job || job.nextAttemptAt === null) return null;
    const { sender } = this;
    const { schedule, signing } = this.settings;
    const secret = signing ? this.signingSecret() : null;
    return attemptDelivery(job, { sender, clock: this.options.clock, schedule, secret });
  }

  /** Goes on once attempts are on record: with another try, or with what waited behind them. */
  private takeUp(results: readonly AttemptResult[]): void {
    for (const { job, change } of results) {
      if (change.nextAttemptAt !== null) {
        this.due.reschedule(job.seq, job.callbackUrl, change.nextAttemptAt);
      }
      this.options.onAttempt?.(job.id, change.state);
    }
    this.wake();
  }

  private abandon(): void {
    this.epoch += 1;
    this.due.clear();
    this.sender.abort();
  }
}

function unknownDelivery(id: string): AppError {
  return new AppError(
    'sandbox.delivery_unknown',
    'The sandbox has no delivery with this id. Old deliveries are forgotten; look at the list for those it has.',
    { details: { id } },
  );
}
