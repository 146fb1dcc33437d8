import { readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import type { OpenCollection } from '@shared/contract/collections';
import type { MethodOutput } from '@shared/contract/contract';
import type { AppError } from '@shared/errors';
import { isExamplePath, requestExtension } from '@shared/http-file/example-file';
import type { Clock, Random } from '../../platform/ports';
import { findStats, makeDirectory, removeIfThere, writeFileDurably } from '../../platform/files/files';
import { readRegularFile } from '../../platform/files/regular-file';
import { errorsOf } from '../errors-of';
import { moveExamples, refuseOtherKind } from './collection-files';
import { isTaken, locateEntry } from './collection-paths';
import { ensureFolder, findFreePath, moveOnDisk } from './transfer-entry';

const CollectionsError = errorsOf<'collections'>();

type TrashEntry = MethodOutput<'collections.trash'>['entries'][number];

const keptMs = 30 * 24 * 60 * 60 * 1000;
const mostListed = 500;
const maxNoteBytes = 64 * 1024;
/** Folder and note of one deletion: when, and something random. */
const idPattern = /^(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z)-[0-9a-f]{8}$/;

export interface Trash {
  /** Takes a file or folder out of a collection; of a link the link alone, wherever it leads. @returns what names it in the trash */
  put(collection: OpenCollection, path: string): string;
  list(): TrashEntry[];
  /** Puts something back. @returns where it is now */
  restore(
    trashId: string,
    folderOf: (collectionId: string) => string,
  ): { collectionId: string; path: string };
  /** Removes for good what has been in it for 30 days. */
  prune(): void;
}

/**
 * Keeps what was deleted from collections: in a folder of the data directory, each with a note of where it was.
 *
 * @param directory - of the trash, made where absent; null: the run has no data directory, and nothing is deleted
 */
export function createTrash(deps: { directory: string | null; clock: Clock; random: Random }): Trash {
  const { directory } = deps;
  const noteOf = (trashId: string): string => join(requireDirectory(directory), `${trashId}.json`);
  const forget = (trashId: string): void => {
    rmSync(join(requireDirectory(directory), trashId), { recursive: true, force: true });
    removeIfThere(noteOf(trashId));
  };
  return {
    put({ id, name, directory: root }, path) {
      const trash = requireDirectory(directory);
      const absolute = locateEntry(root, path);
      if (findStats(absolute)?.isDirectory() !== true) refuseOtherKind(path);
      const time = new Date(deps.clock.now()).toISOString().replaceAll(':', '-');
      const trashId = `${time}-${deps.random.uuid().slice(0, 8)}`;
      const target = join(trash, trashId, ...path.split('/'));
      makeDirectory(dirname(target));
      // The note first: what is in the trash can be found again, whatever happens in between.
      writeFileDurably(noteOf(trashId), JSON.stringify({ collectionId: id, collectionName: name, path }));
      const isRequest = requestExtension.test(path) && !isExamplePath(path);
      moveOnDisk(absolute, target);
      if (isRequest) moveExamples(absolute, target, moveOnDisk);
      return trashId;
    },
    list: () => (directory === null ? [] : listEntries(directory)),
    restore(trashId, folderOf) {
      const entry = directory === null ? null : readEntry(directory, trashId);
      if (directory === null || entry === null) throw unknownEntry();
      const root = folderOf(entry.collectionId);
      const stored = join(directory, trashId, ...entry.path.split('/'));
      if (!isTaken(stored)) throw unknownEntry();
      const folder = entry.path.split('/').slice(0, -1).join('/');
      ensureFolder(root, folder);
      // Its own name, as far as the system tells it from others: one was there in other letters before, too.
      const isFree = !isTaken(join(root, ...entry.path.split('/')));
      const path = isFree ? entry.path : findFreePath(root, folder, basename(stored));
      const target = join(root, ...path.split('/'));
      moveOnDisk(stored, target);
      if (requestExtension.test(path) && !isExamplePath(path)) {
        moveExamples(stored, target, moveOnDisk);
        // Those whose names were taken meanwhile.
        for (const name of readdirSync(dirname(stored)))
          moveOnDisk(join(dirname(stored), name), join(root, ...findFreePath(root, folder, name).split('/')));
      }
      forget(trashId);
      return { collectionId: entry.collectionId, path };
    },
    prune() {
      if (directory === null) return;
      for (const trashId of listIds(directory)) {
        if (deps.clock.now() - readTime(trashId) > keptMs) forget(trashId);
      }
    },
  };
}

function requireDirectory(directory: string | null): string {
  if (directory !== null) return directory;
  throw new CollectionsError(
    'platform.unwritable',
    'This run has no data directory, so nothing is deleted: name one with --data.',
  );
}

/** Of those that are ours by their names; anything else in the folder is left alone. */
function listIds(directory: string): string[] {
  try {
    return readdirSync(directory).filter((name) => idPattern.test(name));
  } catch {
    return [];
  }
}

function readTime(trashId: string): number {
  const [, time = ''] = idPattern.exec(trashId) ?? [];
  return Date.parse(time.replace(/T(\d\d)-(\d\d)-/, 'T$1:$2:'));
}

function listEntries(directory: string): TrashEntry[] {
  return (
    listIds(directory)
      .toSorted()
      .reverse()
      .slice(0, mostListed)
      .flatMap((trashId) => readEntry(directory, trashId) ?? [])
      // A note may stand alone: of a deletion that was killed before it, or of one that was put back.
      .filter(({ trashId, path }) => isTaken(join(directory, trashId, ...path.split('/'))))
  );
}

/** Null: there is no such entry, or none that says where it was. */
function readEntry(directory: string, trashId: string): TrashEntry | null {
  if (!idPattern.test(trashId)) return null;
  const file = join(directory, `${trashId}.json`);
  const { bytes } = readRegularFile(file, { root: directory, maxBytes: maxNoteBytes });
  if (bytes === null) return null;
  try {
    const { collectionId, collectionName, path } = JSON.parse(bytes.toString('utf8')) as Partial<TrashEntry>;
    if (typeof collectionId !== 'string' || typeof path !== 'string' || !isPlain(path)) return null;
    return {
      trashId,
      collectionId,
      collectionName: String(collectionName),
      path,
      deletedAt: readTime(trashId),
    };
  } catch {
    return null;
  }
}

/** A note that somebody changed leads nowhere else. */
function isPlain(path: string): boolean {
  const foreign = sep === '\\' ? /[\\:\0]/ : /\0/;
  return path.split('/').every((part) => part !== '' && !part.startsWith('.') && !foreign.test(part));
}

function unknownEntry(): AppError {
  return new CollectionsError(
    'collections.unknown',
    'This is not in the trash any more: it was put back, or removed after 30 days.',
  );
}
