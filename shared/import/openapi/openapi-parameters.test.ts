import { expect, it, vi } from 'vitest';
import * as auth from '../auth';
import { createCredentialBook } from '../credentials';
import type { ImportedRequest } from '../imported';
import { readOpenapi } from './read-openapi';

it('writes the example of a parameter of the path as it has to stand in an address', () => {
  const parameters = [
    { name: 'id', in: 'path', required: true, example: 'a/b c' },
    { name: 'of', in: 'path', required: true, example: 'x-1_{{wallet}}' },
  ];
  const text = JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'A', version: '1' },
    paths: { '/pay/{id}/{of}': { get: { parameters, responses: {} } } },
  });
  const { items } = readOpenapi(
    { name: 'a.json', files: [{ path: 'a.json', text }] },
    createCredentialBook(),
  );
  expect(items[0]).toMatchObject({
    url: expect.stringMatching(/\/pay\/\{\{id\}\}\/\{\{of\}\}$/) as string,
    variables: [
      ['id', 'a%2Fb%20c'],
      ['of', 'x-1_{{wallet}}'],
    ],
  });
});

/** The request that an operation with these parts becomes. */
function readOperation(operation: object, parts: object = {}) {
  const text = JSON.stringify({
    openapi: '3.0.3',
    info: { title: 'A', version: '1' },
    paths: { '/pay': { post: { responses: {}, ...operation } } },
    ...parts,
  });
  const source = { name: 'a.json', files: [{ path: 'a.json', text }] };
  return readOpenapi(source, createCredentialBook()).items[0] as ImportedRequest;
}

it('puts many parameters in at one go: each by itself would copy all before it', () => {
  const addQuery = vi.spyOn(auth, 'addQuery');
  const addCookie = vi.spyOn(auth, 'addCookie');
  const parameters = ['query', 'cookie'].flatMap((place) =>
    Array.from({ length: 300 }, (_, index) => ({ name: `p${index}`, in: place, required: true })),
  );
  const { url, headers } = readOperation({ parameters });
  expect(url).toMatch(/\/pay\?p0=\{\{p0\}\}&p1=\{\{p1\}\}&.*&p299=\{\{p299\}\}$/);
  expect(headers[0]?.[1]).toMatch(/^p0=\{\{p0\}\}; p1=.*; p299=\{\{p299\}\}$/);
  expect([addQuery.mock.calls.length, addCookie.mock.calls.length]).toEqual([1, 1]);
});

it('asks for no more authentications than a request can have', () => {
  const of = (value: unknown): object =>
    Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`k${index}`, value]));
  const parts = { components: { securitySchemes: of({ type: 'apiKey', name: 'A' }) }, security: [of([])] };
  const { headers, notes } = readOperation({}, parts);
  expect(headers).toHaveLength(50);
  expect(notes).toEqual([
    expect.stringMatching(/^It asks for too many authentications at once; left out: k50, .* and 938 more\.$/),
  ]);
});

/** Styles, by the table of the specification. */
it.each<[string, object, string]>([
  ['a list, under its name each time', { example: ['a b', 'c,d'] }, 'x=a%20b&x=c%2Cd'],
  ['a list in one value', { example: ['a b', 'c,d'], explode: false }, 'x=a%20b,c%2Cd'],
  ['a list with bars', { example: [1, 2.5], style: 'pipeDelimited' }, 'x=1%7C2.5'],
  ['a list with blanks', { example: [1, 2], style: 'spaceDelimited', explode: false }, 'x=1%202'],
  ['a list with bars, spread', { example: [1, 2], style: 'pipeDelimited', explode: true }, 'x=1&x=2'],
  ['an object, by its members', { example: { a: 1, 'b c': 'd&' } }, 'a=1&b%20c=d%26'],
  ['an object in one value', { example: { a: 1, b: 'c' }, explode: false }, 'x=a,1,b,c'],
  ['a deep object', { example: { a: 1, b: 'c d' }, style: 'deepObject' }, 'x%5Ba%5D=1&x%5Bb%5D=c%20d'],
  ['a JSON', { content: { 'application/json': { example: { a: '1' } } } }, 'x=%7B%22a%22%3A%221%22%7D'],
  [
    'a JSON with named examples',
    { content: { 'application/json': { examples: { e: { value: [1] } } } } },
    'x=%5B1%5D',
  ],
  ['a text that somebody wrote out', { content: { 'application/json': { example: '[1]' } } }, 'x=%5B1%5D'],
  ['one value', { example: 'a,b' }, 'x=a%2Cb'],
  [
    'one value with reserved signs',
    { example: '/a:b?c,[d] e+f&g#h', allowReserved: true },
    'x=/a:b?c,[d]%20e%2Bf%26g%23h',
  ],
  ['a list with reserved signs', { example: ['a/b', 'c&d'], allowReserved: true }, 'x=a/b&x=c%26d'],
])('writes a parameter of the query that is %s', (_what, parameter, query) => {
  const { url } = readOperation({ parameters: [{ name: 'x', in: 'query', required: true, ...parameter }] });
  expect(url.slice(url.indexOf('?') + 1)).toBe(query);
});

