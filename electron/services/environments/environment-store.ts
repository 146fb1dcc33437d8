import type { Environment } from '@shared/contract/environments';
import { localEnvironmentId, environmentPlaces, formatEnvironmentId } from '@shared/contract/environment-id';
import type { EnvironmentSetup } from '@shared/contract/environment-setup';
import { isProduct, type Product } from '@shared/payments/tables/products';
import type { SettingsStore } from '../../platform/ports';
import { AppError } from '@shared/errors';
import { readEntries } from '../../platform/files/kept-entries';
import { changeSettings } from '../../platform/files/settings-store';
import { readAddress } from './address-binding';
import { readSetup } from './read-setup';
import { hideSecrets, type StoredEnvironment } from './secret-variables';
import { createRecord } from '@shared/own-value';
import { isRecord, readTextList } from '@shared/json/is-record';

type Kind = StoredEnvironment['kind'];
type ProductReferences = Partial<Record<Product, string>>;

/** Whatever is kept by environment is kept by its id. */
export interface StoredEnvironments {
  active: string;
  data: StoredEnvironment[];
  /** What stands among them that is none. It stays. */
  unread: unknown[];
  /** Kinds of environments that collections name. */
  kinds: Record<string, Kind>;
  /** The address that one of a collection had when it was marked as production: its file may give it another, or another name. */
  liveAddresses: Record<string, string>;
  lastReferences: Record<string, string>;
  /** Those of each product. */
  productReferences: Record<string, ProductReferences>;
  /** How services are reached, where it is not as usual. */
  setups: Record<string, EnvironmentSetup>;
  /** The address that the secrets of an environment are for. One that is deleted keeps it: the vault keeps them, too. */
  bindings: Record<string, string>;
  /** From a former id to the new one: what the vault has for it is still to be moved. */
  renames: Record<string, string>;
  /** Where sandbox and listener of the app were last: the command line finds a running app by it. */
  local: { baseUrl: string; callbackUrl: string };
}

export interface EnvironmentStore {
  /** Everything, read from disk in one go. */
  read(): StoredEnvironments;
  /** Replaces the one of that name, or adds. */
  put(previousName: string, environment: StoredEnvironment): void;
  /** Adds new ones in one change. @returns those that it added: not what another process was quicker with */
  add(environments: readonly StoredEnvironment[]): StoredEnvironment[];
  remove(name: string): void;
  setActive(id: string): void;
  /** @param replaced - ids whose marks go with it */
  setKind(
    { id, baseUrl }: Pick<Environment, 'id' | 'baseUrl'>,
    kind: Kind,
    replaced: readonly string[],
  ): void;
  setSetup(id: string, setup: EnvironmentSetup): void;
  setLastReference(id: string, product: Product, reference: string): void;
  bind(id: string, address: string): void;
  /**
   * Has what is kept for an environment go nowhere until it is put or set up: a secret for another address, or another proxy,
   * comes into the vault before, and whoever is killed in between would send it to the former one.
   */
  hold(id: string): void;
  /** Lets it go on as before. */
  release(id: string): void;
  /** Told that the vault has followed a rename. */
  finishRename(from: string): void;
  /** Writes references in the place of secrets that the vault has by now, in copies of former settings, too. */
  hideSealed(sealed: readonly StoredEnvironment[]): void;
  setLocal(local: StoredEnvironments['local']): void;
}

/** Ids of names, for settings that were written before environments had ids. */
export interface FormerNames {
  /** @param data - names of the data directory's environments */
  identify(name: string, data: readonly string[]): string;
  /** The one of a collection, though another may have the name. */
  identifyShared(name: string): string;
}

type References = Pick<StoredEnvironments, 'lastReferences' | 'productReferences'>;

const settingsKey = 'environments';
/** Settings without it went by names. */
const version = 2;
const empty: StoredEnvironments = {
  active: localEnvironmentId,
  data: [],
  unread: [],
  kinds: {},
  liveAddresses: {},
  lastReferences: {},
  productReferences: {},
  setups: {},
  bindings: {},
  renames: {},
  local: { baseUrl: '', callbackUrl: '' },
};

const idOf = (name: string): string => formatEnvironmentId(environmentPlaces.data, name);

function migrate(settings: SettingsStore, former: FormerNames): StoredEnvironments {
  const value = settings.get(settingsKey);
  if (!isRecord(value)) return empty;
  refuseNewer(value['version']);
  const stored = readStored(value);
  // Another process was quicker.
  if (value['version'] === version) return stored;
  const migrated = identifyAll(stored, former, value['isRestored'] === true);
  settings.backUp?.('environments-by-name', hideInSettings);
  settings.set(settingsKey, toValue(migrated));
  return migrated;
}

/**
 * Keeps environments in the settings. What a hand-edited file has in another shape is passed over, and stays.
 *
 * @throws {AppError} `platform.settings_newer`, from each of its methods
 */
