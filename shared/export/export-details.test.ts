import { describe, expect, it } from 'vitest';
import { exportCollection } from './export-collection';
import type { ExportFormat } from './export-formats';
import type { ExportSource } from './export-source';
import { markVariables } from './mark-variables';
import { readAddress } from './openapi/read-address';

function collection(files: Record<string, string>, change: Partial<ExportSource> = {}): ExportSource {
  let count = 0;
  return {
    name: 'C',
    files: Object.entries(files).map(([path, text]) => ({ path, text })),
    environment: null,
    readFile: () => null,
    sources: {
      now: () => Date.UTC(2030, 0, 31),
      random: { uuid: () => `uuid-${++count}`, bytes: (size) => new Uint8Array(size) },
    },
    version: '1',
    ...change,
  };
}
const environment = (variables: Record<string, string>, privateNames: string[] = []) => ({
  environment: { name: 'uat', baseUrl: 'https://uat.example', variables, privateNames },
});
const write = (format: ExportFormat, files: Record<string, string>, change: Partial<ExportSource> = {}) => {
  const result = exportCollection(collection(files, change), format);
  return {
    ...result,
    texts: Object.fromEntries(result.files.map(({ path, content }) => [path, String(content)])),
    notes: result.notes.map(({ where, what }) => `${where}: ${what}`),
  };
};
const readJson = (text: string | undefined): never => JSON.parse(text ?? '') as never;

interface HarRequest {
  url: string;
  headers: { name: string; value: string }[];
  postData?: { text: string };
}
const listSent = (files: Record<string, string>, change: Partial<ExportSource> = {}): HarRequest[] => {
  const { log } = readJson(write('har', files, change).texts['requests.har']) as {
    log: { entries: { request: HarRequest }[] };
  };
  return log.entries.map(({ request }) => request);
};

describe('an archive', () => {
  const pay = (product: string, reference: string, more = ''): string =>
    `POST {{base_url}}/p\nAuthorization: Bearer {{token.${product}}}\n${more}\n` +
    `{"transaction":{"reference":${reference},"amount":1,"service_code":"X"},"originator":{"country":"KE"}}\n`;
  const look = (header: string): string => `POST {{base_url}}/q\n${header}\n\n{{last_reference}}\n`;

  it('looks up the last payment above of the product that it has a token of', () => {
    const sent = listSent({
      'a.http': look('Authorization: Bearer {{token.payout}}'),
      'b.http': pay('payout', '"{{$uuid}}"'),
      'c.http': pay('remittance', '"R-1"'),
      'd.http': look('Authorization: Bearer {{token.payout}}'),
      'e.http': look('X-A: 1\nAuthorization: Bearer {{token.remittance}}'),
      'f.http': look('Authorization: Bearer {{token.collection}}'),
      'g.http': look('X-A: 1'),
      'h.http': pay('payout', '7'),
      'i.http': pay('payout', '"no token"').replace(/Authorization.*\n/, ''),
      'j.http': 'POST {{base_url}}/p\nAuthorization: Bearer {{token.payout}}\n\nno JSON {{last_reference}}\n',
      'k.http': pay('payout', '"{{open}} 90000000001"'),
      'l.http': look('Authorization: Bearer {{token.payout}}'),
    });
    const bodies = sent.map(({ postData }) => postData?.text.trim());
    expect([0, 3, 4, 5, 6, 9, 11].map((at) => bodies[at])).toEqual([
      '{{last_reference}}',
      'uuid-1',
      'R-1',
      'R-1',
      'R-1',
      'no JSON uuid-1',
      '{{open}} 90000000001',
    ]);
  });

  it('draws at each place by itself, and fills values in that values ask for, five deep', () => {
    const chain = Object.fromEntries(
      Array.from({ length: 9 }, (_, at) => [`v${at}`, at === 8 ? 'end' : `{{v${at + 1}}}`]),
    );
    const [request] = listSent(
      { 'a.http': 'GET {{base_url}}/{{$uuid}}/{{$uuid}}/{{v3}}/{{v2}}?x={{%odd}}&y={{%none}}\n' },
      environment({ ...chain, odd: 'a b&{{$uuid}}' }),
    );
    expect(request!.url).toBe(
      'https://uat.example/uuid-1/uuid-2/end/%7B%7Bv8%7D%7D?x=a%20b%26uuid-3&y=%7B%7B%none%7D%7D',
    );
  });

  it('encodes half of a surrogate pair for an address as everybody else does', () => {
    const [request] = listSent({ 'a.http': 'GET http://x/{{%odd}}\n' }, environment({ odd: 'a\ud800' }));
    expect(request!.url).toBe('http://x/a%EF%BF%BD');
  });

  it('says that something was drawn where something was', () => {
    const drawn = /drawn anew/;
    expect(write('har', { 'a.http': 'GET http://x/{{a}}/{{$uuid}}\n' }).notes.join()).toMatch(drawn);
    expect(write('har', { 'a.http': 'GET http://x/{{a}}\n' }).notes.join()).not.toMatch(drawn);
  });
});

