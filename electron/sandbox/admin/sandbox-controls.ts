import type { KnownValue } from '@shared/doctor/hypotheses/known-deviations';
import { AppError } from '@shared/errors';
import type {
  SandboxDelivery,
  SandboxExplanation,
  SandboxFaults,
  SandboxPayment,
  SandboxRequest,
  SandboxRequestDetail,
  SandboxRequestQuery,
  SandboxSettings,
  SandboxState,
  SandboxWallet,
  SandboxWalletChange,
} from '@shared/contract/sandbox';
import type { Product } from '@shared/payments/tables/products';
import { planWalletChange } from '../money/plan-wallet-change';
import { accountOutcomes } from '../payments/account-outcomes';
import { explainRequest, findRequest } from '../requests/explain-request';
import type { RequestLog } from '../requests/request-log';
import { MOST_REQUESTS, type RequestQuery, type RequestSummary } from '../requests/request-store';
import { viewRequestDetail } from '../requests/view-request';
import type { FinalState } from '../store/payment-store';
import type { SandboxStore } from '../store/sandbox-store';
import { restoreSnapshot, type SandboxSnapshot } from '../store/snapshot';
import { writeSnapshot } from '../store/write-snapshot';
import type { RateLimiter } from '../admission/rate-limiter';
import type { ChangeNotice } from './change-notice';
import type { SandboxMeta } from '../store/sandbox-meta';
import type { SandboxContext } from '../sandbox-context';
import { noFaults } from '../sandbox-options';
import { maskText, viewDelivery, viewPayment, viewWallet } from './sandbox-views';

type KeyView = SandboxState['publicKeys'][number];

/** What the app and the admin address can do with a running sandbox. No answer holds a secret, but the one that is asked for by name. */
export interface SandboxControls {
  /** @param limit - most payments, deliveries and requests that are listed; newest first */
  readState(limit: number): SandboxState;
  /** Payments by their UUIDs; those that are not there are left out. */
  readPayments(paymentUuids: readonly string[]): SandboxPayment[];
  /** Forgets payments, deliveries, requests and faults, and fills the wallets again. Keys and settings stay. */
  reset(): void;
  listKeys(): KeyView[];
  /** @throws {AppError} `keys.*` */
  registerKeys(pems: readonly string[], mode: 'replace' | 'add'): void;
  /** @throws {AppError} `sandbox.payment_unknown`, `sandbox.payment_final`, `sandbox.bad_state` */
  setPaymentState(paymentUuid: string, state: FinalState): SandboxPayment;
  /** @throws {AppError} `sandbox.wallet_unknown`, `sandbox.bad_amount` */
  changeWallet(product: Product, currency: string, change: SandboxWalletChange): SandboxWallet;
  /** @returns the new time @throws {AppError} `sandbox.bad_clock` */
  advanceClock(seconds: number): number;
  listDeliveries(limit: number): SandboxDelivery[];
  /** @throws {AppError} `sandbox.delivery_unknown` */
  redeliver(deliveryId: string): SandboxDelivery;
  readFaults(): SandboxFaults;
  setFaults(faults: SandboxFaults): SandboxFaults;
  readSettings(): SandboxSettings;
  updateSettings(changes: Partial<SandboxSettings>): SandboxSettings;
  /** Lets webhooks go to the host of the app's own tunnel; null: there is none any more. */
  setOwnHost(host: string | null): void;
  /** Gives what receivers verify signed webhooks with, `whsec_…`; it stays the same for this sandbox. */
  revealWebhookSecret(): string;
  /**
   * @param isDiagnosed - false: the caller asks the doctor himself
   * @throws {AppError} `sandbox.request_unknown`
   */
  explain(requestId: string, isDiagnosed?: boolean): Promise<SandboxExplanation>;
  /** Makes the pair of the user's own backend, in place of the one before: the only time that its secret is told. */
  makeBackendCredentials(): { consumerKey: string; consumerSecret: string };
  /** Newest first. */
  listRequests(query: SandboxRequestQuery): { requests: SandboxRequest[]; skipped: number };
  /** How many of those that are kept fit, and how they ended; the limit does not count. */
  countRequests(query: SandboxRequestQuery): RequestCounts;
  /** @throws {AppError} `sandbox.request_unknown` */
  readRequest(requestId: string): SandboxRequestDetail;
  /** The whole state, but for its secrets, as JSON. */
  writeSnapshot(): Promise<string>;
  /** Puts another state in the place of this one, all or nothing. @throws {AppError} `sandbox.bad_snapshot` */
  loadSnapshot(snapshot: SandboxSnapshot): void;
  listOutcomes(): { ending: string | null; meaning: string }[];
}

