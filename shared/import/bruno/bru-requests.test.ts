import { describe, expect, it } from 'vitest';
import { createCredentialBook } from '../credentials';
import type { ImportedItem, ImportedRequest } from '../imported';
import { readBruFile } from './read-bru-file';
import { readBruno } from './read-bruno';

const readItem = (text: string): ImportedItem =>
  readBruno({ name: 'given', files: [{ path: 'a.bru', text }] }, createCredentialBook()).items[0]!;
/** The request of a file whose body and authentication are of these modes, with further blocks. */
const read = (body: string, rest = '', auth = 'none', url = 'https://x.test/pay'): ImportedRequest =>
  readItem(
    `meta {\n  name: A\n}\n\npost {\n  url: ${url}\n  body: ${body}\n  auth: ${auth}\n}\n\n${rest}`,
  ) as ImportedRequest;
const block = (name: string, ...lines: string[]): string =>
  `${name} {\n${lines.map((line) => `  ${line}\n`).join('')}}\n\n`;
const textOf = ({ body }: ImportedRequest): string | null =>
  body === null
    ? null
    : body.parts.map((part) => (typeof part === 'string' ? part : `<${part.file}>`)).join('');

describe('the head of a .bru file', () => {
  it.each([
    ['its file, where it names none', '', 'dir/Pay.bru.bru', { name: 'Pay.bru' }],
    [
      'no place, where that is no number',
      'meta {\n  seq: first\n}',
      'a.bru',
      { seq: Number.MAX_SAFE_INTEGER },
    ],
    ['another method', 'http {\n  method: PURGE\n  url: x\n}', 'a.bru', { method: 'PURGE', url: 'x' }],
    ['its type', 'meta {\n  type: graphql\n}', 'a.bru', { type: 'graphql' }],
    ['HTTP, where it has no type', 'meta {\n  type:\n}', 'a.bru', { type: 'http' }],
    ['gRPC by its block alone', 'grpc {\n  url: x\n}', 'a.bru', { type: 'grpc' }],
    ['WebSocket by its block alone', 'ws {\n  url: x\n}', 'a.bru', { type: 'ws' }],
    ['JSON in a body without a kind', 'body {\n  {}\n}', 'a.bru', { texts: new Map([['json', '{}']]) }],
  ])('gives %s', (_what, text, path, given) => {
    expect(readBruFile(text, path)).toMatchObject(given);
  });
});

describe('what a .bru file has and is not taken over', () => {
  const other = (name: string): string =>
    `Its other body (${name}) is not the one that is sent, and left out.`;
  it.each([
    ['nothing of empty blocks', `${block('tests')}${block('docs', ' ')}${block('auth:basic')}`, []],
    ['nothing of a script of blanks', block('script:pre-request', ' '), []],
    ['nothing of a header without a name', block('headers', ': x', '~: y'), []],
    [
      'a part that nobody here knows, and no empty one',
      `${block('app', 'code: x')}${block('extensions', 'a: 1')}${block('hooks')}flags [\n  a\n]\n\n`,
      ['app', 'extensions', 'flags'].map((name) => `Its part '${name}' is not taken over.`),
    ],
    [
      'how long it waits, and nothing of what is Bruno’s own default',
      block('settings', 'encodeUrl: false', 'timeout: 500', 'followRedirects: true', 'maxRedirects: 5'),
      ['Its time limit of 500 ms is not taken over.'],
    ],
    ['nothing of no time limit', block('settings', 'timeout: 0'), []],
    ['nothing of one that is inherited', block('settings', 'timeout: inherit'), []],
    ['another body', block('body:text', 'a'), [other('text')]],
    ['a file', block('body:file', 'file: @file(a.bin)'), [other('file')]],
    [
      'a parameter whose name the path alone has',
      block('params:query', 'pay: 1', 'a b: 2', '~off: 3'),
      ['Its query parameter pay is not in its address, and left out.'],
    ],
  ])('is said: %s', (_what, rest, notes) => {
    const request = read('json', `${block('body:json', '{}')}${rest}`, 'none', 'https://x.test/pay?a%20b=2');
    expect(request).toMatchObject({ notes, headers: [['Content-Type', 'application/json']], offHeaders: [] });
    expect(textOf(request)).toBe('{}');
  });

  it('is a parameter that its address has no parameter of the name of', () => {
    const url = 'https://x.test/{{of?c=1}}?date=1&a%20b=2&c+d=3&{{name}}=4&e%3D=a#f=1';
    const names = ['a', 'at', 'date', 'a b', 'a%20b', 'c d', 'c', '{{name}}', 'e=', 'f', 'a', '2'];
    const pairs = block('params:query', ...names.map((name) => `"${name}": 1`));
    const left = ['a', 'at', 'c', 'f', 'a', '2'];
    expect(read('none', pairs, 'none', url).notes).toEqual(
      left.map((name) => `Its query parameter ${name} is not in its address, and left out.`),
    );
  });

  it('is a header or a parameter that its authentication goes before', () => {
    const left = (what: string): string =>
      `Its ${what} is left out: Bruno puts its authentication in the place.`;
    const bearer = block('headers', 'authorization: own') + block('auth:bearer', 'token: {{t_secret}}');
    expect(read('none', bearer, 'bearer')).toMatchObject({
      headers: [['Authorization', 'Bearer {{t_secret}}']],
      notes: [left('header Authorization')],
    });
    const key = (placement: string): string =>
      block('headers', 'X-Key: own') +
      block('auth:apikey', 'key: X-Key', 'value: {{k_secret}}', `placement: ${placement}`);
    expect(read('none', key('header'), 'apikey').headers).toEqual([['X-Key', '{{k_secret}}']]);
    const { url, notes } = read('none', key('queryparams'), 'apikey', 'https://x.test/pay?X-Key=own');
    expect(url).toBe('https://x.test/pay?X-Key={{%k_secret}}');
    expect(notes).toEqual([left('parameter X-Key')]);
  });

  it('is a way to authenticate that is not known, by its name', () => {
    expect(read('none', '', 'digest').notes).toEqual([
      'Its digest authentication is not taken over: put the header in that the service asks for.',
    ]);
  });
});

