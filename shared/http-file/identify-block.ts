import type { HttpRequestBlock } from './http-file';

/**
 * Names one request of a file so that no other of that file has the same name.
 *
 * Part of a request's identity. A request without a name, or with one that an earlier request has, goes by its place.
 * @param index - of the request in `requests`
 */
export function identifyBlock(requests: readonly Pick<HttpRequestBlock, 'name'>[], index: number): string {
  return identifyBlocks(requests)[index] ?? `#${index + 1}`;
}

/** So much of a name goes into an identity: some write a whole story there, and calls that name a request have a limit. */
const MOST_OF_NAME = 900;

/** Identifies all requests of a file, in time in proportion to their number. */
export function identifyBlocks(requests: readonly Pick<HttpRequestBlock, 'name'>[]): string[] {
  const known = new Set<string>();
  return requests.map(({ name: written }, index) => {
    const name = (written ?? '').slice(0, MOST_OF_NAME);
    const isOwn = !known.has(name) && (name !== '' || requests.length === 1);
    let identity = isOwn ? name : `${name}#${index + 1}`;
    // One is called as another goes by its place.
    while (known.has(identity)) identity += '#';
    known.add(name).add(identity);
    return identity;
  });
}