describe('a secret of a collection', () => {
  interface Variable {
    key: string;
    value: string;
    type: string;
  }
  const listVariables = (files: Record<string, string>, change: Partial<ExportSource>): Variable[] =>
    (readJson(write('postman', files, change).texts['collection.json']) as { variable: Variable[] }).variable;

  it('stands by its name alone, wherever its name was found', () => {
    const files = {
      'a.http':
        '@pass_phrase = {{inner}}\n@mine = 1\nGET {{base_url}}/{{mine}}\nX: {{consumer_secret}} {{private_key}} {{vault.x}} {{own}} {{open}}\nX-Api-Key: {{%api_key}} typed\n',
    };
    const variables = listVariables(
      files,
      environment({ own: 'private', open: 'public', consumer_secret: 's', api_key: 'k' }, ['own']),
    );
    const typeOf = (name: string) => variables.find(({ key }) => key === name);
    for (const name of ['consumer_secret', 'vault.x', 'own', 'api_key'])
      expect(typeOf(name), name).toMatchObject({ value: '', type: 'secret' });
    expect(typeOf('open')).toMatchObject({ value: 'public', type: 'string' });
    expect(typeOf('mine')).toBeUndefined();
  });

  it('that was typed into a request is a variable with a name that nothing else has', () => {
    const files = {
      'a.http':
        '@token_2=x\n\t@authorization = y\n@authorization_2\t= z\n@x = @authorization_3 = q\n' +
        'GET http://x/{{%authorization_4}}\nAuthorization: Bearer typed-secret-value\n',
    };
    const { texts } = write('postman', files);
    expect(texts['collection.json']).not.toContain('typed-secret-value');
    const { variable, item } = readJson(texts['collection.json']) as {
      variable: Variable[];
      item: { request: { header: { value: string }[] } }[];
    };
    const name = /\{\{(.+)\}\}/.exec(item[0]!.request.header[0]!.value)![1]!;
    expect(['authorization', 'authorization_2', 'authorization_4']).not.toContain(name);
    expect(variable.find(({ key }) => key === name)).toMatchObject({ value: '', type: 'secret' });
  });

  it('keeps braces with backslashes for httpYac, and says that it sends them without', () => {
    const escaped = String.raw`\{\{name\}\}`;
    const { texts, notes } = write('httpyac', { 'a.http': `POST http://h/a\n\n${escaped}\n` });
    expect(texts['a.http']).toContain(escaped);
    expect(notes).toEqual([expect.stringMatching(/^a\.http: Line 3: .*httpYac sends the braces without/)]);
    expect(write('httpyac', { 'a.http': 'POST http://h/a\n\n{{a(1)}}\n' }).notes.join()).not.toContain(
      'without',
    );
  });

  it('has a place in the environment of httpYac, and only one', () => {
    const { texts } = write(
      'httpyac',
      {
        'a.http':
          '@api_key = typed-1\n@address = http://ann:typed-2@x\n@address2=Bearer typed-3-long-enough\n#@x = 1\n' +
          'get http://x/{{api_key}}\nAuthorization: Bearer typed-4-long-enough\n# X-Api-Key:  typed-5\n//Bearer typed-6-long-enough\n\n' +
          '# remark {{a}}\n{"api_key":"typed-7"}\n',
      },
      environment({ api_key: 'of-the-environment' }),
    );
    expect(Object.values(texts).join('\n')).not.toMatch(/typed-\d|of-the-environment/);
    expect(texts['a.http']).toMatch(/^GET http:\/\/x\/\{\{api_key\}\}$/m);
    expect(texts['a.http']).toContain('#@x = 1\n');
    const { uat } = readJson(texts['http-client.env.json']) as { uat: Record<string, string> };
    expect(uat['api_key']).toBe('');
    const named = [...texts['a.http']!.matchAll(/\{\{([^{}]+)\}\}/g)].map(([, name]) => name!);
    for (const name of named.filter((one) => one !== 'a')) expect(uat).toHaveProperty([name], '');
  });
});

