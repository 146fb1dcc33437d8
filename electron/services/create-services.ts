import { join } from 'node:path';
import type { Handlers, MethodName } from '@shared/contract/contract';
import type { EventBus } from '@shared/contract/events';
import type { KnownEnvironment } from '@shared/http-file/find-production';
import type { Listener, ListenerOptions } from '../listener/create-listener';
import type { TeamListener, TeamListenerOptions } from '../listener/postgres/create-team-listener';
import type { OwnCalls } from '../lens/golive/read-evidence';
import { createEventBus } from '../platform/event-bus';
import { keepFolder, requireKept } from '../platform/files/kept-folder';
import type { HostPorts } from '../platform/ports';
import type { Sandbox } from '../sandbox/create-sandbox';
import type { SandboxOptions } from '../sandbox/sandbox-options';
import { makers, readListenerKey, type Capabilities, type CapabilityName, type Maker } from './capabilities';
import { findOwner, requireOwn } from './method-owners';
import type { RunningService } from './running/create-running-service';
import type { Router } from './router';

/** Everything that runs behind a host. */
export interface Services {
  readonly ports: HostPorts;
  readonly events: EventBus;
  /** What hosts and commands call. */
  readonly router: Router;
  /** The payments service by itself, in this thread: what `countersign sandbox` runs. */
  serveSandbox(options: SandboxOptions): Promise<Sandbox>;
  /** A listener by itself, in this thread: what `countersign listen` runs. */
  serveListener(options: Omit<ListenerOptions, 'file'>): Promise<Listener>;
  /** A listener into a team's store: what `countersign listen --store` runs. */
  serveTeamListener(options: Omit<TeamListenerOptions, 'folder'>): Promise<TeamListener>;
  /** Runs requests as tests: what `countersign run` does. */
  running(): Promise<RunningService>;
  /** All that is production: of this folder, of collections that are closed, of the app's own folder. */
  listProduction(): Promise<readonly KnownEnvironment[]>;
  /** What the app itself, and commands for it, sent to its sandbox: no doing of the user's backend. */
  listOwnCalls(): Promise<OwnCalls>;
  /** What must not be shown or kept of what passes to an address, wherever it stands; null: of what passes anywhere. */
  listSecretsThere(target: URL | null): Promise<string[]>;
  /** What an address of that listener seals its private key with; null: the vault cannot be opened. */
  readListenerKey(): Promise<string | null>;
  /** Starts what the app needs without a click: key, sandbox, listener. Failures stand in the status. */
  start(): Promise<void>;
  /** Closes what was made, the latest first. */
  close(): Promise<void>;
}

/**
 * Puts the services together; the only place that does, for every host.
 *
 * Nothing is loaded, opened or started when it returns: a capability is made when it is first asked for.
 */
export function createServices(ports: HostPorts): Services {
  const events = createEventBus((error) =>
    ports.logger.log('error', 'events.listener_failed', { error: String(error) }),
  );
  const { need, needAll, closeAll } = createLazily(ports, events);
  const stopKeeping = ports.dataDirectory === null ? () => undefined : keepFolder(ports.dataDirectory);
  const router = loadRouter(ports, need);
  return {
    ports,
    events,
    router,
    serveSandbox: async (options) => (await import('../sandbox/create-sandbox')).createSandbox(options),
    async serveListener(options) {
      const { createListener } = await import('../listener/create-listener');
      const file = ports.dataDirectory === null ? ':memory:' : join(ports.dataDirectory, 'inbox.db');
      return createListener({ ...options, file });
    },
    async serveTeamListener(options) {
      const { createTeamListener } = await import('../listener/postgres/create-team-listener');
      return createTeamListener({ ...options, folder: ports.dataDirectory });
    },
    running: () => need('running'),
    listProduction: async () => (await need('environments')).listProduction(),
    listOwnCalls: async () => (await need('lens')).listOwn(),
    async listSecretsThere(target) {
      const { listSecretsThere } = await import('./tokens/list-secrets-there');
      return listSecretsThere(target, { ...ports, ...(await needAll('environments', 'tokens')) });
    },
    readListenerKey: () => readListenerKey({ ports, need }),
    async start() {
      // First: everything else may read the folders of the collections.
      await (await need('collections')).start();
      // These, and what they need, tell what happens without being asked; what answers alone waits for its first call.
      await Promise.all([need('app'), need('journey')]);
      const [local, inbox] = await Promise.all([need('local'), need('inbox')]);
      await Promise.all([local.start(), inbox.start()]);
    },
    close: () => closeAll().finally(stopKeeping),
  };
}

/** Makes each capability once. One that could not be made is tried again by whoever asks next. */
function createLazily(
  ports: HostPorts,
  events: EventBus,
): Pick<Maker, 'need' | 'needAll'> & { closeAll(): Promise<void> } {
  const made = new Map<CapabilityName, Promise<unknown>>();
  const closers: (() => unknown)[] = [];
  const notices: string[] = [];
  const notify = (notice: string): void => {
    notices.push(notice);
    ports.onNotice?.(notice);
  };
  const make = async (name: CapabilityName): Promise<unknown> => {
    const capability: object = await makers[name]({ ports, events, notices, notify, need, needAll });
    if ('handlers' in capability) requireOwn(name, capability.handlers as object);
    if ('close' in capability) closers.push(() => (capability.close as () => unknown)());
    return capability;
  };
  const need: Maker['need'] = (name) => {
    const known = made.get(name);
    if (known !== undefined) return known as Promise<Capabilities[typeof name]>;
    const making = make(name);
    made.set(name, making);
    making.catch(() => made.delete(name));
    return making as Promise<Capabilities[typeof name]>;
  };
  const needAll = async <N extends CapabilityName>(
    ...names: readonly N[]
  ): Promise<Pick<Capabilities, N>> => {
    const entries = names.map(async (name) => [name, await need(name)]);
    return Object.fromEntries(await Promise.all(entries)) as Pick<Capabilities, N>;
  };
  return {
    need,
    needAll,
    async closeAll() {
      await Promise.allSettled(made.values());
      const faults: unknown[] = [];
      for (const close of closers.reverse()) {
        // One that fails leaves none of the others open.
        try {
          await close();
        } catch (error) {
          faults.push(error);
        }
      }
      if (faults.length > 0) throw faults[0];
    },
  };
}

/** What must go on while the data folder is away: telling so, and ending what sends or serves. */
const WITHOUT_FOLDER = /^app\.status$|\.(?:stop|cancel(?:Replay|Search)?)$/;

/** The router and the contract's schemas, loaded with the first call: `sandbox` and `listen` start without them. */
function loadRouter({ host, logger, dataDirectory }: HostPorts, need: Maker['need']): Router {
  let loaded: Promise<Router> | null = null;
  const findHandlers = async (method: MethodName): Promise<Partial<Handlers>> => {
    // What is open still would be read, and all else be said to be empty.
    if (dataDirectory !== null && !WITHOUT_FOLDER.test(method)) requireKept(dataDirectory);
    return (await need(findOwner(method)!)).handlers;
  };
  const load = (): Promise<Router> =>
    (loaded ??= import('./router').then(({ createRouter }) => createRouter({ findHandlers, host, logger })));
  return {
    dispatch: async (method, input) => (await load()).dispatch(method, input),
    call: async <M extends MethodName>(method: M, input: unknown) => (await load()).call(method, input),
  };
}
