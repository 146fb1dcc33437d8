import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '@shared/errors';
import { holdFolder, type HeldFolder } from '../platform/files/process-lock';
import { createChangeNotice } from './admin/change-notice';
import { createSandboxControls, type SandboxControls } from './admin/sandbox-controls';
import { tellStoreFaults } from './admin/tell-store-faults';
import { createRateLimiter } from './admission/rate-limiter';
import { createContext } from './create-context';
import type { HttpParts } from './http/receive-request';
import { createRequestLog, type RequestLog } from './requests/request-log';
import { checkRequestStore, openRequestStore } from './requests/request-store';
import { toStoredRequest } from './requests/stored-request';
import type { SandboxOptions } from './sandbox-options';
import { openSandboxMeta, type SandboxMeta } from './store/sandbox-meta';
import { openSandboxStore, storeName, type SandboxStore } from './store/sandbox-store';

/** How long what is under way is waited for before a store is closed. */
const DRAIN_MS = 5000;
const DRAIN_STEP_MS = 5;

/** One payments service by itself: its store, its money, its credentials, its log. Nothing of it is another's. */
export interface Tenancy extends HttpParts {
  readonly controls: SandboxControls;
  readonly meta: SandboxMeta;
  /** Begins to settle payments and to send webhooks. @param baseUrl - where it answers */
  start(baseUrl: string): void;
  /** Lets what is under way end, stops deliveries (they stay pending) and closes the store. */
  close(): Promise<void>;
}

/**
 * Opens a payments service on a folder, or in memory; it answers nothing before it is given requests.
 *
 * @throws {AppError} `sandbox.folder_in_use`, `keys.*` for a public key that cannot be registered, `platform.*` of the store
 */
export function openTenancy(options: SandboxOptions): Tenancy {
  const held = options.dataDirectory === undefined ? null : takeFolder(options.dataDirectory);
  try {
    if (options.dataDirectory !== undefined) checkRequestStore(options.dataDirectory);
    const store = openSandboxStore(options.dataDirectory, options);
    try {
      return putTogether(store, held, options);
    } catch (error) {
      store.close();
      throw error;
    }
  } catch (error) {
    held?.release();
    throw error;
  }
}

/** Two sandboxes on one store would each spend the same money. */
function takeFolder(directory: string): HeldFolder {
  const taken = holdFolder(directory, 'sandbox', storeName);
  if (taken.held !== null) return taken.held;
  const { baseUrl = null } = taken.holder;
  throw new AppError(
    'sandbox.folder_in_use',
    baseUrl === null
      ? `Another process has the sandbox of ${directory}. Use that one, or give this one another folder.`
      : `The sandbox of ${directory} runs already, at ${baseUrl}. Use that one, or give this one another folder.`,
    { details: { baseUrl, directory } },
  );
}

function putTogether(store: SandboxStore, held: HeldFolder | null, options: SandboxOptions): Tenancy {
  const notice = createChangeNotice(options.onChange);
  const meta = openSandboxMeta(store.db, options);
  const context = createContext(store, meta, options, notice);
  if (options.publicKeys !== undefined && options.publicKeys.length > 0) {
    context.keys.register(options.publicKeys, 'add');
  }
  const limiter = createRateLimiter(context.settings.rateLimit, () => context.clock.now());
  const { consumerSecret } = context.credentials;
  const openLog = () => openRequestStore(options.dataDirectory, options.onRescued ?? (() => undefined));
  const log = tellRequests(createRequestLog({ consumerSecret, openStore: openLog }), consumerSecret, options);
  const tenancy: Tenancy = {
    context,
    limiter,
    log,
    meta,
    underWay: 0,
    onChange: notice.tell,
    controls: tellStoreFaults(
      createSandboxControls({ context, store, meta, limiter, log, notice }),
      store.file,
    ),
    start(baseUrl) {
      context.baseUrl = baseUrl;
      held?.tell({ baseUrl });
      context.settlement.start();
      context.webhooks.start();
    },
    async close() {
      context.settlement.stop();
      for (let waited = 0; tenancy.underWay > 0 && waited < DRAIN_MS; waited += DRAIN_STEP_MS) {
        await delay(DRAIN_STEP_MS);
      }
      context.commit.flush();
      await context.webhooks.stop();
      context.commit.flush();
      await context.commit.afterCommit();
      context.keys.close();
      context.clock.close();
      notice.close();
      log.close();
      store.close();
      held?.release();
    },
  };
  return tenancy;
}

/** Tells of each request: counted at once, masked as it is kept in a turn after its answer. */
function tellRequests(
  log: RequestLog,
  consumerSecret: string,
  { onRequest, onAnswer, tenant = null }: SandboxOptions,
): RequestLog {
  if (onRequest === undefined && onAnswer === undefined) return log;
  return {
    ...log,
    add(request) {
      log.add(request);
      onAnswer?.(request);
      if (onRequest !== undefined) {
        setImmediate(() => onRequest(toStoredRequest(request, consumerSecret), tenant));
      }
    },
  };
}
