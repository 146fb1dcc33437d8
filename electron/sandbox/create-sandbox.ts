import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { isLoopbackName } from '@shared/payments/text-formats';
import { coalesce } from '../platform/coalesce';
import { listenOn } from '../platform/listen-on';
import { createAccessTokens } from './tokens/access-tokens';
import { createAdmissions } from './payments/initiation-batch';
import { createGroupCommit } from './store/group-commit';
import type { HttpFrontParts } from './http/receive-request';
import { attachNodeEntry, type SideDoor } from './http/node-adapter';
import { createPaymentStore } from './store/payment-store';
import { createPublicKeys } from './admission/public-keys';
import { attachQuickEntry } from './http/socket-adapter';
import { createRateLimiter } from './admission/rate-limiter';
import { createRequestLog } from './admin/request-log';
import { createSandboxClock } from './sandbox-clock';
import type { SandboxContext } from './sandbox-context';
import { createSandboxControls, type SandboxControls } from './admin/sandbox-controls';
import { openSandboxMeta } from './store/sandbox-meta';
import { DEFAULT_PORT, defaultSettings, noFaults, type SandboxOptions } from './sandbox-options';
import { createSandboxRandom } from './sandbox-random';
import { openSandboxStore, type SandboxStore } from './store/sandbox-store';
import { createSettlement, type Settlement } from './payments/settlement';
import { createWallets } from './money/wallets';
import { createWebhookQueue } from './webhooks/webhook-queue';

export type { SandboxOptions } from './sandbox-options';

/** A running sandbox. The secrets are for the one who started it: no other part of it tells them. */
export interface Sandbox extends SandboxControls {
  readonly baseUrl: string;
  readonly consumerKey: string;
  readonly consumerSecret: string;
  readonly adminToken: string;
  /** Answers what is under way, stops deliveries (they stay pending) and closes the store. */
  close(): Promise<void>;
}

/** Changes are told at most ten times a second. */
const NOTICE_DELAY_MS = 100;
/** References whose 429 answers are counted; the oldest is forgotten. */
const MOST_COUNTED_REFERENCES = 10_000;

/**
 * Starts the embedded payments service on 127.0.0.1.
 *
 * With a data directory everything is durable: an answer is sent after its commit, and what was under way
 * (payments, webhooks) goes on at the next start. Without one it lives in memory.
 * @throws {AppError} `sandbox.port_in_use`, `keys.*` for a public key that cannot be registered, `platform.*` of the store
 * @source design 5; payments-service-interface
 */
export async function createSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const store = openSandboxStore(options.dataDirectory);
  try {
    return await startSandbox(store, options);
  } catch (error) {
    store.close();
    throw error;
  }
}

async function startSandbox(store: SandboxStore, options: SandboxOptions): Promise<Sandbox> {
  let latestChange = '';
  const notice = coalesce(() => options.onChange?.(latestChange), { delayMs: NOTICE_DELAY_MS });
  const onChange = (reason: string): void => {
    latestChange = reason;
    notice.ask();
  };
  const { context, settlement, saveClockOffset } = createContext(store, options, onChange);
  if (options.publicKeys !== undefined && options.publicKeys.length > 0) {
    context.keys.register(options.publicKeys, 'add');
  }
  const limiter = createRateLimiter(context.settings.rateLimit, context.clock.now);
  const log = createRequestLog();
  const server = createServer({ keepAliveTimeout: 65_000, requestTimeout: 60_000, requireHostHeader: false });
  let baseUrl = '';
  const controls = createSandboxControls({
    context,
    settlement,
    limiter,
    log,
    baseUrl: () => baseUrl,
    saveClockOffset,
    onChange,
  });
  const adminToken = options.adminToken ?? `sa_${randomBytes(24).toString('hex')}`;
  const front: HttpFrontParts = { context, limiter, log, onChange };
  const doors = createSideDoors(context, settlement, controls, adminToken);
  attachNodeEntry(server, front, doors);
  const quick = attachQuickEntry(
    server,
    front,
    doors.map(({ prefix }) => prefix),
  );
  const { port = DEFAULT_PORT, alternatives = 0 } = options;
  baseUrl = `http://127.0.0.1:${await listenOn(server, 'sandbox', { port, alternatives })}`;
  settlement.start();
  context.webhooks.start();
  const { consumerKey, consumerSecret } = context.credentials;
  const close = createClose(store, server, quick, context, settlement, notice.cancel);
  return { ...controls, baseUrl, consumerKey, consumerSecret, adminToken, close };
}

