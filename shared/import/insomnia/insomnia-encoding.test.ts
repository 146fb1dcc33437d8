import { describe, expect, it } from 'vitest';
import { createCredentialBook } from '../credentials';
import { importDocument } from '../import-document';
import type { Imported, ImportedRequest } from '../imported';
import { readInsomnia } from './read-insomnia';

const sourceOf = (...resources: object[]) => ({
  name: 'given',
  files: [{ path: 'a.json', text: JSON.stringify({ _type: 'export', __export_format: 4, resources }) }],
});
const read = (...resources: object[]): Imported =>
  readInsomnia(sourceOf(...resources), createCredentialBook());
const readOne = (more: object): ImportedRequest =>
  read({ _id: 'r', _type: 'request', url: 'https://x.test/', method: 'POST', ...more })
    .items[0] as ImportedRequest;

/** What Insomnia 11 sends of a name and a value in a query or a form. */
const pairs: readonly (readonly [name: string, value: string, sent: string])[] = [
  ['a b', 'c d', 'a%20b=c%20d'],
  ['a', 'b%2Fc%20d%e9', 'a=b%2Fc%20d%e9'],
  ['100%', '100% %zz', '100%25=100%25%20%25zz'],
  ['a', "it's (x)*!~", "a=it's%20(x)*!~"],
  ['a,b', 'c,d', 'a%2Cb=c,d'],
  ['a', '1+1=2&b#?/:@', 'a=1%2B1%3D2%26b%23%3F%2F%3A%40'],
  ['a', '', 'a='],
  ['ä', '{{ _.who }} é', '%C3%A4={{%who}}%20%C3%A9'],
];

describe('a name and a value are encoded as Insomnia encodes them', () => {
  it.each(pairs)('in a query: %s, %s', (name, value, sent) => {
    const { url } = readOne({ parameters: [{ name, value }] });
    expect(url).toBe(`https://x.test/?${sent}`);
  });

  it.each(pairs)('in a form: %s, %s', (name, value, sent) => {
    const params = [{ name, value }];
    const { body } = readOne({ body: { mimeType: 'application/x-www-form-urlencoded', params } });
    expect(body?.parts).toEqual([sent]);
  });

  it.each([
    ['?at=2024-01-01T00:00+02:00&a/b=c,d e', '?at=2024-01-01T00%3A00%2B02%3A00&a%2Fb=c,d%20e'],
    ['?a=b%2Bc&d&e=#f+g', '?a=b%2Bc&d&e=#f+g'],
    ['?a={{ _.who }}&{{ _.all }}&b=1', '?a={{%who}}&{{all}}&b=1'],
    ['/a+b', '/a+b'],
  ])('in the query of an address, too: %s', (given, sent) => {
    expect(readOne({ url: `https://x.test/p${given}` }).url).toBe(`https://x.test/p${sent}`);
    const settings = { encodeUrl: false };
    if (!given.includes('{{'))
      expect(readOne({ url: `https://x.test/p${given}`, settings }).url).toContain(given);
  });

  it.each([{ settingEncodeUrl: false }, { settings: { encodeUrl: false } }])(
    'and not in a query where it was told to leave them: %j',
    (setting) => {
      const parameters = [{ name: 'at', value: '10:00+02:00,%20/x y#' }];
      expect(readOne({ ...setting, parameters }).url).toBe('https://x.test/?at=10:00+02:00,%20/x%20y%23');
    },
  );

  it('a value of a path is one step of it', () => {
    const { variables } = readOne({
      url: 'https://x.test/:id/:who',
      pathParameters: [
        { name: 'id', value: 'a/b c%20' },
        { name: 'who', value: '{{ _.other }}?' },
      ],
    });
    expect(variables).toEqual([
      ['id', 'a%2Fb%20c%2520'],
      ['who', '{{%other}}%3F'],
    ]);
  });

  it('a text over several lines in a multipart form says what it is', () => {
    const params = [
      { name: 'a', value: '{}', type: 'text', multiline: 'application/json' },
      { name: 'b', value: 'x', type: 'text', multiline: true },
    ];
    const { body } = readOne({ body: { mimeType: 'multipart/form-data', params } });
    expect(String(body?.parts[0])).toContain('name="a"\r\nContent-Type: application/json\r\n\r\n{}');
    expect(String(body?.parts[0])).toContain('name="b"\r\n\r\nx');
  });
});

