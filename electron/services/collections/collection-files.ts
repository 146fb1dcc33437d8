import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { constants, accessSync, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { foldName } from '@shared/fold-name';
import { AppError } from '@shared/errors';
import { followFileName, printHttpRequest } from '@shared/http-file/edit-http-file';
import {
  findExampleOwner,
  indexRequests,
  isExamplePath,
  parseExample,
  requestExtension,
} from '@shared/http-file/example-file';
import { joinPath } from '@shared/join-path';
import { renameFile } from '../../platform/files/differing-disks';
import { makeDirectory, syncDirectory, toFileError, writeFileDurably } from '../../platform/files/files';
import { errorsOf } from '../errors-of';
import { readRegularFile } from '../../platform/files/regular-file';
import {
  isTaken,
  listTaken,
  locate,
  locateEntry,
  locateNew,
  readName,
  unknownFile,
} from './collection-paths';
import { renameInOrder } from './collection-order';
import { findBadLine } from './read-tree';

const CollectionsError = errorsOf<'collections'>();

export interface FileText {
  path: string;
  text: string;
  version: string;
}

export const maxFileBytes = 16 * 1024 * 1024;
/** Shared by git and by folder: read and written as the user's umask says. */
const fileMode = 0o666;
export const folderMode = 0o777;

function hashBytes(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 32);
}

function readBytes(root: string, absolute: string, path: string): Buffer {
  const { bytes, fault } = readRegularFile(absolute, { root, maxBytes: maxFileBytes });
  if (fault === null) return bytes;
  if (fault === 'missing') throw unknownFile(path);
  if (fault === 'too_large') {
    throw new CollectionsError(
      'collections.too_large',
      `'${path}' is larger than 16 MiB and is not opened here.`,
    );
  }
  throw new CollectionsError(
    'collections.unreadable',
    {
      crowded: `'${path}' could not be opened, as too many files are. Raise the limit (ulimit -n), and try again.`,
      unreadable: `The system failed to read '${path}'. Try again, and look at its disk.`,
    }[fault as string] ?? `'${path}' cannot be read. Check that it is a file, and its permissions.`,
    { details: { path, reason: fault } },
  );
}

function refuseOtherCharset(bytes: Uint8Array, path: string): void {
  if (isUtf8(bytes)) return;
  const line = findBadLine(bytes);
  throw new CollectionsError(
    'collections.not_utf8',
    `'${path}' is not UTF-8 (line ${line}). Save it as UTF-8 in the editor that made it; it is left as it is.`,
    { details: { path, line } },
  );
}

/** Refuses a path that is no request's: other files of the folder are not for changing. @throws {AppError} `collections.bad_path` */
export function refuseOtherKind(path: string): void {
  if (requestExtension.test(path)) return;
  throw new CollectionsError(
    'collections.bad_path',
    `'${path.slice(0, 200)}' is no request file: .http and .rest files are read and written here.`,
    {
      details: { path: path.slice(0, 300) },
    },
  );
}

/**
 * Reads one file of the collection: its text, byte order mark and line ends included, and its version.
 *
 * @throws {AppError} `collections.unknown`, `.unreadable`, `.not_utf8`, `.too_large`, `.bad_path`
 */
export function readCollectionFile(root: string, path: string): FileText {
  refuseOtherKind(path);
  const bytes = readBytes(root, locate(root, path), path);
  refuseOtherCharset(bytes, path);
  return { path, text: bytes.toString('utf8'), version: hashBytes(bytes) };
}

function refuseConflict(path: string, reason: 'changed' | 'deleted' | 'exists'): AppError {
  const said = {
    changed: `'${path}' was changed by something else since you opened it. Your text is still in the editor: read the file again, or save under another name.`,
    deleted: `'${path}' was deleted by something else. Your text is still in the editor: save it as a new file.`,
    exists: `There is already a '${path}'. Choose another name.`,
  };
  return new CollectionsError('collections.conflict', said[reason], { details: { path, reason } });
}

/** What is saved where a disk is to be mounted is hidden once it is there again. */
const emptied = (directory: string): AppError =>
  new CollectionsError(
    'collections.missing',
    `The folder of the collection is empty: ${directory}. Your text is still in the editor: bring back the disk that belongs there or, if all was deleted, make a new request first, and save again.`,
    { details: { directory } },
  );

/**
 * Replaces one file whole, durably, if it is still the one that was read.
 *
 * @param version - of the text edited; null: the file must not exist
 * @throws {AppError} `collections.conflict` with `reason` changed, deleted or exists, `.too_large`, `.bad_text`; nothing is written then
 */
export function writeCollectionFile(
  root: string,
  input: { path: string; text: string; version: string | null },
): { path: string; version: string } {
  const { path, text, version } = input;
  refuseOtherKind(path);
  if (/\p{Surrogate}/u.test(text)) {
    throw new CollectionsError(
      'collections.bad_text',
      'The text holds half a character, which no file can keep. Delete it and save again.',
    );
  }
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length > maxFileBytes) {
    throw new CollectionsError(
      'collections.too_large',
      'The text is larger than 16 MiB, and could not be opened here again. Keep its body in a file beside it, and name that: < ./body.json',
    );
  }
  const wanted = locateNew(root, path);
  const next = { path, version: hashBytes(bytes) };
  if (!isTaken(wanted)) {
    if (version !== null)
      throw readdirSync(root).length === 0 ? emptied(root) : refuseConflict(path, 'deleted');
    writeFileDurably(wanted, bytes, {
      mode: fileMode,
      lookAgain: () => {
        if (isTaken(wanted)) throw refuseConflict(path, 'exists');
      },
    });
    return next;
  }
  // A link within the collection stays one: its target is replaced.
  const target = realpathSync(locate(root, path));
  const current = readBytes(root, target, path);
  if (current.equals(bytes)) return next;
  if (version === null) throw refuseConflict(path, 'exists');
  refuseOtherCharset(current, path);
  if (hashBytes(current) !== version) throw refuseConflict(path, 'changed');
  refuseReadOnly(target, path);
  writeFileDurably(target, bytes, {
    keepsMode: true,
    lookAgain: () => {
      if (!isTaken(target)) throw refuseConflict(path, 'deleted');
      if (!readBytes(root, target, path).equals(current)) throw refuseConflict(path, 'changed');
    },
  });
  return next;
}