describe('a body of a .bru file', () => {
  it.each([
    ['none, where its text is missing', 'json', '', null],
    ['none, where it has no parts', 'multipart-form', block('body:multipart-form'), null],
    ['none, where a file is missing', 'file', block('body:file', 'file: @file()'), null],
  ])('is %s, and no header says what it is', (_what, mode, rest, text) => {
    const request = read(mode, rest);
    expect([textOf(request), request.headers, request.notes]).toEqual([text, [], []]);
  });

  it('is GraphQL, whose variables may be blank', () => {
    const rest = block('body:graphql', '{ a }') + block('body:graphql:vars', ' ');
    expect(textOf(read('graphql', rest))).toBe('{"query":"{ a }","variables":{}}');
  });

  it('is the file that is chosen; only what is not is named', () => {
    const note = "Its body holds the file 'b.bin', which was not imported: copy it beside the request.";
    const chosen = 'file: @file(b.bin) @contentType(image/png)';
    const one = read('file', block('body:file', chosen));
    expect([textOf(one), one.headers, one.notes]).toEqual([
      '<./b.bin>',
      [['Content-Type', 'image/png']],
      [note],
    ]);
    const two = read('file', block('body:file', '~file: @file(a.bin) @contentType(a/b)', chosen));
    expect([textOf(two), two.headers, two.notes]).toEqual([
      '<./b.bin>',
      [['Content-Type', 'image/png']],
      [note, 'Files that are not the one in use are left out: a.bin.'],
    ]);
  });

  it('is a form of parts: one type of content, and no part for a file that nobody chose', () => {
    const headers = block('headers', 'content-TYPE: multipart/form-data', 'X-A: b');
    const rest = block('body:multipart-form', 'a: b', 'none: @file()');
    const request = read('multipart-form', headers + rest);
    expect(request.headers).toEqual([
      ['X-A', 'b'],
      ['Content-Type', expect.stringMatching(/^multipart\/form-data; boundary=/)],
    ]);
    expect(textOf(request)).toContain('name="a"');
    expect(textOf(request)).not.toContain('none');
    expect(request.notes).toEqual(['The field none of its form has no file, and is left out.']);
  });
});

it('sends of several headers of a name the last, as Bruno does, keeps the others, and says so', () => {
  const request = read('none', block('headers', 'X-A: 1', 'B: 2', '~x-a: 3', 'x-a: 4', 'X-A: 5', '~B: 6'));
  expect(request.headers).toEqual([
    ['B', '2'],
    ['X-A', '5'],
  ]);
  expect(request.offHeaders.map(({ at, name, value }) => `${at} ${name}=${value}`)).toEqual([
    '0 X-A=1',
    '1 x-a=3',
    '1 x-a=4',
    '2 B=6',
  ]);
  expect(request.notes).toEqual([
    'Of several headers X-A Bruno sends the last: the others are switched off.',
  ]);
});

