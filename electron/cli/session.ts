import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { AppError } from '@shared/errors';
import type { OpenCollection } from '@shared/contract/collections';
import type { EnvironmentRecord } from '@shared/contract/environments';
import { environmentPlaces, formatEnvironmentId } from '@shared/contract/environment-id';
import type { Product } from '@shared/payments/tables/products';
import { findUsualDataDirectory, prepareDataDirectory } from '../platform/data-directory';
import { createEventBus } from '../platform/event-bus';
import { createLazyHttpClient, createNodePorts, systemClock, systemRandom } from '../platform/node-ports';
import type { Ports } from '../platform/ports';
import { createCollectionRegistry } from '../services/collections/collection-registry';
import type { ExchangeRecorder } from '../services/history/create-history-service';
import type { SendingService } from '../services/sending/create-sending-service';
import type { KeySource } from '../services/signing/key-source';
import {
  createTokensService,
  readGivenSecrets,
  type TokensService,
} from '../services/tokens/create-tokens-service';
import type { VaultService } from '../services/vault/create-vault-service';
import type { CommandContext } from './command';
import { createFileKeys } from './file-keys';
import { readSigningKey } from './read-keys';
import { usageError } from './usage-error';

/** Options of every command that talks to a service. */
export const serviceOptions = {
  env: { type: 'text', placeholder: 'NAME', help: 'Environment of the data directory or of the collection' },
  'base-url': { type: 'text', placeholder: 'URL', help: 'Base address of the service, instead of --env' },
  data: { type: 'text', placeholder: 'DIR', help: "Data directory; the app's own where left out" },
  'timeout-ms': {
    type: 'integer',
    placeholder: 'N',
    help: 'Longest wait for one answer',
    min: 1,
    max: 600_000,
    fallback: 30_000,
  },
} as const;

export const keyOption = {
  type: 'text',
  placeholder: 'PEM',
  help: "Private key to sign with; the environment's own of the vault where left out",
} as const;

export const serviceNotes = [
  'Credentials come from the vault, or from COUNTERSIGN_CONSUMER_KEY and COUNTERSIGN_CONSUMER_SECRET, or a token from COUNTERSIGN_TOKEN.',
];

interface SessionValues {
  readonly env: string | undefined;
  readonly 'base-url': string | undefined;
  readonly data: string | undefined;
  readonly 'timeout-ms': number;
  readonly key?: string | undefined;
}

/** What a command needs to talk to one service. */
export interface Session {
  readonly environment: EnvironmentRecord;
  readonly timeoutMs: number;
  readonly ports: Pick<Ports, 'clock' | 'random' | 'http'>;
  readonly tokens: TokensService;
  readonly keys: KeySource;
  /** Null where no data directory is used: nothing is kept then. */
  readonly dataDirectory: string | null;
  /** Signs and sends; loaded with the first call. */
  sending(): Promise<SendingService>;
  /** The record of one environment, for services that look it up. */
  readonly environments: { get(id: string): EnvironmentRecord };
  bearer(product: Product, options?: { isForced?: boolean }): Promise<string>;
  close(): void;
}

const temporaryName = 'command line';

/**
 * Opens what a command needs: with `--base-url` nothing but the address and what was given from outside, else the
 * environments and the vault of a data directory.
 *
 * @param collection - folder whose `http-client.env.json` counts; left out: the open collection's
 * @throws {AppError} `environments.*`, `keys.*`, `platform.*`, `cli.usage`
 */
export async function openSession(
  context: CommandContext,
  values: SessionValues,
  collection?: string,
): Promise<Session> {
  if (values.env !== undefined && values['base-url'] !== undefined) {
    throw usageError('--env and --base-url exclude each other.');
  }
  const fileKey = values.key === undefined ? null : await readSigningKey(context, values.key);
  const keys = fileKey === null ? null : createFileKeys(fileKey);
  if (values['base-url'] !== undefined && values.data === undefined) {
    return openBare(values, values['base-url'], keys);
  }
  return openData(values, keys, collection);
}

