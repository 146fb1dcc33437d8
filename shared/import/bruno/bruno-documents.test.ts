import { describe, expect, it } from 'vitest';
import { createCredentialBook } from '../credentials';
import type { Imported, ImportedFolder, ImportedItem, ImportedRequest } from '../imported';
import { readBruno } from './read-bruno';

const readFiles = (files: Record<string, string>): Imported =>
  readBruno(
    { name: 'given', files: Object.entries(files).map(([path, text]) => ({ path, text })) },
    createCredentialBook(),
  );
const readExport = (document: object): Imported => readFiles({ 'a.json': JSON.stringify(document) });
/** The one request of a JSON export whose `request` is this. */
const readRequest = (request: object, item: object = {}): ImportedRequest =>
  readExport({ name: 'C', items: [{ type: 'http', name: 'A', request, ...item }] })
    .items[0] as ImportedRequest;
const namesOf = (items: readonly ImportedItem[]): unknown[] =>
  items.map((item) => (item.kind === 'folder' ? [item.name, ...namesOf(item.items)] : item.name));
const textOf = ({ body }: ImportedRequest): string | null =>
  body === null
    ? null
    : body.parts.map((part) => (typeof part === 'string' ? part : `<${part.file}>`)).join('');
const http = (url = 'https://x.test/a') => `http:\n  method: POST\n  url: ${url}\n`;

describe('what is no collection', () => {
  it.each([
    ['another document', { 'a.json': '{"name":"x"}' }, 'This is no collection of Bruno'],
    [
      'a folder without its root',
      { 'a.yml': http(), 'b.yml': http() },
      'neither .bru files nor an opencollection.yml',
    ],
  ])('is refused: %s', (_what, files, why) => {
    expect(() => readFiles(files)).toThrow(why);
  });
});

describe('a folder of OpenCollection', () => {
  const files = {
    'opencollection.yml':
      'opencollection: 1.0.0\ninfo:\n  name: Pay\nitems:\n  - info: { name: First }\n    http: { url: "https://x.test/1" }\nenvironments:\n  - name: one\n    variables: [{ name: a, value: 1 }]\n',
    'environments/two.yml': 'variables:\n  - { name: b, value: 2 }\n',
    'environments/three.yaml': 'name: Third\nvariables: []\n',
    'environments/four.yml': 'info: { name: Fourth }\nvariables: []\n',
    'late.yml': `info: { name: Late, seq: 9 }\n${http()}`,
    'early.yml': `info: { name: Early, seq: 2 }\n${http()}`,
    'unnamed.yml': http(),
    'z/folder.yml': 'info: { name: Zed, seq: 2 }\nrequest:\n  headers: [{ name: X-Of, value: folder }]\n',
    'z/in.yml': `info: { name: In }\n${http()}`,
    'a/deep/er.yml': `info: { name: Er }\n${http()}`,
    'a/folder.yml': 'info: { seq: 3 }\n',
    'a/my-folder.yml': http(),
    'a/collection.yml': `name: Own name\n${http()}`,
    'a/environments/request.yml': http(),
    'old.yml.bak': http(),
    'notes.txt': 'nothing',
  };

  it('is one document: folders before requests, each in its order, named by its file where it has no name', () => {
    const read = readFiles(files);
    expect(read.name).toBe('Pay');
    expect(namesOf(read.items)).toEqual([
      ['Zed', 'In'],
      ['a', ['deep', 'Er'], ['environments', 'request'], 'my-folder', 'Own name'],
      'Early',
      'Late',
      'First',
      'unnamed',
    ]);
    const zed = read.items[0] as ImportedFolder;
    expect((zed.items[0] as ImportedRequest).headers).toContainEqual(['X-Of', 'folder']);
  });

  it('has the environments of its root and of its files', () => {
    expect(readFiles(files).environments).toMatchObject([
      { name: 'one', variables: [{ name: 'a', value: '1', isSecret: false }] },
      { name: 'two', variables: [{ name: 'b', value: '2', isSecret: false }] },
      { name: 'Third', variables: [] },
      { name: 'Fourth', variables: [] },
    ]);
  });

  it('may be one request alone', () => {
    const { name, items } = readFiles({ 'a.yml': `info: { name: Alone }\n${http()}` });
    expect([name, namesOf(items)]).toEqual(['Alone', ['Alone']]);
    expect(namesOf(readFiles({ 'a.yml': 'opencollection: 1.0.0\n' }).items)).toEqual([]);
  });
});