function refuseReadOnly(target: string, path: string): void {
  try {
    accessSync(target, constants.W_OK);
  } catch (error) {
    throw new CollectionsError(
      'collections.read_only',
      `'${path}' is write-protected. Allow writing, or save under another name.`,
      {
        details: { path },
        cause: error,
      },
    );
  }
}

/** Finds a neighbour that has this name on a system that does not tell case or Unicode form apart. */
export function refuseTaken(folder: string, fileName: string, except: string | null): void {
  const taken = listTaken(folder).find((one) => foldName(one) === foldName(fileName) && one !== except);
  if (taken !== undefined) {
    throw new CollectionsError(
      'collections.exists',
      `There is already a '${taken}' in this folder. Choose another name.`,
      {
        details: { name: taken },
      },
    );
  }
}

/** A request of such a name would be taken for a saved answer, and could not be sent any more. */
const refuseExample = (name: string): AppError =>
  new CollectionsError(
    'collections.bad_name',
    'This name cannot be used: it ends with .example, as the files of saved answers do. Choose another one.',
    { details: { name: name.slice(0, 300) } },
  );

/** Makes a new request or folder; nothing that exists is touched. @returns its path */
export function createEntry(
  root: string,
  input: { folder: string; name: string; kind: 'request' | 'folder'; text?: string },
): string {
  const folder = locate(root, input.folder, { mayBeRoot: true });
  if (!statSync(folder).isDirectory()) throw unknownFile(input.folder);
  const extension = input.kind === 'request' ? '.http' : '';
  const name = readName(
    input.name.replace(input.kind === 'request' ? requestExtension : /$^/, ''),
    extension,
  );
  const fileName = name + extension;
  if (isExamplePath(fileName) && parseExample(input.text ?? '') === null) throw refuseExample(name);
  refuseTaken(folder, fileName, null);
  const path = joinPath(input.folder, fileName);
  if (input.kind === 'folder') {
    makeDirectory(join(folder, fileName), undefined, folderMode);
    syncDirectory(folder);
    return path;
  }
  const text =
    input.text ??
    printHttpRequest({
      name,
      method: 'GET',
      url: '{{base_url}}/',
      headers: [['Accept', 'application/json']],
    });
  writeCollectionFile(root, { path, text, version: null });
  // A copy brings the name of its original along: in the tree the two would look the same.
  if (input.text !== undefined) renameInside(root, path, name);
  return path;
}

/**
 * Keeps `# @name` in step with the file's name, where the file has one request and that annotation.
 *
 * The file has its name already: one that cannot be read or written keeps what stands in it, as does what a link leads to.
 */
export function renameInside(root: string, path: string, name: string): void {
  if (!lstatSync(locate(root, path)).isFile()) return;
  try {
    const { text, version } = readCollectionFile(root, path);
    const renamed = followFileName(text, name);
    if (renamed !== null) writeCollectionFile(root, { path, text: renamed, version });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
}

/** Takes the examples of a request along to where it is now; one whose name is taken there stays, and is listed by itself. */
export function moveExamples(
  from: string,
  to: string,
  move: (from: string, to: string) => void = renameFile,
): void {
  const [folder, target] = [dirname(from), dirname(to)];
  const stemOf = (file: string): string => basename(file).replace(requestExtension, '');
  const names = readdirSync(folder).filter(
    (name) => isExamplePath(name) && name.startsWith(`${stemOf(from)}.`),
  );
  const others =
    names.length === 0 ? new Map<string, string>() : indexRequests([...readdirSync(folder), basename(from)]);
  for (const name of names) {
    if (findExampleOwner(name, others)?.owner !== basename(from)) continue;
    const wanted = join(target, stemOf(to) + name.slice(stemOf(from).length));
    if (!isTaken(wanted)) move(join(folder, name), wanted);
  }
}

/** Gives a request or folder another name, in its folder. @param rename - does so on the disk @returns its new path */
export function renameEntry(
  root: string,
  path: string,
  newName: string,
  rename: (from: string, to: string) => void = renameFile,
): string {
  locate(root, path);
  const absolute = locateEntry(root, path);
  const isRequest = !statSync(absolute).isDirectory();
  if (isRequest) refuseOtherKind(path);
  const extension = isRequest ? extname(absolute) : '';
  const name = readName(isRequest ? newName.replace(requestExtension, '') : newName, extension);
  const fileName = name + extension;
  const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
  const next = joinPath(folder, fileName);
  if (isExamplePath(fileName) && !isExamplePath(path)) throw refuseExample(name);
  refuseTaken(dirname(absolute), fileName, basename(absolute));
  if (next !== path) {
    try {
      rename(absolute, join(dirname(absolute), fileName));
    } catch (error) {
      throw toFileError(error, dirname(absolute));
    }
    if (isRequest) moveExamples(absolute, join(dirname(absolute), fileName));
    syncDirectory(dirname(absolute));
    renameInOrder(root, path, next);
  }
  if (isRequest) renameInside(root, next, name);
  return next;
}