async function openBare(values: SessionValues, baseUrl: string, keys: KeySource | null): Promise<Session> {
  const { readBaseUrl } = await import('../services/environments/base-url');
  const address = readBaseUrl(baseUrl);
  const environment: EnvironmentRecord = {
    id: formatEnvironmentId(environmentPlaces.run, temporaryName),
    name: temporaryName,
    label: temporaryName,
    kind: 'sandbox',
    baseUrl: address,
    variables: { base_url: address },
    source: 'run',
  };
  const ports = { clock: systemClock, random: systemRandom, http: createLazyHttpClient() };
  const given = readGivenSecrets();
  const tokens = createTokensService({
    ports,
    vault: { store: refuseVault(), getCredentials: () => Promise.resolve(null) },
    requireBound: () => Promise.resolve(environment),
    requestTimeoutMs: () => values['timeout-ms'],
    given,
  });
  const signingKeys = keys ?? createFileKeys(null);
  const environments = { get: () => environment, requireBound: () => Promise.resolve(environment) };
  const bearer: Session['bearer'] = (product, options) => {
    if (given.token === null && given.credentials === null) {
      throw new AppError(
        'tokens.no_credentials',
        'No credentials: set COUNTERSIGN_CONSUMER_KEY and COUNTERSIGN_CONSUMER_SECRET, or COUNTERSIGN_TOKEN.',
      );
    }
    return tokens.getBearer(environment.id, product, options);
  };
  return {
    environment,
    timeoutMs: values['timeout-ms'],
    ports,
    tokens,
    keys: signingKeys,
    dataDirectory: null,
    environments,
    bearer,
    async sending() {
      const { createSendingService } = await import('../services/sending/create-sending-service');
      return createSendingService({
        ports,
        keys: signingKeys,
        tokens: { getBearer: (_environment, product, options) => bearer(product, options) },
        environments,
        history: createNoHistory(),
        requestTimeoutMs: () => values['timeout-ms'],
      });
    },
    close: () => undefined,
  };
}

/** A run without a data directory keeps nothing. */
function createNoHistory(): ExchangeRecorder {
  let count = 0;
  return {
    nextId: () => String(++count),
    begin: () => undefined,
    finish: () => undefined,
    recordBalances: () => undefined,
  };
}

/** Tokens stay in memory without a vault; whatever asks for its store all the same is a mistake of ours. */
function refuseVault(): VaultService['store'] {
  return new Proxy({} as VaultService['store'], {
    get() {
      throw new AppError('app.internal', 'No vault is open here.');
    },
  });
}

async function openData(
  values: SessionValues,
  keys: KeySource | null,
  collection: string | undefined,
): Promise<Session> {
  const [{ createEnvironmentsService }, { createVaultService }] = await Promise.all([
    import('../services/environments/create-environments-service'),
    import('../services/vault/create-vault-service'),
  ]);
  const dataDirectory = prepareDataDirectory(resolve(values.data ?? findUsualDataDirectory()));
  const ports = await createNodePorts({ host: 'cli', dataDirectory, version: '' });
  const events = createEventBus();
  const collections = findCollections(ports, collection);
  const vault = createVaultService({
    ports,
    events,
    requireBound: (id) => environments.requireBound(id),
    bind: (id) => environments.bind(id),
    identifyEnvironment: (name) => environments.identifyFormer(name),
  });
  const environments = createEnvironmentsService({
    settings: ports.settings,
    events,
    collections: () => collections,
    vaultFacts: (id) => vault.facts(id),
    usesLastLocal: true,
  });
  const baseUrl = values['base-url'];
  const environment =
    baseUrl !== undefined
      ? environments.addTemporary({ name: temporaryName, baseUrl })
      : values.env === undefined
        ? environments.active()
        : environments.getNamed(values.env);
  requireAddress(environment);
  let closeHistory = (): void => undefined;
  const tokens = createTokensService({
    ports,
    vault,
    requireBound: (id) => environments.requireBound(id),
    requestTimeoutMs: () => values['timeout-ms'],
  });
  return {
    environment,
    timeoutMs: values['timeout-ms'],
    ports,
    tokens,
    keys: keys ?? vault,
    dataDirectory,
    environments,
    bearer: (product, options) => tokens.getBearer(environment.id, product, options),
    async sending() {
      const [{ createSendingService }, { createHistoryService }] = await Promise.all([
        import('../services/sending/create-sending-service'),
        import('../services/history/create-history-service'),
      ]);
      const history = createHistoryService({ ports, events });
      closeHistory = () => history.close();
      return createSendingService({
        ports,
        keys: keys ?? vault,
        tokens,
        environments,
        history,
        requestTimeoutMs: () => values['timeout-ms'],
      });
    },
    close() {
      closeHistory();
      vault.close();
    },
  };
}

function requireAddress({ name, source, baseUrl }: EnvironmentRecord): void {
  if (baseUrl !== '') return;
  throw new AppError(
    'environments.no_address',
    source === 'builtin'
      ? 'The address of the local sandbox is not known: start the app, or name a service with --env or --base-url.'
      : `'${name}' has no base_url. Add one in http-client.env.json, or name the address with --base-url.`,
  );
}

/** The collection of the folder given, else of the folder here or above; without one, those that the app has open. */
function findCollections(
  ports: Pick<Ports, 'settings' | 'random'>,
  folder: string | undefined,
): readonly OpenCollection[] {
  const registry = createCollectionRegistry({ ...ports, usual: null });
  const here = folder ?? findEnvironmentFolder(process.cwd());
  return here === null ? registry.list() : [registry.identify(here)];
}

/** Walks up from a folder to the first with an `http-client.env.json`; null without one. */
export function findEnvironmentFolder(folder: string): string | null {
  for (let at = resolve(folder); ; at = dirname(at)) {
    if (existsSync(join(at, 'http-client.env.json'))) return at;
    if (dirname(at) === at) return null;
  }
}
