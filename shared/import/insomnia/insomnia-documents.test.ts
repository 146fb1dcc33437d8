import { describe, expect, it } from 'vitest';
import { createCredentialBook } from '../credentials';
import { isHidden } from '../layout/secret-variables';
import type { Imported, ImportedFolder, ImportedItem, ImportedRequest } from '../imported';
import { readInsomnia } from './read-insomnia';

const readExport = (document: object): Imported =>
  readInsomnia(
    { name: 'given', files: [{ path: 'a.json', text: JSON.stringify(document) }] },
    createCredentialBook(),
  );
const version5 = (parts: object): Imported =>
  readExport({ type: 'collection.insomnia.rest/5.0', name: 'Five', ...parts });
const version4 = (...resources: object[]): Imported =>
  readExport({ _type: 'export', __export_format: 4, resources });
const request = (more: object): object => ({ url: 'https://x.test', method: 'GET', ...more });
const namesOf = (items: readonly ImportedItem[]): unknown[] =>
  items.map((item) => (item.kind === 'folder' ? [item.name, ...namesOf(item.items)] : item.name));
const notesOf = ({ notes }: Imported): string[] => notes.map(({ what }) => what);

it.each([
  ['an older version', { _type: 'export', __export_format: 3, resources: [] }],
  ['something else', { resources: [] }],
  ['a name of a type within another', { type: 'x collection.insomnia.rest/5.0' }],
])('refuses %s', (_what, document) => {
  expect(() => readExport(document)).toThrow('no export of Insomnia of version 4 or 5');
});

describe('a document of version 5', () => {
  it('has folders, requests and what is none of HTTP', () => {
    const { name, items } = version5({
      collection: [
        {
          name: 'F',
          children: [request({ name: 'In', meta: { id: 'req_1' } }), { name: 'Empty', children: [] }],
        },
        request({ name: 'R', meta: { id: 'req_2' } }),
        { name: 'G', meta: { id: 'greq_1' } },
        { name: 'W', meta: { id: 'ws-req_1' } },
        { name: 'S', meta: { id: 'socketio-req_1' } },
        { name: 'M', meta: { id: 'mcp-req_1' } },
        { name: 'P', protoMethodName: '/a' },
        { name: 'Q', protoFileId: 'x' },
        request({ name: 'Not greq_', meta: { id: 'a_greq_1' } }),
      ],
    });
    expect([name, namesOf(items)]).toEqual([
      'Five',
      [['F', 'In', ['Empty']], 'R', 'G', 'W', 'S', 'M', 'P', 'Q', 'Not greq_'],
    ]);
    const left = items.flatMap((item) => (item.kind === 'left out' ? [item.why.replace(/,.*/, '')] : []));
    expect(left).toEqual([
      'It is a call of gRPC',
      'It is a WebSocket',
      'It is a socket of Socket.IO',
      'It is a call of MCP',
      'It is a call of gRPC',
      'It is a call of gRPC',
    ]);
  });

  it('has a base environment that all others build on', () => {
    const imported = version5({
      environments: {
        data: {
          a: 1,
          nested: { b: 'x', deeper: { c: true } },
          list: [1],
          __insomnia_vault: { pin: 'sealed' },
          gone: null,
        },
        subEnvironments: [
          { name: 'dev', data: { a: 2, nested: { __insomnia_vault: 'its own' } } },
          { data: {} },
          { name: 'bare' },
        ],
      },
    });
    expect(imported.shared.map(({ name, value }) => [name, value])).toEqual([
      ['a', '1'],
      ['nested.b', 'x'],
      ['nested.deeper.c', 'true'],
      ['list.0', '1'],
      ['gone', ''],
    ]);
    expect(
      imported.environments.map(({ name, variables }) => [name, variables.map((one) => one.name)]),
    ).toEqual([
      ['dev', ['a', 'nested.__insomnia_vault']],
      ['environment', []],
      ['bare', []],
    ]);
    expect(imported.notes).toEqual([
      { where: 'Five', what: 'Insomnia keeps the value of pin to itself: enter it here.' },
    ]);
  });

  it('tells what is off in the table of an environment or a folder', () => {
    const kvPairData = [
      { name: 'a', value: '1', type: 'str', enabled: true },
      { name: 'old', value: '2', type: 'str', enabled: false },
      { name: '', value: '', type: 'str', enabled: false },
    ];
    const imported = version5({
      environments: {
        data: { a: '1' },
        kvPairData,
        subEnvironments: [{ name: 'dev', data: { a: '1' }, kvPairData }],
      },
      collection: [{ name: 'F', children: [], environment: {}, kvPairData }],
    });
    const what = 'Its variable old is disabled, and left out.';
    expect(imported.notes).toEqual(['Five', 'dev'].map((where) => ({ where, what })));
    expect(imported.items).toMatchObject([{ name: 'F', notes: [what] }]);
  });

  it('has secrets in what is secret by its name, but for addresses, numbers and templates', () => {
    const data = {
      secret_key: { staging: 'plain', payout: ['one', { two: 'three' }] },
      token: { url: 'https://x.test/token', seconds: 3600, of: '{{ _.a }}', payout: 'word' },
      plain: { user: 'ann', api_key: 'x' },
    };
    const { shared } = version5({ environments: { name: 'Base', data } });
    expect(shared.filter(isHidden).map(({ name }) => name)).toEqual([
      'secret_key.staging',
      'secret_key.payout.0',
      'secret_key.payout.1.two',
      'token.payout',
      'plain.api_key',
    ]);
    expect(shared).toHaveLength(9);
  });

  it('says what is not taken over of it', () => {
    const whole = version5({
      meta: { description: 'About' },
      cookieJar: { cookies: [{ key: 'a' }] },
      testSuites: [{ name: 't' }],
    });
    expect(notesOf(whole)).toEqual([
      'Its description is left out.',
      'Its cookies are not taken over.',
      'Its tests are not taken over: write what they check as `# @expect`.',
    ]);
    expect(notesOf(version5({ description: ' ', cookieJar: { cookies: [] }, testSuites: [] }))).toEqual([]);
  });

  it('is its OpenAPI where it is a design without requests', () => {
    const contents = JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'D', version: '1' },
      paths: { '/a': { get: { summary: 'Get a', responses: {} } } },
    });
    const design = { type: 'spec.insomnia.rest/5.0', name: 'Design', spec: { contents } };
    const whole = { ...design, spec: { contents: JSON.parse(contents) as object } };
    expect(namesOf(readExport(whole).items)).toEqual(namesOf(readExport(design).items));
    expect(namesOf(readExport(design).items)).toEqual(['Get a']);
    expect(namesOf(readExport({ ...design, collection: [request({ name: 'Own' })] }).items)).toEqual(['Own']);
    expect(namesOf(readExport({ ...design, spec: {} }).items)).toEqual([]);
    expect(namesOf(version5({ spec: { contents }, collection: [] }).items)).toEqual([]);
  });
});

