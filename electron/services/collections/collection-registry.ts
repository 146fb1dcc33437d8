import { realpathSync, statSync } from 'node:fs';
import { basename, isAbsolute } from 'node:path';
import type { OpenCollection } from '@shared/contract/collections';
import type { Random, SettingsStore } from '../../platform/ports';
import { findStats, isOneFile } from '../../platform/files/files';
import { readEntries } from '../../platform/files/kept-entries';
import { changeSettings } from '../../platform/files/settings-store';
import { errorsOf } from '../errors-of';
import { foldName } from '@shared/fold-name';
import { isRecord, readTextList } from '@shared/json/is-record';

const CollectionsError = errorsOf<'collections'>();

interface KnownFolder {
  id: string;
  directory: string;
  /** Which folder it was when it was last opened, as {@link markFolder} has it: moved, it is the same collection. Empty: not known. */
  mark: string;
}

interface Stored {
  /** Every folder that was ever open, with its id: reopened, it is the same collection. The one opened last stands last. */
  known: KnownFolder[];
  /** What stands among them that is none. It stays. */
  unread: unknown[];
  open: string[];
  active: string | null;
  /** Being opened at this moment; what still stands here at a start is what the last start did not get through. */
  opening: string[];
  /** Not opened because of that, until somebody asks for it. */
  heldBack: string[];
}

export interface CollectionRegistry {
  list(): OpenCollection[];
  /** The one opened last; null where none is open. */
  active(): OpenCollection | null;
  /** Were open once and are not now, the latest first. */
  recent(): OpenCollection[];
  /** @throws {AppError} `collections.not_open` */
  get(id: string): OpenCollection;
  /** Opens a folder beside the others and makes it the active one. */
  open(directory: string): OpenCollection;
  /** @throws {AppError} `collections.not_open` */
  close(id: string): void;
  /** Gives the collection that a folder is, open or not. */
  identify(directory: string): OpenCollection;
  /** Those that are not opened because an earlier start did not get through them. */
  heldBack(): OpenCollection[];
  /** Holds back what broke the last start; called once, before any folder is read. */
  holdBackBroken(): void;
  /** Runs what reads a folder for the first time, with a mark in the settings meanwhile. */
  guard<T>(id: string, read: () => T | Promise<T>): Promise<T>;
}

const mostRecent = 10;
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
  const read = (): Stored => readStored(settings.get(settingsKey)) ?? nothingStored;
  const write = ({ unread, ...stored }: Stored): void =>
    settings.set(settingsKey, { ...stored, known: [...unread, ...stored.known] });
  const inTurn = <T>(run: () => T): T => changeSettings(settings, run);
  const describe = ({ id, directory }: KnownFolder): OpenCollection => ({
    id,
    name: basename(directory),
    directory,
  });
  const findKnown = (directory: string): KnownFolder | undefined => {
    const { known } = read();
    // Thousands of folders are known where each run of a pipeline has one of its own: to follow the links of each takes a second.
    return known.find((one) => one.directory === directory) ?? known.find(leadsTo(directory));
  };
  const add = (directory: string): KnownFolder => {
    const stored = read();
    const mark = markFolder(directory);
    const moved = findMoved(stored.known, mark);
    const id = moved?.id ?? Buffer.from(random.bytes(6)).toString('hex');
    const added = { id, directory, mark };
    write({ ...stored, known: [...stored.known.filter((one) => one !== moved), added] });
    return added;
  };
  const identify = (directory: string): OpenCollection =>
    describe(findKnown(directory) ?? inTurn(() => findKnown(directory) ?? add(directory)));
  const describeAll = (ids: readonly string[], { known }: Stored): OpenCollection[] =>
    ids.flatMap((id) => known.filter((one) => one.id === id).map(describe));
  const list = (): OpenCollection[] => {
    const stored = read();
    return describeAll(stored.open, stored);
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
      // The sort keeps the order of the others.
      known: markKnown(stored.known, collection.id).toSorted(
        (a, b) => Number(a.id === collection.id) - Number(b.id === collection.id),
      ),
      open: isOpen ? stored.open : [...stored.open, collection.id],
      active: collection.id,
      heldBack: stored.heldBack.filter((id) => id !== collection.id),
    });
    return collection;
  };

  // A command may have noted a folder before the app was ever started: nothing was opened yet all the same.
  if (read().active === null) {
    const first = readFormer(settings.get(formerKey)) ?? usual;
    if (first !== null) inTurn(() => open(first));
  }
  return {
    list,
    get,
    open: (directory) => inTurn(() => open(directory)),
    identify,
    ...createHolding({ read, write, inTurn }, describeAll),
    recent: () => describeAll(listRecent(read()), read()),
    guard: (id, run) => guardOpening({ read, write, inTurn }, id, run),
    active() {
      const all = list();
      const { active } = read();
      return all.find(({ id }) => id === active) ?? all.at(-1) ?? null;
    },
    ...createClosing({ read, write, inTurn }, get),
  };
}

