import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { exportCollection } from './export-collection';
import { exportFormatNames, type ExportFormat } from './export-formats';
import type { ExportResult, ExportSource } from './export-source';
import { because } from '../../test/support/programs';

const text = (...lines: string[]): string => `${lines.join('\n')}\n`;
const signedBody =
  '{"transaction":{"reference":"{{$uuid}}","amount":{{amount}},"service_code":"X"},"originator":{"country":"KE"}}';

/** What is awkward in a collection, a file each. */
const awkward: Readonly<Record<string, string>> = {
  'A/Signed.http': text(
    '# @name Signed',
    '# @expect status 201',
    '# @depends-on Secrets',
    '# @skip for now',
    '@rail = MPESA',
    'POST {{ base_url }}/payments/v1/payouts?rail={{rail}}&at={{%callback_url}}',
    'Authorization: Bearer {{token.payout}}',
    'X-Custom-Signature: {{signature}}',
    "X-Day: {{$datetime 'YYYY-MM-DD' -1 d}} {{$random.alphanumeric(4)}}{{$random.alphanumeric(4)}}",
    'Content-Type: application/json',
    '',
    signedBody,
  ),
  'A/Secrets.http': text(
    '@api_key = file-secret-1',
    '@address = https://name:variable-secret-9@other.example',
    'GET https://other.example/a?api_key=url-secret-2&q=1',
    'Authorization: Bearer typed-secret-3',
    'X-Api-Key: typed-secret-4',
    'X-From-File: {{api_key}}',
    'X-Hook: {{hook}} {{head}}',
    'X-Vault: {{vault.partner_key}}',
    'X-Odd: eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJzZWNyZXQifQ.c2VjcmV0LXNpZ25hdHVyZQ',
    'Cookie: session=typed-secret-5',
    'Content-Type: application/json',
    '',
    '{"consumer_secret":"body-secret-6","a":1}',
  ),
  'A/Two.http': text(
    '# @name One',
    'GET {{base_url}}/one/{{id}}',
    '###',
    '# @disabled',
    'DELETE {{base_url}}/two',
  ),
  'B/Basic.http': text('GET {{base_url}}/basic', 'Authorization: Basic {{user}} {{password}}', 'X-Empty:'),
  'B/File.http': text('POST {{base_url}}/file', 'Content-Type: application/octet-stream', '', '< ./x.bin'),
  'B/Text file.http': text('PUT {{base_url}}/text', 'Content-Type: text/plain', '', "it's", '< ./x.txt'),
  'B/Missing file.http': text('POST {{base_url}}/none', '', '< ./none.txt'),
  'B/Broken.http': text('this is no request'),
  'B/Lookup.http': text(
    'POST {{base_url}}/tsq/v1/query/payments',
    'Authorization: Bearer {{token.payout}}',
    'Content-Type: application/json',
    '',
    '{"transaction_reference":"{{last_reference}}","n":1000.00,"hidden":"\u202e\u200b"}',
  ),
};

const source: ExportSource = {
  name: 'Awkward',
  files: Object.entries(awkward).map(([path, content]) => ({ path, text: content })),
  environment: {
    name: 'staging',
    baseUrl: 'https://staging.example',
    variables: {
      amount: '10.50',
      user: 'amina',
      password: 'environment-secret-7',
      inner: 'private-secret-8',
      hook: 'https://h.example/?page=2&api_key=value-secret-9',
      head: 'Bearer head-secret-10',
      id: '{{inner}}',
    },
    privateNames: ['inner'],
  },
  readFile: (_path, file) =>
    file === './x.bin'
      ? Uint8Array.of(0, 255, 10, 13)
      : file === './x.txt'
        ? new TextEncoder().encode('é\n')
        : null,
  sources: {
    now: () => Date.UTC(2030, 0, 31),
    random: { uuid: () => 'u-u-i-d', bytes: (count) => new Uint8Array(count) },
  },
  version: '1.2.3',
};

const exported = (format: ExportFormat): ExportResult => exportCollection(source, format);
const contentOf = (format: ExportFormat): string => exported(format).files[0]!.content as string;
const read = <T>(format: ExportFormat): T => JSON.parse(contentOf(format)) as T;
const notesOf = (format: ExportFormat): string[] =>
  exported(format).notes.map(({ where, what }) => `${where}: ${what}`);

