import { describe, expect, it } from 'vitest';
import { createCredentialBook } from '../credentials';
import { importDocument } from '../import-document';
import type { Imported, ImportedFolder, ImportedItem, ImportedRequest } from '../imported';
import { readBruno } from './read-bruno';

const readFiles = (files: Record<string, string>): Imported =>
  readBruno(
    { name: 'given', files: Object.entries(files).map(([path, text]) => ({ path, text })) },
    createCredentialBook(),
  );
const get = (rest = ''): string => `get {\n  url: https://x.test/a\n}\n\n${rest}`;
const meta = (...lines: string[]): string => `meta {\n${lines.map((line) => `  ${line}\n`).join('')}}\n`;
const namesOf = (items: readonly ImportedItem[]): unknown[] =>
  items.map((item) => (item.kind === 'folder' ? [item.name, ...namesOf(item.items)] : item.name));
const variable = (name: string, value: string) => ({ name, value, isSecret: false });

describe('a folder of .bru files', () => {
  it('has its folders and requests in their order, named by their files where they have no name', () => {
    const { items, environments } = readFiles({
      'bruno.json': '{"name":"Pay"}',
      'collection.bru': 'docs {\n}\n',
      'environments/UAT.bru': 'vars {\n  a: b\n}\n',
      'a/Folder.BRU': meta('name: Second', 'seq: 2'),
      'a/late.bru': meta('seq: 2') + get(),
      'a/early.bru': meta('seq: 1') + get(),
      'b/folder.bru': meta('seq: 1'),
      'b/environments/none.bru': get(),
      'c/unsorted.bru': get(),
      'old.bru.bak': get(),
      'top.bru': get(),
    });
    expect(namesOf(items)).toEqual([
      ['b', ['environments', 'none']],
      ['Second', 'early', 'late'],
      ['c', 'unsorted'],
      'top',
    ]);
    expect(environments).toMatchObject([{ name: 'UAT', variables: [variable('a', 'b')] }]);
  });

  it('gives its headers to what is in it, the nearest first; what is off hides none', () => {
    const { items, notes } = readFiles({
      'collection.bru': 'headers {\n  A: top\n  B: top\n  C: top\n}\n\ndocs {\n   \n}\n',
      'f/folder.bru':
        'headers {\n  a: folder\n  ~B: folder\n  : nameless\n}\n\nvars:pre-request {\n  v: 1\n  ~w: 2\n}\n',
      'f/in.bru': get('headers {\n  C: own\n}\n'),
    });
    const folder = items[0] as ImportedFolder;
    expect((folder.items[0] as ImportedRequest).headers).toEqual([
      ['C', 'own'],
      ['a', 'folder'],
      ['B', 'top'],
    ]);
    expect(folder.notes).toEqual([
      'Its header B is disabled, and left out.',
      'Its variable w is disabled, and left out.',
      'Its own variables that no request here uses are left out: v.',
    ]);
    expect(notes).toEqual([]);
  });

  it('finds the collection in a folder around it, with what holds for all of it', () => {
    const { name, items, environments } = readFiles({
      'README.bru': get(),
      'api/bruno.json': '{"name":"Pay"}',
      'api/collection.bru': 'headers {\n  A: top\n}\n',
      'api/environments/UAT.bru': 'vars {\n  a: b\n}\n',
      'api/f/in.bru': get(),
    });
    expect([name, environments.map((one) => one.name), namesOf(items)]).toEqual([
      'Pay',
      ['UAT'],
      [['f', 'in']],
    ]);
    expect(((items[0] as ImportedFolder).items[0] as ImportedRequest).headers).toEqual([['A', 'top']]);
  });

  it('asks for one of several collections', () => {
    const files = {
      'a/bruno.json': '{}',
      'a/x.bru': get(),
      'b/opencollection.yml': 'opencollection: 1.0.0\n',
    };
    expect(() => readFiles(files)).toThrow(
      'It holds 2 collections of Bruno: a, b. Import each folder by itself.',
    );
  });

  it('goes on to the authentication above where a folder says none, as Bruno does', () => {
    const inherits = 'get {\n  url: http://x\n  auth: inherit\n}\n';
    const { items } = readFiles({
      'collection.bru': 'auth {\n  mode: bearer\n}\n\nauth:bearer {\n  token: {{t}}\n}\n',
      'f/folder.bru': 'auth {\n  mode: none\n}\n',
      'f/in.bru': inherits,
    });
    const [request] = (items[0] as ImportedFolder).items as ImportedRequest[];
    expect(request!.headers).toEqual([['Authorization', 'Bearer {{t}}']]);
  });

  it('puts variables of requests and folders into the files that use them, the nearest first', () => {
    const uses = 'get {\n  url: http://x/{{a}}/{{b}}\n}\n';
    const { items } = readFiles({
      'collection.bru': 'vars:pre-request {\n  a: top\n}\n',
      'f/folder.bru': 'vars:pre-request {\n  a: outer {{c}}\n  b: outer\n  c: far\n  d: no\n}\n',
      'f/g/folder.bru': 'vars:pre-request {\n  b: inner\n}\n',
      'f/g/in.bru': uses,
      'f/own.bru': `${uses}\nvars:pre-request {\n  @a: own\n  b: x{{b}}\n  z: 1\n}\n`,
    });
    const [folder] = items as ImportedFolder[];
    const [inner, own] = folder!.items as [ImportedFolder, ImportedRequest];
    const [request] = inner.items as ImportedRequest[];
    expect(Object.fromEntries(request!.variables)).toEqual({ a: 'outer {{c}}', b: 'inner', c: 'far' });
    expect(Object.fromEntries(own.variables)).toEqual({ a: 'own' });
    expect(own.notes).toEqual([
      'Its variable b is made of one of the same name, and left out: set it in the environment.',
      'Its own variables that no request here uses are left out: z.',
    ]);
    expect(folder!.notes).toEqual(['Its own variables that no request here uses are left out: b, d.']);
  });

  it.each([
    ['a proxy', { proxy: { hostname: 'p' } }, ['Its proxy is not taken over: set it in the environment.']],
    [
      'a proxy of newer ones',
      { proxy: { config: { hostname: 'p' } } },
      ['Its proxy is not taken over: set it in the environment.'],
    ],
    [
      'certificates',
      { clientCertificates: { certs: [{}] } },
      ['Its client certificates are not taken over: set them in the environment.'],
    ],
    [
      'a proxy that is off, as Bruno writes it',
      { proxy: { enabled: false, protocol: 'http', hostname: 'p', port: 1 } },
      [],
    ],
    ['a newer one that is off', { proxy: { disabled: true, config: { hostname: 'p' } } }, []],
    ['a proxy without a host', { proxy: { inherit: true, config: { hostname: '' } } }, []],
    ['none of both', { proxy: {}, clientCertificates: { certs: [] } }, []],
  ])('says that it has %s', (_what, settings, notes) => {
    const read = readFiles({ 'bruno.json': JSON.stringify(settings), 'a.bru': get() });
    expect(read.notes).toEqual(notes.map((what) => ({ where: 'given', what })));
  });

  it('leaves out what bruno.json says to ignore, and says so', () => {
    const settings = JSON.stringify({ ignore: ['node_modules', 'old/', 'a', 'one.bru', 1] });
    const read = readFiles({
      'bruno.json': settings,
      'old/x.bru': get(),
      'older/x.bru': get(),
      'one.bru': get(),
      'two.bru': get(),
    });
    expect(read.items.map(({ name }) => name)).toEqual(['older', 'two']);
    const what = 'Left out: bruno.json says to ignore it.';
    expect(read.notes).toEqual([
      { where: 'old', what },
      { where: 'one.bru', what },
    ]);
  });

  it('is refused where it is deeper than what is laid out, and not before', () => {
    const nest = (levels: number) => () => {
      const files = [`${'a/'.repeat(levels)}x.bru`, 'x.bru'].map((path) => ({ path, text: get() }));
      return importDocument({ name: 'given', files }, 'bruno').files.at(0)?.path;
    };
    expect(nest(30)()).toBe(`${'a/'.repeat(30)}x.http`);
    expect(nest(31)).toThrow('deeper than 30 levels');
    expect(nest(45)).toThrow('deeper than 30 levels');
  });
});

