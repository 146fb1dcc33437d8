import { describe, expect, it } from 'vitest';
import { DRAWN_MARK } from '../../export/postman/drawn-mark';
import { createCredentialBook } from '../credentials';
import type { ImportedFolder, ImportedRequest } from '../imported';
import { readPostman } from './read-postman';

const readText = (text: string) => {
  const book = createCredentialBook();
  return { ...readPostman({ name: 'given.json', files: [{ path: 'given.json', text }] }, book), book };
};
const read = (document: unknown) => readText(JSON.stringify(document));
const info = { name: 'Team', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' };
const url = 'https://a.example/pay';
const readAll = (item: unknown[], more: object = {}) => read({ info, item, ...more });
/** The one request of a collection. */
const readOne = (request: unknown, item: object = {}, more: object = {}) =>
  readAll([{ name: 'Pay', request, ...item }], more).items[0] as ImportedRequest;
const script = (listen: string | null, exec: unknown, more: object = {}) => ({
  listen,
  script: { exec },
  ...more,
});

describe('a document', () => {
  it('is a collection, by itself or as the interface of Postman gives it', () => {
    for (const document of [
      { info, item: [{ name: 'Pay', request: url }] },
      { collection: { info, item: [{ name: 'Pay', request: url }] } },
    ])
      expect(read(document)).toMatchObject({
        name: 'Team',
        items: [{ kind: 'request', name: 'Pay', url }],
        notes: [],
      });
    expect(read({ item: [] }).name).toBe('given.json');
  });

  it('is an environment, with its name, that of globals, or that of the file', () => {
    const values = [{ key: 'page', value: '1' }];
    for (const [more, name] of [
      [{ name: 'Local' }, 'Local'],
      [{ _postman_variable_scope: 'environment' }, 'given.json'],
      [{ _postman_variable_scope: 'globals' }, 'globals'],
      [{ _postman_variable_scope: 'globals', name: 'Mine' }, 'Mine'],
    ] as const)
      expect(read({ values, ...more })).toMatchObject({
        name: null,
        items: [],
        shared: [],
        environments: [{ name, variables: [{ name: 'page', value: '1', isSecret: false }] }],
      });
  });

  it.each([
    [{ requests: [] }, 'This is a collection of Postman 1.0.'],
    [{ requests: [], item: {} }, 'This is a collection of Postman 1.0.'],
    [{ info }, 'This is neither a collection (2.0, 2.1) nor an environment of Postman.'],
    [{ info, item: {}, values: {} }, 'This is neither a collection'],
    [[], 'This is neither a collection'],
  ])('%j is refused, with what to do', (document, message) => {
    expect(() => read(document)).toThrow(
      expect.objectContaining({
        code: 'import.unsupported',
        message: expect.stringContaining(message) as string,
      }),
    );
  });
});

describe('variables', () => {
  it('are those of the collection, with what the tool calls a secret, and none that is off', () => {
    const { shared, notes } = readAll([], {
      variable: [
        { key: 'page', value: 1 },
        { id: 'old', value: 'by its id' },
        { key: 'word', value: 'w', type: 'secret' },
        { key: 'none' },
        { value: 'nameless' },
        { key: '', value: 'nameless' },
        { key: 'off1', value: '1', disabled: true },
        { key: 'off2', value: '1', enabled: false },
        { key: 'on', value: '{{vault:x}}', enabled: true, disabled: false },
      ],
    });
    expect(
      shared.map(({ name, value, isSecret }) => `${name}=${value}${isSecret ? ' (secret)' : ''}`),
    ).toEqual(['page=1', 'old=by its id', 'word=w (secret)', 'none=', 'on={{vault.x}}']);
    expect(notes).toEqual([
      { where: 'Team', what: 'Its variable off1 is disabled, and left out.' },
      { where: 'Team', what: 'Its variable off2 is disabled, and left out.' },
    ]);
  });

  it('that our own export had to draw get their expression back, and are none', () => {
    const { shared, items } = readAll(
      [{ name: 'Pay', request: { url, header: [{ key: 'X-A', value: '{{ drawn }} {{kept}} {{$guid}}' }] } }],
      {
        variable: [
          { key: 'drawn', description: `${DRAWN_MARK}{{$random.alphabetic 5}}` },
          { key: 'kept', description: `${DRAWN_MARK}$uuid` },
          { key: 'kept2', description: '{{$uuid}}' },
          { key: 'kept3', description: `${'x'.repeat(DRAWN_MARK.length)}{{$uuid}}` },
        ],
      },
    );
    expect(shared.map(({ name }) => name)).toEqual(['kept', 'kept2', 'kept3']);
    const [request] = items as ImportedRequest[];
    expect(request!.headers).toEqual([['X-A', '{{$random.alphabetic 5}} {{kept}} {{$uuid}}']]);
    expect([...request!.renames]).toEqual([['{{$guid}}', '{{$uuid}}']]);
  });

  it('have our names wherever they stand, and each renaming is known', () => {
    const g = '{{$guid}}';
    const request = readOne({
      method: 'POST',
      url: {
        host: [g],
        path: [':id'],
        query: [{ key: 'q', value: g, disabled: true }],
        variable: [{ key: 'id', value: g }],
      },
      header: [
        { key: `X-${g}`, value: g },
        { key: 'X-Off', value: g, disabled: true },
      ],
      body: {
        mode: 'formdata',
        formdata: [
          { key: 'a', value: g },
          { key: 'f', type: 'file', src: 'a.bin' },
        ],
      },
    });
    expect(request).toMatchObject({
      url: '{{$uuid}}/{{id}}',
      variables: [['id', '{{$uuid}}']],
      offHeaders: [{ value: '{{$uuid}}' }],
      offParameters: [{ value: '{{$uuid}}' }],
    });
    expect(request.headers[0]).toEqual(['X-{{$uuid}}', '{{$uuid}}']);
    expect(JSON.stringify(request.body)).toContain('{{$uuid}}');
    expect(JSON.stringify(request.body)).not.toContain('guid');
    expect(request.body!.parts).toContainEqual({ file: './a.bin' });
    expect([...request.renames]).toEqual([[g, '{{$uuid}}']]);
  });
});

describe('a request', () => {
  it('may be no more than its address', () => {
    expect(readOne(url)).toMatchObject({
      name: 'Pay',
      method: 'GET',
      url,
      headers: [],
      body: null,
      notes: [],
    });
  });

  it('has its method, its headers, and those that are off at their place', () => {
    const header = [
      { key: 'X-A', value: '1' },
      { key: 'X-B', value: '2', disabled: true },
      { key: '', value: '3' },
      { value: '4' },
      { key: 'X-C' },
      { key: 'X-D', disabled: true },
    ];
    expect(readOne({ method: 'PUT', url, header })).toMatchObject({
      method: 'PUT',
      headers: [
        ['X-A', '1'],
        ['X-C', ''],
      ],
      offHeaders: [
        { at: 1, name: 'X-B', value: '2' },
        { at: 2, name: 'X-D', value: '' },
      ],
    });
    expect(readOne({ url, header: 'X-A: 1\r\nX-B:2:3 \nno colon\n: none\n' }).headers).toEqual([
      ['X-A', '1'],
      ['X-B', '2:3'],
    ]);
  });

  it('has its description, else that of what it stands in', () => {
    expect(readOne({ url, description: 'Own.' }, { description: 'Outer.' }).description).toBe('Own.');
    expect(readOne({ url, description: '' }, { description: { content: 'Outer.' } }).description).toBe(
      'Outer.',
    );
    expect(readOne({ url }).description).toBe('');
    expect(readOne({ url, description: 'Own.' }, { description: 'Outer.' }).notes).toEqual([]);
  });

  it('is none where nothing is asked', () => {
    expect(readAll([{ name: 'Pay' }, { request: null }, {}]).items).toEqual([
      { kind: 'left out', name: 'Pay', why: 'It is no request.' },
      expect.objectContaining({ name: '' }) as object,
      { kind: 'left out', name: '', why: 'It is no request.' },
    ]);
  });

  it('has the answers that were saved with it, and a note on those without a status', () => {
    const originalRequest = { method: 'PUT', url: { host: ['{{host}}'], path: ['pay'] } };
    const given = {
      response: [
        {
          name: 'ok',
          originalRequest,
          status: 'OK',
          code: 200,
          header: [{ key: 'X-A', value: '1' }, {}],
          body: 'b',
        },
        { code: 404, originalRequest: { url } },
        { code: 999, originalRequest: { method: 'GET', url: '' } },
        { name: 'none' },
      ],
    };
    const none = { name: '', reason: '', headers: [], body: '', request: null };
    const { examples, notes } = readOne({ url }, given);
    expect(examples).toEqual([
      {
        name: 'ok',
        request: 'PUT {{host}}/pay',
        httpStatus: 200,
        reason: 'OK',
        headers: [
          ['X-A', '1'],
          ['', ''],
        ],
        body: 'b',
      },
      { ...none, httpStatus: 404, request: `GET ${url}` },
      { ...none, httpStatus: 999 },
    ]);
    expect(notes).toEqual(['1 of its saved examples has no status, and is not taken over.']);
    const odd = [99, 1000, 200.5, 'x', null, ''].map((code) => ({ code }));
    expect(readOne({ url }, { response: odd })).toMatchObject({
      examples: [],
      notes: ['6 of its saved examples have no status, and are not taken over.'],
    });
  });
});

describe('what is not taken over of a request', () => {
  const described = [{ key: 'a', value: '1', description: { content: 'What it is.' } }];
  const rows = 'Descriptions of its headers, parameters or fields are left out.';
  it.each([
    ['headers', { header: described }, [rows]],
    ['parameters', { url: { raw: url, query: described } }, [rows]],
    ['variables of its path', { url: { raw: url, variable: described } }, [rows]],
    ['fields of a form', { method: 'POST', body: { mode: 'urlencoded', urlencoded: described } }, [rows]],
    ['parts of a form', { method: 'POST', body: { mode: 'formdata', formdata: described } }, [rows]],
    ['none', { header: [{ key: 'a', value: '1', description: '' }] }, []],
    ['a proxy', { proxy: { host: 'p' } }, ['Its proxy is not taken over.']],
    ['a certificate', { certificate: { name: 'c' } }, ['Its client certificate is not taken over.']],
    ['none that is off', { proxy: null, certificate: null }, []],
  ])('is told: %s', (_what, request, notes) => {
    expect(readOne({ url, ...request }).notes).toEqual(notes);
  });
});

describe('scripts', () => {
  const before = 'Its pre-request script is not taken over: scripts are not run here.';
  const after = 'Its test script is not taken over: write what it checks as `# @expect`.';
  it.each([
    ['before and after', [script('prerequest', ['a()']), script('test', 'b()')], [before, after]],
    [
      'of another moment',
      [script('other', ['', 'a()']), script(null, 'a()')],
      Array(2).fill('A script is not taken over.'),
    ],
    [
      'that are empty or off',
      [
        script('test', ['', ' \n']),
        script('test', ' '),
        script('test', ['a'], { disabled: true }),
        { listen: 'test' },
      ],
      [],
    ],
  ])('%s are told', (_what, event, notes) => {
    expect(readOne({ url }, { event }).notes).toEqual(notes);
    const { items, notes: ofAll } = readAll([{ name: 'F', item: [], event }], { event });
    expect((items[0] as ImportedFolder).notes).toEqual(notes);
    expect(ofAll).toEqual((notes as string[]).map((what) => ({ where: 'Team', what })));
  });
});

describe('folders and collections', () => {
  it('stand within each other, and say what of them is left out', () => {
    const { items } = readAll([
      {
        name: 'A',
        description: 'x',
        item: [{ name: 'B', variable: [{ key: 'a' }], item: [{ name: 'Pay', request: url }] }],
      },
      { item: [] },
    ]);
    expect(items).toMatchObject([
      {
        kind: 'folder',
        name: 'A',
        notes: ['Its description is left out.'],
        items: [
          {
            kind: 'folder',
            name: 'B',
            notes: ['Variables of the folder are left out.'],
            items: [{ kind: 'request', name: 'Pay' }],
          },
        ],
      },
      { kind: 'folder', name: '', notes: [], items: [] },
    ]);
  });

  it.each([
    [{ description: 'x' }, 1],
    [{ description: { content: 'x' } }, 1],
    [{ description: { content: '' } }, 0],
    [{}, 0],
  ])('%j has a description, or has none', (given, count) => {
    const what = Array(count).fill({ where: 'Team', what: 'Its description is left out.' });
    expect(read({ info: { ...info, ...given }, item: [] }).notes).toEqual(what);
  });

  it('have settings of which three are taken over', () => {
    const protocolProfileBehavior = {
      disableBodyPruning: true,
      followRedirects: false,
      followOriginalHttpMethod: true,
      ['x'.repeat(150)]: 1,
      disabledSystemHeaders: {},
    };
    const note = `Its protocol settings are not taken over: followOriginalHttpMethod, ${'x'.repeat(100)}….`;
    expect(readOne({ url }, { protocolProfileBehavior }).notes).toEqual([note]);
    expect(readAll([], { protocolProfileBehavior }).notes).toEqual([{ where: 'Team', what: note }]);
    expect(readOne({ url }, { protocolProfileBehavior: { disableBodyPruning: true } }).notes).toEqual([]);
  });
});

describe('what a folder hands down', () => {
  const bearer = (token: string) => ({ type: 'bearer', bearer: [{ key: 'token', value: token }] });
  const authorizationOf = (request: object, folder: object, collection: object) => {
    const { items } = readAll(
      [{ name: 'F', item: [{ name: 'Pay', request: { url, ...request } }], ...folder }],
      collection,
    );
    return ((items[0] as ImportedFolder).items[0] as ImportedRequest).headers.map(([, value]) => value);
  };

  it('is the authentication that stands nearest', () => {
    const [own, near, far] = ['{{own}}', '{{near}}', '{{far}}'].map((token) => ({ auth: bearer(token) }));
    expect(authorizationOf(own!, near!, far!)).toEqual(['Bearer {{own}}']);
    expect(authorizationOf({}, near!, far!)).toEqual(['Bearer {{near}}']);
    expect(authorizationOf({ auth: { type: 'inherit' } }, { auth: null }, far!)).toEqual(['Bearer {{far}}']);
    expect(authorizationOf({ auth: { type: 'noauth' } }, near!, far!)).toEqual([]);
    expect(authorizationOf({}, { auth: { type: 'noauth' } }, far!)).toEqual([]);
    expect(authorizationOf({}, {}, {})).toEqual([]);
  });

  it('is whether a body goes out and has a type, each until it is said otherwise', () => {
    const body = { mode: 'raw', raw: 'x' };
    const of = (request: object, folder: object, collection: object) => {
      const behave = (given: object) => ({ protocolProfileBehavior: given });
      const item = [{ name: 'Pay', request: { method: 'GET', url, body }, ...behave(request) }];
      const { items } = readAll([{ name: 'F', item, ...behave(folder) }], behave(collection));
      const [one] = (items[0] as ImportedFolder).items as ImportedRequest[];
      return [one!.body !== null, one!.headers.length > 0];
    };
    const [keeps, prunes] = [{ disableBodyPruning: true }, { disableBodyPruning: false }];
    const noType = { disabledSystemHeaders: { 'content-type': true } };
    expect(of({}, {}, {})).toEqual([false, false]);
    expect(of({}, {}, keeps)).toEqual([true, true]);
    expect(of({}, keeps, prunes)).toEqual([true, true]);
    expect(of(prunes, keeps, {})).toEqual([false, false]);
    expect(of({ ...keeps, ...noType }, {}, {})).toEqual([true, false]);
    expect(of(keeps, noType, {})).toEqual([true, false]);
    expect(of({ ...keeps, disabledSystemHeaders: {} }, noType, {})).toEqual([true, true]);
  });

  it.each([
    ['urlencoded', [{ key: 'a', value: '1' }], ['text/csv']],
    ['graphql', { query: '{ a }' }, ['text/csv']],
  ])('is that a body of %s keeps the type that it has, or none', (mode, given, types) => {
    const body = { mode, [mode]: given };
    const off = { protocolProfileBehavior: { disabledSystemHeaders: { 'content-type': true } } };
    const typed = (header: object[]) => readOne({ method: 'POST', url, header, body }, off);
    const own = typed([{ key: 'Content-Type', value: 'text/csv' }]);
    expect([own.headers.map(([, value]) => value), own.notes]).toEqual([types, []]);
    expect(typed([]).headers).toEqual([]);
  });

  it('goes before a header or a parameter of the same name, where it is a key', () => {
    const key = (place: string) => ({
      type: 'apikey',
      apikey: Object.entries({ key: 'api_key', value: '{{k}}', in: place }).map(([name, value]) => ({
        key: name,
        value,
      })),
    });
    const header = [{ key: 'API_KEY', value: 'x' }];
    expect(readOne({ url, header, auth: key('header') })).toMatchObject({
      headers: [['api_key', '{{k}}']],
      notes: ['Its header api_key is left out: Postman puts its authentication in the place.'],
    });
    const asked = (query: string) => readOne({ url: `${url}${query}`, header, auth: key('query') });
    expect(asked('?a=1&api_key=2&b&api_key#f')).toMatchObject({
      url: `${url}?a=1&b&api_key={{k}}#f`,
      headers: [['API_KEY', 'x']],
      notes: [
        'Its parameter api_key is left out: Postman puts its authentication in the place.',
        expect.stringContaining('what {{k}} holds'),
      ],
    });
    expect(asked('?api_key=2').url).toBe(`${url}?api_key={{k}}`);
    expect(asked('?api_keys=2')).toMatchObject({
      url: `${url}?api_keys=2&api_key={{k}}`,
      notes: [expect.stringContaining('what {{k}} holds')],
    });
  });

  it('goes before a header that somebody wrote, with a note, as with Postman', () => {
    const header = [
      { key: 'AUTHORIZATION', value: 'Own {{x}}' },
      { key: 'X-A', value: '1' },
    ];
    const note = 'Its header Authorization is left out: Postman puts its authentication in the place.';
    expect(readOne({ url, header, auth: bearer('{{token}}') })).toMatchObject({
      headers: [
        ['X-A', '1'],
        ['Authorization', 'Bearer {{token}}'],
      ],
      notes: [note],
    });
    expect(readOne({ url, header: header.slice(1), auth: bearer('{{token}}') }).notes).toEqual([]);
    const basic = { type: 'basic', basic: [{ key: 'username', value: 'ann' }] };
    expect(readOne({ url, header, auth: basic }).notes).toEqual([note]);
    const key = {
      type: 'apikey',
      apikey: [
        { key: 'key', value: 'k' },
        { key: 'value', value: '{{v}}' },
      ],
    };
    for (const auth of [{ type: 'noauth' }, key])
      expect(readOne({ url, header, auth })).toMatchObject({ notes: [] });
    expect(readOne({ url, header, auth: key }).headers.map(([name]) => name)).toEqual([
      'AUTHORIZATION',
      'X-A',
      'k',
    ]);
  });
});

it('sends of headers whose names differ in their case alone those that Postman sends', () => {
  const header = ['X-A:1', 'x-a:2', 'X-B:3', 'X-A:4', 'X-B:5'].map((one) => {
    const [key, value] = one.split(':');
    return { key, value };
  });
  expect(readOne({ url, header: [...header, { key: 'x-b', value: '6', disabled: true }] })).toMatchObject({
    headers: [
      ['x-a', '2'],
      ['X-B', '3'],
      ['X-B', '5'],
    ],
    offHeaders: [
      { at: 0, name: 'X-A', value: '1' },
      { at: 2, name: 'X-A', value: '4' },
      { at: 3, name: 'x-b', value: '6' },
    ],
    notes: ['Of its headers X-A, x-a Postman sends the last: the others are switched off.'],
  });
});

it('says of letters beyond ASCII in headers, and of dots in a path, how Postman sends them', () => {
  const header = [
    { key: 'X-A', value: 'é' },
    { key: 'X-B', value: 'e' },
  ];
  expect(readOne({ url: 'https://a.example/a/../b', header }).notes).toEqual([
    'Its header X-A is sent in UTF-8 here, and by Postman in Latin-1, or not at all.',
    'Postman would send the dots of its path as they stand; here its path is sent without them.',
  ]);
  expect(readOne({ url: 'https://a.example/a/..b?c=/../', header: [header[1]] }).notes).toEqual([]);
});