describe('every export', () => {
  it.each(exportFormatNames)('holds no secret, typed or of the environment: %s', (format) => {
    const whole = exported(format)
      .files.map(({ content }) => Buffer.from(content as string).toString('latin1'))
      .join('\n');
    expect(whole).not.toMatch(/secret-\d|eyJhbGci/);
    expect(whole.length).toBeGreaterThan(500);
  });

  it.each(exportFormatNames)('says what it leaves out: %s', (format) => {
    expect(notesOf(format)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^B\/Broken.http: Left out: line 1/),
        expect.stringMatching(/^Awkward: Lines `# @expect` .* \(one request\)\.$/),
        expect.stringMatching(/^Awkward: Lines `# @depends-on` .* \(one request\)\.$/),
        expect.stringMatching(/^Awkward: Lines `# @skip` .* \(one request\)\.$/),
      ]),
    );
    expect(exported(format).requests).toBe(8);
  });

  it.each(exportFormatNames)(
    'says of a request that it is left out where another of its file is not: %s',
    (format) => {
      const text = 'GET http://a/good\n\n### bad\nno request line\n\n###\nGET http://a/other\n';
      const { notes } = exportCollection(
        { ...source, files: [{ path: 'a.http', text }, ...source.files] },
        format,
      );
      expect(notes.map(({ where, what }) => `${where}: ${what}`)).toContainEqual(
        expect.stringMatching(/^a\.http: Left out: line 4: Not a request line/),
      );
    },
  );

  it.each(exportFormatNames)('shows nothing that a terminal would act on: %s', (format) => {
    if (format !== 'httpyac') expect(contentOf(format)).not.toMatch(/[\u202e\u200b]/);
  });
});

interface PostmanItem {
  name: string;
  item?: PostmanItem[];
  request?: {
    method: string;
    url: string;
    header: { key: string; value: string }[];
    body?: { raw?: string };
    auth?: unknown;
  };
}

describe('the export for Postman', () => {
  const collection = () =>
    read<{ item: PostmanItem[]; variable: { key: string; value: string; type: string }[]; event: object[] }>(
      'postman',
    );
  const find = (...path: string[]): PostmanItem =>
    path.reduce<PostmanItem>((item, name) => item.item!.find((one) => one.name === name)!, {
      name: '',
      item: collection().item,
    });

  it('keeps folders, headers and bodies, and gives variables of Postman for ours', () => {
    const { request } = find('A', 'Signed');
    expect(request).toMatchObject({
      method: 'POST',
      url: '{{base_url}}/payments/v1/payouts?rail=MPESA&at={{callback_url_encoded}}',
    });
    expect(request!.header.map(({ value }) => value)).toEqual([
      'Bearer {{token.payout}}',
      '{{signature}}',
      '{{datetime}} {{random_alphanumeric}}{{random_alphanumeric_2}}',
      'application/json',
    ]);
    expect(request!.body!.raw).toBe(signedBody.replace('$uuid', '$randomUUID'));
    expect(find('A', 'Two', 'One').request!.url).toBe('{{base_url}}/one/{{id}}');
    expect(find('B', 'Basic').request).toMatchObject({
      auth: { type: 'basic' },
      header: [{ key: 'X-Empty', value: '' }],
    });
  });

  it('has every variable that its requests use, and secret ones without a value', () => {
    const { variable } = collection();
    const values = new Map(variable.map(({ key, value }) => [key, value]));
    const used = [...JSON.stringify(collection().item).matchAll(/\{\{([^{}$]+)\}\}/g)].map(
      ([, name = '']) => name,
    );
    expect([...new Set(used)].filter((name) => !values.has(name) && name !== 'signature')).toEqual([]);
    expect(Object.fromEntries(values)).toMatchObject({
      base_url: 'https://staging.example',
      consumer_key: '',
      amount: '10.50',
      id: '{{inner}}',
      inner: '',
    });
    const secret = variable.filter(({ type }) => type === 'secret');
    expect(secret.map(({ key }) => key)).toEqual(
      expect.arrayContaining([
        'consumer_secret',
        'private_key',
        'api_key',
        'password',
        'inner',
        'vault.partner_key',
        'token.payout',
      ]),
    );
    expect(secret.filter(({ value }) => value !== '')).toEqual([]);
  });
});