describe('a variable whose value is percent-encoded already', () => {
  const readWith = (...values: readonly string[]): Imported => {
    const [base = '', ...others] = values;
    return read(
      { _id: 'w', _type: 'workspace', name: 'W' },
      { _id: 'e', _type: 'environment', parentId: 'w', data: { cursor: base } },
      ...others.map((cursor, index) => ({
        _id: `s${index}`, _type: 'environment', parentId: 'e', name: `E${index}`, data: { cursor },
      })),
      { _id: 'r', _type: 'request', parentId: 'w', name: 'R', method: 'POST', url: 'https://x.test/',
        parameters: [{ name: 'at', value: '{{ _.cursor }}' }],
        body: { mimeType: 'application/x-www-form-urlencoded', params: [{ name: 'at', value: '{{ _.cursor }}' }] } },
    ); // prettier-ignore
  };
  const requestOf = ({ items }: Imported): ImportedRequest =>
    items.find(({ kind }) => kind === 'request') as ImportedRequest;

  it('is not encoded a second time, in a query and in a form', () => {
    const request = requestOf(readWith('a%2Fb', 'c%20d'));
    expect(request.url).toBe('https://x.test/?at={{cursor}}');
    expect(request.body?.parts).toEqual(['at={{cursor}}']);
  });

  it('is told in a note where it is so in one environment alone, and left as it was', () => {
    const imported = readWith('a%2Fb', 'c d');
    expect(requestOf(imported).url).toBe('https://x.test/?at={{%cursor}}');
    expect(imported.notes.map(({ what }) => what).join('\n')).toContain(
      '{{%cursor}} encodes all of its value here',
    );
  });

  it('changes nothing where there is no such value', () => {
    const imported = readWith('a/b');
    expect(requestOf(imported).url).toBe('https://x.test/?at={{%cursor}}');
    expect(imported.notes.map(({ what }) => what).join('\n')).not.toContain('encodes all of its value');
  });
});

it('says of version 4 that descriptions, documents and mock routes of a workspace are left out', () => {
  const notes = read(
    { _id: 'w', _type: 'workspace', name: 'W', description: 'Pay out' },
    { _id: 's', _type: 'api_spec', parentId: 'w', contents: 'openapi: 3.0.0' },
    { _id: 'm', _type: 'mock_route', parentId: 'w', name: '/x' },
  ).notes.map(({ where, what }) => `${where}: ${what}`);
  expect(notes).toEqual([
    'W: Its description is left out.',
    'W: Its API document (OpenAPI) is left out: save it as a file, and import that.',
    'W: Its routes of a mock server are not taken over.',
  ]);
  const empty = read(
    { _id: 'w', _type: 'workspace', name: 'W', description: '' },
    { _type: 'api_spec', contents: '' },
  );
  expect(empty.notes).toEqual([]);
});

it('keeps the order in which Insomnia 5 shows requests, and says that a document beside them is left out', () => {
  const one = (name: string, sortKey?: number) => ({
    name,
    url: 'https://x.test/',
    method: 'GET',
    meta: { id: 'req_1', ...(sortKey !== undefined && { sortKey }) },
  });
  const text = JSON.stringify({
    type: 'spec.insomnia.rest/5.0',
    name: 'Five',
    spec: { contents: 'openapi: 3.0.0' },
    collection: [
      one('second', -10),
      { name: 'F', meta: { sortKey: -20 }, children: [one('y', 2), one('x', 1)] },
      one('third'),
      one('fourth'),
    ],
  });
  const { files, notes } = importDocument({ name: 'a.yaml', files: [{ path: 'a.yaml', text }] }, 'insomnia');
  expect(files.map(({ path }) => path).filter((path) => path.endsWith('.http'))).toEqual([
    'F/x.http',
    'F/y.http',
    'second.http',
    'third.http',
    'fourth.http',
  ]);
  expect(notes.map(({ what }) => what)).toContain(
    'Its API document (OpenAPI) is left out: save it as a file, and import that.',
  );
});

it.each([{ settingDisableRenderRequestBody: true }, { settings: { renderRequestBody: false } }])(
  'keeps a body as it stands that Insomnia is told not to fill in: %j',
  (settings) => {
    const text = '{"a":"{{ _.x }}{% uuid %}"}';
    const node = { url: 'https://x.test/{{ _.x }}', method: 'POST', body: { mimeType: 'text/plain', text } };
    const { files, notes } = importDocument(
      {
        name: 'c',
        files: [
          {
            path: 'a.json',
            text: JSON.stringify({
              type: 'collection.insomnia.rest/5.0',
              collection: [{ name: 'A', ...node, ...settings }],
            }),
          },
        ],
      },
      'insomnia',
    );
    expect(files.map(({ content }) => String(content))).toContain(text);
    expect(String(files.find(({ path }) => path === 'A.http')!.content)).toContain('https://x.test/{{x}}');
    expect(notes.map(({ what }) => what)).toEqual([
      'Its body stands in a file beside it, so that every byte is kept.',
      'Where Insomnia follows a redirect, its answer is shown here, and a click follows it.',
    ]);
  },
);
