import type { Handlers, HandlersOf } from '@shared/contract/contract';
import { environmentPlaces, formatEnvironmentId, readEnvironmentName } from '@shared/contract/environment-id';
import type { EventBus } from '@shared/contract/events';
import type { ConnectionPart } from '@shared/contract/environment-setup';
import type { KeySummary, VaultStatus } from '@shared/contract/vault';
import { AppError } from '@shared/errors';
import type { Product } from '@shared/payments/tables/products';
import type { Ports } from '../../platform/ports';
import { errorsOf } from '../errors-of';
import type { VaultFacts } from '../environments/create-environments-service';
import { VaultCredentials, type Credentials } from './vault-credentials';
import { VaultKeys, type NewKey } from './vault-keys';
import type { SigningKey } from '../signing/key-source';
import type { StoredRecord } from './vault-file';
import type { SealedVariables } from '../environments/secret-variables';
import { VaultStore } from './vault-store';
import { createVaultVariables } from './vault-variables';

const CredentialsError = errorsOf<'credentials'>();

export interface VaultDeps {
  ports: Pick<Ports, 'clock' | 'random' | 'logger' | 'dataDirectory' | 'osKeychain' | 'host'>;
  events: EventBus;
  /** Of the settings; left out: the vault never locks by itself. */
  autoLockMinutes?: () => number;
  /** What the app calls an environment; left out: the name in its id. */
  labelOf?: (id: string) => string;
  /** Left out: any id is taken. */
  hasEnvironment?: (id: string) => boolean | Promise<boolean>;
  /** Refuses where what is kept for an environment is for another address than it has; left out: never. */
  requireBound?: (id: string) => Promise<unknown>;
  /** Binds what is to be kept for an environment to the address that it has; left out: nothing is bound. */
  bind?: (id: string) => void;
  /** What the name of an environment meant before it had an id; left out: one of the data directory. */
  identifyEnvironment?: (name: string) => string;
  /** Left out: `COUNTERSIGN_PASSPHRASE`. */
  passphrase?: string | null;
}

export interface VaultService {
  handlers: HandlersOf<'vault' | 'keys' | 'credentials'>;
  /** The sealed records themselves, for services that keep secrets of their own kind. */
  store: VaultStore;
  status(): Promise<VaultStatus>;
  /** @throws {AppError} `keys.none_for_environment`, `keys.unknown`, `keys.wrong_environment`, `vault.*` */
  getSigningKey(environment: string, keyId?: string, overrideConfirmation?: string): Promise<SigningKey>;
  /** Every key's public half, locked ones included. */
  listPublicKeys(): Promise<KeySummary[]>;
  generateKey(key: NewKey): Promise<KeySummary>;
  /** @throws {AppError} `vault.locked`, `vault.damaged`, `vault.unreadable` */
  getCredentials(environment: string, product?: Product | null): Promise<Credentials | null>;
  saveCredentials(environment: string, credentials: Credentials, product?: Product | null): Promise<void>;
  /** Values of environment variables. */
  variables: SealedVariables;
  /** Secret parts of connections. */
  connections: SealedVariables;
  /** Passwords of team inboxes. */
  teamStores: SealedVariables;
  /** What the vault has for an environment; an unreadable vault has nothing to tell. */
  facts(environment: string): Promise<VaultFacts>;
  /** Moves keys, credentials and tokens with an environment that got another name. */
  renameEnvironment(previous: string, next: string): Promise<void>;
  close(): void;
}

/** What belongs to an environment, and goes with it. */
const recordKinds = ['key', 'credentials', 'token', 'variable', 'connection'];
const IDLE_CHECK_MS = 10_000;

/** Makes the vault's service: keys, credentials, lock and passphrase over one sealed file. */
export function createVaultService(deps: VaultDeps): VaultService {
  const { ports, events } = deps;
  const store = new VaultStore({
    ...ports,
    passphrase: readPassphrase(deps.passphrase),
    autoLockMinutes: deps.autoLockMinutes ?? (() => 0),
    identifyEnvironment:
      deps.identifyEnvironment ?? ((name) => formatEnvironmentId(environmentPlaces.data, name)),
    onChange: () => {
      keys.forgetParsed();
      events.emit('vault.changed', {});
    },
  });
  const keys = new VaultKeys({ ...ports, store, labelOf: deps.labelOf ?? readEnvironmentName });
  const credentials = new VaultCredentials({ ...ports, store });
  const timer = setInterval(() => store.lockWhenIdle(), IDLE_CHECK_MS);
  timer.unref();

  const status = async (): Promise<VaultStatus> => {
    const standing = await store.status();
    const keyCount = standing.state === 'unreadable' ? 0 : (await keys.list()).length;
    return { ...standing, keyCount };
  };
  return {
    store,
    status,
    handlers: {
      ...keys.handlers,
      ...credentials.handlers,
      ...createLockHandlers(store, status),
      'credentials.save': async ({ environment, product, ...values }) => {
        await requireEnvironment(deps, environment);
        await prepareToKeep(deps, store, environment);
        await credentials.save(environment, values, product);
        return {};
      },
      ...createBindingHandlers(keys, (environment) => prepareToKeep(deps, store, environment)),
    },
    async getSigningKey(environment, keyId, confirmation) {
      await deps.requireBound?.(environment);
      return keys.getForSigning(environment, keyId, confirmation);
    },
    listPublicKeys: () => keys.list(),
    generateKey: (key) => keys.generate(key),
    async getCredentials(environment, product = null) {
      await deps.requireBound?.(environment);
      return credentials.get(environment, product);
    },
    saveCredentials: (environment, values, product = null) => credentials.save(environment, values, product),
    variables: createVaultVariables({ ...ports, store, kind: 'variable' }),
    connections: createVaultVariables({ ...ports, store, kind: 'connection' }),
    teamStores: createVaultVariables({ ...ports, store, kind: 'team_store' }),
    facts: (environment) => readFacts(environment, store, keys, credentials),
    renameEnvironment: (previous, next) => renameEnvironment(store, previous, next),
    close: () => clearInterval(timer),
  };
}

