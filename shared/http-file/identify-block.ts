import type { HttpRequestBlock } from './http-file';

/**
 * Names one request of a file so that no other of that file has the same name.
 *
 * Part of a request's identity. A request without a name, or with one that an earlier request has, goes by its place.
 * @param index - of the request in `requests`
 */
export function identifyBlock(requests: readonly Pick<HttpRequestBlock, 'name'>[], index: number): string {
  const name = requests[index]?.name ?? '';
  const isAlone = requests.findIndex((one) => (one.name ?? '') === name) === index;
  return isAlone && (name !== '' || requests.length === 1) ? name : `${name}#${index + 1}`;
}
