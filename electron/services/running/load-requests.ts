import { realpathSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { RequestIdentity } from '@shared/contract/common';
import { AppError } from '@shared/errors';
import { isExamplePath, requestExtension } from '@shared/http-file/example-file';
import { identifyBlocks } from '@shared/http-file/identify-block';
import { listLooseFaults, parseHttpFile } from '@shared/http-file/parse-http-file';
import type { RunRequest } from '@shared/run/plan-run';
import { readDirectives, type RunFault } from '@shared/run/read-directives';
import { isBrokenName, isInCloud, readRegularFile, type ReadFault } from '../../platform/files/regular-file';
import { findOrderFault } from '../collections/collection-order';
import { readTree } from '../collections/read-tree';
import { findStats, isLink } from '../../platform/files/files';
import { describeAbsence } from '../../platform/files/read-faults';

const maxFileBytes = 16 * 1024 * 1024;
/** Requests read in one go before others get their turn. */
export const sliceRequests = 250;
/** Where a request file lies, and what reports call it. */
interface FilePlace {
  readonly absolute: string;
  readonly shown: string;
  readonly folder: string;
}

export interface LoadedRequests {
  readonly requests: RunRequest[];
  /** Of files that hold no request, or none that can be read. */
  readonly faults: RunFault[];
}

const toPortable = (path: string): string => path.split(sep).join('/');

/** The folder whose `collection.json` gives the order: this one or the nearest above it; itself where none does. */
function findCollection(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    const file = join(at, 'collection.json');
    if (findStats(file)?.isFile() || isInCloud(file)) return at;
    if (dirname(at) === at) return folder;
  }
}

function show(absolute: string, base: string): string {
  const path = relative(base, absolute);
  return path === '' || path.startsWith('..') || isAbsolute(path) ? absolute : toPortable(path);
}

async function listFiles(path: string, base: string): Promise<FilePlace[]> {
  const stats = findStats(path);
  if (stats === undefined) {
    throw new AppError(
      'running.bad_file',
      `${describeAbsence(path, 'file or folder')}. Name one with requests in it.`,
    );
  }
  if (isExamplePath(path)) {
    throw new AppError(
      'running.bad_file',
      `${show(path, base)} is an example: an answer that is kept beside its request, and never sent. Name the request.`,
    );
  }
  if (!stats.isDirectory())
    return [{ absolute: path, shown: show(path, base), folder: basename(dirname(path)) }];
  const root = findCollection(path);
  const folder = followInside(root, path);
  if (folder === null) return listFolder(path, path, base);
  return listFolder(root, folder, base);
}

/** Where a folder lies by its own name: what is listed goes into no link. Null: a link led out of the collection. */
function followInside(root: string, path: string): string | null {
  if (root === path) return path;
  const inside = relative(realpathSync.native(root), realpathSync.native(path));
  return inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside) ? null : join(root, inside);
}

async function listFolder(root: string, path: string, base: string): Promise<FilePlace[]> {
  const fault = findOrderFault(root);
  if (fault !== null) {
    throw new AppError(
      'running.bad_file',
      `The order of the requests is not known: ${show(join(root, 'collection.json'), base)} cannot be read, since ${fault}. Correct it, or take it away to run them by name. Nothing was sent.`,
    );
  }
  const { nodes } = await readTree(root, new Map(), { isJudged: false });
  const prefix = root === path ? '' : `${toPortable(relative(root, path))}/`;
  const placeOf = (node: { path: string }): string => join(root, ...node.path.split('/'));
  const unread = nodes.find(
    (node) =>
      node.kind === 'folder' &&
      node.fault !== null &&
      (`${node.path}/`.startsWith(prefix) || prefix.startsWith(`${node.path}/`)) &&
      // What is in this folder is run where it lies.
      !(isLink(placeOf(node)) && followInside(path, placeOf(node)) !== null),
  );
  if (unread?.fault) {
    const shown = show(placeOf(unread), base);
    throw new AppError('running.bad_file', `${shown}: ${unread.fault.message} Nothing was sent.`);
  }
  return nodes
    .filter((node) => node.kind === 'request' && node.path.startsWith(prefix))
    .map((node) => {
      const absolute = placeOf(node);
      const folder = node.path.includes('/')
        ? node.path.slice(0, node.path.lastIndexOf('/'))
        : basename(root);
      return { absolute, shown: show(absolute, base), folder };
    });
}