/** What is kept for an environment is kept for the address that it has now: one address for all of it. */
async function prepareToKeep(
  { requireBound, bind }: VaultDeps,
  store: VaultStore,
  environment: string | null | undefined,
): Promise<void> {
  if (environment === null || environment === undefined) return;
  if (await holdsSecrets(store, environment)) await requireBound?.(environment);
  else bind?.(environment);
}

type BindingHandlers = Pick<Handlers, 'keys.generate' | 'keys.import' | 'keys.update'>;

function createBindingHandlers(
  { handlers }: VaultKeys,
  prepare: (environment: string | null | undefined) => Promise<void>,
): BindingHandlers {
  return {
    'keys.generate': async (input) => {
      await prepare(input.environment);
      return handlers['keys.generate'](input);
    },
    'keys.import': async (input) => {
      await prepare(input.environment);
      return handlers['keys.import'](input);
    },
    'keys.update': async (input) => {
      await prepare(input.environment);
      return handlers['keys.update'](input);
    },
  };
}

async function holdsSecrets(store: VaultStore, environment: string): Promise<boolean> {
  const kinds = await Promise.all(recordKinds.map((kind) => store.list(kind)));
  return kinds.flat().some((record) => record.environment === environment);
}

type LockHandlers = Pick<Handlers, 'vault.status' | 'vault.unlock' | 'vault.lock' | 'vault.setPassphrase'>;

function createLockHandlers(store: VaultStore, status: () => Promise<VaultStatus>): LockHandlers {
  return {
    'vault.status': status,
    'vault.unlock': async ({ passphrase }) => {
      await store.unlock(passphrase);
      return status();
    },
    'vault.lock': () => {
      store.lock();
      return status();
    },
    'vault.setPassphrase': async ({ current, next }) => {
      await store.setPassphrase(current, next);
      return status();
    },
  };
}

async function renameEnvironment(store: VaultStore, previous: string, next: string): Promise<void> {
  if (!(await holdsSecrets(store, previous))) return;
  const isMoved = (record: StoredRecord): boolean => record.environment === previous;
  await store.edit((records) => ({
    changes: records
      .filter((record) => isMoved(record) && !record.isLocked)
      .map((record) => ({
        kind: 'replace',
        record,
        fields: {
          ...record.open,
          environment: next,
          name: record.kind === 'credentials' ? readEnvironmentName(next) : record.name,
        },
      })),
    result: undefined,
  }));
}

async function readFacts(
  environment: string,
  store: VaultStore,
  keys: VaultKeys,
  credentials: VaultCredentials,
): Promise<VaultFacts> {
  try {
    const key = await keys.choose(environment);
    return {
      keyId: key?.id ?? null,
      hasCredentials: await credentials.has(environment),
      holdsSecrets: await holdsSecrets(store, environment),
      sealedParts: await listParts(store, environment),
    };
  } catch (error) {
    if (error instanceof AppError && error.code === 'vault.unreadable')
      return { keyId: null, hasCredentials: false, holdsSecrets: false, sealedParts: [] };
    throw error;
  }
}

async function listParts(store: VaultStore, environment: string): Promise<ConnectionPart[]> {
  const names = (await store.list('connection'))
    .filter((record) => record.environment === environment)
    .map(({ name }) => name as ConnectionPart);
  return [...new Set(names)];
}

async function requireEnvironment({ hasEnvironment }: VaultDeps, id: string): Promise<void> {
  if (hasEnvironment === undefined || (await hasEnvironment(id))) return;
  const name = readEnvironmentName(id);
  throw new CredentialsError(
    'environments.unknown',
    `There is no environment '${name}'. Choose one of those in the list.`,
    {
      details: { name },
    },
  );
}

function readPassphrase(given: string | null | undefined): string | null {
  const value = given === undefined ? process.env['COUNTERSIGN_PASSPHRASE'] : given;
  return value === undefined || value === '' ? null : value;
}
