import { randomBytes, randomUUID } from 'node:crypto';
import { findWorker } from './find-worker';
import { createFileLogger } from './logger';
import type { Clock, HttpClient, Logger, Ports, Random, SecretBox, SettingsStore } from './ports';
import { openSettings } from './settings-store';
import { startNodeWorker } from './worker-rpc';

export interface NodePortsOptions {
  host: Ports['host'];
  /** As `prepareDataDirectory` gave it. */
  dataDirectory: string;
  version: string;
  osKeychain?: SecretBox | null;
  /** The desktop host passes its electron-store here; left out: conf. */
  settings?: SettingsStore;
  logger?: Logger;
  /** The desktop host's way out; see `Ports`. */
  openExternal?: Ports['openExternal'];
}

export const systemClock: Clock = { now: () => Date.now(), monotonicMs: () => performance.now() };

export const systemRandom: Random = { bytes: (count) => randomBytes(count), uuid: () => randomUUID() };

/** Builds the ports of a host that runs on Node or Electron. What is heavy (HTTP, settings) loads when it is used. */
export async function createNodePorts(options: NodePortsOptions): Promise<Ports> {
  const { host, dataDirectory, version, osKeychain = null, openExternal } = options;
  return {
    host,
    version,
    dataDirectory,
    clock: systemClock,
    random: systemRandom,
    logger: options.logger ?? createFileLogger({ dataDirectory, clock: systemClock }),
    osKeychain,
    settings: options.settings ?? (await openSettings(dataDirectory, systemClock)),
    http: createLazyHttpClient(),
    startWorker: (name, workerOptions) => startNodeWorker(findWorker(name), workerOptions),
    ...(openExternal === undefined ? {} : { openExternal }),
  };
}

/** The HTTP client, loaded with the first call. */
export function createLazyHttpClient(): HttpClient {
  let client: Promise<HttpClient> | null = null;
  return async (call) => {
    client ??= import('./http-client').then(({ createHttpClient }) => createHttpClient());
    return (await client)(call);
  };
}
