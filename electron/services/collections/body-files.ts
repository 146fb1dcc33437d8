import { dirname, isAbsolute, join, resolve } from 'node:path';
import type { ErrorCode } from '@shared/error-codes';
import { AppError } from '@shared/errors';
import { FETCH_LFS, isLfsPointer } from '@shared/http-file/lfs-pointer';
import { isInCloud, readRegularFile, type ReadFault } from '../../platform/files/regular-file';
import { findStats } from '../../platform/files/files';

const maxFileBytes = 16 * 1024 * 1024;
/** What marks the folder of a collection. */
const markers = ['collection.json', 'http-client.env.json'];

/**
 * Gives the folder that a request's `< file` lines may read in: the nearest that is a collection's, else its own.
 *
 * @param folder - of the request file
 */
function findBodyRoot(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    const isMarked = markers.some((name) => findStats(join(at, name))?.isFile() || isInCloud(join(at, name)));
    if (isMarked) return at;
    if (dirname(at) === at) return folder;
  }
}

/**
 * Reads the bytes of a file that stands in a request's body.
 *
 * A request file comes from others: it names files of its own folder, not of the whole machine. Links are followed first.
 * @param folder - of the request file; `path` is relative to it
 * @throws {AppError} `collections.bad_path` outside the collection's folder; `collections.unknown`, `.too_large`
 */
export function readBodyFile(folder: string, path: string): Buffer {
  const root = findBodyRoot(resolve(folder));
  if (path.includes('\0')) throw outside(path, root);
  const wanted = isAbsolute(path) ? path : resolve(folder, path);
  const { bytes, fault } = readRegularFile(wanted, { root, maxBytes: maxFileBytes });
  if (fault === null && isLfsPointer(bytes.toString('latin1', 0, 1025)))
    throw new AppError('collections.unreadable', `'${path}' ${FETCH_LFS}`, {
      details: { path: path.slice(0, 300) },
    });
  if (fault === null) return bytes;
  if (fault === 'outside') throw outside(path, root);
  if (fault === 'missing' && isInCloud(wanted))
    throw new AppError('collections.unknown', `'${path}' is in iCloud and not on this disk. Download it.`, {
      details: { path: path.slice(0, 300) },
    });
  const [code, message] = refusals[fault];
  throw new AppError(code, message(path), { details: { path: path.slice(0, 300) } });
}

type Refusal = readonly [code: ErrorCode, message: (path: string) => string];

const refusals: Readonly<Record<Exclude<ReadFault, 'outside'>, Refusal>> = {
  missing: ['collections.unknown', (path) => `There is no file '${path}' beside the request.`],
  not_regular: ['collections.unreadable', (path) => `'${path}' is no regular file. Name a file to send.`],
  too_large: [
    'collections.too_large',
    (path) => `'${path}' is larger than 16 MiB and is not sent from here.`,
  ],
  forbidden: ['collections.unreadable', (path) => `'${path}' cannot be read. Check its permissions.`],
  crowded: [
    'collections.unreadable',
    (path) =>
      `'${path}' could not be opened, as too many files are. Raise the limit (ulimit -n), and try again.`,
  ],
  unreadable: [
    'collections.unreadable',
    (path) => `The system failed to read '${path}'. Try again, and look at its disk.`,
  ],
};

function outside(path: string, root: string): AppError {
  return new AppError(
    'collections.bad_path',
    `'${path}' stands outside ${root}, and a request sends files of its own collection alone. Copy the file there.`,
    { details: { path: path.slice(0, 300) } },
  );
}