describe('a parameter that is off', () => {
  it.each([
    ['https://x.test/a&b', 1],
    ['https://x.test/a?c=1&d=2#e&f', 3],
    ['https://x.test/{{ _.p }}#?a=1&b=2', 1],
    ['https://x.test/a?', 1],
  ])('stands behind those that are on, of %s', (url, at) => {
    const parameters = [
      { name: 'on', value: '1' },
      { name: 'off', value: '2', disabled: true },
    ];
    const [item] = version5({ collection: [request({ name: 'R', url, parameters })] }).items;
    expect(item).toMatchObject({ offParameters: [{ at, name: 'off', value: '2' }] });
  });
});

describe('a folder', () => {
  const inFolder = (folder: object, inner: object = {}): ImportedFolder =>
    version5({ collection: [{ name: 'F', ...folder, children: [request({ name: 'R', ...inner })] }] })
      .items[0] as ImportedFolder;
  const headersOf = ({ items }: ImportedFolder): Record<string, string> =>
    Object.fromEntries((items[0] as ImportedRequest).headers);

  it('gives its headers and authentication to what is in it', () => {
    const folder = {
      headers: [
        { name: 'A', value: 'folder' },
        { name: 'B', value: 'folder' },
        { name: 'Off', value: 'x', disabled: true },
      ],
      authentication: { type: 'bearer', token: '{{ _.t }}' },
    };
    const read = inFolder(folder, { headers: [{ name: 'a', value: 'own' }] });
    expect(headersOf(read)).toEqual({ a: 'folder, own', B: 'folder', Authorization: 'Bearer {{t}}' });
    expect(read.notes).toEqual(['Its header Off is disabled, and left out.']);
    const nested = version5({
      collection: [
        {
          name: 'F',
          ...folder,
          children: [
            { name: 'G', headers: [{ name: 'b', value: 'inner' }], children: [request({ name: 'R' })] },
          ],
        },
      ],
    }).items[0] as ImportedFolder;
    expect(headersOf(nested.items[0] as ImportedFolder)).toEqual({
      b: 'folder, inner',
      A: 'folder',
      Authorization: 'Bearer {{t}}',
    });
  });

  it('joins the values of a header that may have several, and authenticates where a request has that switched off', () => {
    const folder = {
      headers: [{ name: 'Content-Type', value: 'text/x' }],
      authentication: { type: 'bearer', token: '{{ _.t }}' },
    };
    const own = [
      { name: 'X', value: '1' },
      { name: 'content-type', value: 'text/y' },
      { name: 'x', value: '2' },
    ];
    const authentication = { type: 'basic', username: 'u', disabled: true };
    expect(headersOf(inFolder(folder, { headers: own, authentication }))).toEqual({
      x: '1, 2',
      'content-type': 'text/y',
      Authorization: 'Bearer {{t}}',
    });
    expect(headersOf(inFolder(folder, { authentication: { type: 'none' } }))).not.toHaveProperty(
      'Authorization',
    );
  });

  it('sends a token without a word before it, and says of Latin-1 that it is UTF-8 here', () => {
    const oauth = { type: 'oauth2', accessToken: '{{ _.t }}', tokenPrefix: 'NO_PREFIX' };
    expect(headersOf(inFolder({ authentication: oauth }))).toEqual({ Authorization: '{{t}}' });
    const user = { type: 'basic', username: 'zoë', password: '{{ _.p }}', useISO88591: true };
    const said =
      'Insomnia writes its user and password in ISO 8859-1; here they are UTF-8, which differs for letters beyond ASCII.';
    expect(inFolder({ authentication: user }).notes).toEqual([said]);
    expect((inFolder({}, { authentication: user }).items[0] as ImportedRequest).notes).toEqual([said]);
    expect(inFolder({ authentication: { ...user, username: 'z', password: 'p' } }).notes).toEqual([]);
  });

  it('gives its variables to the requests that use them', () => {
    const environment = { a: '1', b: { c: 2 }, d: 'far' };
    const { items } = inFolder({ environment }, { url: 'http://x/{{ _.b.c }}/{{ _.d }}' });
    const used = items[0] as ImportedRequest;
    expect(used.variables).toEqual([
      ['d', 'far'],
      ['b.c', '2'],
    ]);
  });

  it('says what of it is left out', () => {
    const environment = { a: '1', b: { c: 2 } };
    const { notes } = inFolder({
      environment,
      meta: { description: 'About' },
      scripts: { preRequest: 'x()' },
    });
    expect(notes).toEqual([
      expect.stringContaining('script'),
      'Its description is left out.',
      'Its own variables that no request here uses are left out: a, b.c.',
    ]);
    expect(inFolder({ environment: {} }).notes).toEqual([]);
  });
});

