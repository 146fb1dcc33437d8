import type { OpenCollection } from '@shared/contract/collections';
import type { HandlersOf } from '@shared/contract/contract';
import type { Environment, EnvironmentRecord } from '@shared/contract/environments';
import {
  environmentPlaces,
  formatEnvironmentId,
  localEnvironmentId,
  readEnvironmentName,
} from '@shared/contract/environment-id';
import type { ConnectionPart } from '@shared/contract/environment-setup';
import type { EventBus, EventMap } from '@shared/contract/events';
import { AppError, toErrorReply } from '@shared/errors';
import type { Product } from '@shared/payments/tables/products';
import { createTurns } from '../../platform/create-turns';
import type { HttpConnection, Logger, Ports, SettingsStore } from '../../platform/ports';
import type { KnownEnvironment } from '@shared/http-file/find-production';
import { isRecord } from '@shared/json/is-record';
import { errorsOf } from '../errors-of';
import { needsNameTyped } from '@shared/contract/needs-name-typed';
import { addEnvironments } from './add-environments';
import { addressChanged, findAddressChange, isOwnWord, readAddress, refuseInsecure } from './address-binding';
import { isUnencrypted, readBaseUrl } from './base-url';
import { readCollectionEnvironments } from './collection-environments';
import { createEnvironmentSecrets, type EnvironmentSecrets } from './environment-secrets';
import type { SealedVariables } from './secret-variables';
import { findConnection, setUpEnvironment, type Destination } from './environment-setups';
import { createEnvironmentStore, type EnvironmentStore, type FormerNames } from './environment-store';
import {
  completeRecord,
  listEnvironments,
  listMovedMarks,
  type BareRecord,
  type EnvironmentSources,
  type KeptParts,
} from './list-environments';
import { hasProduction, listProduction } from './list-production';
import { saveEnvironment, type SaveInput } from './save-environment';
import { createSessionValues, type SessionValues } from './session-values';

/** What the vault has for an environment. */
export interface VaultFacts {
  keyId: string | null;
  hasCredentials: boolean;
  /** Anything at all: keys, credentials or tokens bound to it. */
  holdsSecrets: boolean;
  sealedParts: ConnectionPart[];
}

export interface EnvironmentsDeps {
  settings: SettingsStore;
  events: EventBus;
  logger?: Logger;
  /** Told once what the user must hear of. */
  notify?(notice: string): void;
  /** Those whose environments count. */
  collections(): readonly OpenCollection[];
  /** What the vault has for an environment. Asked late: the vault may be made after this service. */
  vaultFacts(id: string): Promise<VaultFacts>;
  /** The vault's place for variables. Asked late, too. */
  sealedVariables(): Promise<SealedVariables>;
  /** The vault's place for secret parts of connections. Asked late, too. */
  sealedParts(): Promise<SealedVariables>;
  /** Moves what the vault has along with a rename. */
  onRename?(from: string, to: string): Promise<void>;
  /** Moves what was sent and read in it along, too. */
  onRenamed?(from: string, to: string): Promise<void>;
  listOwnProduction?: Ports['listOwnProduction'];
  /** Begins with the addresses that the app had last; for hosts that start no sandbox of their own. */
  usesLastLocal?: boolean;
}

