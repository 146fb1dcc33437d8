import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assembleBody } from '../http-file/assemble-body';
import { createDynamicValues } from '../http-file/dynamic-values';
import { readHeaderRows, readQuery } from '../http-file/edit-rows';
import { parseHttpFile } from '../http-file/parse-http-file';
import { prepareRequest } from '../http-file/prepare-request';
import { hasActingLine } from '../http-file/script-braces';
import { importDocument } from '../import/import-document';
import { exportCollection } from './export-collection';
import type { ExportFormat } from './export-formats';
import type { ExportSource } from './export-source';

/** A collection goes out in another tool's form and comes back: every request must be the same one. */
const sources = {
  now: () => Date.UTC(2030, 0, 31),
  random: { uuid: () => 'u-u-i-d', bytes: (count: number) => new Uint8Array(count) },
};
/** `{{ amount }}` and `{{amount}}` are one variable. */
const values = {
  base_url: 'http://b',
  amount: '12.50',
  last_reference: 'R',
  callback_url: 'http://c/d?e',
  id: 'i/d',
};
const binary = Uint8Array.of(0, 255, 128, 10, 13, 10);

interface Sent {
  method: string;
  url: string;
  headers: (readonly [string, string])[];
  body: string | null;
}

function read(text: string, files: ReadonlyMap<string, Uint8Array>): Sent {
  const file = parseHttpFile(text);
  expect(file.faults, text).toEqual([]);
  const prepared = prepareRequest(file.requests[0]!, {
    variables: values,
    dynamic: createDynamicValues(sources),
  });
  const { method, url, headers } = prepared;
  const body = assembleBody(prepared, (path) => files.get(path.replace(/^\.\//, '')) ?? binary);
  return { method, url, headers, body: body === null ? null : Buffer.from(body.bytes).toString('latin1') };
}

function roundTrip(texts: readonly string[], format: ExportFormat & ('curl' | 'postman')): Sent[] {
  const source: ExportSource = {
    name: 'Round trip',
    files: texts.map((text, index) => ({ path: `R${String(index).padStart(4, '0')}.http`, text })),
    environment: null,
    readFile: () => binary,
    sources,
    version: '1',
  };
  const [file] = exportCollection(source, format).files;
  const plan = importDocument(
    { name: 'file', files: [{ path: 'file', text: file!.content as string }] },
    format,
  );
  const written = new Map(plan.files.map(({ path, content }) => [path, content]));
  // Postman is handed the name of a file alone.
  const files = new Map<string, Uint8Array>([['x.bin', binary]]);
  for (const [path, content] of written)
    files.set(path, typeof content === 'string' ? new TextEncoder().encode(content) : content);
  return plan.order.map((path) => read(written.get(path) as string, files));
}

/** No letters that could make the name of a secret. */
const plain = [...'xyzXYZ019'];
const variable = fc.constantFrom('{{base_url}}', '{{ amount }}', '{{last_reference}}', '{{callback_url}}');
const urlPart = fc
  .array(
    fc.constantFrom(
      ...plain,
      '-',
      '_',
      '.',
      '~',
      ':',
      '!',
      '$',
      "'",
      '(',
      ')',
      '*',
      '+',
      ',',
      ';',
      '%20',
      '%2F',
      '{{id}}',
      'é',
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''));
const query = fc
  .array(
    fc.tuple(
      fc.constantFrom('x', 'y[0]', 'z', '$x'),
      fc.oneof(urlPart, fc.constantFrom('a=b', '{"x":1}', '[1,2]', '"')),
    ),
    { maxLength: 3 },
  )
  .map((pairs) =>
    pairs.length === 0 ? '' : `?${pairs.map(([name, value]) => `${name}=${value}`).join('&')}`,
  );
const url = fc
  .tuple(
    fc.constantFrom('{{base_url}}', 'https://h.example', 'http://127.0.0.1:4010/base'),
    fc.array(urlPart, { maxLength: 3 }),
    query,
    fc.constantFrom('', '#x'),
  )
  .map(([base, path, search, hash]) => `${base}/${path.join('/')}${search}${hash}`);
const character = fc.constantFrom(
  ...plain,
  ' ',
  '"',
  "'",
  '`',
  '$',
  '\\',
  '!',
  '#',
  '%',
  '&',
  '|',
  ';',
  '>',
  '(',
  ')',
  '{',
  '}',
  '@',
  '=',
  '~',
  'é',
  '\u{1f600}',
  '\u200b',
  '\u202e',
  '$(id)',
  '$x',
  '${x}',
  '\\n',
  "'\\''",
  '}}',
);
const value = fc
  .array(fc.oneof({ weight: 6, arbitrary: character }, variable), { maxLength: 12 })
  .map((parts) => parts.join('').trim());
const header = fc.tuple(fc.constantFrom('X-One', 'x-two', 'Accept', 'Accept-Language', 'X-One'), value);
const line = fc
  .array(fc.oneof({ weight: 8, arbitrary: character }, variable), { maxLength: 20 })
  .map((parts) => parts.join(''));
const freeText = fc
  .tuple(fc.array(line, { minLength: 1, maxLength: 4 }), fc.constantFrom('\n', '\r\n'))
  .map(([lines, end]) => lines.join(end));
const json = fc.json({ maxDepth: 3 }).map((text) => text.replace(/[a-df-su-w]/gi, 'x'));
const literals = fc.constantFrom(
  '{"amount": 1000.00, "big": 12345678901234567890, "e": 1e3}',
  '{\r\n\t"x": {{amount}},\r\n\t"y": "{{last_reference}}"\r\n}',
  "{'it''s'}",
);
const body = fc.oneof(fc.constant(null), freeText, json, literals, fc.constant('< ./x.bin'));
const types = [
  'application/json',
  'text/plain',
  'application/xml; charset=utf-8',
  'application/x-www-form-urlencoded',
  null,
];
const request = fc
  .record({
    method: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'PURGE'),
    url,
    headers: fc.array(header, { maxLength: 3 }),
    type: fc.constantFrom(...types),
    body,
  })
  .map(({ method, url: address, headers, type, body: content }) => {
    const lines = [...headers, ...(type === null ? [] : [['Content-Type', type] as const])].map(
      ([name, one]) => `${name}: ${one}`,
    );
    return [`${method} ${address}`, ...lines, ...(content === null ? [] : ['', content])].join('\n');
  })
  // What our own parser calls a fault, or leaves out, is no request to compare.
  .filter((text) => {
    const { faults, requests } = parseHttpFile(text);
    const isSound = faults.length === 0 && requests.length === 1 && requests[0]!.notes.length === 0;
    // Braces that meet by chance are variables of strange names, and those are renamed.
    // What httpYac would act on goes into a file, where variables are not filled in, as a note says.
    const goesIntoFile = hasActingLine(requests[0]?.body ?? '') && text.includes('{{');
    return isSound && !goesIntoFile && !/\{[\r\n&]*\{/.test(text.replace(/\{\{ ?[a-z_]+ ?\}\}/g, ''));
  });

describe.each(['postman', 'curl'] as const)('a collection that goes out as %s and comes back', (format) => {
  /** curl is given an address as it is sent. */
  const asSent = (sent: Sent): Sent => (format === 'curl' ? { ...sent, url: new URL(sent.url).href } : sent);

  it('has the same method, address, headers and body bytes, for 500 requests', () => {
    fc.assert(
      fc.property(request, (text) => {
        const given = read(text, new Map([['x.bin', binary]]));
        expect(roundTrip([text], format).map(asSent)).toEqual([asSent(given)]);
      }),
      { numRuns: 500 },
    );
  });

  it('has the token and the signature where they stood', () => {
    const text = [
      'POST {{base_url}}/payments/v1/payouts?k={{k}}',
      'Authorization: Bearer {{token.payout}}',
      'X-Custom-Signature: {{signature}}',
      'Content-Type: application/json',
      '',
      `{"transaction":{"reference":"it's (R)","amount":{{amount}},"service_code":"X"},"originator":{"country":"KE"}}`,
    ].join('\n');
    expect(roundTrip([text, text], format)).toEqual([read(text, new Map()), read(text, new Map())]);
  });
});

it('comes back from a script for bash with what is encoded there, and with bodies that no argument holds', () => {
  const texts = [
    'GET {{base_url}}/a/{{%id}}?x={{%callback_url}}',
    `POST {{base_url}}/b\nContent-Type: text/plain\n\n${"it's {{amount}} ".repeat(10_000)}.`,
  ];
  expect(roundTrip(texts, 'curl')).toEqual(texts.map((text) => read(text, new Map())));
});

describe('a collection that goes out for Postman and comes back', () => {
  it('draws the values that it drew', () => {
    const text = [
      'POST {{base_url}}/a?at={{%callback_url}}&k={{%vault.partner}}',
      "X-Day: {{$datetime 'YYYY-MM-DD' -1 d}} {{$random.hexadecimal(4)}}{{$random.hexadecimal(4)}}",
      '',
      '{"reference":"{{$uuid}}","time":"{{$isoTimestamp}}","n":{{$randomInt 5 7}}}',
    ].join('\n');
    const source: ExportSource = {
      name: 'x',
      files: [{ path: 'a.http', text }],
      environment: null,
      readFile: () => null,
      sources,
      version: '1',
    };
    const [file] = exportCollection(source, 'postman').files;
    const { files, order } = importDocument(
      { name: 'x', files: [{ path: 'x', text: file!.content as string }] },
      'postman',
    );
    const block = parseHttpFile(files.find(({ path }) => path === order[0])!.content as string).requests[0]!;
    const original = parseHttpFile(text).requests[0]!;
    expect([block.url, block.headers[0]!.value, block.body]).toEqual([
      original.url,
      original.headers[0]!.value,
      original.body,
    ]);
  });

  it('keeps what would be a comment in JSON, which Postman leaves out of a body that it takes for JSON', () => {
    const text = 'POST http://h/a\nContent-Type: application/json\n\n{"a": 1, // one\n"b": "//x" /* two */}';
    expect(roundTrip([text], 'postman')).toEqual([read(text, new Map())]);
  });

  it('says that Postman sends one of the headers whose names differ in their case alone', () => {
    const file = { path: 'a.http', text: 'GET http://h/a\nX-A: 1\nx-a: 2\nX-B: 1\nX-B: 2' };
    const readFile = (): null => null;
    const source: ExportSource = {
      name: 'x',
      files: [file],
      environment: null,
      readFile,
      sources,
      version: '1',
    };
    expect(exportCollection(source, 'postman').notes).toEqual([
      { where: 'a.http', what: 'Of its headers X-A, x-a Postman sends the last: write their names alike.' },
    ]);
  });

  it('keeps what is switched off, where it stood, and the examples beside it', () => {
    const text = [
      '# @name Pay',
      'GET {{base_url}}:8443/a/{{id}}',
      '    # ?first=0',
      '    ?x={{id}}&y',
      '    # &page=2%263',
      '    &z=1#frag',
      'X-One: 1',
      '# X-Off: {{id}}',
      'X-Two: 2',
      '# Authorization: Bearer abcdefghijkl',
      '',
    ].join('\n');
    const example =
      '# GET http://b/a\nHTTP/1.1 201 Created\nContent-Type: application/json\n\n{\n  "a": 1.00\n}';
    const source: ExportSource = {
      name: 'x',
      files: [{ path: 'f/Pay.http', text }],
      examples: [
        { path: 'f/Pay.201 Created.example.http', owner: 'f/Pay.http', name: '201 Created', text: example },
      ],
      environment: null,
      readFile: () => null,
      sources,
      version: '1',
    };
    const [file] = exportCollection(source, 'postman').files;
    expect(file!.content).not.toContain('abcdefghijkl');
    const { files, notes } = importDocument(
      { name: 'x', files: [{ path: 'x', text: file!.content as string }] },
      'postman',
    );
    const back = parseHttpFile(files.find(({ path }) => path === 'f/Pay.http')!.content as string);
    const rows = (list: readonly { name: string; value: string; isEnabled: boolean }[]): string[] =>
      list.map(({ name, value, isEnabled }) => `${isEnabled ? '' : '# '}${name}=${value}`);
    expect(rows(readQuery(back, back.requests[0]!).rows)).toEqual([
      '# first=0',
      'x={{id}}',
      'y=',
      '# page=2&3',
      'z=1',
    ]);
    expect(rows(readHeaderRows(back, back.requests[0]!))).toEqual([
      'X-One=1', '# X-Off={{id}}', 'X-Two=2', '# Authorization=Bearer {{bearer_token}}',
    ]); // prettier-ignore
    expect(back.requests[0]!.url).toBe('{{base_url}}:8443/a/{{id}}?x={{id}}&y&z=1#frag');
    expect(files.find(({ path }) => path === 'f/Pay.201 Created.example.http')?.content).toBe(example);
    expect(notes.filter(({ what }) => /disabled|example/.test(what))).toEqual([]);
  });
});

describe('a collection that goes out as an OpenAPI document and comes back', () => {
  const roundTripOpenApi = (...texts: string[]) => {
    const source: ExportSource = {
      name: 'x',
      files: texts.map((text, index) => ({ path: `R${index}.http`, text })),
      environment: null,
      readFile: () => binary,
      sources,
      version: '1',
    };
    const { files, notes } = exportCollection(source, 'openapi');
    const [file] = files;
    const plan = importDocument(
      { name: 'x', files: [{ path: 'x', text: file!.content as string }] },
      'openapi',
    );
    const written = new Map(plan.files.map(({ path, content }) => [path, content as string]));
    return { back: plan.order.map((path) => read(written.get(path)!, new Map())), notes };
  };

  it.each([
    ['GET http://h/a?d=x%26y+z%3D&%C3%A9=%C3%BC&e=', 'http://h/a?d=x%26y%20z%3D&%C3%A9=%C3%BC&e=', null],
    ['GET http://h/a?a=1&b=2&a=3', 'http://h/a?a=1&a=3&b=2', null],
    ['GET http://h/a/{{id}}?x={{amount}}', 'http://h/a/i/d?x=12.50', null],
    ['GET http://h/a?c&d=&e=1&f', 'http://h/a?c&d=&e=1&f', null],
    ['GET http://h/a?c&c&d=&d=1&e=1&e', 'http://h/a?c&c&d=&d=1&e=1&e', null],
    ['GET http://h/a?b=%26x{{%id}}+y&{{amount}}=1', 'http://h/a?b=%26xi%2Fd%20y&12.50=1', null],
    ['GET http://h/a?b=%%20+%3D', 'http://h/a?b=%25%20%20%3D', null],
    [
      'POST http://h/f\nContent-Type: application/x-www-form-urlencoded\n\na%26b=c%3Dd&a%26b=2&e=&f=%2B+x',
      'http://h/f',
      'a%26b=c%3Dd&a%26b=2&e=&f=%2B+x',
    ],
    [
      'POST http://h/j\nContent-Type: application/json\n\n{"n": 12345678901234567890, "d": 1000.00}',
      'http://h/j',
      '{"n": 12345678901234567890, "d": 1000.00}',
    ],
  ])('has the same query, path and body: %j', (text, url, body) => {
    expect(roundTripOpenApi(text).back).toMatchObject([{ url, body }]);
  });

  const typed = (type: string, body: string): string => `POST http://h/j\nContent-Type: ${type}\n\n${body}`;
  it.each([
    ['text/plain', 'true'],
    ['text/plain', '{"a": 1}'],
    ['application/x-www-form-urlencoded', '123'],
    ['application/json', '"[1]"'],
    ['application/json', '{"a": 1, "a": 2}'],
    ['application/json', '{"2": 1, "1": 2}'],
    ['application/x-ndjson', '{"a": 1, "b": [2]}'],
    ['application/json-seq', '{"a": 1}'],
  ])('has the body of the type %s that it had: %s', (type, body) => {
    expect(roundTripOpenApi(typed(type, body))).toMatchObject({ back: [{ body }], notes: [] });
  });

  it.each([
    [
      'GET http://h/a\nAccept: text/csv',
      'its header Accept is left out: OpenAPI ignores a parameter of that name.',
    ],
    ['GET http://h/a\nContent-Type: text/csv', 'its header Content-Type is left out: it has no body.'],
    ['POST http://h/a\n\nx', 'its body has no type: text/plain stands there for it.'],
    [
      typed('text/csv; charset=utf-8', 'x'),
      "of its Content-Type 'text/csv; charset=utf-8' what follows the type is left out.",
    ],
    [
      typed('application/json', 'hello'),
      'its body is no JSON object, list or text: it stands there as a text of JSON.',
    ],
    [
      typed('application/json', '12.50'),
      'its body is no JSON object, list or text: it stands there as a text of JSON.',
    ],
    [
      typed('image/png', '< ./x.bin'),
      'its body is left out: it is of files that are no text, or that hold braces.',
    ],
  ])('says once what an import of it does not have: %j', (text, what) => {
    expect(roundTripOpenApi(text).notes).toEqual([{ where: 'R0.http', what: `R0: ${what}` }]);
  });

  it('says what of proofs, rows that are off and headers of one name it does not have', () => {
    const { notes } = roundTripOpenApi(
      'GET http://h/a?x=1\n# &y=2\nAuthorization: Custom {{id}}',
      'POST http://h/b\n# X-A: 1\nAuthorization: Basic {{who}} {{id}}\nContent-Type: text/csv\nContent-Type: text/plain\n\nx',
    );
    expect(notes).toEqual([
      {
        where: 'R1.http',
        what: 'R1: of its 2 headers Content-Type the last is taken: OpenAPI has one of a name.',
      },
      {
        where: 'x',
        what: "Of a header Authorization OpenAPI has the words Bearer and Basic alone: what else stands in 'Custom {{id}}', 'Basic {{who}} {{id}}' is left out.",
      },
      { where: 'x', what: 'Headers and parameters that are off are not taken along (2 requests).' },
    ]);
  });

  it('has a boundary with a blank in its quotes', () => {
    const type = 'multipart/form-data; boundary="q b"';
    const parts = '--q b\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n--q b--';
    const { back } = roundTripOpenApi(typed(type, parts));
    expect(back).toMatchObject([{ headers: [['Content-Type', type]] }]);
  });

  it('has a value encoded in the path, and as it is elsewhere', () => {
    const file = { path: 'a.http', text: 'GET http://h/a/{{%id}}?x={{id}}' };
    const environment = { name: 'local', baseUrl: 'http://b', variables: { id: 'i/d' }, privateNames: [] };
    const readFile = (): null => null;
    const source: ExportSource = { name: 'x', files: [file], environment, readFile, sources, version: '1' };
    const content = exportCollection(source, 'openapi').files[0]!.content as string;
    const plan = importDocument({ name: 'x', files: [{ path: 'x', text: content }] }, 'openapi');
    const written = plan.files.find(({ path }) => path === plan.order[0])!.content as string;
    expect(read(written, new Map()).url).toBe('http://h/a/i%2Fd?x=i/d');
  });

  it('has the signature where it is none of the service, and no value that leads back to itself', () => {
    const { back } = roundTripOpenApi('GET http://h/a/{{%id}}/{{%none}}\nX-Custom-Signature: {{signature}}');
    expect(back).toMatchObject([{ headers: [['X-Custom-Signature', '{{signature}}']] }]);
    expect(back[0]!.url).not.toContain('%none');
  });

  it('has no value for a part of the path of which nobody knows one', () => {
    const source: ExportSource = {
      name: 'x',
      files: [{ path: 'a.http', text: 'GET http://h/a/{{id}}/{{order-no}}' }],
      environment: null,
      readFile: () => binary,
      sources,
      version: '1',
    };
    const content = exportCollection(source, 'openapi').files[0]!.content as string;
    const { paths } = JSON.parse(content) as {
      paths: Record<string, { get: { parameters: { name: string; example?: string }[] } }>;
    };
    expect(paths['/a/{id}/{order_no}']!.get.parameters.map(({ name, example }) => [name, example])).toEqual([
      ['id', undefined],
      ['order_no', '{{order-no}}'],
    ]);
    const files = [{ path: 'x', text: content.replace('{{order-no}}', '{{order_no}}') }];
    const plan = importDocument({ name: 'x', files }, 'openapi');
    expect(plan.files.map(({ content: made }) => made as string).join()).not.toMatch(/@(?:id|order_no)\b/);
  });

  it('has the parts of a form, and says which of two headers of a name is left out', () => {
    const parts = '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n--b--\r\n';
    const text = `POST http://h/f\nX-A: 1\nx-a: 2\nContent-Type: multipart/form-data; boundary=b\n\n${parts}`;
    const { back, notes } = roundTripOpenApi(text);
    expect(back[0]!.headers).toEqual([
      ['X-A', '1'],
      ['Content-Type', 'multipart/form-data; boundary=b'],
    ]);
    expect(back[0]!.body).toBe(read(text, new Map()).body);
    expect(notes.map(({ what }) => what)).toEqual([
      expect.stringMatching(/of its 2 headers X-A the first is taken: OpenAPI has one of a name\.$/),
    ]);
  });
});
