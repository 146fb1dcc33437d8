import { rmSync, type Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import type { OpenCollection } from '@shared/contract/collections';
import type { HandlersOf } from '@shared/contract/contract';
import type { EventBus } from '@shared/contract/events';
import type { Clock, Ports, Random, SettingsStore } from '../../platform/ports';
import type { AppError } from '@shared/errors';
import { readCollectionEnvironments } from '../environments/collection-environments';
import { errorsOf } from '../errors-of';
import { listStages } from '../imports/import-journal';
import { locate, missingCollection } from './collection-paths';
import { findOrderFault } from './collection-order';
import { createCollectionRegistry, type CollectionRegistry } from './collection-registry';
import { createCollectionWatcher, type CollectionWatcher } from './collection-watcher';
import { completeFolder } from './complete-folder';
import { createExportHandlers, createFolderExport, type FolderExport } from './export-collection';
import { createFileHandlers, type FileMethod, type OnMoved } from './file-handlers';
import { readGitState, type GitCache } from './git/read-git-state';
import { makeCollection, placeCollection } from './make-collection';
import { readTree, type Tree, type TreeCache } from './read-tree';
import { searchFiles, type SearchedCollection } from './search-files';
import { findStarter, prepareStarter } from './starter';
import { createTrash } from './trash';
import { findStats } from '../../platform/files/files';
import { findWhyOutOfReach } from '../../platform/files/read-faults';
import { createLongWork, type LongWork } from '../../platform/workers/long-work';

/** A folder that is away is looked for so often. */
const LOOK_EVERY_MS = 1000;

const CollectionsError = errorsOf<'collections'>();

export interface CollectionsDeps extends Pick<Ports, 'chooseFolder' | 'revealPath'> {
  /** Null: there is no starter collection, and nothing can be put into the trash. */
  dataDirectory: string | null;
  settings: SettingsStore;
  events: EventBus;
  clock: Clock;
  random: Random;
  /** Of this program. */
  version: string;
  /** Folder that first starts copy; null: none; left out: the one shipped. */
  starter?: string | null;
  /** Left out: nothing is kept of requests. */
  onMoved?: OnMoved;
  /** Left out: this thread exports. */
  longWork?: LongWork<FolderExport>;
}

export interface CollectionsService {
  handlers: HandlersOf<'collections'>;
  /** Those that are open. */
  list(): OpenCollection[];
  /** @throws {AppError} `collections.unknown` where none of that id is open */
  get(id: string): OpenCollection;
  /** The one opened last; null where none is open. */
  active(): OpenCollection | null;
  /** Says where a new collection of that name is to be, and makes nothing. @throws {AppError} as making it does */
  place(name: string): string;
  /** Opens a folder that was made just now; one that cannot be opened is removed. */
  openMade(directory: string): OpenCollection;
  /** For a host that goes on running: reads what is open once, and holds back what broke the last start. */
  start(): Promise<void>;
  close(): void;
}

/** What is kept of an open collection while the app runs. */
interface Follower {
  directory: string;
  cache: TreeCache;
  gitCache: GitCache;
  watcher: CollectionWatcher;
}

/**
 * Keeps the open collections: folders of `.http` files, the user's own or the starter's copy.
 *
 * The first start puts the starter collection into the data directory and opens it.
 * @throws {AppError} `platform.unwritable`, `platform.disk_full` where the starter cannot be copied
 */
export function createCollectionsService(deps: CollectionsDeps): CollectionsService {
  const starter = deps.starter === undefined ? findStarter() : deps.starter;
  const { longWork = createLongWork(null, createFolderExport(deps)) } = deps;
  const usual = deps.dataDirectory === null ? null : prepareStarter(deps.dataDirectory, starter);
  const registry = createCollectionRegistry({ ...deps, usual });
  const announce = createAnnouncer(deps.events);
  const followers = createFollowers(announce);
  const finishing = createFinishing();
  const trash = createTrash({
    ...deps,
    directory: deps.dataDirectory === null ? null : join(deps.dataDirectory, '.trash'),
  });
  return {
    list: () => registry.list(),
    get: (id) => registry.get(id),
    active: () => registry.active(),
    async start() {
      registry.holdBackBroken();
      trash.prune();
      for (const collection of registry.list()) {
        await finishing.finish(collection);
        await readFirst(registry, followers, collection);
      }
    },
    place: (name) => placeCollection(findUsualParent(deps.dataDirectory), name),
    openMade: (directory) => openMade(registry, announce, directory),
    close() {
      followers.close();
      void longWork.close();
    },
    handlers: {
      ...createRegistryHandlers({ registry, followers, finishing, announce }),
      ...createReadingHandlers(registry, followers),
      ...createFolderHandlers({ ...deps, starter }, registry, announce),
      ...createFileHandlers({ ...deps, trash, get: (id) => registry.get(id), announce }),
      ...createExportHandlers({ version: deps.version, longWork, get: (id) => registry.get(id) }),
    },
  };
}

/** A folder that cannot be listed says so when it is asked for; what ends the process is known by its mark. */
async function readFirst(
  registry: CollectionRegistry,
  followers: Followers,
  collection: OpenCollection,
): Promise<void> {
  await registry.guard(collection.id, async () => {
    readCollectionEnvironments(collection.directory);
    await followers.readTree(collection).catch(() => undefined);
  });
}

type Announce = (collectionId: string, paths: string[]) => void;

function createAnnouncer(events: EventBus): Announce {
  return (collectionId, paths) => {
    events.emit('collections.changed', { collectionId, paths });
    if (paths.length === 0 || paths.some((path) => /^http-client\..*env\.json$/.test(path))) {
      events.emit('environments.changed', {});
    }
  };
}

interface Followers {
  /** Lists a collection and follows its folders from then on. */
  readTree({ id, directory }: OpenCollection): Promise<Tree>;
  /** What is kept of a collection: of files that were never listed, nothing. */
  follow(collection: Pick<OpenCollection, 'id' | 'directory'>): Follower;
  drop(id: string): void;
  close(): void;
}

function createFollowers(announce: Announce): Followers {
  const followers = new Map<string, Follower>();
  let isClosed = false;
  const returns = createReturns((id) => {
    // What watched the folder that stood in its place hears nothing of this one.
    followers.get(id)?.watcher.keep([]);
    announce(id, []);
  });
  const drop = (id: string): void => {
    returns.forget(id);
    followers.get(id)?.watcher.close();
    followers.delete(id);
  };
  const follow = ({ id, directory }: Pick<OpenCollection, 'id' | 'directory'>): Follower => {
    const known = followers.get(id);
    if (known?.directory === directory) return known;
    // Its folder was moved.
    drop(id);
    const watcher = createCollectionWatcher(directory, (paths) => announce(id, paths));
    const follower = { directory, cache: new Map(), gitCache: new Map(), watcher };
    followers.set(id, follower);
    return follower;
  };
  return {
    drop,
    follow,
    async readTree(collection) {
      const { cache, watcher } = follow(collection);
      const before = identify(findStats(collection.directory));
      const isWanted = (): boolean => !isClosed && followers.get(collection.id)?.watcher === watcher;
      const tree = await readTree(collection.directory, cache, {
        onFolder: (folder) => isWanted() && watcher.add(folder),
      }).catch((error: unknown) => {
        if (isWanted() && (error as AppError).code === 'collections.missing') returns.await(collection, '');
        throw error;
      });
      if (!isWanted()) return tree;
      watcher.keep(tree.folders);
      // Where a disk is mounted, an empty folder stands while it is away.
      if (tree.nodes.length === 0) returns.await(collection, before);
      else returns.forget(collection.id);
      return tree;
    },
    close() {
      isClosed = true;
      for (const id of [...followers.keys()]) drop(id);
    },
  };
}

/** Which folder stands at a path; empty: none. */
const identify = (stats: Stats | undefined): string =>
  stats === undefined ? '' : `${stats.dev} ${stats.ino}`;

/** Looks for folders that are away, of a disk that is not there for one, until they are back: nothing of the system tells of it. */
function createReturns(tell: (id: string) => void) {
  const timers = new Map<string, NodeJS.Timeout>();
  const forget = (id: string): void => {
    clearInterval(timers.get(id));
    timers.delete(id);
  };
  return {
    forget,
    /** @param before - which folder stands there, and is not the one that is waited for */
    await({ id, directory }: Pick<OpenCollection, 'id' | 'directory'>, before: string): void {
      forget(id);
      const look = async (): Promise<void> => {
        const now = identify(await stat(directory).catch(() => undefined));
        if (now === '' || now === before || !timers.has(id)) return;
        forget(id);
        tell(id);
      };
      timers.set(id, setInterval(() => void look(), LOOK_EVERY_MS).unref());
    },
  };
}

/** What was done to open folders without being asked for. */
interface Finishing {
  /** Brings an import to its end that was killed, and keeps what is to be said of it while the app runs. */
  finish(collection: OpenCollection): Promise<void>;
  notes(): { collectionId: string; message: string }[];
}

function createFinishing(): Finishing {
  const notes: { collectionId: string; message: string }[] = [];
  return {
    async finish({ id, name, directory }) {
      if (listStages(directory).length === 0) return;
      const { finishImports } = await import('../imports/finish-import');
      const what = finishImports(directory);
      if (what !== null) notes.push({ collectionId: id, message: `“${name}”: ${what}` });
    },
    notes: () => [...notes],
  };
}

type RegistryMethod =
  | 'collections.list'
  | 'collections.open'
  | 'collections.close'
  | 'collections.tree'
  | ReadingMethod;
type ReadingMethod = 'collections.git' | 'collections.search' | 'collections.cancelSearch';
type FolderMethod = Exclude<
  keyof HandlersOf<'collections'>,
  RegistryMethod | FileMethod | 'collections.export'
>;

function createRegistryHandlers({
  registry,
  followers,
  finishing,
  announce,
}: {
  registry: CollectionRegistry;
  followers: Followers;
  finishing: Finishing;
  announce: Announce;
}): Pick<HandlersOf<'collections'>, Exclude<RegistryMethod, ReadingMethod>> {
  return {
    'collections.list': () => ({
      collections: registry.list(),
      activeId: registry.active()?.id ?? null,
      heldBack: registry.heldBack(),
      recent: registry.recent(),
      notes: finishing.notes(),
    }),
    async 'collections.open'({ directory }) {
      const wanted = checkFolder(directory);
      // Listed before it is stored: what is too large or unreadable is refused. Its files are read once, for the tree.
      await readTree(wanted, new Map(), { isJudged: false });
      const opened = registry.open(wanted);
      await finishing.finish(opened);
      announce(opened.id, []);
      return opened;
    },
    'collections.close'({ collectionId }) {
      registry.close(collectionId);
      followers.drop(collectionId);
      announce(collectionId, []);
      return {};
    },
    async 'collections.tree'({ collectionId }) {
      const collection = registry.get(collectionId);
      const { nodes } = await followers.readTree(collection);
      return { ...collection, nodes, orderFault: findOrderFault(collection.directory) };
    },
  };
}

/** What reads through all the files of collections. */
function createReadingHandlers(
  registry: CollectionRegistry,
  followers: Followers,
): Pick<HandlersOf<'collections'>, ReadingMethod> {
  /** The latest search of each id. */
  const searches = new Map<string, symbol>();
  const listFiles = async (collection: OpenCollection): Promise<SearchedCollection> => {
    const { cache } = followers.follow(collection);
    // One that cannot be listed has no files to search in; the tree says why.
    if (cache.size === 0) await followers.readTree(collection).catch(() => undefined);
    const files = [...cache].map(([path, { facts }]) => [path, facts.name] as const);
    return { id: collection.id, directory: collection.directory, files };
  };
  return {
    async 'collections.git'({ collectionId }) {
      const { id, directory } = registry.get(collectionId);
      const { cache, gitCache } = followers.follow({ id, directory });
      return readGitState(directory, [...cache.keys()], gitCache);
    },
    async 'collections.search'({ searchId, ...wanted }) {
      const search = Symbol(searchId);
      searches.set(searchId, search);
      const isCanceled = (): boolean => searches.get(searchId) !== search;
      const collections = await Promise.all(registry.list().map(listFiles));
      const found = await searchFiles(collections, wanted, isCanceled);
      if (!isCanceled()) searches.delete(searchId);
      return found;
    },
    'collections.cancelSearch'({ searchId }) {
      searches.delete(searchId);
      return {};
    },
  };
}

/** What finds, makes and shows the folders themselves. */
function createFolderHandlers(
  deps: Pick<CollectionsDeps, 'dataDirectory' | 'chooseFolder' | 'revealPath'> & { starter: string | null },
  registry: CollectionRegistry,
  announce: Announce,
): Pick<HandlersOf<'collections'>, FolderMethod> {
  return {
    'collections.make'({ name, from, directory }) {
      const parent = directory === null ? findUsualParent(deps.dataDirectory) : checkFolder(directory, true);
      const source = from === 'starter' ? deps.starter : null;
      return openMade(registry, announce, makeCollection({ parent, name, source }));
    },
    'collections.completeFolder': ({ text }) => completeFolder(text),
    async 'collections.chooseFolder'() {
      if (deps.chooseFolder === undefined) throw notAvailable();
      return { directory: await deps.chooseFolder() };
    },
    'collections.reveal'({ collectionId, path }) {
      if (deps.revealPath === undefined) throw notAvailable();
      deps.revealPath(locate(registry.get(collectionId).directory, path, { mayBeRoot: true }));
      return {};
    },
  };
}

function openMade(registry: CollectionRegistry, announce: Announce, folder: string): OpenCollection {
  try {
    const made = registry.open(folder);
    announce(made.id, []);
    return made;
  } catch (error) {
    // Its name would be taken when it is made again.
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

function notAvailable(): AppError {
  return new CollectionsError(
    'app.not_available',
    'There is no such window here. Type the path of the folder, or copy it.',
  );
}

function findUsualParent(dataDirectory: string | null): string {
  if (dataDirectory !== null) return join(dataDirectory, 'collections');
  throw new CollectionsError(
    'platform.unwritable',
    'This run has no data directory to keep a collection in: name a folder, or start with --data.',
  );
}

/** @param isParent - of a collection that is to be made */
function checkFolder(text: string, isParent = false): string {
  if (!isAbsolute(text) || text.includes('\0')) {
    throw new CollectionsError(
      'collections.bad_path',
      'Give the whole path of the folder, from the root on.',
    );
  }
  const directory = resolve(text);
  const stats = findStats(directory);
  if (stats === undefined) {
    if (!isParent) throw missingCollection(directory);
    const why = findWhyOutOfReach(directory);
    const what =
      why === null
        ? `There is no folder ${directory}: make it first, or name one that is there.`
        : `${directory} cannot be reached: ${why}. Mend that, or name another folder.`;
    throw new CollectionsError('collections.missing', what, { details: { directory } });
  }
  if (!stats.isDirectory()) {
    throw new CollectionsError(
      'collections.bad_path',
      isParent
        ? `${directory} is a file. Name a folder to make the collection in.`
        : `${directory} is a file. A collection is a folder: open that.`,
    );
  }
  return directory;
}