function listRecent({ known, open }: Stored): string[] {
  const closed = known.map(({ id }) => id).filter((id) => !open.includes(id));
  return closed.slice(-mostRecent).reverse();
}

function createClosing(
  { read, write, inTurn }: StoredAccess,
  get: CollectionRegistry['get'],
): Pick<CollectionRegistry, 'close'> {
  return {
    close: (id) =>
      inTurn(() => {
        get(id);
        const stored = read();
        write({ ...stored, open: stored.open.filter((one) => one !== id) });
      }),
  };
}

/** Collections that were open when the app last ended in the midst of opening them: they wait to be asked for. */
function createHolding(
  { read, write, inTurn }: StoredAccess,
  describeAll: (ids: readonly string[], stored: Stored) => OpenCollection[],
): Pick<CollectionRegistry, 'heldBack' | 'holdBackBroken'> {
  return {
    heldBack() {
      const stored = read();
      return describeAll(stored.heldBack, stored);
    },
    holdBackBroken: () =>
      inTurn(() => {
        const stored = read();
        const broken = stored.open.filter((id) => stored.opening.includes(id));
        if (stored.opening.length === 0) return;
        write({
          ...stored,
          open: stored.open.filter((id) => !broken.includes(id)),
          opening: [],
          heldBack: [...new Set([...stored.heldBack, ...broken])],
        });
      }),
  };
}

interface StoredAccess {
  read(): Stored;
  write(stored: Stored): void;
  /** What belongs together, while no other process writes. */
  inTurn<T>(run: () => T): T;
}

async function guardOpening<T>(
  { read, write, inTurn }: StoredAccess,
  id: string,
  run: () => T | Promise<T>,
): Promise<T> {
  const mark = (isOpening: boolean): void =>
    inTurn(() => {
      const stored = read();
      const others = stored.opening.filter((one) => one !== id);
      write({
        ...stored,
        known: markKnown(stored.known, id),
        opening: isOpening ? [...others, id] : others,
      });
    });
  mark(true);
  try {
    return await run();
  } finally {
    mark(false);
  }
}

const nothingStored: Stored = { known: [], unread: [], open: [], active: null, opening: [], heldBack: [] };

/** What a hand-edited file has in another shape is passed over; null: nothing was kept yet. */
function readStored(value: unknown): Stored | null {
  if (!isRecord(value) || !Array.isArray(value['known']) || !Array.isArray(value['open'])) return null;
  const { entries: known, unread } = readEntries(value['known'], (one) => {
    const { id, directory, mark } = isRecord(one) ? one : {};
    if (typeof id !== 'string' || !isFolderPath(directory)) return null;
    return { id, directory, mark: typeof mark === 'string' ? mark : '' };
  });
  return {
    known,
    unread,
    open: readTextList(value['open']),
    opening: readTextList(value['opening']),
    heldBack: readTextList(value['heldBack']),
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

/**
 * Tells a folder from any other, wherever it is moved on its disk: by its number and by when it was made, since a number is given
 * again. Empty where there is none, or where its disk does not keep when.
 */
function markFolder(directory: string): string {
  try {
    const { ino, birthtimeNs } = statSync(directory, { bigint: true });
    return birthtimeNs > 0n ? `${ino} ${birthtimeNs}` : '';
  } catch {
    return '';
  }
}

/** Notes which folder one is now. Away, it stays what it was. */
function markKnown(known: readonly KnownFolder[], id: string): KnownFolder[] {
  return known.map((one) => (one.id === id ? { ...one, mark: markFolder(one.directory) || one.mark } : one));
}

/** Where something stands at its former place, that is the collection. */
function findMoved(known: readonly KnownFolder[], mark: string): KnownFolder | undefined {
  if (mark === '') return undefined;
  return known.find((one) => one.mark === mark && findStats(one.directory) === undefined);
}

/** By what the paths lead to: a link to an open folder is no other collection, nor is it in another case where its disk takes that for the same. */
function leadsTo(directory: string): (known: KnownFolder) => boolean {
  const wanted = followLinks(directory);
  const [folded, isThere] = [foldName(wanted), findStats(wanted) !== undefined];
  return (known) => {
    const one = followLinks(known.directory);
    return one === wanted || (isThere && foldName(one) === folded && isOneFile(one, wanted));
  };
}

function followLinks(directory: string): string {
  try {
    return realpathSync(directory);
  } catch {
    // Gone, or on a disk that is not there now: its path alone counts.
    return directory;
  }
}
