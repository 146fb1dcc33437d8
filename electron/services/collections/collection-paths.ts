import { lstatSync, readdirSync, realpathSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import type { AppError } from '@shared/errors';
import { isLink, toFileError } from '../../platform/files/files';
import { describeReadFault, findWhyOutOfReach } from '../../platform/files/read-faults';
import { isBrokenName, isInCloud } from '../../platform/files/regular-file';
import { errorsOf } from '../errors-of';

const CollectionsError = errorsOf<'collections'>();

const maxNameBytes = 255;
/** Windows gives these names to devices, whatever the extension. */
const deviceName = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i;

function refusePath(path: string, why: string): AppError {
  return new CollectionsError('collections.bad_path', `This path cannot be used: ${why}.`, {
    details: { path: path.slice(0, 300) },
  });
}

/**
 * Turns a path of the contract into an absolute one that stands inside the collection, links followed.
 *
 * @param root - folder of the collection
 * @param path - relative, `/` between parts; empty only where `mayBeRoot`
 * @throws {AppError} `collections.bad_path`; `collections.unknown` where a part does not exist;
 *   `collections.missing` where the collection's own folder is gone
 */
export function locate(root: string, path: string, options: { mayBeRoot?: boolean } = {}): string {
  const parts = splitPath(path, options.mayBeRoot ?? false);
  // Where the folder itself is gone, that is what is said, not that one of its files is.
  const realRoot = resolveReal(root, root, path);
  const real = resolveReal(root, join(root, ...parts), path);
  if (real !== realRoot && !real.startsWith(realRoot + sep)) {
    throw refusePath(path, 'it is a link that leaves the collection');
  }
  return join(root, ...parts);
}

/**
 * As {@link locate} for an entry that goes or gets another name: where it is a link, that is the link itself, wherever it leads.
 *
 * @throws {AppError} `collections.bad_path`, also where the entry is a link that its own path leads over: with it that would go, too
 */
export function locateEntry(root: string, path: string): string {
  const absolute = locateNew(root, path);
  if (!isTaken(absolute)) throw unknownFile(path);
  const parts = splitPath(path, false);
  const entry = placeOf(absolute);
  const above = parts.findIndex((_part, at) => placeOf(join(root, ...parts.slice(0, at + 1))) === entry);
  if (above !== parts.length - 1) {
    throw refusePath(path, `it is the link '${parts.slice(0, above + 1).join('/')}', reached through itself`);
  }
  return absolute;
}

/** The one path of an entry: links of its folder followed, itself not. */
export const placeOf = (absolute: string): string =>
  join(realpathSync(dirname(absolute)), basename(absolute));

/** As {@link locate} for a file that need not exist yet; its folder must. */
export function locateNew(root: string, path: string): string {
  const parts = splitPath(path, false);
  const name = parts.at(-1) ?? '';
  const folder = locate(root, parts.slice(0, -1).join('/'), { mayBeRoot: true });
  return join(folder, name);
}

function splitPath(path: string, mayBeRoot: boolean): string[] {
  if (path === '' && mayBeRoot) return [];
  const parts = path.split('/');
  for (const part of parts) {
    if (part === '' || part === '.' || part === '..')
      throw refusePath(path, 'a part of it is empty or made of dots');
    if (part.includes('\0') || (sep === '\\' && /[\\:]/.test(part))) {
      throw refusePath(path, 'it holds a character that no file name can have');
    }
    if (part.startsWith('.')) throw refusePath(path, 'hidden files are not part of a collection');
    if (Buffer.byteLength(part) > maxNameBytes)
      throw refusePath(path, `a part is longer than ${maxNameBytes} bytes`);
  }
  return parts;
}

function resolveReal(root: string, absolute: string, path: string): string {
  try {
    return realpathSync(absolute);
  } catch (error) {
    if (absolute === root) throw missingCollection(root, error);
    if (isLink(absolute)) throw deadLink(path, error);
    if (isInCloud(absolute)) throw inCloud(path, error);
    throw unknownFile(path, error);
  }
}

/** Says that the folder of the collection is gone. */
export function missingCollection(directory: string, cause?: unknown): AppError {
  const why = findWhyOutOfReach(directory) ?? findWhyRefused(cause);
  return new CollectionsError(
    'collections.missing',
    why === null
      ? `The folder of the collection is not there: ${directory}. Put it back, or open it where it is now.`
      : `The folder of the collection cannot be reached: ${directory}: ${why}. Mend that, or open another one.`,
    { details: { directory }, cause },
  );
}

/** A folder that stands there, and may not be listed. */
function findWhyRefused(cause: unknown): string | null {
  const code = (cause as NodeJS.ErrnoException | undefined)?.code;
  return code === 'EACCES' || code === 'EPERM' ? describeReadFault(code) : null;
}

const deadLink = (path: string, cause: unknown): AppError =>
  new CollectionsError(
    'collections.unknown',
    `'${path.slice(0, 200)}' is a link that leads nowhere. Mend it, or delete it.`,
    { details: { path: path.slice(0, 300) }, cause },
  );

const inCloud = (path: string, cause: unknown): AppError =>
  new CollectionsError(
    'collections.unknown',
    `'${path.slice(0, 200)}' is in iCloud and not on this disk. Download it.`,
    { details: { path: path.slice(0, 300) }, cause },
  );

/** Says that there is no such file or folder. */
export function unknownFile(path: string, cause?: unknown): AppError {
  if (findWhyRefused(cause) !== null) return outOfReach(path.slice(0, 200), cause);
  return new CollectionsError(
    'collections.unknown',
    isBrokenName(path)
      ? `'${path.slice(0, 200)}' cannot be opened: its name is not UTF-8. Rename it.`
      : `There is no '${path.slice(0, 200)}' in the collection any more.`,
    {
      details: { path: path.slice(0, 300) },
      cause,
    },
  );
}

/**
 * Checks a name that somebody gives to a request or folder: it must work on every system that shares the folder.
 *
 * @param extension - added to the name, counted in its length
 * @returns the name, trimmed and in Unicode's composed form
 * @throws {AppError} `collections.bad_name` saying what to change
 */
export function readName(text: string, extension: string): string {
  const name = text.trim().normalize('NFC');
  const refuse = (why: string): never => {
    throw new CollectionsError(
      'collections.bad_name',
      `This name cannot be used: ${why}. Choose another one.`,
      {
        details: { name: name.slice(0, 300) },
      },
    );
  };
  if (name === '') refuse('it is empty');
  if (/[\\/<>:"|?*]/.test(name)) refuse('it holds one of \\ / < > : " | ? *');
  if (/\p{Cc}|\p{Surrogate}/u.test(name)) refuse('it holds a control character');
  if (name.startsWith('.')) refuse('it begins with a dot');
  if (/[. ]$/.test(name) && extension === '') refuse('it ends with a dot or a space');
  if (deviceName.test(name)) refuse('Windows keeps it for a device');
  if (Buffer.byteLength(name + extension) > maxNameBytes) refuse(`it is longer than ${maxNameBytes} bytes`);
  return name;
}

/** Says of what may stand in a folder that may be listed, and not entered, that nobody can look. */
const outOfReach = (path: string, cause: unknown): AppError =>
  new CollectionsError(
    'collections.unreadable',
    `'${path}' cannot be reached: ${describeReadFault((cause as NodeJS.ErrnoException).code)}. Mend that, and try again.`,
    { details: { path: path.slice(0, 300) }, cause },
  );

/**
 * Tells whether something stands there, a broken link included.
 *
 * @throws {AppError} `collections.unreadable` where nobody can look
 */
export function isTaken(absolute: string): boolean {
  try {
    return lstatSync(absolute, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    throw outOfReach(absolute, error);
  }
}

/** Names in a folder that something is to be put in. @throws {AppError} `platform.unwritable` where it may not be listed */
export function listTaken(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    throw toFileError(error, folder);
  }
}
