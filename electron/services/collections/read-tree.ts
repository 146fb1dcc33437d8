import { isUtf8 } from 'node:buffer';
import { readdirSync, statSync, type Dirent } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { TreeNode } from '@shared/contract/collections';
import { AppError } from '@shared/errors';
import {
  findExampleOwner,
  indexRequests,
  isExamplePath,
  requestExtension,
} from '@shared/http-file/example-file';
import { parseHttpFile } from '@shared/http-file/parse-http-file';
import { joinPath } from '@shared/join-path';
import { errorsOf } from '../errors-of';
import { findStats } from '../../platform/files/files';
import {
  isBrokenName,
  isInCloud,
  readPlaceholder,
  readRegularFile,
  type ReadFault,
} from '../../platform/files/regular-file';
import { applyOrder, readOrder, type CollectionOrder } from './collection-order';
import { locate, missingCollection } from './collection-paths';

const CollectionsError = errorsOf<'collections'>();

type FileFacts = Pick<TreeNode, 'name' | 'method' | 'operation' | 'fault' | 'requestCount'>;

interface KnownFile {
  /** Null: it could not be read, and is tried again. */
  mtimeMs: number | null;
  sizeBytes: number;
  facts: FileFacts;
}

/** What was read of each file, valid while its size and time stay. */
export type TreeCache = Map<string, KnownFile>;

export interface Tree {
  nodes: TreeNode[];
  /** Absolute; the collection's own first. */
  folders: string[];
}

const maxEntries = 30_000;
const maxDepth = 32;
/** Files above this are judged by their beginning. */
const headBytes = 256 * 1024;
/** Files read in one go before others get their turn. */
const chunkFiles = 64;
const byName = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

interface Walk {
  root: string;
  order: CollectionOrder;
  cache: TreeCache;
  seen: TreeCache;
  /** False: files are listed by name alone, and not read. */
  isJudged: boolean;
  onFolder: (folder: string) => void;
  tree: Tree;
  entries: number;
  sinceYield: number;
}

/**
 * Lists a collection: folders before requests, each in the collection's order, else by name; faults stay visible.
 *
 * A file is read only if its size or time changed. Between chunks of files other work gets its turn.
 * @param cache - of the last listing; holds what this one saw afterwards
 * @param isJudged - false: for whoever reads the files anyway; no file is looked into, and none has a fault
 * @param onFolder - told of each folder before it is read
 * @throws {AppError} `collections.missing`, `collections.too_large`
 */
export async function readTree(
  root: string,
  cache: TreeCache,
  {
    isJudged = true,
    onFolder = () => undefined,
  }: { isJudged?: boolean; onFolder?: (folder: string) => void } = {},
): Promise<Tree> {
  const walk: Walk = {
    root,
    order: readOrder(root),
    cache,
    seen: new Map(),
    isJudged,
    onFolder,
    tree: { nodes: [], folders: [] },
    entries: 0,
    sinceYield: 0,
  };
  await readFolder(walk, root, '', null);
  cache.clear();
  for (const [path, entry] of walk.seen) cache.set(path, entry);
  return walk.tree;
}

/** By what people see of the name: with its ending, 'Payout wrong.http' comes before 'Payout.http', as a space comes before a dot. */
function sortEntries(entries: readonly Dirent[]): Dirent[] {
  return entries
    .map((entry) => ({
      entry,
      shown: entry.isDirectory() ? entry.name : entry.name.replace(requestExtension, ''),
    }))
    .sort((a, b) => byName.compare(a.shown, b.shown) || (a.entry.name < b.entry.name ? -1 : 1))
    .map(({ entry }) => entry);
}

const isListed = ({ name }: Dirent): boolean => !name.startsWith('.') && name !== 'node_modules';

/** Requests that iCloud took from the disk, by their own names: a run must not pass over one in silence. */
function listInCloud(entries: readonly Dirent[]): Dirent[] {
  return entries.flatMap((entry) => {
    const name = readPlaceholder(entry.name);
    if (name === null || !requestExtension.test(name) || entries.some((one) => one.name === name)) return [];
    return Object.assign(Object.create(entry) as Dirent, { name });
  });
}

/** Null: it may not be read. */
function listEntries(walk: Walk, folder: string): Dirent[] | null {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return sortEntries([...entries.filter(isListed), ...listInCloud(entries)]);
  } catch (error) {
    if (folder === walk.root) throw missingCollection(walk.root, error);
    return null;
  }
}

