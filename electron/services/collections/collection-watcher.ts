import { watch, type FSWatcher } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { coalesce } from '../../platform/coalesce';

export interface CollectionWatcher {
  /** Watches exactly these folders from now on; absolute. */
  follow(folders: readonly string[]): void;
  close(): void;
}

/** Enough for any collection; the number that a system allows one user is limited. */
const maxFolders = 1024;
const gatherMs = 80;

/**
 * Watches the folders of a collection and tells what changed, gathered.
 *
 * One watcher a folder: Node's recursive watching takes one a file on Linux. Where the system has no more
 * watchers the folder goes unwatched, which costs only the live update.
 * @param onChange - paths as in the contract, each once
 */
export function createCollectionWatcher(
  root: string,
  onChange: (paths: string[]) => void,
): CollectionWatcher {
  const watchers = new Map<string, FSWatcher>();
  const changed = new Set<string>();

  const notice = coalesce(
    () => {
      const paths = [...changed];
      changed.clear();
      onChange(paths);
    },
    { delayMs: gatherMs },
  );
  const note = (folder: string, name: string | null): void => {
    // Hidden names are ours while a file is written, git's, an editor's: never part of a collection.
    if (name === null || name.startsWith('.')) return;
    changed.add(relative(root, join(folder, name)).split(sep).join('/'));
    notice.ask();
  };
  const drop = (folder: string): void => {
    watchers.get(folder)?.close();
    watchers.delete(folder);
  };
  const begin = (folder: string): void => {
    try {
      const watcher = watch(folder, { persistent: false }, (_event, name) => note(folder, name));
      watcher.on('error', () => drop(folder));
      watchers.set(folder, watcher);
    } catch {
      // No watcher to be had, or the folder is gone: the next listing shows the truth anyway.
    }
  };
  return {
    follow(folders) {
      const wanted = new Set(folders.slice(0, maxFolders));
      for (const folder of watchers.keys()) if (!wanted.has(folder)) drop(folder);
      for (const folder of wanted) if (!watchers.has(folder)) begin(folder);
    },
    close() {
      for (const folder of [...watchers.keys()]) drop(folder);
      notice.cancel();
    },
  };
}