describe('the export as curl', () => {
  const lines = () =>
    contentOf('curl')
      .split('\n')
      .filter((line) => line.startsWith('curl '));
  /** What bash hands to curl; process substitutions are read. */
  function run(line: string, environment: Record<string, string>): string[] {
    const script = `curl() { for one in "$@"; do case "$one" in @/dev/fd/*) printf '@'; od -An -tx1 "\${one#@}" | tr -d ' \\n';; *) printf '%s' "$one";; esac; printf '\\0'; done; }\n${line}`;
    const output = execFileSync('bash', ['-c', script], {
      env: { PATH: process.env['PATH'], ...environment } as NodeJS.ProcessEnv,
      encoding: 'utf8',
    });
    return output.split('\0').slice(0, -1);
  }

  it('has one line a request, which bash reads byte for byte', ({ skip }) => {
    skip(...because('bash', 'openssl'));
    expect(lines()).toHaveLength(8);
    const lookup = lines().find((line) => line.includes('/tsq/'))!;
    expect(run(lookup, { base_url: 'http://x', token_payout: 'T' })).toEqual([
      '--globoff',
      'http://x/tsq/v1/query/payments',
      '-H',
      'Authorization: Bearer T',
      '-H',
      'Content-Type: application/json',
      '--data-raw',
      // The payment above it was drawn here.
      '{"transaction_reference":"u-u-i-d","n":1000.00,"hidden":"\u202e\u200b"}',
    ]);
    expect(
      run(
        lines().find((line) => line.includes('/text'))!,
        { base_url: '' },
      ).at(-1),
    ).toBe("it's\né\n");
    expect(
      run(
        lines().find((line) => line.includes('/file'))!,
        { base_url: '' },
      ).slice(-2),
    ).toEqual(['--data-binary', '@00ff0a0d']);
    expect(
      run(
        lines().find((line) => line.includes('/basic'))!,
        { base_url: '', user: 'a', password: "p'" },
      ),
    ).toContain("a:p'");
  });

  it('gives each variable its value before another one asks for it', () => {
    const variables = { a: 'a-{{b}}', b: 'b-{{c}}', c: 'C', unused: 'no' };
    const files = [{ path: 'x.http', text: 'GET http://x/{{a}}\n' }];
    const environment = { name: 'e', baseUrl: '', variables, privateNames: [] };
    const [file] = exportCollection({ ...source, files, environment }, 'curl').files;
    const script = file!.content as string;
    expect(run(script, {})).toEqual(['--globoff', 'http://x/a-b-C']);
    expect(run(script, { c: 'given' })).toEqual(['--globoff', 'http://x/a-b-given']);
    expect(script).not.toContain('unused');
  });

  it('says which variable curl refuses in an address as it is', () => {
    const variables = { a: 'with a blank', b: 'without' };
    const files = [{ path: 'x.http', text: 'POST http://x/{{a}}?b={{b}}\n\n{{a}}\n' }];
    const environment = { name: 'e', baseUrl: '', variables, privateNames: [] };
    expect(exportCollection({ ...source, files, environment }, 'curl').notes).toEqual([
      expect.objectContaining({ what: expect.stringMatching(/^\$a stands in an address.*blank/) as string }),
    ]);
  });

  it('signs with variables inside what is signed', () => {
    const line = lines().find((one) => one.includes('/payouts'))!;
    expect(line).toContain(`printf %s 'u-u-i-d'"$amount"'KEX' | openssl dgst -sha256 -sign`);
  });
});

