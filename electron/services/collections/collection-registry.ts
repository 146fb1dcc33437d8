import { realpathSync } from 'node:fs';
import { basename, isAbsolute } from 'node:path';
import type { OpenCollection } from '@shared/contract/collections';
import type { Random, SettingsStore } from '../../platform/ports';
import { errorsOf } from '../errors-of';

const CollectionsError = errorsOf<'collections'>();

interface Stored {
  /** Every folder that was ever open, with its id: reopened, it is the same collection. */
  known: { id: string; directory: string }[];
  open: string[];
  active: string | null;
}

export interface CollectionRegistry {
  list(): OpenCollection[];
  /** The one opened last; null where none is open. */
  active(): OpenCollection | null;
  /** @throws {AppError} `collections.not_open` */
  get(id: string): OpenCollection;
  /** Opens a folder beside the others and makes it the active one. */
  open(directory: string): OpenCollection;
  /** @throws {AppError} `collections.not_open` */
  close(id: string): void;
  /** Gives the collection that a folder is, open or not. */
  identify(directory: string): OpenCollection;
}

const settingsKey = 'collections';
/** One open folder, without an id: how it stood before several could be open. Still read, never written. */
const formerKey = 'collection';

/**
 * Keeps which collections are open, and the id of each: in the settings, beside the folder's path.
 *
 * @param usual - folder that is open where nothing was chosen yet; null: none
 */
export function createCollectionRegistry(deps: {
  settings: SettingsStore;
  random: Pick<Random, 'bytes'>;
  usual: string | null;
}): CollectionRegistry {
  const { settings, random, usual } = deps;
  const read = (): Stored => readStored(settings.get(settingsKey)) ?? { known: [], open: [], active: null };
  const write = (stored: Stored): void => settings.set(settingsKey, stored);
  const describe = ({ id, directory }: Stored['known'][number]): OpenCollection => ({
    id,
    name: basename(directory),
    directory,
  });
  const identify = (directory: string): OpenCollection => {
    const stored = read();
    const found = stored.known.find((one) => isSameFolder(one.directory, directory));
    if (found !== undefined) return describe(found);
    const added = { id: Buffer.from(random.bytes(6)).toString('hex'), directory };
    write({ ...stored, known: [...stored.known, added] });
    return describe(added);
  };
  const list = (): OpenCollection[] => {
    const { known, open } = read();
    return open.flatMap((id) => known.filter((one) => one.id === id).map(describe));
  };
  const get = (id: string): OpenCollection => {
    const found = list().find((one) => one.id === id);
    if (found !== undefined) return found;
    throw new CollectionsError(
      'collections.not_open',
      'This collection is not open any more. Open its folder again.',
      { details: { collectionId: id.slice(0, 40) } },
    );
  };
  const open = (directory: string): OpenCollection => {
    const collection = identify(directory);
    const stored = read();
    const isOpen = stored.open.includes(collection.id);
    write({
      ...stored,
      open: isOpen ? stored.open : [...stored.open, collection.id],
      active: collection.id,
    });
    return collection;
  };

  if (readStored(settings.get(settingsKey)) === null) {
    const first = readFormer(settings.get(formerKey)) ?? usual;
    if (first !== null) open(first);
  }
  return {
    list,
    get,
    open,
    identify,
    active() {
      const all = list();
      const { active } = read();
      return all.find(({ id }) => id === active) ?? all.at(-1) ?? null;
    },
    close(id) {
      get(id);
      const stored = read();
      write({ ...stored, open: stored.open.filter((one) => one !== id) });
    },
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What a hand-edited file has in another shape is passed over; null: nothing was kept yet. */
function readStored(value: unknown): Stored | null {
  if (!isRecord(value) || !Array.isArray(value['known']) || !Array.isArray(value['open'])) return null;
  return {
    known: value['known'].flatMap((one: unknown) => {
      const { id, directory } = isRecord(one) ? one : {};
      return typeof id === 'string' && isFolderPath(directory) ? [{ id, directory }] : [];
    }),
    open: value['open'].filter((id) => typeof id === 'string'),
    active: typeof value['active'] === 'string' ? value['active'] : null,
  };
}

function readFormer(value: unknown): string | null {
  const directory = isRecord(value) ? value['directory'] : null;
  return isFolderPath(directory) ? directory : null;
}

function isFolderPath(value: unknown): value is string {
  return typeof value === 'string' && isAbsolute(value);
}

/** By what the paths lead to: a link to an open folder is no other collection. */
function isSameFolder(a: string, b: string): boolean {
  return a === b || followLinks(a) === followLinks(b);
}

function followLinks(directory: string): string {
  try {
    return realpathSync(directory);
  } catch {
    // Gone, or on a disk that is not there now: its path alone counts.
    return directory;
  }
}
