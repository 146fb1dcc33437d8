import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { AppError } from '../errors';
import { importDocument } from './import-document';
import type { ImportFormat } from './import-formats';
import { countProcessorMs } from '../../test/support/processor-time';

const read = (text: string, format: ImportFormat | 'auto' = 'auto') =>
  importDocument({ name: 'given', files: [{ path: 'given', text }] }, format);

const bomb = [
  'a0: &a0 [x,x,x,x,x,x,x,x,x]',
  ...Array.from({ length: 11 }, (_, index) => `a${index + 1}: &a${index + 1} [${`*a${index},`.repeat(9)}]`),
].join('\n');

const postman = (items: unknown): string =>
  JSON.stringify({
    info: { name: 'c', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/' },
    item: items,
  });

/** Gives a document once for each text in it, with that text and its like called what every object has. */
function* renameParts(text: string, name: string): Generator<string> {
  for (const part of new Set(text.match(/"(?:[^"\\\n]|\\.){1,60}"/g) ?? [])) {
    yield text.replaceAll(part, JSON.stringify(name));
  }
}

it.each([
  [
    'a list of many entries',
    'har',
    `{"log":{"entries":[${'{},'.repeat(100_000)}{}]}}`,
    '100000 entries in one list',
  ],
  ['a file of many blocks', 'bruno', 'headers {\n}\n'.repeat(20_001), '20000 blocks in one file'],
] as const)('refuses %s before anything is made of them', (_what, format, text, told) => {
  const files = [{ path: format === 'bruno' ? 'a.bru' : 'a.har', text }];
  expect(() => importDocument({ name: 'a', files }, format)).toThrow(told);
});

it('looks at an address no longer than it needs to whose variable stands for itself many times', () => {
  const variable = [{ key: 'a', value: '{{a}}'.repeat(1000) }];
  const info = { name: 'x', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' };
  const item = [{ name: 'n', request: { method: 'GET', url: '{{a}}/x' } }];
  const files = [{ path: 'a.json', text: JSON.stringify({ info, item, variable }) }];
  expect(importDocument({ name: 'a', files }, 'postman').counts.requests).toBe(1);
});

/** Written into each operation: gigabytes of a megabyte. */
function shareExample(operations: number): string {
  const paths = Object.fromEntries(
    Array.from({ length: operations }, (_, at) => [
      `/a${at}`,
      { post: { requestBody: { $ref: '#/components/requestBodies/b' } } },
    ]),
  );
  const members = Array.from({ length: 2000 }, (_, at) => [`k${at}`, 'x'.repeat(100)]);
  const b = { content: { 'application/json': { example: Object.fromEntries(members) } } };
  return JSON.stringify({
    openapi: '3.0.0',
    info: { title: 'a', version: '1' },
    paths,
    components: { requestBodies: { b } },
  });
}

describe('importDocument, given what means harm', () => {
  it.each([
    ['brackets without end', '['.repeat(300_000), 'import.too_deep'],
    ['objects without end', '{"a":'.repeat(100_000), 'import.too_deep'],
    ['YAML brackets without end', `a: ${'['.repeat(100_000)}`, 'import.too_deep'],
    [
      'YAML levels without end',
      Array.from({ length: 2000 }, (_, at) => `${' '.repeat(at)}a:`).join('\n'),
      'import.too_deep',
    ],
    ['aliases that stand for billions', bomb, 'import.too_large'],
    [
      'one body for many addresses',
      `curl ${'https://x.example/ '.repeat(60)} -d '${'a'.repeat(2_000_000)}'`,
      'import.too_large',
    ],
    [
      'a thousand headers for as many addresses',
      `curl ${'https://x.example/ '.repeat(1_100)} ${"-H 'a: b' ".repeat(1_100)}`,
      'import.too_many',
    ],
    ['an alias within itself', 'a: &a [*a]', 'import.not_readable'],
    // Their last line is no YAML: they are refused before they are read to it.
    [
      'too many requests of Insomnia',
      `type: collection.insomnia.rest/5.0\ncollection:\n${'  - url: https://x.example\n'.repeat(20_001)}]`,
      'import.too_many',
    ],
    [
      'too many requests of OpenCollection',
      `opencollection: 1.0.0\nitems:\n${'  - info:\n      name: a\n'.repeat(20_001)}]`,
      'import.too_many',
    ],
    ['JSON of millions of small values', `{"a":[${'1,'.repeat(3_000_000)}1]}`, 'import.too_large'],
    ['YAML of millions of small values', `x: [${'1,'.repeat(1_050_000)}1]\n`, 'import.too_large'],
    ['YAML with a fault in each sign of one long line', `x: ${'] '.repeat(200_000)}`, 'import.not_readable'],
    ['YAML of many megabytes', `a: ${'x'.repeat(11_000_000)}`, 'import.too_large'],
    ['nothing', ' \n', 'import.nothing_found'],
    ['prose', 'Dear all, please find attached.', 'import.unknown_format'],
    ['a collection without requests', postman([]), 'import.nothing_found'],
    [
      'more variables than a file of environments holds',
      JSON.stringify({
        name: 'e',
        values: Array.from({ length: 20_001 }, (_, at) => ({ key: `v${at}`, value: '1' })),
      }),
      'import.too_many',
    ],
    ['half a file', postman([{ name: 'x' }]).slice(0, -4), 'import.not_readable'],
    // A kilobyte each; without an end they take all memory, and the process with it.
    ['a text of a shell that doubles', `A=xx\n${'A=$A$A\n'.repeat(40)}curl http://a/$A`, 'import.too_large'],
    [
      'words of a shell that double',
      `a=(x x)\n${'a+=("${a[@]}")\n'.repeat(40)}curl http://a "${'$'}{a[@]}"`,
      'import.too_large',
    ],
    [
      'words of a shell that are put in many times',
      `a=(${'x '.repeat(1000)})\ncurl http://a ${'"${a[@]}" '.repeat(5000)}`,
      'import.too_large',
    ],
    [
      'a text of PowerShell that doubles',
      `$a = 'xx'\n${'$a = $a + $a\n'.repeat(40)}Invoke-RestMethod -Uri http://a -Body $a`,
      'import.too_large',
    ],
    [
      'a text of PowerShell that doubles within quotes',
      `$a = 'xx'\n${'$a = "$a$a"\n'.repeat(40)}Invoke-RestMethod -Uri http://a -Body $a`,
      'import.too_large',
    ],
    [
      'a table of PowerShell for many calls',
      `$t = @{${Array.from({ length: 3000 }, (_, at) => `k${at}=1`).join(';')}}\n${'Invoke-RestMethod @t\n'.repeat(3000)}`,
      'import.too_large',
    ],
    ['assignments of one name without end', `curl http://a\n${'A(a='.repeat(60_000)}`, 'import.too_many'],
    ['one example for many operations of OpenAPI', shareExample(20_000), 'import.too_large'],
    ['Swagger 2.0', '{"swagger":"2.0"}', 'import.unsupported'],
    ['Insomnia 3', '{"__export_format":3,"resources":[]}', 'import.unsupported'],
  ])('refuses %s', (_what, text, code) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ code }));
  });

  it('takes a large text that several calls of PowerShell share', () => {
    const calls = 'Invoke-RestMethod -Uri http://a -Method Post -Body $b\n'.repeat(4);
    expect(read(`$b = '${'x'.repeat(3_000_000)}'\n${calls}`, 'curl').counts.requests).toBe(4);
  });

  it('says of a request file that it is one, whatever stands in it', () => {
    for (const [name, text] of [
      ['Pay.http', 'GET https://x.test/\n'],
      ['pay.REST', 'POST https://x.test/\n\n{"a":1}\n### b\n# curl https://x.test/\n'],
    ] as const) {
      const files = [{ path: name, text }];
      expect(() => importDocument({ name, files }, 'auto')).toThrow(/is a request file already: put it into/);
    }
  });

  it('keeps every name inside the folder and of a form that any system takes', () => {
    const names = [
      '../../etc/passwd',
      '/etc/passwd',
      'C:\\Windows\\x',
      '..',
      '.',
      '',
      'con',
      '.git',
      'a\0b',
      'x\u202ey',
      'é'.repeat(300),
    ];
    const request = { method: 'GET', url: 'https://x.test/' };
    const response = [1, 2].map(() => ({ name: 'é'.repeat(300), code: 201, body: 'x' }));
    const { files } = read(postman(names.map((name) => ({ name, item: [{ name, request, response }] }))));
    expect(files).toHaveLength(names.length * 3);
    for (const { path } of files) {
      for (const part of path.split('/')) {
        expect(part).not.toMatch(/^\.|[\\/:*?"<>|\p{Cc}\p{Cf}]|[. ]$/u);
        // It is written through a neighbour whose name is longer by eighteen letters.
        expect(new TextEncoder().encode(part).length).toBeLessThanOrEqual(255 - 18);
      }
    }
    expect(new Set(files.map(({ path }) => path.toLowerCase())).size).toBe(names.length * 3);
  });

  it('says what of folders within each other and of odd variables is left out', () => {
    const of = (_id: string, parentId: string, _type = 'request_group') => ({
      _id,
      parentId,
      _type,
      name: _id,
    });
    const request = { method: 'GET', url: 'https://x.test/' };
    const resources = [
      of('a', 'b'),
      of('b', 'a'),
      { ...of('lost', 'a', 'request'), ...request },
      { ...of('ok', 'w', 'request'), ...request },
      { ...of('odd', '', 'environment'), data: JSON.parse('{"__proto__":{"x":1},"y":"1"}') as unknown },
    ];
    const { notes, counts, environments } = read(JSON.stringify({ __export_format: 4, resources }));
    expect(counts.requests).toBe(1);
    expect(notes.map(({ where }) => where)).toEqual(expect.arrayContaining(['a', 'b', 'lost']));
    expect(environments.flatMap(({ variables }) => Object.entries(variables))).toContainEqual(['y', '1']);
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });

  it('lets no description, header or address become a line of its own', () => {
    const request = {
      method: 'POST',
      description: 'x\n@disabled\n### y\nGET https://evil.test/\n# @name z',
      header: [
        { key: 'A', value: 'b\r\nX-Evil: 1' },
        { key: 'no name', value: '1' },
        { key: '#c', value: '1' },
      ],
      url: 'https://x.test/a\r\nX-Evil: 1\r\n\r\nb',
      body: { mode: 'raw', raw: '### z\nGET https://evil.test/\n\n> {% x %}\n' },
    };
    const { files, notes } = read(postman([{ name: 'a\n### b', request }]));
    const [file] = files;
    expect(files.map(({ path }) => path)).toEqual(['a ### b.http', 'a ### b.body.txt']);
    expect(String(file!.content).split('\n')).toContain('POST https://x.test/aX-Evil:%201b');
    expect(String(file!.content).split('\n')).toContain('A: b X-Evil: 1');
    expect(String(files[1]!.content)).toBe(request.body.raw);
    expect(notes.map(({ what }) => what).join('\n')).toMatch(/no name.*left out/);
  });

  it('writes no credential into a file, wherever it stands', () => {
    const secret = 'S3cr3t-Value-77';
    const { files, environments, notes, sealed } = read(
      [
        `curl -u shop:${secret}a 'https://x.test/?api_key=${secret}b' -H 'X-Any: Bearer ${secret}c' -H 'Cookie: sid=${secret}d'`,
        `curl https://joe:${secret}e@x.test/ -H 'X-Auth-Token: ${secret}f' -d '{"client_secret":"${secret}g","pin":778899}'`,
        `curl https://x.test/ -F password=${secret}h -H 'X-Key: sk_live_${'a1'.repeat(10)}'`,
        // What is not taken over is told by name: a line that was cut in two, a login before it, what prints a token.
        `--header 'Authorization: Bearer ${secret}' --data pin=${secret}`,
        `vault login ${secret}`,
        `SESSION=$(login --password ${secret})`,
        `curl https://x.test/ -H "X-Now: $(stamp ${secret})"`,
      ].join('\n'),
    );
    const written =
      files.map(({ content }) => String(content)).join('\n') + JSON.stringify([environments, notes]);
    expect(written).not.toContain(secret);
    expect(written).not.toMatch(/778899|sk_live|Q3I|U2hvc/);
    const values = sealed.flatMap(({ secrets }) => secrets.map(({ value }) => value));
    expect(values).toEqual(
      expect.arrayContaining([
        `${secret}a`,
        `${secret}b`,
        `${secret}c`,
        `sid=${secret}d`,
        `${secret}e`,
        '778899',
      ]),
    );
  });
});

