import { statSync } from 'node:fs';
import { basename, isAbsolute, join, resolve } from 'node:path';
import type { Handlers } from '@shared/contract/contract';
import type { EventBus } from '@shared/contract/events';
import { AppError } from '@shared/errors';
import type { Clock, Random, SettingsStore } from '../../platform/ports';
import {
  createEntry,
  readCollectionFile,
  renameEntry,
  trashEntry,
  writeCollectionFile,
} from './collection-files';
import { missingCollection } from './collection-paths';
import { createCollectionWatcher } from './collection-watcher';
import { readTree, type Tree, type TreeCache } from './read-tree';
import { findStarter, prepareStarter } from './starter';

export interface CollectionsDeps {
  dataDirectory: string;
  settings: SettingsStore;
  events: EventBus;
  clock: Clock;
  random: Random;
  /** Folder that first starts copy; null: none; left out: the one shipped. */
  starter?: string | null;
}

export interface CollectionsService {
  handlers: Pick<
    Handlers,
    | 'collections.tree'
    | 'collections.open'
    | 'collections.read'
    | 'collections.write'
    | 'collections.create'
    | 'collections.rename'
    | 'collections.delete'
  >;
  /** Folder of the open collection. */
  directory(): string;
  close(): void;
}

const settingsKey = 'collection';

/**
 * Keeps the open collection: a folder of `.http` files, the user's own or the starter's copy.
 *
 * The first start puts the starter collection into the data directory.
 * @throws {AppError} `platform.unwritable`, `platform.disk_full` where the starter cannot be copied
 */
export function createCollectionsService(deps: CollectionsDeps): CollectionsService {
  const starter = deps.starter === undefined ? findStarter() : deps.starter;
  const usual = prepareStarter(deps.dataDirectory, starter);
  const cache: TreeCache = new Map();
  let isClosed = false;

  const directory = (): string => {
    const stored = deps.settings.get(settingsKey) as { directory?: unknown } | null | undefined;
    return typeof stored?.directory === 'string' && isAbsolute(stored.directory) ? stored.directory : usual;
  };
  const announce = (paths: string[]): void => {
    deps.events.emit('collections.changed', { paths });
    if (paths.some((path) => /^http-client\..*env\.json$/.test(path)))
      deps.events.emit('environments.changed', {});
  };
  const watcher = createCollectionWatcher(directory, announce);
  const list = async (): Promise<Tree> => {
    const tree = await readTree(directory(), cache);
    if (!isClosed) watcher.follow(tree.folders);
    return tree;
  };
  const tell = <T extends { path: string }>(result: T): T => {
    announce([result.path]);
    return result;
  };

  return {
    directory,
    close() {
      isClosed = true;
      watcher.close();
    },
    handlers: {
      async 'collections.tree'() {
        const { nodes } = await list();
        return { name: basename(directory()), directory: directory(), nodes };
      },
      async 'collections.open'(input) {
        const wanted = checkFolder(input.directory);
        // Listed before it is stored: what is too large or unreadable is refused, the open one stays.
        await readTree(wanted, new Map());
        deps.settings.set(settingsKey, { directory: wanted });
        cache.clear();
        announce([]);
        deps.events.emit('environments.changed', {});
        return { name: basename(wanted), directory: wanted };
      },
      'collections.read': ({ path }) => readCollectionFile(directory(), path),
      'collections.write': (input) => tell(writeCollectionFile(directory(), input)),
      'collections.create': (input) => tell({ path: createEntry(directory(), input) }),
      'collections.rename': ({ path, name }) => tell({ path: renameEntry(directory(), path, name) }),
      'collections.delete'({ path }) {
        const time = new Date(deps.clock.now()).toISOString().replaceAll(':', '-');
        const stamp = `${time}-${deps.random.uuid().slice(0, 8)}`;
        trashEntry(directory(), path, { directory: join(deps.dataDirectory, '.trash'), stamp });
        announce([path]);
        return {};
      },
    },
  };
}

function checkFolder(text: string): string {
  if (!isAbsolute(text) || text.includes('\0')) {
    throw new AppError('collections.bad_path', 'Give the whole path of the folder, from the root on.');
  }
  const directory = resolve(text);
  const stats = statSync(directory, { throwIfNoEntry: false });
  if (stats === undefined) throw missingCollection(directory);
  if (!stats.isDirectory()) {
    throw new AppError(
      'collections.bad_path',
      `${directory} is a file. A collection is a folder: open that.`,
    );
  }
  return directory;
}