export function createEnvironmentStore(settings: SettingsStore, former: FormerNames): EnvironmentStore {
  let known: { value: unknown; stored: StoredEnvironments } | null = null;
  /** What was sent is true, written or not. */
  let unwritten: References | null = null;
  const read = (): StoredEnvironments => (unwritten === null ? readKept() : { ...readKept(), ...unwritten });
  const readKept = (): StoredEnvironments => {
    const value = settings.get(settingsKey);
    if (!isRecord(value)) return empty;
    // A request of a run asks several times; what is kept in memory is the same until it is replaced.
    if (known?.value !== value) known = { value, stored: readStored(value) };
    const { stored } = known;
    if (value['version'] === version) return stored;
    return changeSettings(settings, () => migrate(settings, former));
  };
  const write = (change: Change): void => {
    changeSettings(settings, () => {
      const now = read();
      settings.set(settingsKey, toValue({ ...now, ...change(now) }));
      unwritten = null;
    });
  };
  const { letGo, ...holds } = createHolds(read, write);
  return {
    ...holds,
    read,
    put: (previousName, environment) =>
      letGo(idOf(previousName), (now) => putEnvironment(now, previousName, environment)),
    add(environments) {
      let added: StoredEnvironment[] = [];
      write(({ data }) => {
        const names = new Set(data.map(({ name }) => name));
        added = environments.filter(({ name }) => !names.has(name));
        return { data: [...data, ...added] };
      });
      return added;
    },
    remove(name) {
      write(({ active, data, lastReferences, productReferences, setups }) => ({
        data: data.filter((one) => one.name !== name),
        active: active === idOf(name) ? empty.active : active,
        lastReferences: without(lastReferences, idOf(name)),
        productReferences: without(productReferences, idOf(name)),
        setups: without(setups, idOf(name)),
      }));
    },
    setActive: (active) => write(() => ({ active })),
    setLocal: (local) => write(() => ({ local })),
    setKind: ({ id, baseUrl }, kind, replaced) =>
      write(({ kinds, liveAddresses }) => ({
        kinds: { ...replaced.reduce(without, kinds), [id]: kind },
        liveAddresses: {
          ...[id, ...replaced].reduce(without, liveAddresses),
          ...(kind === 'production' && { [id]: readAddress(baseUrl) }),
        },
      })),
    setSetup: (id, setup) => letGo(id, ({ setups }) => ({ setups: { ...setups, [id]: setup } })),
    finishRename: (from) => write(({ renames }) => ({ renames: without(renames, from) })),
    hideSealed: (sealed) =>
      changeSettings(settings, () => {
        settings.backUp?.('sealed-variables', hideInSettings);
        settings.changeBackUps?.(hideInSettings);
        write(({ data }) => ({ data: data.map((one) => (isAmong(sealed, one) ? hideSecrets(one) : one)) }));
      }),
    setLastReference(id, product, reference) {
      const change = ({ lastReferences, productReferences }: References): References => ({
        lastReferences: { ...lastReferences, [id]: reference },
        productReferences: {
          ...productReferences,
          [id]: { ...productReferences[id], [product]: reference },
        },
      });
      try {
        write(change);
      } catch (error) {
        unwritten = change(read());
        throw error;
      }
    },
  };
}

type Change = (now: StoredEnvironments) => Partial<StoredEnvironments>;

/** Binds, and holds: the addresses of those that are held stand here alone, so that nobody else takes them for bound. */
function createHolds(read: () => StoredEnvironments, write: (change: Change) => void) {
  const held = new Map<string, string>();
  const letGo = (id: string, change: Change): void => {
    const address = held.get(id);
    // Where nothing can be written it stays unbound: what comes next may not be what the secret was entered for.
    held.delete(id);
    write((now) => {
      const bindings = address === undefined ? now.bindings : { ...now.bindings, [id]: address };
      return { bindings, ...change({ ...now, bindings }) };
    });
  };
  return {
    letGo,
    bind(id: string, address: string): void {
      write(({ bindings }) => ({ bindings: { ...bindings, [id]: address } }));
      held.delete(id);
    },
    hold(id: string): void {
      const address = read().bindings[id];
      if (address !== undefined) held.set(id, address);
      write(({ bindings }) => ({ bindings: without(bindings, id) }));
    },
    release: (id: string): void => letGo(id, () => ({})),
  };
}

const toValue = ({ data, unread, ...rest }: StoredEnvironments): object => ({
  version,
  ...rest,
  data: [...data, ...unread],
});

function refuseNewer(found: unknown): void {
  if (typeof found !== 'number' || found <= version) return;
  throw new AppError(
    'platform.settings_newer',
    `settings.json was written by a newer Countersign (its environments have form ${found}, this one knows ${version}). ` +
      'It was left as it is: install the newer version, or choose another folder with --data.',
    { details: { version: found, latest: version } },
  );
}