describe('importDocument, given long runs of one thing', () => {
  const size = 100_000;
  const run = (text: string): string => text.repeat(Math.ceil(size / text.length));
  const one = (request: unknown): string => postman([{ name: 'x', request }]);
  it.each([
    ['JWT beginnings', one({ method: 'GET', url: `https://x.test/?q=${run('eyJ')}` })],
    ['blanks in braces', one({ method: 'GET', url: `https://x.test/${run('{{   ')}` })],
    ['commas in braces', `curl 'https://x.test/{${run(',')}'`],
    ['backslashes', `curl ^"https://x.test/^" -d ${run('\\')}`],
    ['dollars and brackets', `curl https://x.test/ -d ${run('$(')}`],
    [
      'requests of one name',
      postman(Array.from({ length: 15_000 }, () => ({ name: 'x', request: 'https://x.test/' }))),
    ],
    ['backticks', `curl https://x.test/ -d ${run('`')}`],
    ['carets', `curl ^"https://x.test/^" ${run('^')}`],
    ['blanks in a .bru', `get {\n  url: https://x.test/\n}\nheaders {\n  a${run(' ')}b\n}\n`],
    [
      'blanks in an example',
      `{"openapi":"3.0.0","paths":{"/":{"get":{"parameters":[{"name":"q","in":"query","example":{"a":"${run(' ')}b"}}]}}}}`,
    ],
    [
      'slashes',
      `{"openapi":"3.0.0","servers":[{"url":"https://x.test${run('/')}x"}],"paths":{"/":{"get":{}}}}`,
    ],
    [
      'template tags',
      `{"__export_format":4,"resources":[{"_type":"request","name":"a","method":"GET","url":"https://x.test/${run('{% ')}"}]}`,
    ],
    ['PowerShell brackets', `Invoke-WebRequest -Uri https://x.test/ -Body ${run('(')}`],
  ])('takes %s in its stride', (_what, text) => {
    const processorMs = countProcessorMs();
    try {
      read(text);
    } catch (error) {
      expect(error).toMatchObject({ code: expect.stringMatching(/^import\./) as string });
    }
    expect(processorMs()).toBeLessThan(8000);
  });

  it('takes no name for what every object has, wherever it stands', () => {
    const folder = 'test/fixtures/import';
    const inputs = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
      /input\.json$/.test(path),
    );
    expect(inputs.length).toBeGreaterThan(6);
    for (const path of inputs) {
      const text = readFileSync(`${folder}/${path}`, 'utf8');
      for (const changed of [...renameParts(text, 'constructor')].slice(0, 150)) {
        try {
          const { files, notes, environments } = read(changed);
          for (const { what } of notes) expect(typeof what).toBe('string');
          const written =
            files.map(({ content }) => String(content)).join('') + JSON.stringify([notes, environments]);
          expect(written, path).not.toContain('[native code]');
        } catch (error) {
          if (!(error instanceof AppError))
            throw new Error(`${path}: ${changed.slice(0, 3000)}`, { cause: error });
        }
      }
    }
  });

  it.each([
    [
      'a header',
      `curl https://x.test/payments/v1/payouts -d 1 -H 'X-Custom-Signature: s' -H 'constructor: a'`,
    ],
    ['an option', `curl https://x.test/ --constructor a`],
    [
      'a kind of Bruno',
      JSON.stringify({
        version: '1',
        name: 'c',
        items: [
          {
            type: 'constructor',
            name: 'x',
            request: { url: 'https://x.test/', method: 'GET', body: { mode: 'constructor' } },
          },
          {
            type: 'http',
            name: 'y',
            request: { url: 'https://x.test/', method: 'POST', body: { mode: 'toString' } },
          },
        ],
      }),
    ],
    ['a variable in an address', `curl 'https://{{constructor}}/a' -H 'Authorization: Bearer {{toString}}'`],
  ])('imports %s that is called what every object has', (_what, text) => {
    const { files, notes, environments } = read(text);
    expect(
      files.map(({ content }) => String(content)).join('') + JSON.stringify([notes, environments]),
    ).not.toContain('native code');
    for (const { what } of notes) expect(typeof what).toBe('string');
  });

  it.each([
    '# @disabled evil()',
    '// @sleep evil()',
    '?? js evil()',
    '@a := evil()',
    '{{\n1\nevil()\n}}',
    '{{@response\nevil()\n}}',
  ])('puts a body that httpYac would act on into a file beside its request: %s', (line) => {
    const raw = `x\n${line}\n`;
    const { files } = read(
      postman([
        { name: 'a', request: { method: 'POST', url: 'https://x.test/', body: { mode: 'raw', raw } } },
      ]),
    );
    expect(files.map(({ path }) => path)).toEqual(['a.http', 'a.body.txt']);
    expect(String(files[1]!.content)).toBe(raw);
  });

  it.each(['{{$=evil()}}', '{{a(1)}}', '{{process.env.HOME+1}}'])(
    'says that httpYac would run %s',
    (text) => {
      const request = {
        method: 'POST',
        url: 'https://x.test/',
        body: { mode: 'raw', raw: `{"a":"${text}"}` },
      };
      const { notes } = read(postman([{ name: 'a', request }]));
      expect(notes.map(({ what }) => what).join('\n')).toMatch(/httpYac runs it as JavaScript/);
    },
  );
});
