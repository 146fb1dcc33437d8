import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { MethodOutput } from '@shared/contract/contract';
import type { HttpRequestBlock } from '@shared/http-file/http-file';
import { parseHttpFile } from '@shared/http-file/parse-http-file';
import { readRegularFile } from '../../platform/files/regular-file';

type Found = MethodOutput<'collections.search'>;
type Hit = Found['hits'][number];

/** A collection to search in: its files, by path, with the name that each has in the tree. */
export interface SearchedCollection {
  id: string;
  directory: string;
  files: Iterable<readonly [path: string, name: string]>;
}

const mostHitsAFile = 5;
/** What lies further on in a file is not searched. */
const mostBytes = 1024 * 1024;
const longestMs = 15_000;
/** So long at a time; then others get their turn. */
const sliceMs = 8;
const excerptChars = 160;
const charsBefore = 40;

/**
 * Finds requests by what their names, addresses, headers and bodies hold, whatever the case.
 *
 * Files are read as they stand on disk, in slices of a few milliseconds; it ends early once there are enough, once it has
 * taken too long, or once `isCanceled` says so.
 * @param limit - so many hits at most; of one file at most five
 */
export async function searchFiles(
  collections: readonly SearchedCollection[],
  { text, limit }: { text: string; limit: number },
  isCanceled: () => boolean,
): Promise<Found> {
  const wanted = text.toLowerCase();
  const endsAt = performance.now() + longestMs;
  const found: Found = { hits: [], searched: 0, isCut: false };
  let sliceEndsAt = performance.now() + sliceMs;
  for (const { id, directory, files } of collections) {
    for (const [path, name] of files) {
      found.hits.push(...searchFile({ collectionId: id, directory, path, name }, wanted));
      found.searched += 1;
      const now = performance.now();
      found.isCut = found.hits.length >= limit || now > endsAt || isCanceled();
      if (found.isCut) return { ...found, hits: found.hits.slice(0, limit) };
      if (now < sliceEndsAt) continue;
      await nextTurn();
      sliceEndsAt = performance.now() + sliceMs;
    }
  }
  return found;
}

interface SearchedFile {
  collectionId: string;
  directory: string;
  path: string;
  name: string;
}

function searchFile({ collectionId, directory, path, name }: SearchedFile, wanted: string): Hit[] {
  const base = { collectionId, path, name };
  const hits: Hit[] = name.toLowerCase().includes(wanted)
    ? [{ ...base, place: 'name', line: 1, requestIndex: 0, bodyRange: null, ...cutExcerpt(name, wanted) }]
    : [];
  const { bytes } = readRegularFile(join(directory, ...path.split('/')), {
    root: directory,
    maxBytes: mostBytes,
    isHeadEnough: true,
  });
  const text = bytes?.toString('utf8') ?? '';
  const lower = text.toLowerCase();
  // Where small letters are longer than capitals places cannot be told from `lower`: such a file is searched as written.
  const searched = lower.length === text.length ? lower : text;
  const offsets: number[] = [];
  for (let at = searched.indexOf(wanted); at !== -1 && offsets.length < mostHitsAFile;) {
    offsets.push(at);
    // The next line: a line is shown once.
    const feed = searched.indexOf('\n', at);
    at = feed === -1 ? -1 : searched.indexOf(wanted, feed);
  }
  if (offsets.length === 0) return hits;
  const { requests } = parseHttpFile(text);
  const inText = offsets.map((offset): Hit => ({
    ...base,
    line: countLines(text, offset),
    ...findPlace(requests, offset, wanted.length),
    ...cutExcerpt(lineAt(text, offset), wanted),
  }));
  // What `# @name` says is the name that was found already.
  return [
    ...hits,
    ...inText.filter(({ excerpt }) => hits.length === 0 || !/^(?:#|\/\/) @name\b/.test(excerpt)),
  ];
}

function findPlace(
  requests: readonly HttpRequestBlock[],
  offset: number,
  length: number,
): Pick<Hit, 'place' | 'requestIndex' | 'bodyRange'> {
  const requestIndex = Math.max(
    requests.findIndex(({ start, end }) => offset >= start && offset < end),
    0,
  );
  const request = requests[requestIndex];
  const place = { requestIndex, bodyRange: null };
  if (request === undefined || offset < request.requestLineStart) return { ...place, place: 'comment' };
  if (offset < request.requestLineEnd) return { ...place, place: 'url' };
  if (offset < request.headEnd) return { ...place, place: 'header' };
  if (offset < request.bodyStart || offset >= request.bodyEnd) return { ...place, place: 'comment' };
  const start = offset - request.bodyStart;
  return { requestIndex, place: 'body', bodyRange: { start, end: start + length } };
}

function lineAt(text: string, offset: number): string {
  const feed = text.indexOf('\n', offset);
  return text.slice(text.lastIndexOf('\n', offset - 1) + 1, feed === -1 ? text.length : feed);
}

function countLines(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}

/** The part of a line around what was found. */
function cutExcerpt(line: string, wanted: string): Pick<Hit, 'excerpt' | 'start' | 'length'> {
  const at = Math.max(line.toLowerCase().indexOf(wanted), 0);
  const from = line.length <= excerptChars ? 0 : Math.max(at - charsBefore, 0);
  const excerpt = line.slice(from, from + excerptChars);
  const trimmed = excerpt.trimStart();
  return {
    excerpt: trimmed.trimEnd(),
    start: at - from - (excerpt.length - trimmed.length),
    length: wanted.length,
  };
}
