import type { Environment } from '@shared/contract/environments';
import type { Handlers } from '@shared/contract/contract';
import type { EventBus } from '@shared/contract/events';
import type { AppError } from '@shared/errors';
import type { SettingsStore } from '../../platform/ports';
import { errorsOf } from '../errors-of';
import { isUnencrypted, readBaseUrl } from './base-url';
import { readCollectionEnvironments, type CollectionEnvironments } from './collection-environments';
import { createEnvironmentStore, type StoredEnvironment, type StoredEnvironments } from './environment-store';

const EnvironmentsError = errorsOf<'environments'>();

/** One environment as the services use it. */
export interface EnvironmentRecord {
  name: string;
  label: string;
  kind: 'local' | 'sandbox' | 'production';
  /** Without a slash at the end; empty while it is not known. */
  baseUrl: string;
  /** `base_url` and `callback_url` always; `last_reference` once something was sent. */
  variables: Record<string, string>;
  source: 'builtin' | 'data' | 'collection';
}

export interface EnvironmentsDeps {
  settings: SettingsStore;
  events: EventBus;
  /** Folder of the open collection; null: none. */
  collectionDirectory(): string | null;
  /** What the vault has for an environment. Asked late: the vault may be made after this service. */
  vaultFacts(name: string): Promise<{ keyId: string | null; hasCredentials: boolean }>;
  /** Moves keys and credentials along with a rename. */
  onRename?(from: string, to: string): Promise<void>;
  /** Begins with the addresses that the app had last; for hosts that start no sandbox of their own. */
  usesLastLocal?: boolean;
}

export interface EnvironmentsService {
  handlers: Pick<
    Handlers,
    'environments.list' | 'environments.select' | 'environments.save' | 'environments.delete'
  >;
  /** @throws {AppError} `environments.unknown` */
  get(name: string): EnvironmentRecord;
  active(): EnvironmentRecord;
  list(): EnvironmentRecord[];
  /** As the contract shows it, with what the vault has. */
  describe(name: string): Promise<Environment>;
  /** Where sandbox and listener are now; what is left out stays. */
  setLocalAddresses(addresses: { baseUrl?: string | null; callbackUrl?: string | null }): void;
  /** Keeps the reference sent last, for `{{last_reference}}`. */
  rememberReference(name: string, reference: string): void;
  /** An address given for this run alone (`--base-url`); nothing is stored. @returns its record */
  addTemporary(given: { name: string; baseUrl: string; callbackUrl?: string }): EnvironmentRecord;
}

const localName = 'local';
const maxReferenceChars = 300;

