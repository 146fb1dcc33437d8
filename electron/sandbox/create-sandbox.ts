import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { listenOn, writeLocalUrl } from '../platform/http/listen-on';
import type { Http1Server } from '../platform/http1/create-http1-server';
import type { SandboxControls } from './admin/sandbox-controls';
import { createHttpAdapter, type AnswerRoute, type PrefixRoute } from './http/http-adapter';
import { openTenancy, type Tenancy } from './open-tenancy';
import { DEFAULT_PORT, type SandboxOptions } from './sandbox-options';
import type { StepListener } from './scenario/play-scenario';
import type { ScenarioStep } from './scenario/scenario-file';
import { createTenantFinder } from './tenants/find-tenant';
import { openTenants, type Tenants } from './tenants/open-tenants';

export type { SandboxOptions } from './sandbox-options';

/** A running sandbox. The secrets are for the one who started it: no other part of it tells them. */
export interface Sandbox extends SandboxControls {
  readonly baseUrl: string;
  readonly consumerKey: string;
  readonly consumerSecret: string;
  readonly adminToken: string;
  /** Those who share it, each with a payments service of their own. */
  readonly tenants: Tenants;
  /** Plays a scenario from now on, over the sandbox's clock. */
  play(steps: readonly ScenarioStep[], onStep: StepListener): Promise<void>;
  /** Says why it should be given no requests now; null: it is ready. */
  findTrouble(): Promise<string | null>;
  /** Takes no more requests, answers what is under way, stops deliveries (they stay pending) and closes the store. */
  close(): Promise<void>;
}

/** How long answers that are under way have, less than what an engine of containers gives the whole program. */
const GRACE_MS = 8000;

/**
 * Starts the embedded payments service, on 127.0.0.1 where no other address is named.
 *
 * With a data directory everything is durable: an answer is sent after its commit, and what was under way
 * (payments, webhooks) goes on at the next start. Without one it lives in memory.
 * @throws {AppError} `sandbox.folder_in_use`, `sandbox.port_in_use`, `keys.*` for a public key that cannot be registered, `platform.*` of the store
 * @source design 5; payments-service-interface
 */
export async function createSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const own = openTenancy(options);
  const opened: (() => Promise<void>)[] = [own.close];
  try {
    const tenants = openTenants(own, options);
    opened.unshift(() => tenants.close());
    return await serve(own, tenants, options);
  } catch (error) {
    for (const close of opened) await close();
    throw error;
  }
}

async function serve(own: Tenancy, tenants: Tenants, options: SandboxOptions): Promise<Sandbox> {
  const { port = DEFAULT_PORT, alternatives = 0, host, tls = null } = options;
  const adminToken = options.adminToken ?? `sa_${randomBytes(24).toString('hex')}`;
  const http = createHttpAdapter({
    find: createTenantFinder(own, tenants),
    drawId: () => own.context.numbers.drawId(),
    routes: createRoutes(own, tenants, adminToken),
    tls,
  });
  const got = await listenOn(http.server, 'sandbox', { port, alternatives, host });
  const baseUrl = writeLocalUrl(host, got, tls !== null);
  own.start(baseUrl);
  tenants.start(baseUrl);
  let closing: Promise<void> | null = null;
  return {
    ...own.controls,
    ...own.context.credentials,
    baseUrl,
    adminToken,
    tenants,
    async play(steps, onStep) {
      const { playScenario } = await import('./scenario/play-scenario');
      playScenario(own.context, own.controls, steps, onStep);
    },
    findTrouble: () => (closing === null ? findTrouble(own) : Promise.resolve('It is being stopped.')),
    close: () => (closing ??= close(http, tenants, own)),
  };
}

async function close(http: Http1Server, tenants: Tenants, own: Tenancy): Promise<void> {
  const closed = http.close();
  const giveUp = new AbortController();
  await Promise.race([closed, delay(GRACE_MS, undefined, { signal: giveUp.signal }).catch(() => undefined)]);
  giveUp.abort();
  http.destroyConnections();
  await closed;
  await tenants.close();
  await own.close();
}

/** Writes to the store and waits for the disk: a sandbox that cannot is of no use to anyone. */
async function findTrouble({ context, meta }: Tenancy): Promise<string | null> {
  try {
    context.commit.write(() => meta.noteCheck());
    const failure = await context.commit.afterCommit();
    if (failure === null) return null;
    throw failure;
  } catch (error) {
    return `The store cannot be written: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function createRoutes(own: Tenancy, tenants: Tenants, adminToken: string): PrefixRoute[] {
  return [
    {
      prefix: '/_sandbox/',
      load: loadOnce(async () => {
        const { createAdminRoutes } = await import('./admin/admin-routes');
        return createAdminRoutes({ controls: own.controls, tenants, adminToken, scheme: own.context.scheme });
      }),
    },
    {
      prefix: '/checkout/',
      load: loadOnce(async () => {
        const { createCheckoutRoutes } = await import('./payments/checkout-routes');
        return createCheckoutRoutes(() => [own.context, ...tenants.listContexts()]);
      }),
    },
  ];
}

function loadOnce(load: () => Promise<AnswerRoute>): () => Promise<AnswerRoute> {
  let loaded: Promise<AnswerRoute> | null = null;
  return () => (loaded ??= load());
}
