import { readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve, sep } from 'node:path';
import { AppError } from '@shared/errors';

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
    const isMarked = markers.some((name) => statSync(join(at, name), { throwIfNoEntry: false })?.isFile());
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
  const real = readReal(wanted, path);
  const realRoot = realpathSync(root);
  if (!real.startsWith(realRoot.endsWith(sep) ? realRoot : realRoot + sep)) throw outside(path, root);
  const stats = statSync(real);
  // Reading a pipe or a device would wait, or go on, for ever.
  if (!stats.isFile()) {
    throw new AppError('collections.unreadable', `'${path}' is no regular file. Name a file to send.`);
  }
  if (stats.size > maxFileBytes) {
    throw new AppError('collections.too_large', `'${path}' is larger than 16 MiB and is not sent from here.`);
  }
  return readFileSync(real);
}

function readReal(absolute: string, path: string): string {
  try {
    return realpathSync(absolute);
  } catch (cause) {
    throw new AppError('collections.unknown', `There is no file '${path}' beside the request.`, { cause });
  }
}

function outside(path: string, root: string): AppError {
  return new AppError(
    'collections.bad_path',
    `'${path}' stands outside ${root}, and a request sends files of its own collection alone. Copy the file there.`,
    { details: { path: path.slice(0, 300) } },
  );
}