/** Keeps the environments: the embedded sandbox, those of the data directory, and those of the collection. */
export function createEnvironmentsService(deps: EnvironmentsDeps): EnvironmentsService {
  const store = createEnvironmentStore(deps.settings);
  const local = deps.usesLastLocal === true ? store.read().local : { baseUrl: '', callbackUrl: '' };
  const temporary = new Map<string, EnvironmentRecord>();

  const fromCollection = (): CollectionEnvironments => {
    const directory = deps.collectionDirectory();
    return directory === null
      ? { environments: new Map(), faults: [] }
      : readCollectionEnvironments(directory);
  };

  const complete = (record: EnvironmentRecord, stored: StoredEnvironments): EnvironmentRecord => {
    const lastReference = stored.lastReferences[record.name];
    return {
      ...record,
      variables: {
        callback_url: local.callbackUrl,
        ...(lastReference === undefined ? {} : { last_reference: lastReference }),
        ...record.variables,
        base_url: record.baseUrl,
      },
    };
  };

  const collect = (collection: CollectionEnvironments): EnvironmentRecord[] => {
    const stored = store.read();
    const records: EnvironmentRecord[] = [
      {
        name: localName,
        label: 'Local sandbox',
        kind: 'local',
        baseUrl: local.baseUrl,
        variables: {},
        source: 'builtin',
      },
      ...stored.data.map((one) => ({ ...one, label: one.name, source: 'data' as const })),
    ];
    for (const [name, variables] of collection.environments) {
      // The data directory is this person's own: it comes before what a team shares under the same name.
      if (records.some((one) => one.name === name)) continue;
      const baseUrl = (variables['base_url'] ?? '').replace(/\/+$/, '');
      records.push({
        name,
        label: name,
        kind: stored.kinds[name] === 'production' ? 'production' : 'sandbox',
        baseUrl,
        variables,
        source: 'collection',
      });
    }
    return [...records, ...temporary.values()].map((record) => complete(record, stored));
  };

  const list = (): EnvironmentRecord[] => collect(fromCollection());
  const get = (name: string): EnvironmentRecord => findRecord(list(), name);
  const active = (): EnvironmentRecord => {
    const records = list();
    const wanted = store.read().active;
    return records.find((one) => one.name === wanted) ?? findRecord(records, localName);
  };

  const show = async (record: EnvironmentRecord): Promise<Environment> => ({
    ...record,
    ...(await deps.vaultFacts(record.name)),
    isActive: active().name === record.name,
    warning: describeWarning(record),
  });

  const save = async (input: SaveInput): Promise<Environment> => {
    const name = readName(input.name);
    const records = list();
    const previous = input.previousName === undefined ? name : input.previousName;
    const old = records.find((one) => one.name === previous);
    if (input.previousName !== undefined && old === undefined) throw unknownEnvironment(input.previousName);
    if (name === localName || old?.source === 'builtin') {
      throw new EnvironmentsError(
        'environments.reserved',
        `'${localName}' is the embedded sandbox. Choose another name.`,
      );
    }
    if (name !== previous && records.some((one) => one.name === name)) {
      throw new EnvironmentsError(
        'environments.exists',
        `There is already an environment '${name}'. Choose another name.`,
      );
    }
    if (old?.source === 'collection') {
      keepKindOfShared(old, name, input);
    } else {
      const baseUrl = readBaseUrl(input.baseUrl);
      if (input.kind === 'production' && isUnencrypted(baseUrl)) {
        throw new EnvironmentsError(
          'environments.insecure',
          'A production address must begin with https://: over http, tokens could be read on the way.',
        );
      }
      const variables = withoutBuiltIn(input.variables);
      // It is shown with the rest; saved as it stands, it would no longer follow the listener.
      if (variables['callback_url'] === local.callbackUrl) delete variables['callback_url'];
      store.put(previous, { name, kind: input.kind, baseUrl, variables });
      if (previous !== name && old !== undefined) await deps.onRename?.(previous, name);
    }
    deps.events.emit('environments.changed', {});
    return show(get(name));
  };

  /** Of a shared environment only its kind is ours; the rest stands in the team's file. */
  const keepKindOfShared = (old: EnvironmentRecord, name: string, input: SaveInput): void => {
    const isSame =
      name === old.name &&
      input.baseUrl.replace(/\/+$/, '') === old.baseUrl &&
      Object.entries(input.variables).every(([key, value]) => old.variables[key] === value);
    if (!isSame) {
      throw new EnvironmentsError(
        'environments.from_collection',
        `'${old.name}' comes from the collection. Change it in http-client.env.json; here you can set its kind.`,
      );
    }
    store.setKind(old.name, input.kind);
  };

  return {
    handlers: {
      async 'environments.list'() {
        const collection = fromCollection();
        return {
          environments: await Promise.all(collect(collection).map(show)),
          faults: collection.faults,
        };
      },
      async 'environments.select'({ name }) {
        const record = get(name);
        store.setActive(record.name);
        deps.events.emit('environments.changed', {});
        return show(record);
      },
      'environments.save': save,
      'environments.delete'({ name }) {
        const record = get(name);
        if (record.source !== 'data') {
          throw new EnvironmentsError(
            'environments.reserved',
            record.source === 'builtin'
              ? 'The embedded sandbox stays.'
              : `'${name}' comes from the collection. Take it out of http-client.env.json.`,
          );
        }
        store.remove(name);
        deps.events.emit('environments.changed', {});
        return {};
      },
    },
    get,
    active,
    list,
    describe: (name) => show(get(name)),
    setLocalAddresses({ baseUrl, callbackUrl }) {
      const before = `${local.baseUrl} ${local.callbackUrl}`;
      if (baseUrl !== undefined) local.baseUrl = (baseUrl ?? '').replace(/\/+$/, '');
      if (callbackUrl !== undefined) local.callbackUrl = callbackUrl ?? '';
      if (before === `${local.baseUrl} ${local.callbackUrl}`) return;
      store.setLocal(local);
      deps.events.emit('environments.changed', {});
    },
    rememberReference(name, reference) {
      if (reference === '' || reference.length > maxReferenceChars) return;
      if (store.read().lastReferences[name] === reference) return;
      store.setLastReference(name, reference);
      deps.events.emit('environments.changed', {});
    },
    addTemporary({ name, baseUrl, callbackUrl }) {
      temporary.set(name, {
        name,
        label: name,
        kind: 'sandbox',
        baseUrl: readBaseUrl(baseUrl),
        variables: callbackUrl === undefined ? {} : { callback_url: callbackUrl },
        source: 'data',
      });
      return get(name);
    },
  };
}

type SaveInput = Parameters<Handlers['environments.save']>[0];

function findRecord(records: EnvironmentRecord[], name: string): EnvironmentRecord {
  const found = records.find((one) => one.name === name);
  if (found === undefined) throw unknownEnvironment(name);
  return found;
}

function unknownEnvironment(name: string): AppError {
  return new EnvironmentsError(
    'environments.unknown',
    `There is no environment '${name.slice(0, 80)}'. Add it, or take one that exists.`,
    { details: { name: name.slice(0, 80) } },
  );
}

function readName(text: string): string {
  const name = text.trim().normalize('NFC');
  // Names stand in files, on the command line and in settings: nothing invisible, nothing that reads as a flag.
  if (name === '' || /^[-$]/.test(name) || /[\p{Cc}\p{Cf}/\\]/u.test(name)) {
    throw new EnvironmentsError(
      'environments.bad_name',
      'The name must not be empty, begin with - or $, or hold slashes or invisible characters.',
    );
  }
  return name;
}

function withoutBuiltIn(variables: Record<string, string>): StoredEnvironment['variables'] {
  return Object.fromEntries(
    Object.entries(variables).filter(([key]) => key !== 'base_url' && key !== 'last_reference'),
  );
}

function describeWarning(record: EnvironmentRecord): string | null {
  if (record.source === 'collection' && record.baseUrl === '') {
    return 'This environment has no base_url. Add one in http-client.env.json.';
  }
  return isUnencrypted(record.baseUrl)
    ? 'What is sent to this address is not encrypted, tokens included. Use https:// where it is offered.'
    : null;
}