describe('a request of a document', () => {
  it('has its method, address, headers and values of the path', () => {
    const request = readRequest({
      method: 'PUT',
      url: 'https://x.test/:id',
      headers: [
        { name: 'A', value: '1', enabled: true },
        { name: 'B', value: '2', enabled: false },
        { key: 'C', value: { data: '3' } },
        { name: 'D', value: '4', disabled: true },
      ],
      params: [
        { type: 'path', name: 'id', value: '7' },
        { type: 'query', name: 'on', value: 'y' },
        { type: 'query', name: 'off', value: 'x', enabled: false },
        { type: 'path', name: 'none', value: 'z', enabled: false },
      ],
    });
    expect(request).toMatchObject({
      method: 'PUT',
      url: 'https://x.test/{{id}}',
      variables: [['id', '7']],
      headers: [['A', '1'], ['C', '3']],
      offParameters: [{ at: 1, name: 'off', value: 'x' }],
      notes: ['Its query parameter on is not in its address, and left out.'],
    }); // prettier-ignore
    expect(request.offHeaders.map(({ name }) => name)).toEqual(['B', 'D']);
    const ofLists = {
      path: [{ name: 'id', value: '7' }],
      query: [{ name: 'q', value: '8', enabled: false }],
    };
    expect(readRequest({ url: 'https://x.test/:id', params: ofLists })).toMatchObject({
      method: 'GET',
      variables: [['id', '7']],
      offParameters: [{ at: 0, name: 'q', value: '8' }],
    });
  });

  it.each([
    ['JSON of the export', { mode: 'json', json: '{"a":1.0}' }, '{"a":1.0}'],
    ['a text', { mode: 'text', text: 'hello' }, 'hello'],
    ['XML', { mode: 'xml', xml: '<a/>' }, '<a/>'],
    ['JSON of OpenCollection', { type: 'json', data: '{"a":2.0}' }, '{"a":2.0}'],
    ['a form of the export', { mode: 'formUrlEncoded', formUrlEncoded: [{ name: 'a', value: 'b' }] }, 'a=b'],
    [
      'a form of OpenCollection',
      {
        type: 'form-urlencoded',
        data: [
          { name: 'a', value: 'b' },
          { name: 'c', value: 'd', disabled: true },
        ],
      },
      'a=b',
    ],
    ['none', { mode: 'none', json: '{"a":1}' }, null],
    ['nothing', {}, null],
  ])('has %s as its body', (_what, body, text) => {
    expect(textOf(readRequest({ method: 'POST', url: 'https://x.test', body }))).toBe(text);
  });

  it('has parts, a file, and GraphQL', () => {
    const parts = [
      { name: 'a', value: 'b', type: 'text' },
      { name: 'f', value: ['one.bin'], type: 'file', contentType: 'image/png' },
      { name: 'g', value: 'two.bin', type: 'file' },
      { name: 'none', value: '', type: 'file' },
      { name: 'none', value: [], type: 'file' },
    ];
    const missing = (file: string): string =>
      `Its body holds the file '${file}', which was not imported: copy it beside the request.`;
    const none = 'The field none of its form has no file, and is left out.';
    for (const body of [
      { mode: 'multipartForm', multipartForm: parts },
      { type: 'multipart-form', data: parts },
    ]) {
      const request = readRequest({ method: 'POST', url: 'https://x.test', body });
      expect(textOf(request)).toMatch(
        /name="a"\r\n\r\nb\r\n.*Content-Type: image\/png\r\n\r\n<\.\/one\.bin>.*<\.\/two\.bin>/s,
      );
      expect(request.notes).toEqual([missing('one.bin'), missing('two.bin'), none, none]);
    }
    const files = [{ filePath: 'no.bin' }, { filePath: 'yes.bin', selected: true, contentType: 'a/b' }];
    for (const body of [
      { mode: 'file', file: files },
      { type: 'file', data: files },
    ]) {
      const file = readRequest({ method: 'POST', url: 'https://x.test', body });
      expect(textOf(file)).toBe('<./yes.bin>');
      expect(file.headers).toContainEqual(['Content-Type', 'a/b']);
      expect(file.notes).toEqual([
        missing('yes.bin'),
        'Files that are not the one in use are left out: no.bin.',
      ]);
    }
    const graphql = { mode: 'graphql', graphql: { query: '{ a }', variables: '{"n":1.0}' } };
    expect(textOf(readRequest({ method: 'POST', url: 'https://x.test', body: graphql }))).toMatch(
      /\{ a \}.*1\.0/s,
    );
    const own = {
      type: 'graphql',
      name: 'G',
      graphql: { url: 'https://x.test', body: { data: { query: '{ b }', variables: '' } } },
    };
    expect(textOf(readExport({ items: [own] }).items[0] as ImportedRequest)).toContain('{ b }');
  });

  it.each([
    [
      'a mode with values of its own',
      { mode: 'bearer', bearer: { token: '{{t}}' } },
      ['Authorization', 'Bearer {{t}}'],
    ],
    ['a type with flat values', { type: 'bearer', token: '{{t}}' }, ['Authorization', 'Bearer {{t}}']],
    ['a token that was fetched', { type: 'oauth2', accessToken: '{{t}}' }, ['Authorization', 'Bearer {{t}}']],
    ['the word inherit', 'inherit', ['Authorization', 'Bearer {{above}}']],
    ['none', { mode: 'none' }, undefined],
    ['nothing at all', null, undefined],
  ])('has the authentication of %s', (_what, auth, header) => {
    const root = { request: { auth: { mode: 'bearer', bearer: { token: '{{above}}' } } } };
    const item = { type: 'http', name: 'A', request: { url: 'https://x.test', auth } };
    const { headers } = readExport({ root, items: [item] }).items[0] as ImportedRequest;
    expect(headers.find(([name]) => name === 'Authorization')).toEqual(header);
  });

  it.each([
    ['of the export', {}, { docs: 'About' }],
    ['of OpenCollection', { docs: 'About' }, {}],
    ['of OpenCollection with a type', { docs: { type: 'text/markdown', content: 'About' } }, {}],
  ])('has the documentation %s', (_what, item, request) => {
    expect(readRequest({ url: 'https://x.test', ...request }, item).description).toBe('About');
  });

  it('says what is not taken over, once for each thing that is there', () => {
    const full = {
      url: 'https://x.test',
      script: { req: 'x()', res: 'y()' },
      tests: 't()',
      assertions: [{ name: 'res.status', value: 'eq 200' }],
      vars: { req: [{ name: 'a', value: 'b' }], res: [{ name: 'c', value: 'd' }] },
    };
    expect(readRequest(full).notes).toHaveLength(6);
    const runtime = {
      scripts: [{ type: 'before-request', code: 'x' }],
      variables: [{ name: 'a' }],
      actions: [{}],
      assertions: [{}],
    };
    expect(readRequest({ url: 'https://x.test' }, { runtime }).notes).toHaveLength(4);
    const empty = { script: { req: ' ', res: '' }, tests: '', assertions: [], vars: { req: [], res: [] } };
    expect(readRequest({ url: 'https://x.test', ...empty }).notes).toEqual([]);
  });

  it('has its saved answers, but for those without a status', () => {
    const examples = [
      {
        name: 'ok',
        request: { method: 'POST', url: 'https://x.test/e' },
        response: {
          status: 201,
          statusText: 'Created',
          headers: [{ name: 'A', value: 'b' }],
          body: { content: '{}' },
        },
      },
      { name: 'bare', response: { status: '200', body: 'text' } },
      { name: 'none', response: { status: 0 } },
      { name: 'data', response: { status: 404, body: { data: 'gone' } } },
    ];
    const request = readRequest({ url: 'https://x.test' }, { examples });
    expect(request.examples).toMatchObject([
      {
        name: 'ok',
        request: 'POST https://x.test/e',
        httpStatus: 201,
        reason: 'Created',
        headers: [['A', 'b']],
        body: '{}',
      },
      { name: 'bare', request: null, httpStatus: 200, reason: '', headers: [], body: 'text' },
      { name: 'data', httpStatus: 404, body: 'gone' },
    ]);
    expect(request.notes).toEqual(['Saved examples of it that have no status are not taken over.']);
    expect(readRequest({ url: 'https://x.test' }, { examples: examples.slice(0, 2) }).notes).toEqual([]);
  });

  it.each([{ info: { tags: ['smoke'] } }, { tags: ['smoke'] }])(
    'tells that its tags are left out: %j',
    (more) => {
      expect(readRequest({ url: 'https://x.test' }, more).notes).toEqual([
        'Its tags are not taken over: write them as `# @tag`.',
      ]);
    },
  );

  it.each(['grpc', 'ws', 'mystery'])('is left out where it is %s', (type) => {
    expect(readExport({ items: [{ type, name: 'G', request: { url: 'x' } }] }).items).toMatchObject([
      { kind: 'left out', name: 'G' },
    ]);
  });
});