describe('an export to httpYac', () => {
  it('leaves what is right as it is, and joins an address', () => {
    const right =
      '### a\n# @name x\nPOST http://x/a?b=1\nA:  1\n# a # b\n\n# no comment\n{"a": 1}\n\n###\nhttp://y\n';
    expect(write('httpyac', { 'a.http': right }).texts['a.http']).toBe(right);
    expect(
      write('httpyac', {
        'a.http': 'post http://x\n  ?a=1\n  # &b=2\n  &c={{my-id}}\nA: {{$isoTimestamp  -1 d}} {{%my.id}}\n',
      }).texts['a.http'],
    ).toBe('POST http://x?a=1&c={{my_id}}\nA: {{$datetime iso8601 -1 d}} {{encodeURIComponent(my_id)}}\n');
  });

  it('encodes what is encoded here, also where it is drawn or stands in the value of another variable', () => {
    const text =
      "@mine = {{$datetime 'DD MM'}}\n@to = {{other}} b\nGET http://x/{{%$uuid}}?at={{%$datetime 'DD MM'}}&m={{%mine}}&t={{%to}}\n";
    const of = environment({ other: 'a&' });
    expect(write('har', { 'a.http': text }, of).texts['requests.har']).toMatch(
      /x\/uuid-1\?at=\d\d%20\d\d&m=\d\d%20\d\d&t=a%26%20b"/,
    );
    expect(write('curl', { 'a.http': text }, of).texts['requests.sh']).toMatch(
      /x\/uuid-1\?at=\d\d%20\d\d&m=\d\d%20\d\d&t='"\$other_encoded"'%20b'/,
    );
    const postman = write('postman', { 'a.http': text }, of).texts['collection.json'];
    expect(postman).toContain(
      '"http://x/{{$randomUUID}}?at={{datetime_encoded}}&m={{datetime_encoded}}&t={{other_encoded}}%20b"',
    );
    expect(postman).toContain(String.raw`\"datetime_encoded\": \"datetime\"`);
    const { texts, notes } = write('httpyac', { 'a.http': text }, of);
    expect(texts['a.http']).toContain(
      "http://x/{{$uuid}}?at={{$datetime 'DD MM'}}&m={{encodeURIComponent(mine)}}&t={{encodeURIComponent(to)}}",
    );
    expect(notes).toContain(
      'a.http: {{%$uuid}} is written without %: httpYac does not encode what it draws.',
    );
  });

  it('leaves the names of variables in any script as they are, with their own values', () => {
    const { texts } = write(
      'httpyac',
      { 'a.http': '@größe = 7\nGET http://x/{{参考}}/{{金额}}?q={{%参考}}&n={{größe}}\n' },
      environment({ 参考: 'one', 金额: 'two' }),
    );
    expect(texts['a.http']).toBe(
      '@größe = 7\nGET http://x/{{参考}}/{{金额}}?q={{encodeURIComponent(参考)}}&n={{größe}}\n',
    );
    const { uat } = readJson(texts['http-client.env.json']) as { uat: Record<string, string> };
    expect(uat).toMatchObject({ 参考: 'one', 金额: 'two' });
  });

  it('takes along the files of bodies that lie in the collection, each once', () => {
    const read: string[] = [];
    const body = (path: string): string => `POST http://x\n\n< ${path}\n`;
    const { files } = write(
      'httpyac',
      {
        'f/a.http': body('./b.bin'),
        'f/b.http': body('..//f/./b.bin'),
        'c.http': body('../out.bin'),
        'd.http': body('/etc/passwd'),
        'e.http': body('f\\g.bin'),
        'g.http': body('{{name}}.bin'),
        'h.http': body('none.bin'),
        'i.http': 'POST http://x\nContent-Type: application/x-www-form-urlencoded\n\na=1\n&b=2\n',
      },
      {
        readFile: (_path, file) => {
          read.push(file);
          return file.endsWith('b.bin') ? Uint8Array.of(1) : null;
        },
      },
    );
    const paths = files.map(({ path }) => path).filter((path) => !/\.http$|^\./.test(path));
    expect(paths).toEqual(['f/b.bin', 'http-client.env.json']);
  });

  it.each([
    ['Digest amina word-9x', 'Digest amina {{password}}'],
    ['digest {{user}} {{password}}', 'digest {{user}} {{password}}'],
    [
      'AWS AKI-1 s3cret/x token:t0ken-9 region:eu-west-1 service:execute-api',
      'AWS AKI-1 {{password}} token:{{token}} region:eu-west-1 service:execute-api',
    ],
  ])('hides the secrets of a header that httpYac works out: %s', (value, wanted) => {
    const written = (line: string): string =>
      `### A\nPOST http://h/a\nAuthorization: ${line}\nX-A: 1\n\nDigest of a text\n`;
    const { texts } = write('httpyac', { 'a.http': written(value) });
    expect(texts['a.http']).toBe(written(wanted));
  });

  it('keeps the values of an environment apart from those of a vault, and has a name without one', () => {
    const files = { 'a.http': 'GET {{base_url}}/{{my-id}}\nX: {{vault.my-key}}\n' };
    const named = write('httpyac', files, environment({ 'my-id': '{{other.id}}', 'other.id': '5' }));
    expect(readJson(named.texts['http-client.env.json'])).toMatchObject({
      uat: { my_id: '{{other_id}}', other_id: '5', vault: { my_key: '' } },
    });
    const plain = readJson(
      write('httpyac', { 'a.http': 'GET {{base_url}}\n' }).texts['http-client.env.json'],
    );
    expect(Object.keys(plain)).toEqual(['local']);
    expect(Object.keys((plain as { local: object }).local)).not.toContain('vault');
    expect((plain as { local: object }).local).not.toHaveProperty('last_reference');
  });

  it('says of which environment a value is left out', () => {
    const files = { 'a.http': 'GET {{base_url}}/{{a}}\n' };
    const { notes } = write('httpyac', files, environment({ a: '{{1+1}}' }));
    expect(notes).toContainEqual(expect.stringMatching(/^uat: The value of a is left out/));
  });
});