export interface EnvironmentsService {
  handlers: HandlersOf<'environments'>;
  /** @throws {AppError} `environments.unknown` */
  get(id: string): EnvironmentRecord;
  /**
   * Gives an environment that may be sent to: its secrets are for the address that it has now.
   *
   * @throws {AppError} `environments.unknown`, `.address_changed`, `.insecure`
   */
  requireBound(id: string): Promise<EnvironmentRecord>;
  /**
   * Gives a secret variable, for a request that is about to leave for its environment.
   *
   * @throws {AppError} `environments.no_secret`, `environments.address_changed`, `vault.*`
   */
  readSecret(id: string, name: string): Promise<string>;
  /** Secrets that were set for this run: whichever request of the environment another one's value comes back to. */
  listSessionSecrets(id: string): string[];
  /**
   * Gives the way to an address for a request of an environment; null: straight.
   *
   * @throws {AppError} `environments.no_secret`, `vault.*`
   */
  connect(environment: Destination, url: string): Promise<HttpConnection | null>;
  /** Binds what is to be kept for an environment, where nothing was, to the address that it has now. */
  bind(id: string): void;
  /** As `environments.save`, of what nothing may tell the address of: it goes nowhere until the user enters one and binds it. */
  saveImported(input: SaveInput): Promise<Environment>;
  /** By name, as on a command line: of the data directory, else of a collection, else the embedded sandbox. */
  getNamed(name: string): EnvironmentRecord;
  /** Adds new ones in one change. @returns of each why it was refused; null: it was added */
  add(inputs: readonly SaveInput[]): Promise<(string | null)[]>;
  active(): EnvironmentRecord;
  list(): EnvironmentRecord[];
  /** All that is production, what the host knows of elsewhere too. Asked for at each request of a run. */
  listProduction(): Promise<readonly KnownEnvironment[]>;
  /** As the contract shows it, with what the vault has. */
  describe(id: string): Promise<Environment>;
  /** What a vault from before environments had ids meant by a name. */
  identifyFormer(name: string): string;
  /** Where sandbox and listener are now; what is left out stays. */
  setLocalAddresses(addresses: { baseUrl?: string | null; callbackUrl?: string | null }): void;
  /** Keeps the reference sent last, for `{{last_reference}}`. */
  rememberReference(id: string, product: Product, reference: string): void;
  /** An address given for this run alone (`--base-url`); nothing is stored. @returns its record */
  addTemporary(given: { name: string; baseUrl: string; callbackUrl?: string }): EnvironmentRecord;
}

const EnvironmentsError = errorsOf<'environments'>();
const maxReferenceChars = 300;
/** A value that was asked for is hidden again after so long. */
const HIDE_AFTER_MS = 10_000;

/** What the service knows at any moment. */
interface EnvironmentsState {
  deps: EnvironmentsDeps;
  store: EnvironmentStore;
  secrets: EnvironmentSecrets;
  local: EnvironmentSources['local'];
  session: SessionValues;
  temporary: Map<string, BareRecord>;
  /** What saves or deletes one waits for the vault between its look at the names and its writing. */
  inTurn: ReturnType<typeof createTurns>;
  hasToldUnkept: boolean;
}

/** Keeps the environments: the embedded sandbox, those of the data directory, and those of the open collections. */
export function createEnvironmentsService(deps: EnvironmentsDeps): EnvironmentsService {
  const former = createFormerNames(deps);
  const store = createEnvironmentStore(deps.settings, former);
  const local = deps.usesLastLocal === true ? store.read().local : { baseUrl: '', callbackUrl: '' };
  const secrets = createEnvironmentSecrets(deps, store);
  const state: EnvironmentsState = {
    deps,
    store,
    secrets,
    local: { ...local },
    session: createSessionValues(),
    temporary: new Map(),
    inTurn: createTurns(),
    hasToldUnkept: false,
  };
  const list = (): EnvironmentRecord[] => listEnvironments(readSources(state));
  const get = (id: string): EnvironmentRecord => {
    // Asked for at each request of a run: found without reading the others.
    const temporary = state.temporary.get(id);
    if (temporary !== undefined) return completeRecord(temporary, readKept(state));
    return requireFound(
      list().find((one) => one.id === id),
      id,
    );
  };
  const active = (): EnvironmentRecord => findActive(list(), store.read().active);
  const requireBound = async (id: string): Promise<EnvironmentRecord> => {
    await secrets.settle();
    const record = get(id);
    refuseInsecure(record);
    if (isOwnWord(record)) return record;
    const { holdsSecrets } = await deps.vaultFacts(id);
    const change = findAddressChange(record, holdsSecrets, store.read().bindings[id] ?? null);
    if (change !== null) throw addressChanged(record, change);
    return record;
  };
  return {
    handlers: { ...createHandlers(state, get), ...createSetupHandlers(state, get, requireBound) },
    get,
    requireBound,
    listSessionSecrets: (id) => state.session.listSecrets(id),
    connect: (environment, url) => findConnection(deps.sealedParts, environment, url),
    readSecret: async (id, name) => state.session.readSecret(get(id), name) ?? secrets.read(get(id), name),
    bind: (id) => store.bind(id, readAddress(get(id).baseUrl)),
    saveImported: (input) => state.inTurn(() => save(state, get, input, true)),
    getNamed: (name) => requireFound(findNamed(list(), name), name),
    list,
    async listProduction() {
      const stored = store.read();
      const here = hasProduction(stored) ? listProduction(stored, list()) : [];
      return [...here, ...((await deps.listOwnProduction?.((notice) => deps.notify?.(notice))) ?? [])];
    },
    async add(inputs) {
      const refusals = await addEnvironments(store, secrets, local.callbackUrl, inputs);
      deps.events.emit('environments.changed', {});
      return refusals;
    },
    active,
    describe: (id) => show(state, get(id), active().id),
    identifyFormer: (name) =>
      former.identify(
        name,
        store.read().data.map((one) => one.name),
      ),
    setLocalAddresses: (addresses) => setLocalAddresses(state, addresses),
    rememberReference: (id, product, reference) => rememberReference(state, id, product, reference),
    addTemporary({ name, baseUrl, callbackUrl }) {
      const id = formatEnvironmentId(environmentPlaces.run, name);
      state.temporary.set(id, {
        id,
        name,
        label: name,
        kind: 'sandbox',
        baseUrl: readBaseUrl(baseUrl),
        variables: callbackUrl === undefined ? {} : { callback_url: callbackUrl },
        source: 'run',
      });
      return get(id);
    },
  };
}

