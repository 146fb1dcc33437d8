import { randomBytes } from 'node:crypto';
import { AppError } from '@shared/errors';
import type { Http1Server } from '../platform/http1/create-http1-server';
import { listenOn } from '../platform/http/listen-on';
import { holdFolder, type HeldFolder } from '../platform/files/process-lock';
import { createChangeNotice, type ChangeNotice } from './admin/change-notice';
import { createSandboxControls, type SandboxControls } from './admin/sandbox-controls';
import { createRateLimiter } from './admission/rate-limiter';
import { createContext } from './create-context';
import { createHttpAdapter, type AnswerRoute, type PrefixRoute } from './http/http-adapter';
import type { SandboxContext } from './sandbox-context';
import { DEFAULT_PORT, type SandboxOptions } from './sandbox-options';
import { createRequestLog, type RequestLog } from './requests/request-log';
import { toStoredRequest } from './requests/stored-request';
import { openRequestStore } from './requests/request-store';
import { openSandboxMeta } from './store/sandbox-meta';
import { openSandboxStore, type SandboxStore } from './store/sandbox-store';

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

/**
 * Starts the embedded payments service on 127.0.0.1.
 *
 * With a data directory everything is durable: an answer is sent after its commit, and what was under way
 * (payments, webhooks) goes on at the next start. Without one it lives in memory.
 * @throws {AppError} `sandbox.folder_in_use`, `sandbox.port_in_use`, `keys.*` for a public key that cannot be registered, `platform.*` of the store
 * @source design 5; payments-service-interface
 */
export async function createSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const held = options.dataDirectory === undefined ? null : takeFolder(options.dataDirectory);
  try {
    const sandbox = await openSandbox(options);
    held?.tell({ baseUrl: sandbox.baseUrl });
    return { ...sandbox, close: () => sandbox.close().finally(() => held?.release()) };
  } catch (error) {
    held?.release();
    throw error;
  }
}

/** Two sandboxes on one store would each spend the same money. */
function takeFolder(directory: string): HeldFolder {
  const taken = holdFolder(directory, 'sandbox');
  if (taken.held !== null) return taken.held;
  const { baseUrl = null } = taken.holder;
  throw new AppError(
    'sandbox.folder_in_use',
    baseUrl === null
      ? `Another process is starting the sandbox of ${directory}. Use that one, or give this one another folder.`
      : `The sandbox of ${directory} runs already, at ${baseUrl}. Use that one, or give this one another folder.`,
    { details: { baseUrl, directory } },
  );
}

async function openSandbox(options: SandboxOptions): Promise<Sandbox> {
  const store = openSandboxStore(options.dataDirectory, options.onRescued);
  try {
    return await startSandbox(store, options);
  } catch (error) {
    store.close();
    throw error;
  }
}

async function startSandbox(store: SandboxStore, options: SandboxOptions): Promise<Sandbox> {
  const notice = createChangeNotice(options.onChange);
  const meta = openSandboxMeta(store.db, options);
  const context = createContext(store, meta, options, notice);
  if (options.publicKeys !== undefined && options.publicKeys.length > 0) {
    context.keys.register(options.publicKeys, 'add');
  }
  const limiter = createRateLimiter(context.settings.rateLimit, () => context.clock.now());
  const log = tellRequests(
    createRequestLog({
      consumerSecret: context.credentials.consumerSecret,
      openStore: () => openRequestStore(options.dataDirectory, options.onRescued ?? (() => undefined)),
    }),
    context.credentials.consumerSecret,
    options.onRequest,
  );
  const controls = createSandboxControls({ context, meta, limiter, log, notice });
  const adminToken = options.adminToken ?? `sa_${randomBytes(24).toString('hex')}`;
  const routes = createRoutes(context, controls, adminToken);
  const http = createHttpAdapter({ context, limiter, log, onChange: notice.tell }, routes);
  const { port = DEFAULT_PORT, alternatives = 0 } = options;
  context.baseUrl = `http://127.0.0.1:${await listenOn(http.server, 'sandbox', { port, alternatives })}`;
  context.settlement.start();
  context.webhooks.start();
  return {
    ...controls,
    ...context.credentials,
    baseUrl: context.baseUrl,
    adminToken,
    close: createClose(store, http, context, log, notice),
  };
}

/** Tells of each request, masked as it is kept, in a turn after its answer. */
function tellRequests(
  log: RequestLog,
  consumerSecret: string,
  onRequest: SandboxOptions['onRequest'],
): RequestLog {
  if (onRequest === undefined) return log;
  return {
    ...log,
    add(request) {
      log.add(request);
      setImmediate(() => onRequest(toStoredRequest(request, consumerSecret)));
    },
  };
}

function createRoutes(context: SandboxContext, controls: SandboxControls, adminToken: string): PrefixRoute[] {
  return [
    {
      prefix: '/_sandbox/',
      load: loadOnce(async () =>
        (await import('./admin/admin-routes')).createAdminRoutes({ controls, adminToken }),
      ),
    },
    {
      prefix: '/checkout/',
      load: loadOnce(async () => (await import('./payments/checkout-routes')).createCheckoutRoutes(context)),
    },
  ];
}

function loadOnce(load: () => Promise<AnswerRoute>): () => Promise<AnswerRoute> {
  let loaded: Promise<AnswerRoute> | null = null;
  return () => (loaded ??= load());
}

function createClose(
  store: SandboxStore,
  http: Http1Server,
  context: SandboxContext,
  log: RequestLog,
  notice: ChangeNotice,
): () => Promise<void> {
  let closing: Promise<void> | null = null;
  const close = async (): Promise<void> => {
    context.settlement.stop();
    const closed = http.close();
    context.commit.flush();
    await context.webhooks.stop();
    http.destroyConnections();
    await closed;
    context.commit.flush();
    await context.commit.afterCommit();
    context.keys.close();
    context.clock.close();
    notice.close();
    log.close();
    store.close();
  };
  return () => (closing ??= close());
}
