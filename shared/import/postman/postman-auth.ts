import { memberOf, type JsonNode } from '../../json/json-tree';
import type { ImportedAuth } from '../auth';
import { listItems, listMembers, readText } from '../nodes';

/** Parameters as 2.1 lists them, or as 2.0 names them. */
function readParameters(auth: JsonNode, type: string): Map<string, string> {
  const listed = listItems(auth, type).map(
    (one) => [readText(one, 'key') ?? '', readText(one, 'value') ?? ''] as const,
  );
  const named = listMembers(auth, type).map(([name, value]) => [name, readText(value) ?? ''] as const);
  return new Map([...listed, ...named]);
}

/** Every field of what stands there, in use or left from before. */
export const listAuthFields = (auth: JsonNode | null): [name: string, value: string][] =>
  auth === null ? [] : listMembers(auth).flatMap(([type]) => [...readParameters(auth, type)]);

/** Reads what authenticates a request, a folder or a collection; null: that of the folder above does. */
export function readPostmanAuth(auth: JsonNode | null): ImportedAuth | null {
  const type = readText(auth, 'type');
  if (auth === null || type === null || type === 'inherit') return null;
  const parameters = readParameters(auth, type);
  const get = (name: string): string => parameters.get(name) ?? '';
  switch (type) {
    case 'noauth':
      return { kind: 'none' };
    case 'basic':
      return { kind: 'basic', user: get('username'), password: get('password') };
    case 'bearer':
      return { kind: 'bearer', token: get('token') };
    case 'apikey':
      return {
        kind: 'key',
        name: get('key'),
        value: get('value'),
        place: get('in') === 'query' ? 'query' : 'header',
        isFilledRaw: true,
      };
    case 'oauth2':
      return get('addTokenTo') === 'queryParams'
        ? {
            kind: 'key',
            name: 'access_token',
            value: get('accessToken'),
            place: 'query',
            isFetched: true,
            isFilledRaw: true,
          }
        : {
            kind: 'bearer',
            token: get('accessToken'),
            prefix: (parameters.get('headerPrefix') ?? 'Bearer').trim(),
            isFetched: true,
          };
    default:
      return {
        kind: 'other',
        title: memberOf(auth, 'type')?.kind === 'string' ? type.slice(0, 40) : 'unknown',
      };
  }
}