describe('an export of version 4', () => {
  const workspace = (id: string, name: string): object => ({ _id: id, _type: 'workspace', name });

  it('is put together by parents, in the order that was sorted by hand', () => {
    const { name, items } = version4(
      request({ _id: 'r2', _type: 'request', parentId: 'f', name: 'Second', metaSortKey: 5 }),
      request({ _id: 'r1', _type: 'request', parentId: 'f', name: 'First', metaSortKey: -5 }),
      request({ _id: 'r0', _type: 'request', parentId: 'f', name: 'Odd key', metaSortKey: 'x' }),
      { _id: 'f', _type: 'request_group', parentId: 'w', name: 'F' },
      workspace('w', 'Four'),
      { _id: 'g', _type: 'grpc_request', parentId: 'w', name: 'G' },
      { _id: 'x', _type: 'odd_request', parentId: 'w', name: 'X' },
      { _id: 'doc', _type: 'api_spec', parentId: 'w', name: 'no item' },
    );
    expect([name, namesOf(items)]).toEqual(['Four', [['F', 'First', 'Odd key', 'Second'], 'G', 'X']]);
    expect(items.slice(1).map((item) => item.kind === 'left out' && item.why)).toEqual([
      'It is a call of gRPC, and Countersign sends HTTP.',
      'It is no request of HTTP.',
    ]);
  });

  it('has a folder for each of several workspaces, and what was exported without one', () => {
    const lone = request({ _id: 'l', _type: 'request', parentId: 'elsewhere', name: 'Lone' });
    const two = version4(
      workspace('w', 'One'),
      workspace('v', 'Two'),
      request({ _id: 'a', _type: 'request', parentId: 'v', name: 'A' }),
      lone,
    );
    expect(namesOf(two.items)).toEqual([['One'], ['Two', 'A'], 'Lone']);
    expect([version4(lone).name, namesOf(version4(lone).items)]).toEqual(['given', ['Lone']]);
  });

  it('says of folders within each other that what is in them is left out', () => {
    const { items, notes } = version4(
      workspace('w', 'W'),
      { _id: 'f', _type: 'request_group', parentId: 'g', name: 'F' },
      { _id: 'g', _type: 'request_group', parentId: 'f' },
    );
    expect([items, notes]).toEqual([
      [],
      [
        { where: 'F', what: 'Left out: the folders around it are within each other.' },
        { where: 'W', what: 'Left out: the folders around it are within each other.' },
      ],
    ]);
  });

  it('has the base environment for all, the others by their names, and says what is left', () => {
    const imported = version4(
      workspace('w', 'W'),
      { _id: 'base', _type: 'environment', parentId: 'w', data: { a: 1 } },
      { _id: 'dev', _type: 'environment', parentId: 'base', name: 'dev', data: { b: 2 } },
      { _id: 'un', _type: 'environment', parentId: 'base', data: null },
      { _id: 'jar', _type: 'cookie_jar', parentId: 'w', cookies: [{}] },
      { _id: 't', _type: 'unit_test', parentId: 'w' },
    );
    expect(imported.shared).toMatchObject([{ name: 'a', value: '1' }]);
    expect(imported.environments).toMatchObject([
      { name: 'dev', variables: [{ name: 'b' }] },
      { name: 'environment', variables: [] },
    ]);
    expect(notesOf(imported)).toEqual([
      'Its cookies are not taken over.',
      'Its tests are not taken over: write what they check as `# @expect`.',
    ]);
    expect(
      notesOf(version4(workspace('w', 'W'), { _type: 'cookie_jar', parentId: 'w', cookies: [] })),
    ).toEqual([]);
  });

  it('keeps apart what workspaces give several values, and no request of one goes to the address of another', () => {
    const environment = (id: string, parentId: string, name: string, data: object): object => ({
      _id: id,
      _type: 'environment',
      parentId,
      name,
      data,
    });
    const imported = version4(
      workspace('w', 'Pay'),
      workspace('v', 'Ledger'),
      environment('b1', 'w', 'Base', { base_url: 'https://pay.test', key: 'K', same: 1 }),
      environment('b2', 'v', 'Base', { base_url: 'https://ledger.test', same: 1, own: 2 }),
      environment('s1', 'b1', 'Staging', { base_url: 'https://pay.stage.test' }),
      environment('s2', 'b2', 'Staging', { more: 3 }),
    );
    const values = (variables: readonly { name: string; value: string }[]): object =>
      Object.fromEntries(variables.map(({ name, value }) => [name, value]));
    expect(values(imported.shared)).toEqual({ key: 'K', same: '1', own: '2' });
    expect(imported.environments.map(({ name, variables }) => [name, values(variables)])).toEqual([
      ['Pay', { base_url: 'https://pay.test' }],
      ['Pay, Staging', { base_url: 'https://pay.stage.test' }],
      ['Ledger', { base_url: 'https://ledger.test' }],
      ['Ledger, Staging', { base_url: 'https://ledger.test', more: '3' }],
    ]);
    expect(imported.notes.map(({ where, what }) => [where, what.slice(0, 48)])).toEqual([
      ['Pay', 'Another workspace gives base_url another value: '],
      ['Ledger', 'Another workspace gives base_url another value: '],
    ]);
  });

  it('names environments of one name by their workspaces, and leaves other names', () => {
    const below = (parentId: string, name: string): object => ({
      _type: 'environment',
      parentId,
      name,
      data: { a: 1 },
    });
    const base = (id: string, parentId: string): object => ({
      _id: id,
      _type: 'environment',
      parentId,
      data: {},
    });
    const { environments, notes } = version4(
      workspace('w', 'Pay'),
      workspace('v', 'Ledger'),
      base('b1', 'w'),
      base('b2', 'v'),
      below('b1', 'Live'),
      below('b2', 'Live'),
      below('b2', 'Trial'),
    );
    expect(environments.map(({ name }) => name)).toEqual(['Pay, Live', 'Ledger, Live', 'Trial']);
    expect(notes).toEqual([]);
  });
});