describe('a collection and its folders', () => {
  it('give headers to what is in them, the nearest first, and say what they leave out', () => {
    const { items, notes, shared } = readExport({
      name: 'C',
      root: {
        request: {
          headers: [
            { name: 'A', value: 'root' },
            { name: 'B', value: 'root' },
            { name: 'Off', value: '', enabled: false },
          ],
          vars: {
            req: [
              { name: 'v', value: '1' },
              { name: 'w', value: '2', enabled: false },
            ],
          },
          script: { req: 'x()' },
        },
        docs: 'About it',
      },
      items: [
        {
          type: 'folder',
          name: 'F',
          root: {
            request: {
              headers: [{ name: 'a', value: 'folder' }],
              vars: { req: [{ name: 'x', value: 'y' }] },
            },
            docs: ' ',
          },
          items: [
            {
              type: 'http',
              name: 'R',
              request: { url: 'https://x.test', headers: [{ name: 'C', value: 'own' }] },
            },
          ],
        },
        { name: 'Untyped', items: [] },
      ],
    });
    const folder = items[0] as ImportedFolder;
    expect(Object.fromEntries((folder.items[0] as ImportedRequest).headers)).toEqual({
      a: 'folder',
      B: 'root',
      C: 'own',
    });
    expect(folder.notes).toEqual(['Its own variables that no request here uses are left out: x.']);
    expect(items[1]).toMatchObject({ kind: 'folder', name: 'Untyped' });
    expect(shared).toEqual([{ name: 'v', value: '1', isSecret: false }]);
    expect(notes.map(({ what }) => what).sort()).toEqual([
      'Its description is left out.',
      'Its header Off is disabled, and left out.',
      'Its pre-request script is not taken over: scripts are not run here.',
      'Its variable w is disabled, and left out.',
    ]);
  });

  it('keep the authentication of what is around them, where they have none of their own', () => {
    const { items } = readExport({
      root: { request: { auth: { mode: 'bearer', bearer: { token: '{{above}}' } } } },
      items: [
        {
          name: 'F',
          root: { request: { headers: [{ name: 'A', value: 'b' }] } },
          items: [{ type: 'http', name: 'R', request: { url: 'https://x.test', auth: 'inherit' } }],
        },
      ],
    });
    expect(((items[0] as ImportedFolder).items[0] as ImportedRequest).headers).toEqual([
      ['A', 'b'],
      ['Authorization', 'Bearer {{above}}'],
    ]);
  });

  it('are known by their type or what they hold, and stand before requests, each in its order', () => {
    const request = { url: 'https://x.test' };
    const { items } = readExport({
      items: [
        { type: 'http', name: 'Last', request },
        { type: 'http', name: 'Third', seq: 12, request },
        { info: { name: 'Second', type: 'http', seq: 9 }, http: request },
        { name: 'First', seq: 0, items: [], request },
        { type: 'folder', name: 'G', seq: 2 },
        { info: { name: 'F', type: 'folder', seq: 1 }, type: 'http' },
        { name: 'H', items: [] },
      ],
    });
    expect(namesOf(items)).toEqual([['F'], ['G'], ['H'], 'First', 'Second', 'Third', 'Last']);
  });

  it('have environments, whose empty secrets are asked for', () => {
    const { environments, notes } = readExport({
      name: 'C',
      items: [],
      environments: [
        {
          name: 'dev',
          variables: [
            { name: 'a', value: '1' },
            { name: 's', value: '', secret: true },
            { name: 't', value: 'x', secret: true },
            { value: 'nameless' },
            { name: 'off', value: '1', enabled: false },
          ],
        },
        { variables: [], externalSecrets: { type: 'x', variables: [{ name: 'pay', path: 'prod/pay' }] } },
      ],
      config: { environments: [{ info: { name: 'conf' }, variables: [] }] },
    });
    expect(environments).toEqual([
      {
        name: 'dev',
        kept: ['s'],
        variables: [
          { name: 'a', value: '1', isSecret: false },
          { name: 't', value: 'x', isSecret: true },
        ],
      },
      { name: 'environment', variables: [], kept: [] },
      { name: 'conf', variables: [], kept: [] },
    ]);
    expect(notes).toEqual([
      { where: 'dev', what: 'Bruno keeps the value of s to itself: enter it here.' },
      { where: 'dev', what: 'Its variable off is disabled, and left out.' },
      {
        where: 'environment',
        what: 'Bruno fetches {{$secrets.pay.…}} from a store of secrets: put a variable of an environment in its place.',
      },
    ]);
  });
});

describe('what only Bruno knows', () => {
  const extensions = {
    bruno: { ignore: ['.git'], exportedUsing: 'Bruno/2', presets: { requestType: 'http' } },
  };

  it('is said to be left out of a collection and of a request', () => {
    const request = { method: 'GET', url: 'https://x.test/a' };
    const item = { type: 'http', name: 'A', request, settings: { timeout: 500 }, app: { code: 'x()' } };
    const read = readExport({ name: 'C', extensions, items: [item] });
    expect(read.notes).toContainEqual({
      where: 'C',
      what: "Its part 'extensions.bruno.presets' is not taken over.",
    });
    expect(read.notes.filter(({ what }) => what.startsWith('Its part'))).toHaveLength(1);
    expect((read.items[0] as ImportedRequest).notes).toEqual([
      "Its part 'app' is not taken over.",
      'Its time limit of 500 ms is not taken over.',
    ]);
  });

  it('is nothing where it says nothing', () => {
    const settings = { encodeUrl: false, timeout: 0, followRedirects: true };
    const read = readRequest({ url: 'https://x.test/a' }, { settings, app: { code: null, enabled: false } });
    expect(read.notes).toEqual([]);
  });
});