export interface ControlParts {
  readonly store: SandboxStore;
  readonly context: SandboxContext;
  readonly meta: SandboxMeta;
  readonly limiter: RateLimiter;
  readonly log: RequestLog;
  readonly notice: ChangeNotice;
}

const FINAL_STATES: readonly string[] = ['succeeded', 'failed', 'canceled'];

/** Makes the controls of a sandbox. */
export function createSandboxControls(parts: ControlParts): SandboxControls {
  const { context, log, notice } = parts;
  return {
    ...createPaymentControls(parts),
    readState(limit) {
      return {
        baseUrl: context.baseUrl,
        now: context.clock.now(),
        clockOffsetMs: context.clock.offsetMs(),
        backendConsumerKey: context.backendCredentials.consumerKey,
        consumerKeyMasked: maskText(context.credentials.consumerKey),
        wallets: context.wallets.list().map(viewWallet),
        payments: context.payments.list(limit).map(viewPayment),
        deliveries: context.webhooks.list(limit).map(viewDelivery),
        requests: log.list({ limit }),
        publicKeys: listKeys(context),
        faults: context.faults,
        settings: context.settings,
      };
    },
    readPayments: (uuids) =>
      uuids
        .map((uuid) => context.payments.findByUuid(uuid))
        .filter((payment) => payment !== undefined)
        .map(viewPayment),
    listKeys: () => listKeys(context),
    registerKeys(pems, mode) {
      context.commit.flush();
      context.keys.register(pems, mode);
      context.commit.flush();
      notice.tell('keys');
    },
    readFaults: () => context.faults,
    setFaults(faults) {
      context.faults = { ...faults };
      notice.tell('faults');
      return context.faults;
    },
    readSettings: () => context.settings,
    updateSettings(changes) {
      const settings = { ...context.settings, ...dropUndefined(changes) };
      context.settings = settings;
      parts.limiter.configure(settings.rateLimit);
      context.webhooks.configure({
        schedule: settings.retries,
        allowedHosts: settings.allowedCallbackHosts,
        signing: settings.webhookSigning,
      });
      notice.tell('settings');
      return settings;
    },
    setOwnHost: (host) => void (context.ownHost = host),
    revealWebhookSecret: () => context.webhooks.signingSecret(),
    explain: (requestId, isDiagnosed = true) =>
      explainRequest(requestId, {
        log,
        keys: context.keys,
        isDiagnosed,
        listKnown: () => listKnown(context),
      }),
    makeBackendCredentials() {
      context.commit.flush();
      const made = context.commit.write(() => context.backendCredentials.make());
      context.commit.flush();
      notice.tell('credentials');
      return made;
    },
    listRequests: (query) => ({ requests: log.list(toLogQuery(query)), skipped: log.skipped() }),
    countRequests: (query) => countRequests(log.list({ ...toLogQuery(query), limit: MOST_REQUESTS })),
    readRequest: (requestId) => viewRequestDetail(findRequest(log, requestId)),
    writeSnapshot() {
      context.commit.flush();
      return writeSnapshot(parts.store);
    },
    loadSnapshot: (snapshot) => loadSnapshot(parts, snapshot),
    listOutcomes: () => accountOutcomes.map(({ ending, meaning }) => ({ ending, meaning })),
  };
}

function loadSnapshot({ context, store: { db }, notice }: ControlParts, snapshot: SandboxSnapshot): void {
  const { commit, webhooks, keys, clock, settlement } = context;
  commit.flush();
  // By itself: a turn that fails undoes what others wrote in it.
  db.transaction(() => restoreSnapshot(db, snapshot))();
  keys.reload();
  // The log is synced with a write of ours.
  commit.write(() => context.numbers.passBy(context.payments));
  commit.flush();
  webhooks.reload();
  clock.restore(snapshot.clock_offset_ms, context.payments.latestMs());
  settlement.start();
  context.refusals.clear();
  notice.tell('reset');
}