describe('the export as HAR', () => {
  interface Archive {
    log: {
      entries: { request: { method: string; url: string; postData?: { text: string; _base64?: string } } }[];
    };
  }

  it('is valid HAR 1.2', () => {
    const require = createRequire(import.meta.url);
    const { har } = require('har-validator/lib/promise') as { har(archive: unknown): Promise<unknown> };
    return expect(har(read<Archive>('har'))).resolves.toBeTruthy();
  });

  it('is filled in with what has a value', () => {
    const { entries } = read<Archive>('har').log;
    expect(entries[0]!.request.url).toBe(
      'https://staging.example/payments/v1/payouts?rail=MPESA&at=http%3A%2F%2F127.0.0.1%3A4020%2F',
    );
    expect(entries[0]!.request.postData!.text).toContain('"reference":"u-u-i-d","amount":10.50');
    expect(entries.find(({ request }) => request.url.endsWith('/file'))!.request.postData!._base64).toBe(
      'AP8KDQ==',
    );
    for (const { request } of entries) expect(request.url).not.toMatch(/[{}]/);
  });

  it('says which variables have no value, be it one or several', () => {
    const files = [
      { path: 'a.http', text: 'GET http://x/{{a}}\n' },
      { path: 'b.http', text: 'GET http://x/{{a}}/{{b}}\n' },
    ];
    const { notes } = exportCollection({ ...source, files }, 'har');
    expect(notes.map(({ what }) => what)).toEqual([
      '{{a}} has no value in the archive.',
      '{{a}}, {{b}} have no value in the archive.',
    ]);
  });
});

