import type { SettingsStore } from '../../platform/ports';

/** One environment of the data directory, as it stands in the settings. */
export interface StoredEnvironment {
  name: string;
  kind: 'sandbox' | 'production';
  baseUrl: string;
  variables: Record<string, string>;
}

export interface StoredEnvironments {
  active: string;
  data: StoredEnvironment[];
  /** Kinds of environments that the collection names. */
  kinds: Record<string, 'sandbox' | 'production'>;
  lastReferences: Record<string, string>;
  /** Where sandbox and listener of the app were last: the command line finds a running app by it. */
  local: { baseUrl: string; callbackUrl: string };
}

export interface EnvironmentStore {
  /** Everything, read from disk in one go. */
  read(): StoredEnvironments;
  /** Replaces the one of that name, or adds. */
  put(previousName: string, environment: StoredEnvironment): void;
  remove(name: string): void;
  setActive(name: string): void;
  setKind(name: string, kind: 'sandbox' | 'production'): void;
  setLastReference(name: string, reference: string): void;
  setLocal(local: StoredEnvironments['local']): void;
}

const settingsKey = 'environments';
const empty: StoredEnvironments = {
  active: 'local',
  data: [],
  kinds: {},
  lastReferences: {},
  local: { baseUrl: '', callbackUrl: '' },
};

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Without a prototype: environments may be named `constructor`. */
function readTexts(value: unknown): Record<string, string> {
  const texts = Object.create(null) as Record<string, string>;
  for (const [key, text] of Object.entries(isRecord(value) ? value : {})) {
    if (typeof text === 'string') texts[key] = text;
  }
  return texts;
}

function readStored(value: unknown): StoredEnvironment[] {
  if (!isRecord(value) || typeof value['name'] !== 'string' || typeof value['baseUrl'] !== 'string')
    return [];
  return [
    {
      name: value['name'],
      kind: value['kind'] === 'production' ? 'production' : 'sandbox',
      baseUrl: value['baseUrl'],
      variables: readTexts(value['variables']),
    },
  ];
}

/** Keeps environments in the settings. What a hand-edited file has in another shape is passed over. */
export function createEnvironmentStore(settings: SettingsStore): EnvironmentStore {
  const read = (): StoredEnvironments => {
    const value = settings.get(settingsKey);
    if (!isRecord(value)) return empty;
    return {
      active: typeof value['active'] === 'string' ? value['active'] : empty.active,
      data: Array.isArray(value['data']) ? value['data'].flatMap(readStored) : [],
      // Anything else that stands there is passed over; `sandbox` is what an unmarked one is.
      kinds: readTexts(value['kinds']) as StoredEnvironments['kinds'],
      lastReferences: readTexts(value['lastReferences']),
      local: { ...empty.local, ...readTexts(value['local']) },
    };
  };
  const write = (change: (now: StoredEnvironments) => Partial<StoredEnvironments>): void => {
    const now = read();
    settings.set(settingsKey, { ...now, ...change(now) });
  };
  return {
    read,
    put(previousName, environment) {
      write(({ active, data, lastReferences }) => {
        const index = data.findIndex(({ name }) => name === previousName);
        const reference = lastReferences[previousName];
        return {
          data: index === -1 ? [...data, environment] : data.with(index, environment),
          active: active === previousName ? environment.name : active,
          lastReferences:
            reference === undefined ? lastReferences : { ...lastReferences, [environment.name]: reference },
        };
      });
    },
    remove(name) {
      write(({ active, data, lastReferences }) => ({
        data: data.filter((one) => one.name !== name),
        active: active === name ? empty.active : active,
        lastReferences: Object.fromEntries(Object.entries(lastReferences).filter(([key]) => key !== name)),
      }));
    },
    setActive: (active) => write(() => ({ active })),
    setLocal: (local) => write(() => ({ local })),
    setKind: (name, kind) => write(({ kinds }) => ({ kinds: { ...kinds, [name]: kind } })),
    setLastReference: (name, reference) =>
      write(({ lastReferences }) => ({ lastReferences: { ...lastReferences, [name]: reference } })),
  };
}