function toLogQuery({ statusClass, ...query }: SandboxRequestQuery): RequestQuery {
  return { ...query, statusClass: statusClass === null ? null : Number(statusClass[0]) };
}

/** Requests by what came of them. */
export interface RequestCounts {
  readonly total: number;
  readonly byOperation: Readonly<Record<string, number>>;
  readonly byVerdict: Readonly<Record<string, number>>;
  readonly byHttpStatus: Readonly<Record<string, number>>;
}

function countRequests(requests: readonly RequestSummary[]): RequestCounts {
  const by = (read: (request: RequestSummary) => string): Record<string, number> => {
    const counts = new Map<string, number>();
    for (const request of requests) counts.set(read(request), (counts.get(read(request)) ?? 0) + 1);
    return Object.fromEntries(counts);
  };
  return {
    total: requests.length,
    byOperation: by(({ operation }) => operation ?? 'none'),
    byVerdict: by(({ verdict }) => verdict),
    byHttpStatus: by(({ httpStatus }) => String(httpStatus)),
  };
}

function createPaymentControls(
  parts: ControlParts,
): Pick<
  SandboxControls,
  'reset' | 'setPaymentState' | 'changeWallet' | 'advanceClock' | 'listDeliveries' | 'redeliver'
> {
  const { context, meta, notice } = parts;
  const { commit, webhooks, clock } = context;
  return {
    reset: () => reset(parts),
    setPaymentState: (paymentUuid, state) => setPaymentState(context, paymentUuid, state),
    changeWallet(product, currency, change) {
      const wallet = planWalletChange(context.wallets, product, currency, change);
      commit.write(() => context.wallets.replace(wallet));
      commit.flush();
      notice.tell('wallet');
      return viewWallet(wallet);
    },
    advanceClock(seconds) {
      // Time does not go back: it moves only where the store can keep that.
      commit.write(() => meta.noteCheck());
      commit.flush();
      clock.advance(seconds);
      commit.write(() => meta.saveClockOffset(clock.offsetMs()));
      commit.flush();
      webhooks.wake();
      notice.tell('clock');
      return clock.now();
    },
    listDeliveries: (limit) => webhooks.list(limit).map(viewDelivery),
    redeliver(deliveryId) {
      commit.flush();
      webhooks.redeliver(deliveryId);
      commit.flush();
      notice.tell('delivery');
      return viewDelivery(webhooks.get(deliveryId)!);
    },
  };
}

function reset({ context, log, notice }: ControlParts): void {
  const { commit, webhooks, payments, wallets } = context;
  commit.flush();
  commit.write(() => {
    webhooks.clear();
    payments.deleteAll();
    wallets.reset();
  });
  commit.flush();
  context.faults = noFaults;
  context.refusals.clear();
  log.clear();
  notice.tell('reset');
}

function setPaymentState(
  { payments, settlement, commit }: SandboxContext,
  paymentUuid: string,
  state: FinalState,
): SandboxPayment {
  if (!FINAL_STATES.includes(state)) {
    throw new AppError('sandbox.bad_state', `The state must be one of ${FINAL_STATES.join(', ')}.`);
  }
  const payment = payments.findByUuid(paymentUuid);
  if (payment === undefined) {
    throw new AppError('sandbox.payment_unknown', 'The sandbox has no payment with this payment_uuid.');
  }
  if (!settlement.finish(payment, state)) {
    throw new AppError(
      'sandbox.payment_final',
      `The payment is ${payment.state} already; a final state does not change.`,
    );
  }
  commit.flush();
  return viewPayment(payments.findByUuid(paymentUuid) ?? payment);
}

function listKeys({ keys }: SandboxContext): KeyView[] {
  return keys.list().map(({ fingerprint, bits, pem }) => ({ fingerprint, bits, pem }));
}

function dropUndefined<T extends object>(value: T): Partial<T> {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as Partial<T>;
}

/** So many of the tokens that were taken last are looked for in what was signed. */
const MOST_TOKENS = 20;

function listKnown({ tokens, credentials }: SandboxContext): KnownValue[] {
  return [
    ...tokens.listLatest(MOST_TOKENS).map((text) => ({ name: 'the bearer token', text })),
    { name: 'the consumer secret', text: credentials.consumerSecret },
    { name: 'the consumer key', text: credentials.consumerKey },
  ];
}