it('puts all cookies into one header', () => {
  const parameters = [
    { name: 'a', in: 'cookie', example: '1' },
    { name: 'b', in: 'cookie', example: '2' },
  ];
  expect(readOperation({ parameters }).headers).toEqual([['Cookie', 'a=1; b=2']]);
});

it('writes a list of a form as a field for each element, and of a multipart form as a part', () => {
  const schema = {
    type: 'object',
    properties: {
      a: { type: 'array', items: { type: 'string' }, example: ['x', 'y z'] },
      o: { type: 'object', example: { p: 1 } },
      f: { type: 'array', items: { type: 'string', format: 'binary' } },
    },
  };
  const { f: _file, ...texts } = schema.properties;
  const ofForm = { 'application/x-www-form-urlencoded': { schema: { ...schema, properties: texts } } };
  expect(readOperation({ requestBody: { content: ofForm } }).body?.parts).toEqual([
    'a=x&a=y%20z&o=%7B%22p%22%3A1%7D',
  ]);
  const ofParts = {
    'multipart/form-data': { schema, encoding: { a: { contentType: 'text/csv, text/plain' } } },
  };
  const request = readOperation({ requestBody: { content: ofParts } });
  const [text = '', file] = request.body?.parts ?? [];
  expect(String(text).replaceAll('\r\n', '|')).toBe(
    '--countersign-boundary|Content-Disposition: form-data; name="a"|Content-Type: text/csv||x|' +
      '--countersign-boundary|Content-Disposition: form-data; name="a"|Content-Type: text/csv||y z|' +
      '--countersign-boundary|Content-Disposition: form-data; name="o"|Content-Type: application/json||{"p":1}|' +
      '--countersign-boundary|Content-Disposition: form-data; name="f"; filename="f"|Content-Type: application/octet-stream||',
  );
  expect(file).toEqual({ file: './f' });
  expect(request.notes).toEqual([
    "Its body holds the file 'f', which was not imported: copy it beside the request.",
  ]);
});

it.each<[string, object, string, string | undefined]>([
  ['simple, a list', { example: ['a b', 'c/d'] }, '{{x}}', 'a%20b,c%2Fd'],
  ['simple, an object', { example: { a: 1, b: 'c,d' } }, '{{x}}', 'a,1,b,c%2Cd'],
  ['simple, an object by its members', { example: { a: 1, b: 2 }, explode: true }, '{{x}}', 'a=1,b=2'],
  ['label, a text', { style: 'label', example: 'a' }, '.{{x}}', 'a'],
  ['label, a list', { style: 'label', example: [1, 2] }, '.{{x}}', '1,2'],
  ['label, a list spread', { style: 'label', explode: true, example: [1, 2] }, '.{{x}}', '1.2'],
  [
    'label, an object spread',
    { style: 'label', explode: true, example: { a: 1, b: 2 } },
    '.{{x}}',
    'a=1.b=2',
  ],
  ['label, nothing', { style: 'label' }, '.{{x}}', undefined],
  ['matrix, a text', { style: 'matrix', example: 'a' }, ';x={{x}}', 'a'],
  ['matrix, a list', { style: 'matrix', example: [1, 2] }, ';x={{x}}', '1,2'],
  ['matrix, a list spread', { style: 'matrix', explode: true, example: [1, 2] }, ';x={{x}}', '1;x=2'],
  ['matrix, an object', { style: 'matrix', example: { a: 1, b: 2 } }, ';x={{x}}', 'a,1,b,2'],
  [
    'matrix, an object spread',
    { style: 'matrix', explode: true, example: { a: 1, b: 2 } },
    ';{{x}}',
    'a=1;b=2',
  ],
])('writes a parameter of the path in the style %s', (_what, parameter, step, value) => {
  const text = JSON.stringify({
    openapi: '3.0.3',
    info: { title: 'A', version: '1' },
    paths: {
      '/p{x}': {
        get: { responses: {}, parameters: [{ name: 'x', in: 'path', required: true, ...parameter }] },
      },
    },
  });
  const source = { name: 'a.json', files: [{ path: 'a.json', text }] };
  const { url, variables } = readOpenapi(source, createCredentialBook()).items[0] as ImportedRequest;
  expect(url.slice(url.indexOf('/p') + 2)).toBe(step);
  expect(variables[0]?.[1]).toBe(value);
});

it.each<[string, object, string]>([
  ['a list', { example: ['a b', 'c'] }, 'a b,c'],
  ['an object', { example: { a: 1, b: 'c' } }, 'a,1,b,c'],
  ['an object by its members', { example: { a: 1, b: 'c' }, explode: true }, 'a=1,b=c'],
  ['a JSON', { content: { 'application/json': { example: { a: 1 } } } }, '{"a":1}'],
])('writes a header that is %s', (_what, parameter, value) => {
  const { headers } = readOperation({
    parameters: [{ name: 'X-A', in: 'header', required: true, ...parameter }],
  });
  expect(headers).toContainEqual(['X-A', value]);
});

it.each(['application/x-ndjson', 'application/jsonl', 'application/json-seq'])(
  'writes a body of %s in one line',
  (type) => {
    const { body } = readOperation({ requestBody: { content: { [type]: { example: { a: 1, b: [2] } } } } });
    expect(body?.parts).toEqual(['{"a":1,"b":[2]}']);
  },
);