function putEnvironment(
  { active, data, lastReferences, productReferences, setups, bindings, renames }: StoredEnvironments,
  previousName: string,
  environment: StoredEnvironment,
): Partial<StoredEnvironments> {
  const index = data.findIndex(({ name }) => name === previousName);
  const [from, to] = [idOf(previousName), idOf(environment.name)];
  const move = <T>(values: Record<string, T>): Record<string, T> =>
    values[from] === undefined ? values : { ...without(values, from), [to]: values[from] };
  return {
    data: index === -1 ? [...data, environment] : data.with(index, environment),
    active: active === from ? to : active,
    lastReferences: move(lastReferences),
    productReferences: move(productReferences),
    setups: move(setups),
    bindings: move(bindings),
    renames: index === -1 || from === to ? renames : { ...renames, [from]: to },
  };
}

/** Tells whether an environment has the variables still that were sealed: another process may have changed them. */
function isAmong(sealed: readonly StoredEnvironment[], { name, variables }: StoredEnvironment): boolean {
  return sealed.some(
    (one) => one.name === name && JSON.stringify(one.variables) === JSON.stringify(variables),
  );
}

/** Settings of any version with references in the place of secrets. */
function hideInSettings(settings: Record<string, unknown>): Record<string, unknown> {
  const kept = settings[settingsKey];
  if (!isRecord(kept) || !Array.isArray(kept['data'])) return settings;
  const data = kept['data'].map((one: unknown) => {
    const read = readEnvironment(one);
    return read === null ? one : { ...(one as object), variables: hideSecrets(read).variables };
  });
  return { ...settings, [settingsKey]: { ...kept, data } };
}

/** Turns the names of former settings into ids. */
function identifyAll(
  stored: StoredEnvironments,
  former: FormerNames,
  isRestored: boolean,
): StoredEnvironments {
  const data = stored.data.map(({ name }) => name);
  const mapKeys = <T>(values: Record<string, T>, identify: (name: string) => string): Record<string, T> =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [identify(name), value]));
  return {
    ...stored,
    active: former.identify(stored.active, data),
    kinds: mapKeys(stored.kinds, (name) => former.identifyShared(name)),
    lastReferences: mapKeys(stored.lastReferences, (name) => former.identify(name, data)),
    // The user's own word; what a collection's file or a backup says of an address is asked about.
    bindings: isRestored
      ? {}
      : Object.fromEntries(stored.data.map(({ name, baseUrl }) => [idOf(name), readAddress(baseUrl)])),
  };
}

function without<T>(values: Record<string, T>, key: string): Record<string, T> {
  return Object.fromEntries(Object.entries(values).filter(([one]) => one !== key));
}

function readStored(value: Record<string, unknown>): StoredEnvironments {
  const { entries: data, unread } = readEntries(value['data'], readEnvironment);
  return {
    active: typeof value['active'] === 'string' ? value['active'] : empty.active,
    data,
    unread,
    // Anything else that stands there is passed over; `sandbox` is what an unmarked one is.
    kinds: readTexts(value['kinds']) as StoredEnvironments['kinds'],
    liveAddresses: readTexts(value['liveAddresses']),
    lastReferences: readTexts(value['lastReferences']),
    productReferences: readByProduct(value['productReferences']),
    setups: readSetups(value['setups']),
    bindings: readTexts(value['bindings']),
    renames: readTexts(value['renames']),
    local: { ...empty.local, ...readTexts(value['local']) },
  };
}

/** Without a prototype: environments may be named `constructor`. */
function readTexts(value: unknown): Environment['variables'] {
  const texts = createRecord<string>();
  for (const [key, text] of Object.entries(isRecord(value) ? value : {})) {
    if (typeof text === 'string') texts[key] = text;
  }
  return texts;
}

function readByProduct(value: unknown): StoredEnvironments['productReferences'] {
  const all: StoredEnvironments['productReferences'] = createRecord();
  for (const [id, texts] of Object.entries(isRecord(value) ? value : {})) {
    all[id] = Object.fromEntries(Object.entries(readTexts(texts)).filter(([name]) => isProduct(name)));
  }
  return all;
}

function readSetups(value: unknown): StoredEnvironments['setups'] {
  const setups: StoredEnvironments['setups'] = createRecord();
  for (const [id, setup] of Object.entries(isRecord(value) ? value : {})) setups[id] = readSetup(setup);
  return setups;
}

function readEnvironment(value: unknown): StoredEnvironment | null {
  if (!isRecord(value) || typeof value['name'] !== 'string' || typeof value['baseUrl'] !== 'string')
    return null;
  return {
    name: value['name'],
    kind: value['kind'] === 'production' ? 'production' : 'sandbox',
    baseUrl: value['baseUrl'],
    variables: readTexts(value['variables']),
    inClear: readTextList(value['inClear']),
  };
}
