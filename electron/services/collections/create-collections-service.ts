import { statSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import type { OpenCollection } from '@shared/contract/collections';
import type { Handlers } from '@shared/contract/contract';
import type { EventBus } from '@shared/contract/events';
import type { Clock, Random, SettingsStore } from '../../platform/ports';
import { readCollectionEnvironments } from '../environments/collection-environments';
import { errorsOf } from '../errors-of';
import {
  createEntry,
  readCollectionFile,
  renameEntry,
  trashEntry,
  writeCollectionFile,
} from './collection-files';
import { readBodyFile } from './body-files';
import { locate, missingCollection } from './collection-paths';
import { createCollectionRegistry, type CollectionRegistry } from './collection-registry';
import { createCollectionWatcher, type CollectionWatcher } from './collection-watcher';
import { readTree, type Tree, type TreeCache } from './read-tree';
import { findStarter, prepareStarter } from './starter';

const CollectionsError = errorsOf<'collections'>();

export interface CollectionsDeps {
  /** Null: there is no starter collection, and nothing can be put into the trash. */
  dataDirectory: string | null;
  settings: SettingsStore;
  events: EventBus;
  clock: Clock;
  random: Random;
  /** Folder that first starts copy; null: none; left out: the one shipped. */
  starter?: string | null;
}

type CollectionHandlers = Pick<Handlers, Extract<keyof Handlers, `collections.${string}`>>;

export interface CollectionsService {
  handlers: CollectionHandlers;
  /** Those that are open. */
  list(): OpenCollection[];
  /** The one opened last; null where none is open. */
  active(): OpenCollection | null;
  /** For a host that goes on running: reads what is open once, and holds back what broke the last start. */
  start(): Promise<void>;
  close(): void;
}

/** What is kept of an open collection while the app runs. */
interface Follower {
  cache: TreeCache;
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
  const usual = deps.dataDirectory === null ? null : prepareStarter(deps.dataDirectory, starter);
  const registry = createCollectionRegistry({ ...deps, usual });
  const announce = createAnnouncer(deps.events);
  const followers = createFollowers(announce);
  return {
    list: () => registry.list(),
    active: () => registry.active(),
    async start() {
      registry.holdBackBroken();
      for (const collection of registry.list()) await readFirst(registry, followers, collection);
    },
    close: followers.close,
    handlers: {
      ...createRegistryHandlers(registry, followers, announce),
      ...createFileHandlers(deps, (id) => registry.get(id).directory, announce),
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
  drop(id: string): void;
  close(): void;
}

function createFollowers(announce: Announce): Followers {
  const followers = new Map<string, Follower>();
  let isClosed = false;
  const follow = ({ id, directory }: OpenCollection): Follower => {
    const known = followers.get(id);
    if (known !== undefined) return known;
    const watcher = createCollectionWatcher(directory, (paths) => announce(id, paths));
    const follower = { cache: new Map(), watcher };
    followers.set(id, follower);
    return follower;
  };
  const drop = (id: string): void => {
    followers.get(id)?.watcher.close();
    followers.delete(id);
  };
  return {
    drop,
    async readTree(collection) {
      const { cache, watcher } = follow(collection);
      const tree = await readTree(collection.directory, cache);
      if (!isClosed && followers.has(collection.id)) watcher.follow(tree.folders);
      return tree;
    },
    close() {
      isClosed = true;
      for (const id of [...followers.keys()]) drop(id);
    },
  };
}

type RegistryMethod = 'collections.list' | 'collections.open' | 'collections.close' | 'collections.tree';

function createRegistryHandlers(
  registry: CollectionRegistry,
  followers: Followers,
  announce: Announce,
): Pick<CollectionHandlers, RegistryMethod> {
  return {
    'collections.list': () => ({
      collections: registry.list(),
      activeId: registry.active()?.id ?? null,
      heldBack: registry.heldBack(),
    }),
    async 'collections.open'({ directory }) {
      const wanted = checkFolder(directory);
      // Listed before it is stored: what is too large or unreadable is refused.
      await readTree(wanted, new Map());
      const opened = registry.open(wanted);
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
      return { ...collection, nodes };
    },
  };
}

function createFileHandlers(
  { clock, random, dataDirectory }: Pick<CollectionsDeps, 'clock' | 'random' | 'dataDirectory'>,
  folderOf: (collectionId: string) => string,
  announce: Announce,
): Omit<CollectionHandlers, RegistryMethod> {
  const tell = <T extends { path: string }>(collectionId: string, result: T): T => {
    announce(collectionId, [result.path]);
    return result;
  };
  return {
    'collections.read': ({ collectionId, path }) => readCollectionFile(folderOf(collectionId), path),
    'collections.readBodyFile': ({ collectionId, path, file }) => ({
      base64: readBodyFile(dirname(locate(folderOf(collectionId), path)), file).toString('base64'),
    }),
    'collections.write': ({ collectionId, ...input }) =>
      tell(collectionId, writeCollectionFile(folderOf(collectionId), input)),
    'collections.create': ({ collectionId, ...input }) =>
      tell(collectionId, { path: createEntry(folderOf(collectionId), input) }),
    'collections.rename': ({ collectionId, path, name }) =>
      tell(collectionId, { path: renameEntry(folderOf(collectionId), path, name) }),
    'collections.delete'({ collectionId, path }) {
      const time = new Date(clock.now()).toISOString().replaceAll(':', '-');
      const stamp = `${time}-${random.uuid().slice(0, 8)}`;
      const trash = requireDataDirectory(dataDirectory);
      trashEntry(folderOf(collectionId), path, { directory: join(trash, '.trash'), stamp });
      announce(collectionId, [path]);
      return {};
    },
  };
}

function requireDataDirectory(dataDirectory: string | null): string {
  if (dataDirectory !== null) return dataDirectory;
  throw new CollectionsError(
    'platform.unwritable',
    'This run has no data directory, so nothing is deleted: name one with --data.',
  );
}

function checkFolder(text: string): string {
  if (!isAbsolute(text) || text.includes('\0')) {
    throw new CollectionsError(
      'collections.bad_path',
      'Give the whole path of the folder, from the root on.',
    );
  }
  const directory = resolve(text);
  const stats = statSync(directory, { throwIfNoEntry: false });
  if (stats === undefined) throw missingCollection(directory);
  if (!stats.isDirectory()) {
    throw new CollectionsError(
      'collections.bad_path',
      `${directory} is a file. A collection is a folder: open that.`,
    );
  }
  return directory;
}
