import { describe, expect, it } from 'vitest';
import { addQuery, applyAuth, type ImportedAuth } from './auth';
import { createCredentialBook } from './credentials';
import { createRequest } from './imported';

const apply = (auth: ImportedAuth, own: [string, string][] = []) => {
  const request = createRequest({
    name: '',
    method: 'GET',
    url: 'https://a.example/x#top',
    headers: [...own],
  });
  const book = createCredentialBook();
  applyAuth(request, auth, book);
  const { url, headers, notes } = request;
  return { url, headers, notes, found: book.list().map(({ name, value }) => `${name}=${value}`) };
};
const nothing = { url: 'https://a.example/x#top', headers: [], notes: [], found: [] };
const authorization = (value: string): [string, string][] => [['Authorization', value]];
const fetched = (variable: string): string =>
  `How its token is fetched (OAuth 2) is not taken over: give ${variable} in the environment, or \`# @capture\` it from the request that fetches it.`;

it('is nothing, or a note where it signs each request', () => {
  expect(apply({ kind: 'none' })).toEqual(nothing);
  expect(apply({ kind: 'other', title: 'hawk' })).toEqual({
    ...nothing,
    notes: ['Its hawk authentication is not taken over: put the header in that the service asks for.'],
  });
});

it.each([
  ['a user', { kind: 'basic', user: 'ann', password: 'word' }, 'Basic ann:{{password}}', ['password=word']],
  ['a token', { kind: 'bearer', token: 't-1' }, 'Bearer {{bearer_token}}', ['bearer_token=t-1']],
  ['a variable', { kind: 'bearer', token: '{{mine}}' }, 'Bearer {{mine}}', []],
  ['no token', { kind: 'bearer', token: '' }, 'Bearer {{access_token}}', []],
  ['another word', { kind: 'bearer', token: '{{mine}}', prefix: 'Token' }, 'Token {{mine}}', []],
  ['no word', { kind: 'bearer', token: '{{mine}}', prefix: '' }, '{{mine}}', []],
] as [string, ImportedAuth, string, string[]][])('puts %s into a header', (_what, auth, value, found) => {
  expect(apply(auth)).toEqual({ ...nothing, headers: authorization(value), found });
});

describe('a token that the other tool fetched', () => {
  it.each([
    ['', '{{access_token}}'],
    ['t-1', '{{bearer_token}}'],
    ['{{mine}}', '{{mine}}'],
    ['a {{mine}} b', '{{mine}}'],
    ['half {{', 'its token'],
  ])('%j: the note says what to give', (token, variable) => {
    expect(apply({ kind: 'bearer', token, isFetched: true }).notes).toEqual([fetched(variable)]);
    const inQuery = { kind: 'key', name: 'access_token', value: '{{mine}}', place: 'query' } as const;
    expect(apply({ ...inQuery, isFetched: true }).notes).toEqual([fetched('{{mine}}')]);
    expect(apply(inQuery).notes).toEqual([]);
  });

  it('is not asked for where the request has a header of its own', () => {
    const own: [string, string][] = [['AUTHORIZATION', 'Own {{x}}']];
    expect(apply({ kind: 'bearer', token: '', isFetched: true }, own)).toEqual({
      ...nothing,
      headers: own,
      notes: ['It has a header Authorization of its own, which stays; its authentication is left out.'],
    });
  });
});

describe('a key', () => {
  const key = (value: string, place: 'header' | 'query' | 'cookie', name = 'X Key') =>
    apply({ kind: 'key', name, value, place });

  it.each([
    ['header', ['X Key', '{{x_key_secret}}'], nothing.url],
    ['cookie', ['Cookie', 'X Key={{x_key_secret}}'], nothing.url],
    ['query', null, 'https://a.example/x?X%20Key={{%x_key_secret}}#top'],
  ] as const)('goes into the %s', (place, header, url) => {
    expect(key('a b', place)).toEqual({
      ...nothing,
      url,
      headers: header === null ? [] : [header],
      found: ['x_key_secret=a b'],
    });
  });

  it('is a variable where it has no value, or one already; without a name it is none', () => {
    expect(key('', 'header').headers).toEqual([['X Key', '{{X_Key}}']]);
    expect(key('', 'header', 'a.b-c ++ d').headers[0]![1]).toBe('{{a.b-c_d}}');
    expect(key('{{mine}}', 'header').headers).toEqual([['X Key', '{{mine}}']]);
    expect(key('{{ m }} b', 'query').url).toBe('https://a.example/x?X%20Key={{%m}}%20b#top');
    expect(key('', 'query').url).toBe('https://a.example/x?X%20Key={{%X_Key}}#top');
    expect(key('a', 'header', '')).toEqual(nothing);
  });
});

it('of Postman stands in a query as Postman sends it: what its variable holds is not encoded', () => {
  const auth = { kind: 'key', name: 'k', place: 'query', isFilledRaw: true } as const;
  expect(apply({ ...auth, value: '{{mine}}' })).toMatchObject({
    url: 'https://a.example/x?k={{mine}}#top',
    notes: [expect.stringContaining('Postman encodes a blank, ", \', #, &, < and > of what {{mine}} holds')],
  });
  expect(apply({ ...auth, value: 'a b' }).notes).toEqual([]);
  expect(apply({ ...auth, value: 'a+b%2B&é🙂\n=' })).toMatchObject({
    url: 'https://a.example/x?k={{k_secret}}#top',
    found: ['k_secret=a+b%2B%26%C3%A9%F0%9F%99%82%0A='],
  });
  expect(apply({ ...auth, name: 'a=b (c)', value: '{{mine}}' }).url).toBe(
    'https://a.example/x?a%3Db%20(c)={{mine}}#top',
  );
});

it.each([
  ['https://a.example', 'https://a.example?b=1'],
  ['https://a.example?', 'https://a.example?b=1'],
  ['https://a.example?a=0', 'https://a.example?a=0&b=1'],
  ['https://a.example?a=0&', 'https://a.example?a=0&b=1'],
  ['https://a.example?a=?', 'https://a.example?a=?&b=1'],
  ['https://a.example#c?d', 'https://a.example?b=1#c?d'],
  ['https://a.example?a\n#c#d\ne', 'https://a.example?a\n&b=1#c#d\ne'],
  ['', '?b=1'],
])('adds to the query of %j', (url, expected) => {
  expect(addQuery(url, 'b=1')).toBe(expected);
});