const folderFaults = {
  unreadable: 'This folder cannot be read. Check its permissions.',
  broken: 'The name of this folder is not UTF-8. Rename it.',
  linked:
    'This link leads to a folder: requests are neither listed nor run through it. Put the folder itself in its place, or take the link away.',
  tooDeep: `This folder lies more than ${maxDepth} folders deep: what is in it is not read. Move it up.`,
} as const;

function judgeFolder(entry: Dirent, depth: number): TreeNode['fault'] {
  const fault = entry.isSymbolicLink() ? 'linked' : depth < maxDepth ? null : 'tooDeep';
  return fault === null ? null : { line: 1, message: folderFaults[fault] };
}

/** Folders beside requests, for bodies or certificates, may well be links: only one that hides requests is told of. */
function isLinkToRequests(folder: string, entry: Dirent): boolean {
  return (
    entry.isSymbolicLink() && !requestExtension.test(entry.name) && holdsRequests(join(folder, entry.name), 1)
  );
}

/** Looks as many folders deeper as said. */
function holdsRequests(folder: string, deeper: number): boolean {
  if (findStats(folder)?.isDirectory() !== true) return false;
  try {
    const entries = readdirSync(folder, { withFileTypes: true }).slice(0, maxEntries).filter(isListed);
    return entries.some(
      (one) =>
        (one.isFile() && requestExtension.test(one.name)) ||
        (deeper > 0 && one.isDirectory() && holdsRequests(join(folder, one.name), deeper - 1)),
    );
  } catch {
    return false;
  }
}

/** Gives how many requests are in the folder and below. */
async function readFolder(walk: Walk, folder: string, path: string, node: TreeNode | null): Promise<number> {
  const depth = node === null ? 0 : node.depth + 1;
  walk.tree.folders.push(folder);
  walk.onFolder(folder);
  const listed = listEntries(walk, folder);
  if (node !== null && listed === null)
    node.fault = { line: 1, message: folderFaults[isBrokenName(path) ? 'broken' : 'unreadable'] };
  const entries = applyOrder(walk.order, path, listed ?? []);
  walk.entries += entries.length;
  if (walk.entries > maxEntries) {
    throw new CollectionsError(
      'collections.too_large',
      `This folder holds more than ${maxEntries} entries. Open the folder of the collection itself.`,
    );
  }
  let count = 0;
  for (const entry of entries.filter((one) => one.isDirectory() || isLinkToRequests(folder, one))) {
    const childPath = joinPath(path, entry.name);
    const child: TreeNode = {
      path: childPath,
      name: entry.name,
      kind: 'folder',
      depth,
      method: null,
      operation: null,
      fault: judgeFolder(entry, depth),
      requestCount: 0,
    };
    walk.tree.nodes.push(child);
    if (child.fault !== null) continue;
    child.requestCount = await readFolder(walk, join(folder, entry.name), childPath, child);
    count += child.requestCount;
  }
  const files = entries.filter(
    (entry) => requestExtension.test(entry.name) && (entry.isFile() || entry.isSymbolicLink()),
  );
  for (const { entry, exampleName } of placeExamples(files)) {
    const childPath = joinPath(path, entry.name);
    if (exampleName !== null) {
      walk.tree.nodes.push({ ...exampleFacts, path: childPath, name: exampleName, depth });
      continue;
    }
    const facts = walk.isJudged
      ? readFacts(walk, join(folder, entry.name), childPath, entry)
      : unread(entry.name);
    walk.tree.nodes.push({ path: childPath, kind: 'request', depth, ...facts });
    count += facts.requestCount;
    if (++walk.sinceYield >= chunkFiles) {
      walk.sinceYield = 0;
      await nextTurn();
    }
  }
  return count;
}

const unread = (fileName: string): FileFacts => ({
  name: fileName.replace(requestExtension, ''),
  method: null,
  operation: null,
  fault: null,
  requestCount: 0,
});

const exampleFacts = {
  kind: 'example',
  method: null,
  operation: null,
  fault: null,
  requestCount: 0,
} as const;

