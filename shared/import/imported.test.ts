import { expect, it } from 'vitest';
import { describeCounts } from './describe-counts';
import {
  addContentType,
  createRequest,
  hasHeader,
  mapOffRows,
  quoteFirstWord,
  refuseMany,
  requireRoomForItems,
  textBody,
} from './imported';

const request = (...headers: [string, string][]) =>
  createRequest({ name: '', method: 'GET', url: '', headers });

it('says what a body is, where the request does not', () => {
  const typeOf = (type: string | null, ...headers: [string, string][]) => {
    const one = request(...headers);
    addContentType(one, type);
    return one.headers;
  };
  expect(typeOf('text/csv')).toEqual([['Content-Type', 'text/csv']]);
  expect(typeOf(null)).toEqual([]);
  expect(typeOf('text/csv', ['CONTENT-TYPE', 'text/x'])).toEqual([['CONTENT-TYPE', 'text/x']]);
  expect(hasHeader(request(['x-a', '1'], ['X-B', '2']), 'x-b')).toBe(true);
  expect(hasHeader(request(['x-ab', '1']), 'X-A')).toBe(false);
});

it('makes a body of a text, and none of nothing', () => {
  expect([textBody('a'), textBody(''), textBody(null)]).toEqual([{ parts: ['a'] }, null, null]);
});

it.each([
  ['login', 'login'],
  [' login ', 'login'],
  ['login --password hunter2', 'login…'],
  ['$(login pw)', '$(login…'],
  ['PIN=1234', 'PIN…'],
  ["a'b'", 'a…'],
  ['a"b"', 'a…'],
  ['$x', '$x'],
  ['', ''],
  ['=x', '…'],
  ['a'.repeat(41), `${'a'.repeat(40)}…`],
])('tells no more of %j than %s', (written, word) => expect(quoteFirstWord(written)).toBe(word));

it('changes the values of rows that are off, and nothing else of them', () => {
  const row = (name: string) => ({ at: 1, name, value: 'v' });
  const map = (text: string, { name }: { name: string }) => `${name}:${text}`;
  expect(mapOffRows({ offHeaders: [row('a')], offParameters: [row('b'), row('c')] }, map)).toEqual({
    offHeaders: [{ at: 1, name: 'a', value: 'a:v' }],
    offParameters: [
      { at: 1, name: 'b', value: 'b:v' },
      { at: 1, name: 'c', value: 'c:v' },
    ],
  });
});

it('refuses more than it has room for', () => {
  expect(refuseMany(3, 'cats')).toMatchObject({
    code: 'import.too_many',
    message: 'It holds more than 3 cats. Import it in parts.',
  });
  expect(() => requireRoomForItems(20_000)).not.toThrow();
  expect(() => requireRoomForItems(20_001)).toThrow('more than 20000 requests and folders');
});

it.each([
  [{ requests: 1, folders: 0, environments: 2, ownEnvironments: [] }, '1 request, 0 folders, 2 environments'],
  [
    { requests: 2, folders: 1, environments: 1, ownEnvironments: ['a', 'a'] },
    '2 requests, 1 folder, 1 environment in the files; 1 environment of your own',
  ],
  [
    { requests: 0, folders: 0, environments: 0, ownEnvironments: ['a', 'b'] },
    '0 requests, 0 folders, 0 environments in the files; 2 environments of your own',
  ],
])('%j is told as “%s”', (made, told) => expect(describeCounts(made)).toBe(told));
