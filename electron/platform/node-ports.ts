import { randomBytes, randomUUID } from 'node:crypto';
import type { ResourceLimits } from 'node:worker_threads';
import { findWorker } from './workers/find-worker';
import { nothingGiven } from './given';
import { createFileLogger } from './logger';
import { requireKept } from './files/kept-folder';
import { createMemorySettings } from './files/memory-settings';
import type {
  Clock,
  HostPorts,
  HttpClient,
  Logger,
  Random,
  SecretBox,
  SettingsStore,
  WorkerName,
} from './ports';
import { startNodeWorker } from './workers/worker-rpc';

/**
 * What a webhook makes dies with its answer, and a small nursery holds it as well: V8’s own takes 20 MB more once 20,000
 * have come.
 */
const heapLimits: { readonly [name in WorkerName]?: ResourceLimits } = {
  listener: { maxYoungGenerationSizeMb: 12 },
};

export interface NodePortsOptions {
  host: HostPorts['host'];
  /** As `prepareDataDirectory` gave it; null: nothing is kept. */
  dataDirectory: string | null;
  version: string;
  osKeychain?: SecretBox | null;
  /** The desktop host opens its electron-store here; left out: conf. */
  openSettings?(): Promise<SettingsStore>;
  logger?: Logger;
  onNotice?: HostPorts['onNotice'];
  /** Of the command line; see `Ports`. */
  listOwnProduction?: HostPorts['listOwnProduction'];
  /** Left out: what the environment variables say. */
  given?: HostPorts['given'];
  /** What the desktop host has besides; see `Ports`. */
  desktop?: Pick<
    HostPorts,
    'openExternal' | 'chooseFolder' | 'revealPath' | 'takeLink' | 'showActions' | 'comeToFront'
  >;
}

export const systemClock: Clock = { now: () => Date.now(), monotonicMs: () => performance.now() };

export const systemRandom: Random = { bytes: (count) => randomBytes(count), uuid: () => randomUUID() };

/** Builds the ports of a host that runs on Node or Electron. What is heavy (HTTP, settings) loads when it is used. */
export function createNodePorts(options: NodePortsOptions): HostPorts {
  const { host, dataDirectory, version, osKeychain = null, desktop = {} } = options;
  return {
    host,
    version,
    dataDirectory,
    clock: systemClock,
    random: systemRandom,
    logger: options.logger ?? createLogger(dataDirectory),
    osKeychain,
    openSettings: options.openSettings ?? (() => openUsualSettings(dataDirectory, options.onNotice)),
    http: createLazyHttpClient(),
    given: options.given ?? nothingGiven,
    onNotice: options.onNotice,
    listOwnProduction: options.listOwnProduction,
    startWorker(name, workerOptions) {
      // It would open what it finds there for the folder that this one uses.
      if (dataDirectory !== null) requireKept(dataDirectory);
      return startNodeWorker(findWorker(name), workerOptions, heapLimits[name]);
    },
    ...desktop,
  };
}

function createLogger(dataDirectory: string | null): Logger {
  if (dataDirectory === null) return { log: () => undefined };
  return createFileLogger({ dataDirectory, clock: systemClock });
}

async function openUsualSettings(
  dataDirectory: string | null,
  onNotice?: (notice: string) => void,
): Promise<SettingsStore> {
  if (dataDirectory === null) return createMemorySettings();
  const { openSettings } = await import('./files/settings-store');
  const settings = await openSettings(dataDirectory, systemClock);
  if (settings.notice) onNotice?.(settings.notice);
  return settings;
}

/** The HTTP client, loaded with the first call. */
function createLazyHttpClient(): HttpClient {
  let client: Promise<HttpClient> | null = null;
  return async (call) => {
    client ??= import('./http/http-client').then(({ createHttpClient }) => createHttpClient());
    return (await client)(call);
  };
}
