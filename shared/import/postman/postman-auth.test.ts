import { expect, it } from 'vitest';
import { readDocument } from '../read-document';
import { readPostmanAuth } from './postman-auth';

const read = (auth: unknown) => readPostmanAuth(readDocument(JSON.stringify(auth)));
/** As 2.1 lists parameters. */
const of = (type: string, given: Record<string, unknown>) =>
  read({ type, [type]: Object.entries(given).map(([key, value]) => ({ key, value })) });

it('is that of the folder above where it says none of its own', () => {
  expect(readPostmanAuth(null)).toBeNull();
  for (const auth of [{}, { type: null }, { type: 'inherit' }]) expect(read(auth)).toBeNull();
  expect(read({ type: 'noauth' })).toEqual({ kind: 'none' });
});

it.each([
  ['basic', { username: 'ann', password: 'word' }, { kind: 'basic', user: 'ann', password: 'word' }],
  ['basic', {}, { kind: 'basic', user: '', password: '' }],
  ['bearer', { token: '{{t}}' }, { kind: 'bearer', token: '{{t}}' }],
  [
    'apikey',
    { key: 'k', value: 'v', in: 'query' },
    { kind: 'key', name: 'k', value: 'v', place: 'query', isFilledRaw: true },
  ],
  [
    'apikey',
    { key: 'k', value: 7 },
    { kind: 'key', name: 'k', value: '7', place: 'header', isFilledRaw: true },
  ],
  [
    'oauth2',
    { accessToken: 't', addTokenTo: 'queryParams' },
    { kind: 'key', name: 'access_token', value: 't', place: 'query', isFetched: true, isFilledRaw: true },
  ],
  ['oauth2', { accessToken: 't' }, { kind: 'bearer', token: 't', prefix: 'Bearer', isFetched: true }],
  ['oauth2', { headerPrefix: ' Token ' }, { kind: 'bearer', token: '', prefix: 'Token', isFetched: true }],
  ['oauth2', { headerPrefix: '' }, { kind: 'bearer', token: '', prefix: '', isFetched: true }],
  ['hawk', { id: '1' }, { kind: 'other', title: 'hawk' }],
])('%s %j is read', (type, given, auth) => {
  expect(of(type, given)).toEqual(auth);
  // As 2.0 names them.
  expect(read({ type, [type]: given })).toEqual(auth);
});

it('of a kind that nobody knows is told by the beginning of its name', () => {
  expect(read({ type: 'x'.repeat(50) })).toEqual({ kind: 'other', title: 'x'.repeat(40) });
  expect(read({ type: 7 })).toEqual({ kind: 'other', title: 'unknown' });
});

it('leaves what has no name or no value', () => {
  expect(read({ type: 'bearer', bearer: [{ value: 'x' }, { key: 'token' }] })).toEqual({
    kind: 'bearer',
    token: '',
  });
});
