import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { describe, expect, it } from 'vitest';
import { decodeText } from './decode-text';
import { importDocument } from './import-document';
import { importFormatNames, type ImportFormat } from './import-formats';
import type { ImportSource } from './imported';
import { createDynamicValues } from '../http-file/dynamic-values';
import { parseHttpFile } from '../http-file/parse-http-file';
import { chooseRequest, prepareRequest } from '../http-file/prepare-request';

const root = join(import.meta.dirname, '..', '..', 'test', 'fixtures', 'import');
/** Writes what comes out as what is expected; look at the difference before you keep it. */
const isUpdate = process.env['UPDATE_FIXTURES'] === '1';

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => statSync(join(folder, path)).isFile())
    .map((path) => path.split(sep).join('/'))
    .sort();
}

/** `input` is a folder that is imported whole, `input.EXT` a file. */
function readInput(folder: string): ImportSource {
  const name = readdirSync(folder).find((one) => one.startsWith('input'))!;
  const path = join(folder, name);
  const read = (file: string): string => decodeText(readFileSync(file), name);
  if (!statSync(path).isDirectory()) return { name, files: [{ path: name, text: read(path) }] };
  return { name: 'input', files: listFiles(path).map((one) => ({ path: one, text: read(join(path, one)) })) };
}

function writeExpected(folder: string, files: Record<string, string>, facts: unknown): void {
  rmSync(join(folder, 'expected'), { recursive: true, force: true });
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, 'expected', path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  writeFileSync(join(folder, 'expected.json'), `${JSON.stringify(facts, null, 2)}\n`);
}

function readExpected(folder: string): Record<string, string> {
  const expected = join(folder, 'expected');
  if (!existsSync(expected)) return {};
  return Object.fromEntries(
    listFiles(expected).map((path) => [path, readFileSync(join(expected, path), 'utf8')]),
  );
}

const cases = readdirSync(root).flatMap((format) =>
  readdirSync(join(root, format)).map((name) => ({
    format: format as ImportFormat,
    name,
    folder: join(root, format, name),
  })),
);

