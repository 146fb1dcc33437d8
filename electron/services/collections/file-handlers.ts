import { dirname, join } from 'node:path';
import type { collectionFileMethods } from '@shared/contract/collection-files';
import type { OpenCollection } from '@shared/contract/collections';
import type { Handlers } from '@shared/contract/contract';
import { requestExtension } from '@shared/http-file/example-file';
import { identifyBlock } from '@shared/http-file/identify-block';
import { parseHttpFile } from '@shared/http-file/parse-http-file';
import { readBodyFile } from './body-files';
import { createEntry, readCollectionFile, renameEntry, writeCollectionFile } from './collection-files';
import { locate } from './collection-paths';
import { findLeftBodies, type FormerTexts } from './follow-body-files';
import { copyEntry, moveEntry, moveFollowed } from './transfer-entry';
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
  /** What is kept of a request goes by its place: told when that is another. */
  onMoved?: OnMoved;
}

/** @param to.block - what the only request of the file is called now; null: it is no file of one request, or was not renamed */
export type OnMoved = (
  from: { readonly collectionId: string; readonly path: string },
  to: { readonly collectionId: string; readonly path: string; readonly block: string | null },
) => Promise<void>;

/** Answers what is done with the files of an open collection; whoever shows it hears of each change. */
export function createFileHandlers({
  trash,
  get,
  announce,
  onMoved,
}: FileHandlersDeps): Pick<Handlers, FileMethod> {
  const former: FormerTexts = new Map();
  const folderOf = (collectionId: string): string => get(collectionId).directory;
  const tell = <T extends { path: string }>(collectionId: string, result: T): T => {
    announce(collectionId, [result.path]);
    return result;
  };
  const findLeft = (root: string, toRoot: string, from: string, to: string) => {
    const left =
      root !== toRoot && findLeftBodies(root, toRoot, { from: join(root, from), to: join(toRoot, to) });
    return left && left.bodies.length + left.requests.length > 0 ? { leftBodies: left } : {};
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
    async 'collections.rename'({ collectionId, path, name }) {
      const root = folderOf(collectionId);
      const rename = (from: string, to: string): void => moveFollowed(from, to, former, root);
      const renamed = tell(collectionId, { path: renameEntry(root, path, name, rename) });
      const to = { collectionId, path: renamed.path, block: readOnlyBlock(root, renamed.path) };
      await onMoved?.({ collectionId, path }, to);
      return renamed;
    },
    async 'collections.move'({ collectionId, path, toCollectionId, toFolder }) {
      const [root, toRoot] = [folderOf(collectionId), folderOf(toCollectionId)];
      const moved = { path: moveEntry({ root, path, toRoot, toFolder }, former) };
      announce(collectionId, [path]);
      tell(toCollectionId, moved);
      await onMoved?.(
        { collectionId, path },
        { collectionId: toCollectionId, path: moved.path, block: null },
      );
      return { ...moved, ...findLeft(root, toRoot, path, moved.path) };
    },
    'collections.copy'({ collectionId, path, toCollectionId, toFolder }) {
      const [root, toRoot] = [folderOf(collectionId), folderOf(toCollectionId)];
      const copied = tell(toCollectionId, { path: copyEntry({ root, path, toRoot, toFolder }) });
      return { ...copied, ...findLeft(root, toRoot, path, copied.path) };
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

/** Gives what the only request of a file is called; null for a folder, and a file that has several or cannot be read. */
function readOnlyBlock(root: string, path: string): string | null {
  if (!requestExtension.test(path)) return null;
  try {
    const { requests } = parseHttpFile(readCollectionFile(root, path).text);
    return requests.length === 1 ? identifyBlock(requests, 0) : null;
  } catch {
    return null;
  }
}
