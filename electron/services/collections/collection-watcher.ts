import { watch, type FSWatcher } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import { coalesce } from '../../platform/coalesce';

export interface CollectionWatcher {
  /** Watches a folder from now on; absolute. Added before it is read, what changes in it meanwhile is told. */
  add(folder: string): void;
  /** Watches no other folders any more. */
  keep(folders: readonly string[]): void;
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
  /** Other folders may stand at their places since: what watches the former ones hears nothing any more. */
  const doubted = new Set<string>();
  const note = (folder: string, event: string, name: string | null): void => {
    // Hidden names are ours while a file is written, git's, an editor's: never part of a collection.
    if (name === null || name.startsWith('.')) return;
    const path = join(folder, name);
    if (event === 'rename') {
      // A folder that goes itself says its own name.
      const isItself = name === basename(folder);
      for (const one of watchers.keys()) {
        if (one === path || one.startsWith(path + sep) || (isItself && one === folder)) doubted.add(one);
      }
    }
    changed.add(relative(root, path).split(sep).join('/'));
    notice.ask();
  };
  const drop = (folder: string): void => {
    watchers.get(folder)?.close();
    watchers.delete(folder);
    doubted.delete(folder);
  };
  const begin = (folder: string): void => {
    try {
      const watcher = watch(folder, { persistent: false }, (event, name) => note(folder, event, name));
      watcher.on('error', () => drop(folder));
      watchers.set(folder, watcher);
    } catch {
      // No watcher to be had, or the folder is gone: the next listing shows the truth anyway.
    }
  };
  return {
    add(folder) {
      if (doubted.has(folder)) drop(folder);
      if (!watchers.has(folder) && watchers.size < maxFolders) begin(folder);
    },
    keep(folders) {
      const wanted = new Set(folders);
      for (const folder of [...watchers.keys()]) if (!wanted.has(folder)) drop(folder);
    },
    close() {
      for (const folder of [...watchers.keys()]) drop(folder);
      notice.cancel();
    },
  };
}