it('keeps parameters that are off where they stood among the others', () => {
  const rest = block('params:query', '~x: 1', 'a: 1', 'b: 2', '~y: 2', '~: 3');
  expect(read('none', rest, 'none', 'https://x.test/?a=1&b=2').offParameters).toEqual([
    { at: 0, name: 'x', value: '1' },
    { at: 2, name: 'y', value: '2' },
  ]);
});

it.each([
  ['get {\n  url: https://x.test/pasted\n}\n', 'Pay'],
  ['\nmeta{\n  name: A\n}\nget {\n  url: https://x.test/pasted\n}\n', 'A'],
  ['auth:basic {\n}\nget {\n  url: https://x.test/pasted\n}\n', 'Pay'],
])('is known by its text where its file is called otherwise: %j', (text, name) => {
  const { items } = readBruno({ name: 'Pay', files: [{ path: 'Pay', text }] }, createCredentialBook());
  expect(items).toMatchObject([{ kind: 'request', name, url: 'https://x.test/pasted' }]);
});

describe('a query', () => {
  const url = 'https://x.test/a b?at=10:00+02:00&s=%20&q=a b&flag&e=&=x&{{n}}={{v}} é/#f';
  const encoded =
    'https://x.test/a b?at=10%3A00%2B02%3A00&s=%2520&q=a%20b&flag&e=&{{%n}}={{%v}}%20%C3%A9%2F%23f';

  it.each([
    ['is encoded where Bruno is told to', block('settings', 'encodeUrl: true'), encoded],
    ['stays as it is where Bruno is not', block('settings', 'encodeUrl: false'), url],
    ['stays as it is where nothing tells', '', url],
  ])('%s', (_what, rest, expected) => {
    expect(read('none', rest, 'none', url).url).toBe(expected);
  });

  it.each([
    [{ encodeUrl: true }, encoded],
    [{ encodeUrl: false }, url],
    [undefined, url],
  ])('is as settings of the export say: %j', (settings, expected) => {
    const item = { type: 'http-request', name: 'A', settings, request: { method: 'GET', url } };
    const text = JSON.stringify({ name: 'C', version: '1', items: [item] });
    const source = { name: 'given', files: [{ path: 'a.json', text }] };
    expect(readBruno(source, createCredentialBook()).items[0]).toMatchObject({ url: expected });
  });
});

it('says of an encoded query which values Bruno takes apart, and leaves one whole that stands for several pairs', () => {
  const files = [
    {
      path: 'A.bru',
      text: 'get {\n  url: https://x.test/?{{pairs}}&a={{both}}&b={{plain}}&c={{own}}\n}\nvars:pre-request {\n  own: 1&2\n}\nsettings {\n  encodeUrl: true\n}\n',
    },
    { path: 'environments/E.bru', text: 'vars {\n  both: a&b\n  plain: a b\n  pairs: x=1&y=2\n}\n' },
  ];
  const [item] = readBruno({ name: 'C', files }, createCredentialBook()).items;
  expect(item).toMatchObject({ url: 'https://x.test/?{{pairs}}&a={{%both}}&b={{%plain}}&c={{%own}}' });
  expect((item as { notes: string[] }).notes).toEqual(
    ['both', 'own'].map(
      (name) =>
        `A & in the value of {{${name}}} is encoded here; Bruno, which fills it in first, begins another parameter of the query with it.`,
    ),
  );
});

it('fills the values of a path within brackets', () => {
  const values = block('params:path', 'key: abc', 'none:');
  const url = "https://x.test/Products(':key')/Items(a=:key,b=:none)/:key?q=A(:key)";
  expect(read('none', values, 'none', url)).toMatchObject({
    url: "https://x.test/Products('abc')/Items(a=abc,b=:none)/{{key}}?q=A(:key)",
    variables: [['key', 'abc']],
  });
});

it('says of letters beyond ASCII in headers how Bruno sends them', () => {
  expect(read('none', block('headers', 'X-A: é', 'X-B: ü', 'X-C: c')).notes).toEqual([
    'Its headers X-A, X-B are sent in UTF-8 here, and by Bruno in Latin-1, or not at all.',
  ]);
});