describe('importDocument', () => {
  it.each(cases)('makes the files and notes of $format/$name', ({ format, folder }) => {
    const source = readInput(folder);
    const { files, ...facts } = importDocument(source, format);
    const written = Object.fromEntries(
      files.map(({ path, content }) => [
        path,
        typeof content === 'string' ? content : Buffer.from(content).toString('base64'),
      ]),
    );
    if (isUpdate) writeExpected(folder, written, facts);
    expect(written).toEqual(readExpected(folder));
    expect(JSON.parse(JSON.stringify(facts))).toEqual(
      JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')),
    );
    expect(importDocument(source, 'auto').format, `auto, ${relative(root, folder)}`).toBe(format);
  });

  it('is tried with fixtures of every format', () => {
    expect(readdirSync(root)).toEqual(importFormatNames.toSorted());
  });

  it('says of what is empty that it is, and of a document what its format says, whatever it looks like', () => {
    const blank = { path: 'a.json', text: ' \n' };
    for (const files of [[], [blank], [blank, { ...blank, path: 'b.bru' }]])
      expect(() => importDocument({ name: 'team', files }, 'auto')).toThrow(
        'team is empty. There is nothing to import in it.',
      );
    const bru = { path: 'a.bru', text: 'get {\n  url: https://a.test/\n}\n' };
    expect(importDocument({ name: 'team', files: [blank, bru] }, 'auto').counts.requests).toBe(1);
    const files = [{ path: 'a.json', text: '{"log":{"entries":[]}}' }];
    expect(() => importDocument({ name: 'team', files }, 'postman')).toThrow('neither a collection');
  });

  it.each<[ImportFormat, string, string]>([
    ['postman', 'a.json', '{"item":[\n<<<<<<< HEAD\n{}\n=======\n{},{}\n>>>>>>> theirs\n]}'],
    ['openapi', 'a.yaml', 'openapi: 3.0.0\n<<<<<<< HEAD\na: 1\n=======\na: 2\n>>>>>>> theirs\n'],
    [
      'bruno',
      'in/a.bru',
      'get {\n<<<<<<< HEAD\n  url: http://a\n=======\n  url: http://b\n>>>>>>> theirs\n}\n',
    ],
    ['curl', 'a.sh', 'true\n<<<<<<< HEAD\ncurl http://a\n=======\ncurl http://b\n>>>>>>> theirs\n'],
  ])('takes neither of two versions that a merge left in a file of %s', (format, path, text) => {
    const source = { name: 'team', files: [{ path, text }] };
    const told = `${path}, line 2: Two versions stand here as a merge leaves them: keep one`;
    for (const asked of [format, 'auto'] as const) expect(() => importDocument(source, asked)).toThrow(told);
  });

  it('takes no pointer that Git LFS left in the place of a file', () => {
    const text = 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 1\n';
    expect(() => importDocument({ name: 'team', files: [{ path: 'a.json', text }] }, 'auto')).toThrow(
      'a.json is a pointer of Git LFS, and the file itself was not fetched: run git lfs pull. Nothing was imported.',
    );
  });

  it('calls no credential what means something else in the document', () => {
    const text = 'curl https://a.test/{{ api_key }} -H \'X-A: {{api_key_2}}\' -d \'{"api_key":"k-1"}\'';
    const { sealed } = importDocument({ name: 'team', files: [{ path: 'a.sh', text }] }, 'curl');
    expect(sealed.flatMap(({ secrets }) => secrets)).toEqual([{ name: 'api_key_3', value: 'k-1' }]);
  });

  const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

  it.each<[string, ImportFormat, unknown, Record<string, string>]>([
    [
      'a variable of the collection that no request uses',
      'postman',
      {
        info: { name: 'C', schema },
        variable: [{ key: 'api_key', value: 'of-the-collection' }],
        item: [
          {
            name: 'r',
            request: {
              method: 'GET',
              url: 'https://a.test/',
              header: [{ key: 'Api-Key', value: 'literal-1' }],
            },
          },
        ],
      },
      { api_key: 'of-the-collection', api_key_2: 'literal-1' },
    ],
    [
      'a variable of a path',
      'postman',
      {
        info: { name: 'C', schema },
        item: [
          {
            name: 'r',
            request: {
              method: 'GET',
              header: [{ key: 'Api-Key', value: 'literal-1' }],
              url: {
                protocol: 'https',
                host: ['a', 'test'],
                path: [':api_key'],
                variable: [{ key: 'api_key', value: 'of-the-path' }],
              },
            },
          },
        ],
      },
      { api_key_2: 'literal-1', api_key_3: 'of-the-path' },
    ],
    [
      'a variable of an environment of Insomnia, beside an authentication',
      'insomnia',
      {
        __export_format: 4,
        resources: [
          { _id: 'w', _type: 'workspace', name: 'W' },
          {
            _id: 'e',
            _type: 'environment',
            parentId: 'w',
            name: 'Base',
            data: { password: 'of-the-environment' },
          },
          {
            _id: 'r',
            _type: 'request',
            parentId: 'w',
            name: 'r',
            method: 'GET',
            url: 'https://a.test/',
            headers: [{ name: 'X-A', value: '{{ _.password }}' }],
            authentication: { type: 'basic', username: 'u', password: 'literal-1' },
          },
        ],
      },
      { password: 'of-the-environment', password_2: 'literal-1' },
    ],
    [
      'a variable of Insomnia whose value stands elsewhere',
      'insomnia',
      {
        __export_format: 4,
        resources: [
          {
            _id: 'r',
            _type: 'request',
            name: 'r',
            method: 'GET',
            url: "https://a.test/{{ _['password'] | upper }}",
            authentication: { type: 'basic', username: 'u', password: 'literal-1' },
          },
        ],
      },
      { password_2: 'literal-1' },
    ],
  ])('calls no credential what is the name of %s', (_what, format, document, expected) => {
    const source = { name: 'team', files: [{ path: 'team.json', text: JSON.stringify(document) }] };
    const { sealed } = importDocument(source, format);
    const all = sealed.flatMap(({ secrets }) => secrets).map(({ name, value }) => [name, value]);
    expect(Object.fromEntries(all)).toEqual(expected);
    expect(all).toHaveLength(Object.keys(expected).length);
  });

  it('says which of several values of one variable is kept', () => {
    const variable = [
      { key: 'base_url', value: 'https://a.test' },
      { key: 'base_url', value: 'https://b.test' },
      { key: 'same', value: '1' },
      { key: 'same', value: '1' },
    ];
    const item = [{ name: 'Pay', request: { method: 'GET', url: '{{base_url}}/{{same}}' } }];
    const text = JSON.stringify({ info: { name: 'Team', schema }, item, variable });
    const { environments, notes } = importDocument(
      { name: 'team', files: [{ path: 'team.json', text }] },
      'postman',
    );
    expect(environments.map(({ variables }) => variables['base_url'])).toContain('https://b.test');
    expect(notes.map(({ where, what }) => `${where}: ${what}`)).toEqual([
      'Team: Its variable base_url stands there with several values: the last is taken.',
      'Team: Where Postman follows a redirect, its answer is shown here, and a click follows it.',
    ]);
  });
});