describe('the address of an operation', () => {
  const values = new Map([
    ['id', '7'],
    ['host', 'eu.example'],
    ['secure', 'https://s.example'],
  ]);
  it.each([
    ['{{base_url}}', [], null, '/', [], []],
    [
      '{{base_url}}/a?b=1&&c&d=e=f&#g?h=2',
      [],
      null,
      '/a',
      [],
      [
        ['b', '1'],
        ['c', ''],
        ['d', 'e=f'],
      ],
    ],
    ['{{host}}:8080/a', [], 'http://eu.example:8080', '/a', [], []],
    ['{{secure}}/a', [], 'https://s.example', '/a', [], []],
    ['{{none}}/a', [], 'http://host.invalid', '/a', [], []],
    ['HTTP2+x.y-z://h/a', [], 'HTTP2+x.y-z://h', '/a', [], []],
    ['h.example/a', [], 'http://h.example', '/a', [], []],
    ['h.example/http://b', [], 'http://h.example', '/http://b', [], []],
    [
      '{{base_url}}/a/{{id}}/{{id}}',
      [],
      null,
      '/a/{id}/{id_2}',
      [
        ['id', '7'],
        ['id_2', '7'],
      ],
      [],
    ],
    [
      '{{base_url}}/{{$random  x}}/{{%a}}',
      [],
      null,
      '/{random_x}/{a}',
      [
        ['random_x', '{{$random  x}}'],
        ['a', null],
      ],
      [],
    ],
    ['{{base_url}}/{x}\n/b', [], null, '/%7Bx%7D\n/b', [], []],
    ['{{base_url}}/a/{{id}}', ['/b/{x}', '/a/{x}'], null, '/a/{x}', [['x', '7']], []],
    ['{{base_url}}/a/{{id}}', ['/a/{id}', '/a/{x}'], null, '/a/{x}', [['x', '7']], []],
  ])('%s beside %j is of %s: %s', (url, known, server, path, variables, query) => {
    expect(readAddress(url, values, known)).toEqual({ server, path, variables, query });
  });
});

