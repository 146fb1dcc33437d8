import { dirname } from 'node:path';
import type { collectionFileMethods } from '@shared/contract/collection-files';
import type { OpenCollection } from '@shared/contract/collections';
import type { Handlers } from '@shared/contract/contract';
import { readBodyFile } from './body-files';
import { createEntry, readCollectionFile, renameEntry, writeCollectionFile } from './collection-files';
import { locate } from './collection-paths';
import { copyEntry, moveEntry } from './transfer-entry';
import type { Trash } from './trash';

export type FileMethod = Exclude<
  keyof typeof collectionFileMethods,
  'collections.git' | 'collections.search' | 'collections.cancelSearch'
>;

export interface FileHandlersDeps {
  trash: Trash;
  /** @throws {AppError} `collections.not_open` */
  get(collectionId: string): OpenCollection;
  announce(collectionId: string, paths: string[]): void;
}

/** Answers what is done with the files of an open collection; whoever shows it hears of each change. */
export function createFileHandlers({ trash, get, announce }: FileHandlersDeps): Pick<Handlers, FileMethod> {
  const folderOf = (collectionId: string): string => get(collectionId).directory;
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
    'collections.move'({ collectionId, path, toCollectionId, toFolder }) {
      const [root, toRoot] = [folderOf(collectionId), folderOf(toCollectionId)];
      const moved = { path: moveEntry({ root, path, toRoot, toFolder }) };
      announce(collectionId, [path]);
      return tell(toCollectionId, moved);
    },
    'collections.copy'({ collectionId, path, toCollectionId, toFolder }) {
      const [root, toRoot] = [folderOf(collectionId), folderOf(toCollectionId)];
      return tell(toCollectionId, { path: copyEntry({ root, path, toRoot, toFolder }) });
    },
    'collections.delete'({ collectionId, path }) {
      const trashId = trash.put(get(collectionId), path);
      announce(collectionId, [path]);
      return { trashId };
    },
    'collections.trash': () => ({ entries: trash.list() }),
    'collections.restore'({ trashId }) {
      const restored = trash.restore(trashId, folderOf);
      return tell(restored.collectionId, restored);
    },
  };
}