it('writes a form to its last line end, but for one that has an {{empty}} of its own', () => {
  const read = (text: string) => {
    const { files } = importDocument({ name: 'f', files: [{ path: 'f.sh', text }] }, 'curl');
    return files.map(({ content }) => String(content).split('--countersign-boundary--')[1]);
  };
  for (const more of ['', " -F 'f=@x.json'"]) {
    expect(read(`curl https://a.test/up -F 'a={{b}}'${more}`)).toEqual(['\r\n{{empty}}\n']);
    expect(read(`curl https://a.test/up -F 'a={{empty}}'${more}`)).toEqual(['\n']);
  }
});

it.each([
  ['bruno', 'a.bru', 'get {\n  url: https://x.test/?from={{from}}\n}\nsettings {\n  encodeUrl: true\n}\n'],
  [
    'bruno',
    'a.bru',
    'post {\n  url: https://x.test/\n  body: formUrlEncoded\n}\nbody:form-urlencoded {\n  from: {{from}}\n}\n',
  ],
  [
    'insomnia',
    'a.yaml',
    'type: collection.insomnia.rest/5.0\nname: C\ncollection:\n  - url: https://x.test/\n    name: A\n    method: GET\n    parameters:\n      - {name: from, value: "{{ _.from }}"}\n',
  ],
] as const)('sends a value of a variable as %s does, encoded where it is filled in', (format, path, text) => {
  const { files } = importDocument({ name: 'c', files: [{ path, text }] }, format);
  const content = String(files.find((file) => file.path.endsWith('.http'))!.content);
  const dynamic = createDynamicValues({
    now: () => 0,
    random: { uuid: () => '', bytes: (size) => new Uint8Array(size) },
  });
  const { url, body, unresolved } = prepareRequest(chooseRequest(parseHttpFile(content), 'a.http'), {
    variables: { from: '2026-01-01T00:00:00+01:00 & co' },
    dynamic,
  });
  expect(unresolved).toEqual([]);
  expect(`${url} ${body}`).toContain('from=2026-01-01T00%3A00%3A00%2B01%3A00%20%26%20co');
});

it('says of braces in a command that a browser copied for the Windows command prompt that they are a variable here', () => {
  const text = 'curl ^"https://x.test/a^" ^\n  --data-raw ^"^{^\\^"a^\\^":^\\^"^{^{name^}^}^\\^"^}^"';
  const { files, notes } = importDocument({ name: 'c', files: [{ path: 'c', text }] }, 'curl');
  expect(String(files[0]!.content)).toContain('{"a":"{{name}}"}');
  expect(notes.map(({ what }) => what)).toEqual([
    expect.stringContaining('Its body has {{name}}, which is sent'),
  ]);
});

it.each([
  ['in one line', ' '],
  ['over lines', ' ^\n  '],
])('reads quotes that older browsers doubled for the Windows command prompt, %s', (_what, joint) => {
  const copy = (text: string): string =>
    `"${text.replaceAll('"', '""').replaceAll('%', '"%"').replaceAll('\\', '\\\\').replaceAll('\n', '"^\n\n"')}"`;
  const body = '{"a":1.00,\n "b":"50% & more"}';
  const text = [
    'curl',
    copy('https://x.test/a'),
    '-H',
    copy('X-A: say "hi"'),
    '-H',
    copy('Content-Type: application/json'),
    '--data-raw',
    copy(body),
  ].join(joint);
  const { files, notes } = importDocument({ name: 'c', files: [{ path: 'c', text }] }, 'curl');
  const [content] = files.map((one) => String(one.content));
  expect(content).toContain('X-A: say "hi"\n');
  expect(content!.trimEnd().slice(-body.length - 2)).toBe(`\n\n${body}`);
  expect(notes).toEqual([]);
});

it('seals no placeholder as if it were a value, and says which variables have none yet', () => {
  const field = { type: 'string' };
  const schema = { type: 'object', properties: { password: field, clientSecret: field } };
  const post = { requestBody: { content: { 'application/json': { schema } } }, responses: {} };
  const document = {
    openapi: '3.0.3',
    servers: [{ url: 'https://x.example' }],
    paths: { '/users': { post } },
  };
  const source = { name: 'a.json', files: [{ path: 'a.json', text: JSON.stringify(document) }] };
  const { files, sealed, notes } = importDocument(source, 'openapi');
  const written = files.map(({ content }) => content).join('\n');
  expect(written).toContain('"password": "{{password}}",\n  "clientSecret": "{{client_secret}}"');
  expect(sealed).toEqual([]);
  const what = 'A placeholder stood where a value belongs: give one in Environments.';
  expect(notes.filter((note) => note.what === what).map(({ where }) => where)).toEqual([
    '{{password}}',
    '{{client_secret}}',
  ]);
});
