import type { HttpRequestBlock } from './http-file';
import { identifyBlocks } from './identify-block';

/** What one request of a file is known by once that file is another. */
export interface BlockMark {
  /** By {@link identifyBlocks}. */
  identity: string;
  /** False: it goes by its place. */
  isNamed: boolean;
  /** A digest of what it sends. */
  content: number;
  /** Its file holds no other. */
  isOnly: boolean;
}

/** @returns null: the file has no request there */
export function markBlock(requests: readonly HttpRequestBlock[], index: number): BlockMark | null {
  const block = requests[index];
  if (block === undefined) return null;
  const identity = identifyBlocks(requests)[index]!;
  const isNamed = identity === block.name;
  return { identity, isNamed, content: digestContent(block), isOnly: requests.length === 1 };
}

/**
 * Finds a request in what its file holds now: by its own name, else by what it sends. One that has no name and was changed is the
 * one in its place where the others are as they were.
 *
 * @param before - the file that it was marked in; left out: not known any more
 * @returns index in `requests`; -1: it is not there, and whatever stands in its place is another
 */
export function findMarked(
  requests: readonly HttpRequestBlock[],
  mark: BlockMark,
  before: readonly HttpRequestBlock[] = [],
): number {
  if (mark.isOnly && requests.length === 1) return 0;
  const identities = identifyBlocks(requests);
  const place = identities.indexOf(mark.identity);
  if (mark.isNamed && requests[place]?.name === mark.identity) return place;
  const contents = requests.map(digestContent);
  const formerNames = new Set<string | null>(before.map(({ name }) => name));
  const alike = [...contents.keys()].filter((index) => {
    const name = identities[index]!;
    // One that was there under its name is not another that was renamed.
    const wasThere = requests[index]!.name === name && formerNames.has(name);
    return contents[index] === mark.content && !wasThere;
  });
  if (alike.length > 0 || mark.isNamed) return alike.includes(place) ? place : (alike[0] ?? -1);
  const former = before.map(digestContent);
  const hasOthers = former.every((content, index) => index === place || contents[index] === content);
  return hasOthers && former.length === contents.length ? place : -1;
}

/**
 * Marks the requests of a file that go by their place: with what each sends, and with what all others do.
 *
 * @returns one for each; undefined: it goes by its own name
 */
export function markPlaced(requests: readonly HttpRequestBlock[]): (string | undefined)[] {
  const identities = identifyBlocks(requests);
  const contents = requests.map(digestContent);
  const all = contents.reduce((sum, content, index) => (sum + weigh(content, index)) | 0, contents.length);
  return contents.map((content, index) =>
    identities[index] === requests[index]!.name
      ? undefined
      : `${content}/${(all - weigh(content, index)) | 0}`,
  );
}

const weigh = (content: number, index: number): number => Math.imul(content, 2 * index + 1);

/**
 * Finds requests in what their file holds now, as {@link findMarked} does where it is not known what it held.
 *
 * @returns tells the index of one by its identity and its mark of then; -1: it is not there
 */
export function createPlacedFinder(
  requests: readonly HttpRequestBlock[],
): (sought: { block: string; mark?: string | undefined }) => number {
  const identities = new Map(identifyBlocks(requests).map((identity, index) => [identity, index]));
  const marks = markPlaced(requests);
  const contentOf = (mark: string | undefined): string | undefined => mark?.split('/')[0];
  const byContent = new Map(marks.map((mark, index) => [contentOf(mark), index]));
  return ({ block, mark }) => {
    const place = identities.get(block) ?? -1;
    if (mark === undefined) return place;
    const here = marks[place];
    if (contentOf(here) === contentOf(mark)) return place;
    const moved = byContent.get(contentOf(mark)!);
    // One that was changed is in its place where the others are as they were.
    return moved ?? (here?.split('/')[1] === mark.split('/')[1] ? place : -1);
  };
}

function digestContent({ method, url, headers, body, annotations }: HttpRequestBlock): number {
  const pairs = [...headers, ...annotations.filter(({ name }) => name !== 'name')];
  const text = JSON.stringify([method, url, pairs.map(({ name, value }) => [name, value]), body]);
  let digest = 0;
  for (let at = 0; at < text.length; at += 1) digest = (Math.imul(digest, 31) + text.charCodeAt(at)) | 0;
  return digest;
}