const faults: Readonly<Record<ReadFault, string>> = {
  missing: 'it is gone',
  outside: 'it is a link that leads out of its folder; name the file itself',
  not_regular: 'it is no file but a pipe or a device; save its text to a file',
  too_large: `it is larger than ${maxFileBytes / 1024 / 1024} MiB`,
  forbidden: 'you may not read it; look at its permissions',
  crowded: 'too many files are open; raise the limit (ulimit -n), and try again',
  unreadable: 'the system failed to read it; try again, and look at its disk',
};

function readFile({ absolute, shown }: FilePlace): string {
  const { bytes, fault } = readRegularFile(absolute, { root: dirname(absolute), maxBytes: maxFileBytes });
  if (bytes !== null) {
    try {
      // UTF-16 without its mark is UTF-8, too, with a NUL beside each letter.
      if (!bytes.subarray(0, 2).includes(0))
        return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
      throw new Error('NUL');
    } catch {
      throw new AppError('running.bad_file', `${shown} is not UTF-8. Save it as UTF-8 and try again.`);
    }
  }
  const why =
    fault === 'missing' && isBrokenName(absolute)
      ? 'its name is not UTF-8; rename it'
      : isLink(absolute) && findStats(absolute) === undefined
        ? 'it is a link that leads nowhere; mend it or take it away'
        : isInCloud(absolute)
          ? 'it is in iCloud and not on this disk; download it'
          : faults[fault];
  throw new AppError('running.bad_file', `${shown} is not read: ${why}. Nothing was sent.`);
}

/**
 * Reads the requests of files and folders, in the order of the tree.
 *
 * @param paths - absolute; a file that is named twice counts once
 * @param options.base - folder that reports name files from
 * @param options.identify - what history knows a request by
 * @throws {AppError} `running.bad_file`, `collections.too_large`
 */
export async function loadRequests(
  paths: readonly string[],
  options: { base: string; identify(file: string, block: string): RequestIdentity | null },
): Promise<LoadedRequests> {
  const places = new Map<string, FilePlace>();
  for (const path of paths) {
    for (const place of await listFiles(resolve(path), options.base)) {
      if (!places.has(place.absolute)) places.set(place.absolute, place);
    }
  }
  const loaded: LoadedRequests = { requests: [], faults: [] };
  for (const place of places.values()) await readRequests(place, options.identify, loaded);
  return loaded;
}

async function readRequests(
  place: FilePlace,
  identify: (file: string, block: string) => RequestIdentity | null,
  { requests, faults }: LoadedRequests,
): Promise<void> {
  const file = parseHttpFile(readFile(place));
  // What stands in no request at all is nobody's to skip.
  faults.push(...listLooseFaults(file).map(({ line, message }) => ({ file: place.shown, line, message })));
  const fallback = basename(place.absolute).replace(requestExtension, '');
  const blocks = identifyBlocks(file.requests);
  for (const [index, block] of file.requests.entries()) {
    requests.push({
      name: block.name ?? (file.requests.length === 1 ? fallback : `${fallback} #${index + 1}`),
      folder: place.folder,
      file: place.shown,
      block,
      text: file.text.slice(block.start, block.end),
      directory: dirname(place.absolute),
      identity: identify(place.absolute, blocks[index]!),
      directives: readDirectives(block),
    });
    if (requests.length % sliceRequests === 0) await nextTurn();
  }
}
