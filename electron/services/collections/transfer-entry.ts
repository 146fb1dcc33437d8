import { foldName } from '@shared/fold-name';
import { requestExtension } from '@shared/http-file/example-file';
import { joinPath } from '@shared/join-path';
import { accessSync, constants, lstatSync, realpathSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { copyTree, renameFile } from '../../platform/files/differing-disks';
import {
  makeDirectory,
  nameNeighbour,
  neighboursOf,
  syncDirectory,
  toFileError,
} from '../../platform/files/files';
import { removeLeftovers } from '../../platform/files/remove-leftovers';
import { errorsOf } from '../errors-of';
import { folderMode, moveExamples, refuseOtherKind, refuseTaken, renameInside } from './collection-files';
import { renameInOrder } from './collection-order';
import { isTaken, listTaken, locate, locateEntry, placeOf, unknownFile } from './collection-paths';
import { dropStaged, putStaged, stageFollowed, stageNaming, type FormerTexts } from './follow-body-files';

const CollectionsError = errorsOf<'collections'>();

interface Transfer {
  root: string;
  path: string;
  toRoot: string;
  /** Empty: the folder of the collection itself. */
  toFolder: string;
}

interface Place {
  from: string;
  folder: string;
  fileName: string;
}

/**
 * Moves a request or folder to another folder, of the same collection or another. Nothing that is there is replaced.
 *
 * A body that is a file (`< ./body.json`) stays that file.
 * @returns its new path
 * @throws {AppError} `collections.exists` where the name is taken; `collections.bad_path` for a folder into itself
 */
export function moveEntry(transfer: Transfer, former: FormerTexts = new Map()): string {
  locateEntry(transfer.root, transfer.path);
  const { from, folder, fileName } = findPlaces(transfer, placeOf);
  const path = joinPath(transfer.toFolder, fileName);
  if (dirname(from) === folder) return transfer.path;
  refuseTaken(folder, fileName, null);
  const to = join(folder, fileName);
  moveFollowed(from, to, former, transfer.root === transfer.toRoot ? transfer.root : null);
  if (requestExtension.test(fileName)) moveExamples(from, to, moveOnDisk);
  if (transfer.root === transfer.toRoot) renameInOrder(transfer.root, transfer.path, path);
  return path;
}

/**
 * Moves a request or folder; the `< file` lines in it lead where they led, and those that lead into it lead there.
 *
 * @param root - whose requests may name what is in it; null: it leaves its collection, and nothing out of that is sent there
 */
export function moveFollowed(from: string, to: string, former: FormerTexts, root: string | null): void {
  const staged = stageFollowed({ from, to }, former);
  if (root !== null) stageNaming(root, { from, to }, former, staged);
  try {
    moveOnDisk(from, to, () => putStaged(staged, to));
  } catch (error) {
    dropStaged(staged);
    throw error;
  }
}

/**
 * Copies a request or folder; a name that is taken gets `copy` behind it. Hidden files and links stay behind.
 *
 * @returns path of the copy
 */
export function copyEntry(transfer: Transfer): string {
  const { from, folder, fileName } = findPlaces(transfer, realpathSync);
  const path = findFreePath(transfer.toRoot, transfer.toFolder, fileName);
  const target = join(folder, basename(path));
  try {
    // The one that is named may be a link. What becomes one while its folder is copied stays one, and is not followed.
    const whole = realpathSync(from);
    const filter = (source: string): boolean => source === whole || isPlainEntry(source);
    copyWhole(whole, target, filter, (at) =>
      putStaged(stageFollowed({ from, to: target }, new Map(), at), at),
    );
    syncDirectory(folder);
  } catch (error) {
    throw toFileError(error, folder);
  }
  // A copy brings the name of its original along: in the tree the two would look the same.
  const name = basename(path).replace(requestExtension, '');
  if (requestExtension.test(path) && basename(path) !== fileName) renameInside(transfer.toRoot, path, name);
  return path;
}

/** Copies beside the target first: whoever is killed meanwhile leaves no half of a file or folder under its name. */
function copyWhole(
  from: string,
  target: string,
  filter?: (source: string) => boolean,
  amend?: (stage: string) => void,
): void {
  const stage = nameNeighbour(target);
  try {
    copyTree(from, stage, filter ? { filter } : {});
    amend?.(stage);
    renameFile(stage, target);
  } catch (error) {
    rmSync(stage, { recursive: true, force: true });
    throw error;
  }
  removeLeftovers(dirname(target), neighboursOf(target));
}

/** Neither hidden, nor a link, nor a pipe or device, which would be read without end. */
function isPlainEntry(source: string): boolean {
  const stats = lstatSync(source);
  return !basename(source).startsWith('.') && (stats.isFile() || stats.isDirectory());
}

/** @param findWhole - what goes there: a link itself, or what it leads to */
function findPlaces({ root, path, toRoot, toFolder }: Transfer, findWhole: (from: string) => string): Place {
  const from = locate(root, path);
  const folder = locate(toRoot, toFolder, { mayBeRoot: true });
  if (statSync(from).isFile()) refuseOtherKind(path);
  if (!statSync(folder).isDirectory()) throw unknownFile(toFolder);
  if (isWithin(folder, from) || isWithin(realpathSync(folder), findWhole(from))) {
    throw new CollectionsError(
      'collections.bad_path',
      `'${path}' cannot go into itself. Choose another folder.`,
      {
        details: { path },
      },
    );
  }
  return { from, folder, fileName: basename(from) };
}

const isWithin = (folder: string, other: string): boolean =>
  folder === other || folder.startsWith(other + sep);

/** Gives a path in a folder that nothing stands at: with the name wanted, or `copy`, `copy 2`, … behind it. */
export function findFreePath(root: string, folder: string, fileName: string): string {
  const taken = new Set(listTaken(join(root, ...folder.split('/'))).map(foldName));
  // An example stays one: without `.example` it would be a request.
  const [extension = ''] = /(?:\.example)?\.(?:http|rest)$/i.exec(fileName) ?? [];
  const stem = fileName.slice(0, fileName.length - extension.length);
  for (let count = 0; ; count++) {
    const behind = count === 0 ? '' : count === 1 ? ' copy' : ` copy ${count}`;
    const name = stem + behind + extension;
    if (!taken.has(foldName(name))) return joinPath(folder, name);
  }
}

/** Makes the folders of a path that are not there; a link that leaves the collection is not followed. */
export function ensureFolder(root: string, folder: string): void {
  const parts = folder === '' ? [] : folder.split('/');
  parts.reduce((above, part) => {
    const path = joinPath(above, part);
    const absolute = join(locate(root, above, { mayBeRoot: true }), part);
    if (!isTaken(absolute)) makeDirectory(absolute, undefined, folderMode);
    return path;
  }, '');
  locate(root, folder, { mayBeRoot: true });
}

/** The copy must stand before the original goes; of one that cannot go there is none. */
function moveBetweenDisks(from: string, target: string): void {
  let place = dirname(from);
  try {
    accessSync(place, constants.W_OK);
    place = dirname(target);
    copyWhole(from, target);
    place = dirname(from);
    rmSync(from, { recursive: true });
  } catch (error) {
    throw toFileError(error, place);
  }
}

/** Moves a file or folder, over file systems too; both folders are on disk afterwards. @param amend - what it is once it is there */
export function moveOnDisk(from: string, target: string, amend: () => void = () => undefined): void {
  try {
    renameFile(from, target);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw toFileError(error, dirname(from));
    moveBetweenDisks(from, target);
  }
  amend();
  syncDirectory(dirname(target));
  syncDirectory(dirname(from));
}