/** Puts each example behind its request; one whose request is gone comes last, with its whole name. */
function placeExamples(files: readonly Dirent[]): { entry: Dirent; exampleName: string | null }[] {
  const requests = files.filter(({ name }) => !isExamplePath(name));
  if (requests.length === files.length) return files.map((entry) => ({ entry, exampleName: null }));
  const index = indexRequests(requests.map(({ name }) => name));
  const examples = new Map<string | null, { entry: Dirent; exampleName: string }[]>([[null, []]]);
  for (const entry of files) {
    if (!isExamplePath(entry.name)) continue;
    const found = findExampleOwner(entry.name, index);
    const example = { entry, exampleName: found?.name ?? entry.name.replace(requestExtension, '') };
    const owner = found?.owner ?? null;
    const known = examples.get(owner);
    if (known) known.push(example);
    else examples.set(owner, [example]);
  }
  return [
    ...requests.flatMap((entry) => [{ entry, exampleName: null }, ...(examples.get(entry.name) ?? [])]),
    ...(examples.get(null) ?? []),
  ];
}

function readFacts(walk: Walk, absolute: string, path: string, entry: Dirent): FileFacts {
  const name = entry.name.replace(requestExtension, '');
  try {
    if (entry.isSymbolicLink()) locate(walk.root, path);
    const known = walk.cache.get(path);
    const stats = known && statSync(absolute);
    const next =
      known && stats && known.mtimeMs === stats.mtimeMs && known.sizeBytes === stats.size
        ? known
        : judgeFile(walk.root, absolute, name, entry);
    if (next.mtimeMs !== null) walk.seen.set(path, next);
    return next.facts;
  } catch (error) {
    const message = !(error instanceof AppError)
      ? readFaults.unreadable
      : error.code === 'collections.unknown'
        ? 'This link leads nowhere. Mend it, or delete it.'
        : error.message;
    return faulty(name, 1, message);
  }
}

const unknownTime = { mtimeMs: null, sizeBytes: 0 };

function faulty(name: string, line: number, message: string): FileFacts {
  return { name, method: null, operation: null, fault: { line, message }, requestCount: 0 };
}

const readFaults: Readonly<Record<ReadFault, string>> = {
  missing: 'This file is gone.',
  outside: 'This link leaves the collection.',
  not_regular: 'This is no regular file.',
  too_large: 'This file is too large.',
  forbidden: 'This file cannot be read. Check its permissions.',
  crowded: 'Too many files are open to read this one. Raise the limit (ulimit -n).',
  unreadable: 'The system failed to read this file. Look at its disk.',
};

function judgeFile(root: string, absolute: string, name: string, entry: Dirent): KnownFile {
  const read = readRegularFile(absolute, {
    root,
    maxBytes: headBytes,
    isHeadEnough: true,
    // Its folder was gone into by its own name: no link led there.
    isKnownInside: entry.isFile(),
  });
  if (read.fault !== null) {
    const why = isBrokenName(absolute)
      ? 'The name of this file is not UTF-8. Rename it.'
      : isInCloud(absolute)
        ? 'This file is in iCloud and not on this disk. Download it.'
        : readFaults[read.fault];
    return { ...unknownTime, facts: faulty(name, 1, why) };
  }
  const { mtimeMs, size } = read.stats;
  return { mtimeMs, sizeBytes: size, facts: judgeBytes(read.bytes, size, name) };
}

function judgeBytes(read: Buffer, sizeBytes: number, name: string): FileFacts {
  const bytes = sizeBytes > headBytes ? cutHead(read) : read;
  if (!isUtf8(bytes)) {
    return faulty(
      name,
      findBadLine(bytes),
      'This line is not UTF-8. Save the file as UTF-8; it is left as it is.',
    );
  }
  const file = parseHttpFile(bytes.toString('utf8'));
  const [first] = file.requests;
  return {
    name: file.requests.length === 1 ? (first?.name ?? name) : name,
    method: first?.method.toUpperCase() ?? null,
    operation: first?.operation ?? null,
    fault: file.faults[0] ?? null,
    requestCount: file.requests.length,
  };
}

/** Ends a beginning with its last whole line. */
function cutHead(bytes: Buffer): Buffer {
  const lastFeed = bytes.lastIndexOf(10);
  let end = lastFeed > 0 ? lastFeed : bytes.length;
  // One line longer than all this: leave out a character that the cut went through.
  for (let cut = 0; cut < 3 && lastFeed <= 0 && !isUtf8(bytes.subarray(0, end)); cut++) end--;
  return bytes.subarray(0, end);
}

/** The first line that is not UTF-8, from 1. */
export function findBadLine(bytes: Uint8Array): number {
  let start = 0;
  for (let line = 1; start <= bytes.length; line++) {
    const feed = bytes.indexOf(10, start);
    const end = feed === -1 ? bytes.length : feed;
    if (!isUtf8(bytes.subarray(start, end))) return line;
    start = end + 1;
  }
  return 1;
}
