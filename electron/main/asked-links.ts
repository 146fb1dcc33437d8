import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isLocalPath, isRequestFile, parseLink, type AppLink } from '@shared/links/parse-link';
import { findStats } from '../platform/files/files';

/** So many wait for the window; a program that hands over more is not heard. */
const mostWaiting = 8;

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
      if (waiting.length >= mostWaiting) return;
      waiting.push(link);
      tell();
    },
    take: () => waiting.shift() ?? null,
  };
}

/** Switches of ours and of the desktop that have a value behind them. */
const withValue = new Set(['--data']);

/** Finds the link, or the request files, among the arguments of a start. */
export function findAskedLinks(args: readonly string[], folder: string): AppLink[] {
  const given = args.filter((one, at) => !one.startsWith('-') && !withValue.has(args[at - 1] ?? ''));
  const link = given.find((one) => /^countersign:/i.test(one));
  if (link !== undefined) return [parseLink(link)];
  const files = given.map(readFileAddress).filter(isRequestFile);
  return files.slice(0, mostWaiting).map((file) => askedFile(resolve(folder, file)));
}

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

/** A request file that the desktop handed over: a plain file of this machine, which is asked about before it is read. */
export function askedFile(path: string): AppLink {
  const isFile = isLocalPath(path) && isRequestFile(path) && findStats(path)?.isFile();
  if (isFile) return { kind: 'file', path };
  return {
    kind: 'refused',
    reason: 'This file was not opened: it is no request file of this machine (.http, .rest).',
  };
}