describe('the export as OpenAPI', () => {
  interface Document {
    paths: Record<
      string,
      Record<
        string,
        {
          operationId: string;
          servers?: object[];
          parameters?: { name: string; in: string }[];
          requestBody?: {
            content: Record<string, { schema: object; examples: Record<string, { value: unknown }> }>;
          };
        }
      >
    >;
    components: { schemas: Record<string, object> };
    servers: object[];
  }

  it('describes the operations of the service by its interface, others by their requests', () => {
    const { paths, components, servers } = read<Document>('openapi');
    expect(servers).toEqual([{ url: 'https://staging.example' }]);
    const payout = paths['/payments/v1/payouts']!['post']!;
    expect(payout.operationId).toBe('payout');
    expect(payout.requestBody!.content['application/json']!.schema).toEqual({
      $ref: '#/components/schemas/PayoutRequest',
    });
    expect(payout.parameters!.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['X-Custom-Signature', 'rail', 'X-Day']),
    );
    expect(paths['/one/{id}']!['get']!.parameters).toMatchObject([
      { name: 'id', in: 'path', required: true },
    ]);
    expect(paths['/a']!['get']!.servers).toEqual([{ url: 'https://other.example' }]);
    // A number that JSON would write otherwise stays as it was.
    const lookup =
      paths['/tsq/v1/query/payments']!['post']!.requestBody!.content['application/json']!.examples;
    expect(Object.values(lookup)[0]!.value).toContain('1000.00');
    for (const [, name] of contentOf('openapi').matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      expect(Object.keys(components.schemas)).toContain(name);
    }
    const ids = Object.values(paths).flatMap((item) =>
      Object.values(item).map(({ operationId }) => operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('the export for httpYac', () => {
  const files = () => new Map(exported('httpyac').files.map(({ path, content }) => [path, content]));

  it('keeps the files as they are, but for secrets and names that JavaScript does not take', () => {
    expect(files().get('A/Signed.http')).toBe(
      awkward['A/Signed.http']!.replace('{{ base_url }}', '{{base_url}}').replace(
        '{{%callback_url}}',
        '{{encodeURIComponent(callback_url)}}',
      ),
    );
    expect(files().get('A/Two.http')).toBe(awkward['A/Two.http']);
    expect(files().get('B/x.bin')).toEqual(Uint8Array.of(0, 255, 10, 13));
    expect(files().has('B/Broken.http')).toBe(false);
  });

  it('has the same names in its environment, secret ones empty', () => {
    const environment = JSON.parse(files().get('http-client.env.json') as string) as Record<
      string,
      Record<string, unknown>
    >;
    expect(environment['staging']).toMatchObject({
      base_url: 'https://staging.example', callback_url: 'http://127.0.0.1:4020/', consumer_key: '', consumer_secret: '', private_key: '',
      amount: '10.50', user: 'amina', password: '', api_key: '', inner: '', vault: { partner_key: '' },
    }); // prettier-ignore
    expect(Object.keys(environment)).toEqual(['staging']);
    expect(files().get('.gitignore')).toContain('http-client.private.env.json');
  });
});

it.each(exportFormatNames)('takes what is deep, long or empty: %s', (format) => {
  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
  const texts = [deep, `{"a":"${'{{x}}'.repeat(20_000)}"}`, "'".repeat(100_000)];
  const files = texts.map((content, index) => ({
    path: `${index}.http`,
    text: `POST {{base_url}}/a\nContent-Type: application/json\n\n${content}\n`,
  }));
  expect(exportCollection({ ...source, files }, format).requests).toBe(3);
  expect(exportCollection({ ...source, files: [] }, format)).toMatchObject({ requests: 0, notes: [] });
});

it('says once what is empty there, and which requests are one there', () => {
  const files = ['one', 'two'].map((name) => ({
    path: `${name}.http`,
    text: `POST {{base_url}}/a?x={{unset}}\nX-Set: {{amount}}\nX-Empty: {{chosen}}\nX-Api-Key: {{key}}\nX-Last: {{last_reference}}\n\n${name}\n`,
  }));
  const environment = { ...source.environment!, variables: { amount: '1', chosen: '' } };
  const notesOf = (format: ExportFormat) =>
    exportCollection({ ...source, files, environment }, format).notes.filter(
      ({ where }) => where === source.name,
    );
  const what = '{{unset}} has no value in this export, and is empty there: give it one before you send.';
  expect(notesOf('postman')).toEqual([{ where: source.name, what }]);
  expect(notesOf('httpyac')).toEqual([{ where: source.name, what }]);
  expect(notesOf('openapi')).toEqual([
    {
      where: source.name,
      what: '2 requests are 1 operation here, one of each method and path: their bodies stand as its examples, and of a parameter that several have the first value.',
    },
  ]);
});

it('has no empty variable for httpYac, which takes it for an address, and its seconds as such', () => {
  const text = '@empty =\r\n@x = 1\nPOST {{base_url}}/a\n\n{{$timestamp}}\n@empty =\n{{empty}}\n';
  const { files } = exportCollection({ ...source, files: [{ path: 'a.http', text }] }, 'httpyac');
  expect(files[0]?.content).toBe(
    "@empty = {{''}}\r\n@x = 1\nPOST {{base_url}}/a\n\n{{$timestamp 0 s}}\n@empty =\n{{empty}}\n",
  );
  // Opened here it is the same, and goes out again as it is.
  const again = { path: 'a.http', text: files[0]!.content as string };
  expect(exportCollection({ ...source, files: [again] }, 'httpyac').files[0]?.content).toBe(again.text);
});

it('says of tags what httpYac, which sends by them, too, reads otherwise, and nothing of those that it reads so', () => {
  const of = (...lines: string[]): string[] => {
    const files = [{ path: 'a.http', text: [...lines, 'GET http://h/a', ''].join('\n') }];
    return exportCollection({ ...source, files }, 'httpyac').notes.map(({ what }) => what);
  };
  expect(of('# @tag smoke, slow')).toEqual([]);
  const what =
    'httpYac reads the last line `# @tag` of a request, its tags with commas between: write them so (one request).';
  expect([of('# @tag smoke slow'), of('# @tag smoke', '# @tag slow')]).toEqual([[what], [what]]);
});

it('fills in a variable that is set to the empty text in an archive, and says of one without a value alone that it has none', () => {
  const environment = { name: 'uat', baseUrl: 'https://h', variables: { none: '' }, privateNames: [] };
  const files = [{ path: 'a.http', text: 'GET https://h/a?b={{none}}&c={{open}}\n' }];
  const har = exportCollection({ ...source, files, environment }, 'har');
  expect(har.files[0]?.content).toContain('"https://h/a?b=&c=%7B%7Bopen%7D%7D"');
  expect(har.notes.map(({ what }) => what)).toEqual(['{{open}} has no value in the archive.']);
});

it.each(['postman', 'httpyac'] as const)('says of %s what it sends in Latin-1, or cannot', (format) => {
  const text =
    '@two = żółć\nPURGE https://h/a\nA: Zoë\nA: Zoë\nB: b\nC: {{two}}\n\n###\nREPORT https://h/b\n';
  const { notes } = exportCollection({ ...source, files: [{ path: 'a.http', text }] }, format);
  const tool = { postman: 'Postman', httpyac: 'httpYac' }[format];
  const latin = `${tool} sends its headers A, C in Latin-1, which is UTF-8 here, and ends with an error at letters that Latin-1 has not.`;
  const method = 'httpYac has no method PURGE, and this request fails there.';
  expect(notes.map(({ what }) => what)).toEqual(format === 'httpyac' ? [latin, method] : [latin]);
});