function readSources(state: EnvironmentsState): EnvironmentSources {
  const collections = state.deps.collections().map((collection) => ({
    collection,
    ...readCollectionEnvironments(collection.directory),
  }));
  return { ...readKept(state), collections, temporary: [...state.temporary.values()] };
}

function readKept({ store, local, session }: EnvironmentsState): KeptParts {
  return { stored: store.read(), local, session: (id) => session.show(id) };
}

/** What names meant while they were the ids: the data directory's, else that of the collection that was open. */
function createFormerNames({ collections }: Pick<EnvironmentsDeps, 'collections'>): FormerNames {
  const findShared = (name: string): string | null => {
    const owner = collections().find(({ directory }) =>
      readCollectionEnvironments(directory).environments.has(name),
    );
    return owner === undefined ? null : formatEnvironmentId(owner.id, name);
  };
  const ofData = (name: string): string => formatEnvironmentId(environmentPlaces.data, name);
  return {
    identify(name, data) {
      if (name === localEnvironmentId) return name;
      return data.includes(name) ? ofData(name) : (findShared(name) ?? ofData(name));
    },
    // A mark of production must not be lost because the file cannot be read just now.
    identifyShared: (name) =>
      findShared(name) ?? formatEnvironmentId(collections()[0]?.id ?? environmentPlaces.data, name),
  };
}

type SetupMethod = 'environments.setUp' | 'environments.setSessionValue';

function createSetupHandlers(
  state: EnvironmentsState,
  get: (id: string) => EnvironmentRecord,
  requireBound: EnvironmentsService['requireBound'],
): Pick<HandlersOf<'environments'>, SetupMethod> {
  const { deps, store, secrets, session } = state;
  return {
    async 'environments.setUp'({ id, ...given }) {
      await secrets.settle();
      await setUpEnvironment({ ...deps, requireBound }, store, get(id), given);
      deps.events.emit('environments.changed', {});
      return showNow(state, get(id));
    },
    'environments.setSessionValue'({ id, name, value }) {
      session.set(get(id), name, value);
      deps.events.emit('environments.changed', {});
      return showNow(state, get(id));
    },
  };
}

function showNow(state: EnvironmentsState, record: EnvironmentRecord): Promise<Environment> {
  const records = listEnvironments(readSources(state));
  return show(state, record, findActive(records, state.store.read().active).id);
}