function createContext(
  { db, logFile }: SandboxStore,
  options: SandboxOptions,
  tell: (reason: string) => void,
) {
  const meta = openSandboxMeta(db, options);
  const clock = createSandboxClock({ offsetMs: meta.clockOffsetMs });
  const random = createSandboxRandom(options.seed ?? null, meta.run);
  const settings = { ...defaultSettings, ...options.settings };
  const wallets = createWallets(db);
  const payments = createPaymentStore(db);
  const keys = createPublicKeys(db);
  const commit = createGroupCommit(db, logFile, {
    beforeCommit() {
      admissions.decideAll();
      wallets.writeChanged();
    },
    onRollback() {
      admissions.forgetAll();
      wallets.reload();
    },
  });
  const admissions = createAdmissions(commit, payments);
  const webhooks = createWebhookQueue({
    db,
    clock,
    random,
    schedule: settings.retries,
    allowedHosts: settings.allowedCallbackHosts,
    signing: settings.webhookSigning,
    onAttempt: () => tell('delivery'),
  });
  const onSettled = (): void => tell('payment');
  const settlement = createSettlement({ clock, commit, payments, wallets, webhooks, onSettled });
  // Fourteen digits: below 2^48, which is what an id of a request has room for.
  let lastNumber = Number(payments.largestUuid() ?? random.numericId().slice(0, 14));
  const refusals = createRefusalCounter();
  const context: SandboxContext = {
    clock,
    random,
    commit,
    payments,
    admissions,
    wallets,
    keys,
    tokens: createAccessTokens({ secret: meta.tokenSecret, subject: meta.consumerKey, clock }),
    webhooks,
    credentials: { consumerKey: meta.consumerKey, consumerSecret: meta.consumerSecret },
    allowsPlainHttp: (hostname) =>
      isLoopbackName(hostname) || context.settings.allowedCallbackHosts.includes(hostname),
    settings,
    faults: { ...noFaults, ...options.faults },
    nextNumber: () => ++lastNumber,
    countRefusal: refusals.count,
    forgetRefusals: refusals.clear,
    wakeSettlement: settlement.wake,
  };
  return { context, settlement, saveClockOffset: meta.saveClockOffset };
}

function createRefusalCounter() {
  const counts = new Map<string, number>();
  return {
    count(reference: string): number {
      const next = (counts.get(reference) ?? 0) + 1;
      counts.delete(reference);
      counts.set(reference, next);
      if (counts.size > MOST_COUNTED_REFERENCES) counts.delete(counts.keys().next().value ?? '');
      return next;
    },
    clear: () => counts.clear(),
  };
}

/** Admin and checkout are loaded when first asked for: they are no part of the first answer. */
function createSideDoors(
  context: SandboxContext,
  settlement: Settlement,
  controls: SandboxControls,
  adminToken: string,
) {
  const { payments, commit } = context;
  return [
    {
      prefix: '/_sandbox/',
      open: openLater(async () =>
        (await import('./admin/admin-routes')).createAdminDoor({ controls, adminToken }),
      ),
    },
    {
      prefix: '/checkout/',
      open: openLater(async () =>
        (await import('./payments/checkout-routes')).createCheckoutDoor({ payments, settlement, commit }),
      ),
    },
  ];
}

function openLater(load: () => Promise<SideDoor>): SideDoor {
  let door: SideDoor | null = null;
  return (...visit) => {
    if (door !== null) return door(...visit);
    void load().then((loaded) => {
      door = loaded;
      loaded(...visit);
    });
  };
}

function createClose(
  store: SandboxStore,
  server: Server,
  quick: { closeIdle(): void; closeAll(): void },
  context: SandboxContext,
  settlement: Settlement,
  closeNotice: () => void,
): () => Promise<void> {
  let closing: Promise<void> | null = null;
  const close = async (): Promise<void> => {
    settlement.stop();
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    context.commit.flush();
    quick.closeIdle();
    server.closeIdleConnections();
    await context.webhooks.stop();
    quick.closeAll();
    server.closeAllConnections();
    await closed;
    context.commit.flush();
    await context.commit.whenIdle();
    context.keys.close();
    context.clock.close();
    closeNotice();
    store.close();
  };
  return () => (closing ??= close());
}