it('calls a request whose name is empty as its file is', () => {
  expect(namesOf(readFiles({ 'Gap.bru': 'meta {\n  name: \n}\n', 'b.bru': get() }).items)).toContain('Gap');
});

describe('an environment alone', () => {
  const kept = (name: string): string => `Bruno keeps the value of ${name} to itself: enter it here.`;
  it.each([
    ['by its folder', 'x/environments/UAT.bru', meta('name: no variable'), [], []],
    ['by its folder at the top', 'environments/UAT.bru', '', [], []],
    [
      'by its variables',
      'UAT.bru',
      'vars {\n  a: b\n  ~off: c\n}\n',
      [variable('a', 'b')],
      ['Its variable off is disabled, and left out.'],
    ],
    [
      'by its secrets',
      'UAT.bru',
      'vars:secret [\n  s,\n  ~t\n]\n',
      [],
      [kept('s'), 'Its variable t is disabled, and left out.'],
    ],
    [
      'by what a store of secrets has',
      'UAT.bru',
      'vars {\n}\nvars:externalsecrets:aws-secrets-manager {\n  pay: prod/pay\n  ~old: x\n}\n',
      [],
      [
        'Bruno fetches {{$secrets.pay.…}} from a store of secrets: put a variable of an environment in its place.',
        'Its variable old is disabled, and left out.',
      ],
    ],
  ])('is known %s', (_how, path, text, variables, said) => {
    const { items, environments, notes } = readFiles({ [path]: text });
    expect([items, environments]).toMatchObject([[], [{ name: 'UAT', variables }]]);
    expect(environments[0]!.kept).toEqual(said.includes(kept('s')) ? ['s'] : []);
    expect(notes).toEqual(said.map((what) => ({ where: 'UAT', what })));
  });

  it.each([
    ['a request with variables of its own', { 'a.bru': get('vars:pre-request {\n  a: b\n}\n') }, ['a']],
    ['one of several files', { 'a.bru': 'vars {\n  a: b\n}\n', 'b.bru': get() }, ['b']],
  ])('is not %s', (_what, files, names) => {
    const { items, environments } = readFiles(files);
    expect(namesOf(items)).toEqual(expect.arrayContaining(names));
    expect(environments).toEqual([]);
  });
});