function createHandlers(
  state: EnvironmentsState,
  get: (id: string) => EnvironmentRecord,
): Omit<HandlersOf<'environments'>, SetupMethod> {
  const { deps, store, secrets, session } = state;
  const changed = (what: EventMap['environments.changed'] = {}): void =>
    deps.events.emit('environments.changed', what);
  return {
    async 'environments.list'() {
      await secrets.settle();
      const sources = readSources(state);
      const records = listEnvironments(sources);
      const activeId = findActive(records, sources.stored.active).id;
      const faults = sources.collections.flatMap(({ collection, faults: found }) =>
        found.map((fault) => ({ ...fault, collectionId: collection.id })),
      );
      return {
        environments: await Promise.all(records.map((one) => show(state, one, activeId, sources.stored))),
        faults: [...listUnread(sources.stored.unread), ...faults],
        shared: sources.collections.map(({ collection, shared }) => ({
          collectionId: collection.id,
          variables: shared,
        })),
      };
    },
    async 'environments.select'({ id }) {
      store.setActive(get(id).id);
      changed();
      return showNow(state, get(id));
    },
    'environments.save': (input) => state.inTurn(() => save(state, get, input)),
    async 'environments.bindAddress'({ id, address, confirmation }) {
      const record = get(id);
      const { addressChange } = await showNow(state, get(id));
      refuseInsecure(record);
      if (addressChange === null) return showNow(state, get(id));
      if (addressChange.to !== address) throw addressChanged(record, addressChange);
      if (needsNameTyped(record, addressChange) && confirmation !== record.name) throw notConfirmed(record);
      store.bind(id, address);
      changed();
      return showNow(state, get(id));
    },
    async 'environments.revealVariable'({ id, name }) {
      const value = session.readSecret(get(id), name) ?? (await secrets.read(get(id), name));
      return { value, hideAfterMs: HIDE_AFTER_MS };
    },
    'environments.delete': ({ id }) =>
      state.inTurn(async () => {
        const record = get(id);
        if (record.source !== 'data') throw refuseDelete(record);
        store.remove(record.name);
        session.forget(id);
        await secrets.dropUnnamed(id);
        await (await deps.sealedParts()).keepOnly(id, []);
        changed();
        return {};
      }),
  };
}

/** Finds the ids by which one of a collection is known as production that its file calls otherwise now. */
function findMovedMarks({ id, baseUrl }: EnvironmentRecord, state: EnvironmentsState): string[] {
  const ids = new Set(listEnvironments(readSources(state)).map((one) => one.id));
  const place = id.slice(0, id.indexOf('/'));
  return listMovedMarks(state.store.read(), place, ids)
    .filter(({ address }) => address === readAddress(baseUrl))
    .map((moved) => moved.id);
}

async function save(
  state: EnvironmentsState,
  get: (id: string) => EnvironmentRecord,
  input: SaveInput,
  mayLackAddress = false,
): Promise<Environment> {
  const { deps, store, secrets, local, session } = state;
  await secrets.settle();
  const old = input.id === undefined ? null : get(input.id);
  const names = store.read().data.map(({ name }) => name);
  const id = await saveEnvironment(store, input, old, {
    names,
    movedMarks: old === null ? [] : findMovedMarks(old, state),
    callbackUrl: local.callbackUrl,
    mayLackAddress,
    seal: (environment) => secrets.seal(old, environment),
  });
  const renamed = old === null || old.id === id ? null : { from: old.id, to: id };
  if (renamed !== null) {
    session.move(renamed.from, renamed.to);
    await deps.onRenamed?.(renamed.from, renamed.to);
  }
  await secrets.settle();
  await secrets.dropUnnamed(id);
  deps.events.emit('environments.changed', renamed === null ? {} : { renamed });
  return showNow(state, get(id));
}

/** So many entries of the settings that are no environments are told of by name; of the rest, how many. */
const MOST_UNREAD_TOLD = 5;

function listUnread(
  unread: readonly unknown[],
): { collectionId: string; file: string; line: number; message: string }[] {
  const place = (index: number) => ({ collectionId: `settings-${index}`, file: 'settings.json', line: 0 });
  const told = unread.slice(0, MOST_UNREAD_TOLD).map((entry, index) => ({
    ...place(index),
    message: describeUnread(entry),
  }));
  const more = unread.length - told.length;
  if (more === 0) return told;
  return [
    ...told,
    { ...place(told.length), message: `${more} more in settings.json are not read. They stay there.` },
  ];
}

/** Says of an entry of the settings that it is no environment. */
function describeUnread(entry: unknown): string {
  const name = isRecord(entry) && typeof entry['name'] === 'string' ? ` '${entry['name'].slice(0, 80)}'` : '';
  return `An environment${name} in settings.json is not read: it needs a name and a baseUrl, each a text. It stays there: mend it, or take it out.`;
}

function notConfirmed({ name, label, kind }: EnvironmentRecord): AppError {
  const why = kind === 'production' ? 'is production' : 'is bound to no address here';
  return new EnvironmentsError(
    'environments.not_confirmed',
    `'${label}' ${why}: type ${name} exactly to bind its key and credentials to the new address.`,
  );
}