describe('a description', () => {
  interface Operation {
    operationId: string;
    servers?: { url: string }[];
    security?: object[];
    parameters?: { name: string; in: string }[];
    requestBody?: { content: Record<string, { examples?: Record<string, { value: unknown }> }> };
  }
  interface Document {
    paths: Record<string, Record<string, Operation>>;
    components: { schemas?: object; securitySchemes: object };
  }
  const describeAll = (files: Record<string, string>): Document =>
    readJson(write('openapi', files).texts['openapi.json']);

  it('names each operation by itself, and none as one of the service', () => {
    const { paths, components } = describeAll({
      'Payout.http': 'GET {{base_url}}/1\n',
      'Payout second path.http': 'GET {{base_url}}/2\n',
      'a  &  b.http': 'GET {{base_url}}/3\n',
      'A-b.http': 'GET {{base_url}}/4\n',
      '&.http': 'GET {{base_url}}/5\n',
      'payout second path x.http': 'GET {{base_url}}/6\n',
    });
    expect(Object.values(paths).map(({ get }) => get!.operationId)).toEqual([
      'payout_2',
      'payout_second_path_2',
      'a_b',
      'a_b_2',
      'request',
      'payout_second_path_x',
    ]);
    expect(components.schemas).toBeUndefined();
  });

  it('has the operations of the service by their method, with their schemas', () => {
    const { paths, components } = describeAll({
      'a.http': 'GET {{base_url}}/payments/v1/payouts\n',
      'b.http': 'POST {{base_url}}/payments/v1/payouts\nContent-Type: application/json\n\n{"a":1}\n',
    });
    expect(paths['/payments/v1/payouts']!['get']!.operationId).toBe('a');
    expect(paths['/payments/v1/payouts']!['post']!.operationId).toBe('payout');
    expect(components.schemas).toBeDefined();
  });

  it('asks for a token where one is sent, and has each server and parameter once', () => {
    const { paths, components } = describeAll({
      'a.http': 'GET http://x/a?q=1&q=2\nAuthorization: Bearer {{token.payout}}\nQ: 1\nq: 2\nAccept: a\n',
      'b.http': 'GET http://x/a?r=1\n',
      'c.http': 'GET http://y/a?Q=1\n',
      'd.http':
        'GET http://x/b\nX-Authorization: Bearer a\nAuthorization-Info: bearer a\nAuthorization: Basic a\n',
      'e.http': 'GET http://x/c\nauthorization: {{api_key}}\n',
      'f.http': 'GET http://x/c\nAuthorization: bearer {{token.payout}}\n',
      'g.http': 'GET http://x/d\nX-Authorization: Bearer a\n',
    });
    const a = paths['/a']!['get']!;
    expect(a.servers).toEqual([{ url: 'http://x' }, { url: 'http://y' }]);
    expect(a.security).toEqual([{ bearer: [] }]);
    expect(a.parameters!.map((one) => `${one.in} ${one.name}`)).toEqual(['query q', 'header Q', 'query r']);
    expect(['/b', '/c', '/d'].map((path) => paths[path]!['get']!.security)).toEqual([
      [{ basic: [] }],
      [{ authorization: [] }, { bearer: [] }],
      [],
    ]);
    expect(Object.keys(components.securitySchemes)).toEqual(['bearer', 'basic', 'authorization']);
  });

  it.each([
    ['{"a": 1, "b": "1.0\\" 2.0", "c": [-5, 1.5]}', { a: 1, b: '1.0" 2.0', c: [-5, 1.5] }],
    ['{"a":1.0}', '{"a":1.0}'],
    ['{"a":1e3}', '{"a":1e3}'],
    ['{"a":12345678901234567890}', '{"a":12345678901234567890}'],
    ['{"a":"","b":"\\\\","c":1.0}', '{"a":"","b":"\\\\","c":1.0}'],
    ['{"a":"x\\ty\\n1.0"}', { a: 'x\ty\n1.0' }],
    ['true', true],
    ['no JSON', 'no JSON'],
    [`${'['.repeat(101)}${']'.repeat(101)}`, `${'['.repeat(101)}${']'.repeat(101)}`],
    [
      `[${'{},[],'.repeat(200)}1]`,
      [
        ...Array<never[]>(200)
          .fill([])
          .flatMap(() => [{}, []]),
        1,
      ],
    ],
    [`${'{"a":'.repeat(101)}1${'}'.repeat(101)}`, `${'{"a":'.repeat(101)}1${'}'.repeat(101)}`],
  ])('shows the body %s as %j', (body, value) => {
    const { paths } = describeAll({
      'a.http': `POST http://x/a\nContent-Type: Application/JSON; charset=utf-8; x\n\n${body}\n`,
    });
    const { content } = paths['/a']!['post']!.requestBody!;
    expect(content['application/json']!.examples!['a']!.value).toEqual(value);
  });

  it('reads a body a hundred deep, and keeps examples of one name apart', () => {
    const deep = `${'['.repeat(100)}${']'.repeat(100)}`;
    const post = (body: string): string => `POST http://x/a\nContent-Type: application/json\n\n${body}\n`;
    const { paths } = describeAll({
      'f/a b.http': post(deep),
      'g/a b.http': post('1'),
      'h/a b.http': post('2'),
    });
    const examples = paths['/a']!['post']!.requestBody!.content['application/json']!.examples!;
    expect(Object.keys(examples)).toEqual(['a_b', 'a_b_2', 'a_b_3']);
    expect(examples['a_b']!.value).toEqual(JSON.parse(deep));
  });
});

