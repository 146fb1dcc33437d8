import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findPathFault, isLocalPath, isRequestFile, parseLink, type AppLink } from '@shared/links/parse-link';
import { findStats, isOneFile } from '../platform/files/files';
import { findWhyOutOfReach } from '../platform/files/read-faults';

/** So many wait for the window, however many a program hands over. */
const mostWaiting = 8;

/** In the place of the last that may wait. */
const tooMany: AppLink = {
  kind: 'refused',
  reason: `More than ${mostWaiting} links and files waited at once: those after the first ${mostWaiting - 1} were not opened. Open them again, a few at a time.`,
};

/** What links and files asked for, until the page takes it. */
export interface AskedLinks {
  add(link: AppLink): void;
  take(): AppLink | null;
}

/** Keeps what is asked for before there is a page, and tells when there is something to take. */
export function createAskedLinks(tell: () => void): AskedLinks {
  const waiting: AppLink[] = [];
  return {
    add(link) {
      if (waiting.at(-1) === tooMany) return;
      if (waiting.length < mostWaiting) waiting.push(link);
      else waiting[mostWaiting - 1] = tooMany;
      tell();
    },
    take: () => waiting.shift() ?? null,
  };
}

/** Chromium takes an app that runs and does not understand a longer message for one that hangs, ends it by force and takes its place: its limit is 32 KiB. */
const MOST_PASSED_BYTES = 30_000;

/** Whether the words of a start cannot be passed on to an app that runs. */
export const isTooMuchToPassOn = (words: readonly string[], folder: string): boolean =>
  Buffer.byteLength([folder, ...words].join('\0')) > MOST_PASSED_BYTES;

/** Switches of ours and of the desktop that have a value behind them. */
const withValue = new Set(['--data']);

/**
 * Finds the link, or the files, among the arguments of a start: request files, folders, and what may be another tool's.
 *
 * @param own - folders that nobody means to open: the app's, which Electron is given as an argument where the app is not packaged,
 *   and its data, which no longer stands behind `--data` among the arguments that a second start hands over
 */
export function findAskedLinks(args: readonly string[], folder: string, own: readonly string[]): AppLink[] {
  const given = args.filter((one, at) => !one.startsWith('-') && !withValue.has(args[at - 1] ?? ''));
  const link = given.find((one) => /^countersign:/i.test(one));
  if (link !== undefined) return [parseLink(link)];
  const named = given.map((word) => resolve(folder, readFileAddress(word)));
  const isMeant = (path: string): boolean => isThere(path) && !own.some((one) => isOneFile(path, one));
  const files = named.filter((path) => isRequestFile(path) || isForeignFile(path) || isMeant(path));
  return files.slice(0, mostWaiting + 1).map(askedFile);
}

/** Whether a path of this machine leads to something; none of the network's is asked. */
const isThere = (path: string): boolean => isLocalPath(path) && findStats(path) !== undefined;

/** Whether a file is named as those of other tools are, which an import reads. */
const isForeignFile = (path: string): boolean => /[^\\/]\.(?:json|ya?ml|har|bru)$/i.test(path);

/** Desktops may name a file by its path or by its `file:` address. What is no such address stays as it is. */
function readFileAddress(word: string): string {
  if (!/^file:/i.test(word) || !URL.canParse(word)) return word;
  try {
    return fileURLToPath(word);
  } catch {
    // Of another machine, or with a slash hidden in a name.
    return word;
  }
}

/**
 * A file that the desktop handed over: a plain file of this machine, which is asked about before it is read.
 *
 * One that is no request file may be another tool's; its import says what it is.
 */
export function askedFile(path: string): AppLink {
  const reason = findFault(path);
  if (reason !== null) return { kind: 'refused', reason };
  return { kind: isRequestFile(path) ? 'file' : 'import', path };
}

function findFault(path: string): string | null {
  const fault = findPathFault(path);
  if (fault !== null) return `This file was not opened: ${fault}`;
  const stats = findStats(path);
  const open = (why: string): string => `${path} was not opened: ${why}`;
  if (stats === undefined) return open(`${findWhyOutOfReach(path) ?? 'there is no such file'}.`);
  if (stats.isDirectory()) return open('it is a folder. File → Open a folder… takes it.');
  return stats.isFile() ? null : open('it is no plain file.');
}