function refuseDelete({ label, source }: EnvironmentRecord): AppError {
  return new EnvironmentsError(
    'environments.reserved',
    source === 'collection'
      ? `'${label}' comes from the collection. Take it out of http-client.env.json.`
      : 'The embedded sandbox stays.',
  );
}

async function show(
  state: EnvironmentsState,
  record: EnvironmentRecord,
  activeId: string,
  stored = state.store.read(),
): Promise<Environment> {
  const { deps, secrets } = state;
  const { holdsSecrets, ...facts } = await deps.vaultFacts(record.id);
  return {
    ...record,
    ...facts,
    isActive: activeId === record.id,
    addressChange: findAddressChange(record, holdsSecrets, stored.bindings[record.id] ?? null),
    warning:
      [secrets.describeClear(record, stored.data), describeAddress(record)].filter(Boolean).join(' ') || null,
  };
}

/** The payment has left by now: its answer counts, and a failure would have it sent once more. */
function rememberReference(state: EnvironmentsState, id: string, product: Product, reference: string): void {
  if (reference === '' || reference.length > maxReferenceChars) return;
  const { deps, store } = state;
  try {
    const { lastReferences, productReferences } = store.read();
    if (lastReferences[id] === reference && productReferences[id]?.[product] === reference) return;
    store.setLastReference(id, product, reference);
  } catch (error) {
    deps.logger?.log('error', 'environments.reference_not_kept', { error });
    if (!state.hasToldUnkept) {
      deps.notify?.(
        `The reference of what was sent is not kept: after the next start {{last_reference}} stands for an earlier one. ${toErrorReply(error).message}`,
      );
    }
    state.hasToldUnkept = true;
  }
  deps.events.emit('environments.changed', {});
}

function setLocalAddresses(
  { deps, store, local }: EnvironmentsState,
  { baseUrl, callbackUrl }: { baseUrl?: string | null; callbackUrl?: string | null },
): void {
  const before = `${local.baseUrl} ${local.callbackUrl}`;
  if (baseUrl !== undefined) local.baseUrl = (baseUrl ?? '').replace(/(?<!\/)\/+$/, '');
  if (callbackUrl !== undefined) local.callbackUrl = callbackUrl ?? '';
  if (before === `${local.baseUrl} ${local.callbackUrl}`) return;
  deps.events.emit('environments.changed', {});
  try {
    store.setLocal(local);
  } catch (error) {
    // For commands beside the app alone: whoever tells of an address has it, kept or not.
    if (!(error instanceof AppError)) throw error;
    deps.logger?.log('warn', 'environments.address_not_kept', { error });
  }
}

function findActive(records: readonly EnvironmentRecord[], wanted: string): EnvironmentRecord {
  return records.find(({ id }) => id === wanted) ?? records[0]!;
}

function findNamed(records: readonly EnvironmentRecord[], name: string): EnvironmentRecord | undefined {
  const named = records.filter((one) => one.name === name);
  return ['data', 'collection', 'builtin', 'run']
    .map((source) => named.find((one) => one.source === source))
    .find((found) => found !== undefined);
}

function requireFound(found: EnvironmentRecord | undefined, wanted: string): EnvironmentRecord {
  if (found !== undefined) return found;
  const name = readEnvironmentName(wanted);
  throw new EnvironmentsError(
    'environments.unknown',
    `There is no environment '${name.slice(0, 80)}'. Add it, or take one that exists.`,
    { details: { name: name.slice(0, 80) } },
  );
}

function describeAddress(record: EnvironmentRecord): string | null {
  if (record.source === 'collection' && record.baseUrl === '') {
    return 'This environment has no base_url. Add one in http-client.env.json.';
  }
  if (record.source === 'data' && record.baseUrl === '') {
    return 'This environment has no address yet, and what the vault keeps for it is sent nowhere. Enter one.';
  }
  if (record.source === 'collection' && record.name === localEnvironmentId) {
    return "The collection's own ‘local’, not the embedded sandbox: --env local means this one.";
  }
  return isUnencrypted(record.baseUrl)
    ? 'What is sent to this address is not encrypted, tokens included. Use https:// where it is offered.'
    : null;
}