describe('a part that is off, for Postman', () => {
  const urlOf = (url: string): object => {
    const { item } = readJson(
      write('postman', { 'a.http': `GET ${url}\n# &off=1\n` }).texts['collection.json'],
    ) as { item: { request: { url: object } }[] };
    return item[0]!.request.url;
  };
  const off = { key: 'off', value: '1', disabled: true };
  it.each([
    ['http://x', { host: ['x'], protocol: 'http', query: [off] }],
    ['{{base_url}}/a', { host: ['{{base_url}}'], path: ['a'], query: [off] }],
    [
      'http2+a://x:80/a/b?c=d=e&{{k}}={{v=&w}}&{{a=b&c}}=1&f#g',
      {
        protocol: 'http2+a',
        host: ['x'],
        port: '80',
        path: ['a', 'b'],
        query: [
          { key: 'c', value: 'd=e' },
          { key: '{{k}}', value: '{{v=&w}}' },
          { key: '{{a=b&c}}', value: '1' },
          { key: 'f', value: null },
          off,
        ],
        hash: 'g',
      },
    ],
  ])('%s goes in parts', (url, parts) => {
    const { raw, ...rest } = urlOf(url) as { raw: string };
    expect(raw).toBe(url);
    expect(rest).toEqual(parts);
  });

  it('of an address whose path would be a variable there is left out, and said', () => {
    for (const url of ['http://x/:a', 'http://x/a/:b']) expect(urlOf(url)).toBe(url);
    expect(urlOf('http://x/a:b')).toMatchObject({ path: ['a:b'] });
  });
});

it('marks variables by numbers that stand nowhere else, and finds the way back', () => {
  const marked = markVariables('{"a":{{x}},"b":"{{y}} 90000000001 90000000002","c":{{x}}}');
  const numbers = marked.text.match(/\d{11}/g)!;
  expect(new Set(numbers).size).toBe(5);
  expect(marked.restore(marked.text)).toBe('{"a":{{x}},"b":"{{y}} 90000000001 90000000002","c":{{x}}}');
});
