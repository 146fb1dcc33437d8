import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
  type Stats,
} from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';

/** Why a file of somebody else was not read. `crowded`: too many others are open; `unreadable`: the system failed, for another reason. */
export type ReadFault =
  | 'missing'
  | 'outside'
  | 'not_regular'
  | 'too_large'
  | 'forbidden'
  | 'crowded'
  | 'unreadable';

export type RegularFile = { bytes: Buffer; stats: Stats; fault: null } | { bytes: null; fault: ReadFault };

/** By the code of the system. */
const faultOf: Readonly<Record<string, ReadFault>> = {
  ENOENT: 'missing',
  ENOTDIR: 'missing',
  EACCES: 'forbidden',
  EPERM: 'forbidden',
  EMFILE: 'crowded',
  ENFILE: 'crowded',
  // A device without a driver, a socket, a link put in place of the file.
  ENXIO: 'not_regular',
  ELOOP: 'not_regular',
};

/**
 * Reads a file that somebody else may have put there, without trusting what it is.
 *
 * Links are followed as far as they stay inside `root`. A device or a pipe is opened without waiting and not read:
 * `/dev/zero` never ends, a pipe without a writer never begins. Never more than `maxBytes` are read, whatever the file
 * says of its size or grows to meanwhile.
 * @param options.root - folder that the file must be in once its links are followed
 * @param options.isKnownInside - the caller has just listed it as no link, in a folder whose own path is inside `root`
 * @param options.isHeadEnough - gives the beginning of a larger file in place of `too_large`
 */
export function readRegularFile(
  file: string,
  options: { root: string; maxBytes: number; isHeadEnough?: boolean; isKnownInside?: boolean },
): RegularFile {
  let descriptor: number | null = null;
  try {
    const realRoot = options.isKnownInside === true ? null : realpathSync.native(options.root);
    const real = realRoot === null ? file : realpathSync.native(file);
    if (realRoot !== null && !isWithin(real, realRoot)) return { bytes: null, fault: 'outside' };
    // What stands there now may be a link again: it is not followed.
    descriptor = openSync(
      real,
      constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0),
    );
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) return { bytes: null, fault: 'not_regular' };
    if (realRoot !== null && !isStillInside(descriptor, real, realRoot))
      return { bytes: null, fault: 'outside' };
    if (stats.size > options.maxBytes && options.isHeadEnough !== true)
      return { bytes: null, fault: 'too_large' };
    const bytes = readAtMost(descriptor, Math.min(stats.size, options.maxBytes), options.maxBytes);
    if (bytes.length > options.maxBytes) {
      if (options.isHeadEnough !== true) return { bytes: null, fault: 'too_large' };
      return { bytes: bytes.subarray(0, options.maxBytes), stats, fault: null };
    }
    return { bytes, stats, fault: null };
  } catch (error) {
    return { bytes: null, fault: faultOf[(error as NodeJS.ErrnoException).code ?? ''] ?? 'unreadable' };
  } finally {
    if (descriptor !== null) closeSync(descriptor);
  }
}

/** `pay.http` of `.pay.http.icloud`, which iCloud leaves for what it took from the disk; null: the name is no such. */
export const readPlaceholder = (name: string): string | null =>
  name.startsWith('.') && name.endsWith('.icloud') ? name.slice(1, -'.icloud'.length) : null;

/** Tells whether iCloud has a file, and the disk has not. */
export const isInCloud = (path: string): boolean =>
  !existsSync(path) && existsSync(join(dirname(path), `.${basename(path)}.icloud`));

/** Whether a name was listed with a sign in place of bytes that are no UTF-8: by this name the file cannot be opened. */
export const isBrokenName = (path: string): boolean => path.includes('\ufffd');

const isWithin = (real: string, realRoot: string): boolean =>
  real.startsWith(realRoot.endsWith(sep) ? realRoot : realRoot + sep);

/**
 * Whether what was opened lies in the folder, too: a folder on its path may have become a link meanwhile.
 *
 * Linux alone tells of what is open where it lies; elsewhere the path is followed once more.
 */
function isStillInside(descriptor: number, real: string, realRoot: string): boolean {
  let opened: string;
  try {
    opened = readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    return realpathSync.native(real) === real;
  }
  return isWithin(opened, realRoot);
}

/** One byte more than `maxBytes` at most, so that the caller sees that there is more. */
function readAtMost(descriptor: number, expectedBytes: number, maxBytes: number): Buffer {
  let bytes = Buffer.allocUnsafe(expectedBytes + 1);
  let length = 0;
  for (;;) {
    const wanted = bytes.length - length;
    const read = readSync(descriptor, bytes, length, wanted, length);
    length += read;
    // All that was there when it was opened, and not a byte more: one call in place of two, for thousands of files.
    if (read === 0 || (read < wanted && length === expectedBytes)) return bytes.subarray(0, length);
    if (length > maxBytes) return bytes.subarray(0, length);
    if (length === bytes.length) {
      const larger = Buffer.allocUnsafe(Math.min(bytes.length * 2, maxBytes + 1));
      bytes.copy(larger);
      bytes = larger;
    }
  }
}
