import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseHttpFile } from './parse-http-file';

const one = (text: string) => {
  const file = parseHttpFile(text);
  expect(file.faults).toEqual([]);
  expect(file.requests).toHaveLength(1);
  return file.requests[0]!;
};

describe('parseHttpFile', () => {
  it('reads name, operation, request line, headers and body', () => {
    const text =
      '# @name Remittance to M-Pesa\n# @operation remittance\n# @expect status 201\n' +
      'POST {{base_url}}/payments/v1/remittance\nAuthorization: Bearer {{token.remittance}}\n' +
      'Content-Type: application/json\n\n{ "a": 1 }\n';
    const request = one(text);
    expect(request).toMatchObject({
      name: 'Remittance to M-Pesa',
      operation: 'remittance',
      method: 'POST',
      url: '{{base_url}}/payments/v1/remittance',
      body: '{ "a": 1 }',
      line: 4,
    });
    expect(request.annotations.map(({ name, value, line }) => [name, value, line])).toEqual([
      ['name', 'Remittance to M-Pesa', 1],
      ['operation', 'remittance', 2],
      ['expect', 'status 201', 3],
    ]);
    expect(request.headers.map(({ name, value }) => [name, value])).toEqual([
      ['Authorization', 'Bearer {{token.remittance}}'],
      ['Content-Type', 'application/json'],
    ]);
    expect(text.slice(request.bodyStart, request.bodyEnd)).toBe('{ "a": 1 }');
    for (const header of request.headers) {
      expect(text.slice(header.start, header.nameEnd)).toBe(header.name);
      expect(text.slice(header.valueStart, header.valueEnd)).toBe(header.value);
    }
  });

  it('keeps CRLF, spaces and blank lines inside the body', () => {
    const request = one('POST http://x/\r\nA: b\r\n\r\n{\r\n\r\n  "a" : 1 \r\n}  \r\n\r\n');
    expect(request.body).toBe('{\r\n\r\n  "a" : 1 \r\n}  ');
    expect(parseHttpFile('GET http://x\r\n').lineEnd).toBe('\r\n');
  });

  it('parts requests where a line begins with ###, and nowhere else', () => {
    const body = '{"a": "x ### y",\n  ### indented\n\t### too\n#\n##\n"b": 1}###';
    const file = parseHttpFile(
      `POST http://a/x###y\nX: a ### b\n# c ### d\n\n${body}\n####\nGET http://b\r\n###\r\nGET http://c`,
    );
    expect(file.requests.map(({ url, headers }) => [url, headers.map(({ value }) => value)])).toEqual([
      ['http://a/x###y', ['a ### b']],
      ['http://b', []],
      ['http://c', []],
    ]);
    expect(file.requests[0]!.body).toBe(body);
  });

  it('takes white space before a request line and in the blank line; that before a body is part of it', () => {
    const request = one('\n \t\n  \tPOST  http://x \n \t\n   {"a": 1}\n\t\n');
    expect([request.method, request.url, request.body]).toEqual(['POST', 'http://x', '   {"a": 1}']);
  });

  it('reads several requests, their titles and their lines', () => {
    const file = parseHttpFile(
      '### First\nGET http://a\n\n### Second\n// @name Other\nPOST http://b\n\n1\n2\n###\n\n###\nGET http://c\n',
    );
    expect(file.requests.map(({ name, line, body }) => [name, line, body])).toEqual([
      ['First', 2, null],
      ['Other', 6, '1\n2'],
      [null, 13, null],
    ]);
  });

  it('joins continuation lines of a URL', () => {
    expect(one('GET http://x/a\n  ?b=1\n  &c={{d}}\nAccept: */*\n').url).toBe('http://x/a?b=1&c={{d}}');
    expect(one('GET http://x\n    /a\n    /b HTTP\n').url).toBe('http://x/a/b HTTP');
  });

  it('takes a URL alone as GET and leaves the HTTP version out of the URL', () => {
    expect(one('http://x/a\n')).toMatchObject({ method: 'GET', methodEnd: null, url: 'http://x/a' });
    expect(one('GET {{base_url}}/a?n={{$randomInt 1 9}} HTTP/1.1')).toMatchObject({
      url: '{{base_url}}/a?n={{$randomInt 1 9}}',
      httpVersion: 'HTTP/1.1',
    });
  });

  it('reads file variables wherever they stand before a request', () => {
    const file = parseHttpFile('@host = http://x\n\n@n=1\n###\n@late = {{n}}\nGET {{host}}\n');
    expect(file.variables.map(({ name, value }) => [name, value])).toEqual([
      ['host', 'http://x'],
      ['n', '1'],
      ['late', '{{n}}'],
    ]);
    expect(file.requests[0]?.fileVariables).toBe(file.variables);
  });

  it('reads the nothing of httpYac as an empty file variable', () => {
    const { variables } = parseHttpFile(
      `@a = {{''}}\n@b = {{ "" }}\n@c = {{'x'}}\n@d = {{''}}{{''}}\nGET http://h/`,
    );
    expect(variables.map(({ value }) => value)).toEqual(['', '', "{{'x'}}", "{{''}}{{''}}"]);
  });

  it('takes a line as one, whatever else may end a line elsewhere', () => {
    const file = parseHttpFile('### A\n# @description one\u2028two\n@b = 1\u20292\nGET http://a/{{b}}\n');
    expect(file.requests[0]!.annotations).toMatchObject([{ name: 'description', value: 'one\u2028two' }]);
    expect(file.variables).toMatchObject([{ name: 'b', value: '1\u20292' }]);
  });

  it('infers the operation from method and path, at both path forms', () => {
    expect(one('POST http://x/payments/api/v1/payouts').operation).toBe('payout');
    expect(one('GET {{base_url}}/tsq/v1/wallet-balances?currency=KES').operation).toBe('balances');
    expect(one('GET {{base_url}}/payments/v1/payouts').operation).toBe('other');
  });

  it('names the line of each fault and keeps the rest', () => {
    const file = parseHttpFile(
      'hello world, this is no request\n###\n# @operation fly\nGET http://x\nnot a header\n',
    );
    expect(file.faults.map(({ line }) => line)).toEqual([1, 5, 3]);
    expect(file.requests).toHaveLength(1);
    expect(parseHttpFile('\n# only a comment\n').faults[0]?.line).toBe(1);
    expect(parseHttpFile('POST http://x\n\n<@ ./body.json\n').faults[0]?.line).toBe(3);
  });

  it('keeps scripts and response handlers out of the body', () => {
    const request = one(
      '< {% let a = 1\nGET %}\nPOST http://x\n\n{}\n\n> {%\n client.test()\n%}\n\n<> a.json\n',
    );
    expect(request.body).toBe('{}');
    expect(request.notes.map(({ line }) => line)).toEqual([1, 7]);
  });

  it('skips a byte order mark and comments among headers', () => {
    const request = one('\uFEFFPOST http://x\nA: 1\n# B: 2\nC: 3\n\n{}');
    expect(request.headers.map(({ name }) => name)).toEqual(['A', 'C']);
    expect(request.requestLineStart).toBe(1);
  });

  it('never throws, and its offsets hold, for any text', () => {
    const pieces = fc.constantFrom(
      '###',
      '\n',
      '\r\n',
      'GET http://x',
      'A: b',
      '# @name n',
      '@a = b',
      '{{',
      '> {%',
      '< ',
      ' ',
      'é',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(pieces, fc.string())), (parts) => {
        const text = parts.join('');
        const file = parseHttpFile(text);
        for (const request of file.requests) {
          expect(text.slice(request.bodyStart, request.bodyEnd)).toBe(request.body ?? '');
          expect(text.slice(0, request.requestLineStart).split('\n').length).toBe(request.line);
          for (const header of request.headers) {
            expect(text.slice(header.valueStart, header.valueEnd)).toBe(header.value);
          }
        }
      }),
      { numRuns: 500 },
    );
  });

  it('reads the files of other clients', () => {
    const directory = resolve(import.meta.dirname, '../../test/fixtures/http-files');
    for (const name of readdirSync(directory).filter((file) => file.endsWith('.http'))) {
      const file = parseHttpFile(readFileSync(resolve(directory, name), 'utf8'));
      expect(file.faults, name).toEqual([]);
      expect(file.requests.length, name).toBeGreaterThan(1);
    }
  });
});

it.each([
  [
    '# @name A\rGET http://x/\r',
    /its lines end in a carriage return \(CR\) alone\. Save it with line ends LF/,
  ],
  ['# a\r', /write METHOD and URL/],
  ['# @name A\r\n\r\n', /write METHOD and URL/],
])('says of a file without a request what it lacks: %j', (text, message) => {
  const { faults } = parseHttpFile(text);
  expect(faults).toMatchObject([{ line: 1, message: expect.stringMatching(message) as string }]);
});

describe('what a merge left', () => {
  const settled = '### a\nPOST http://x/a\nContent-Type: text/plain\n\n';
  const conflict = (one: string, other: string) =>
    `<<<<<<< HEAD\n${one}\n=======\n${other}\n>>>>>>> theirs\n`;
  const faultsOf = (text: string) =>
    parseHttpFile(text).faults.map(({ line, message }) => `${line} ${message.slice(0, 34)}`);

  it.each([
    ['a body', `${settled}${conflict('1', '2')}`, 5],
    ['a body, with the ends of Windows', `${settled}${conflict('1', '2')}`.replaceAll('\n', '\r\n'), 5],
    ['headers', `POST http://x/a\n${conflict('A: 1', 'A: 2')}\n{}`, 2],
    ['a request line', conflict('GET http://x/a', 'GET http://x/b'), 1],
    ['a body, with the text before both', `${settled}<<<<<<< o\n1\n||||||| b\n0\n=======\n2\n>>>>>>> t`, 5],
  ])('is named first, once, at its first line: in %s', (_where, text, line) => {
    expect(faultsOf(text)).toEqual([`${line} Two versions stand here as a merge`]);
  });

  it.each([
    ['end of one', `${settled}1\n>>>>>>> theirs\n`, ['6 A line that a merge left stands he']],
    ['beginning of one', `${settled}<<<<<<< HEAD\n1\n`, ['5 A line that a merge left stands he']],
    [
      'half of each',
      `${settled}>>>>>>> a\n=======\n<<<<<<<\n`,
      ['5', '7'].map((line) => `${line} A line that a merge left stands he`),
    ],
    [
      'end beside a whole one',
      `${settled}${conflict('1', '2')}>>>>>>> theirs\n`,
      ['5 Two versions stand here as a merge', '10 A line that a merge left stands he'],
    ],
  ])('is named where its other lines are gone: %s', (_what, text, expected) => {
    expect(faultsOf(text)).toEqual(expected);
    expect(parseHttpFile(text).requests[0]?.notes).toEqual([]);
  });

  it('takes no line of a body for a place of the answer, or a file, for what stands behind its first sign', () => {
    const [request] = parseHttpFile(`${settled}>>>> answer.json\n<< ./x\n`).requests;
    expect(request).toMatchObject({ body: '>>>> answer.json\n<< ./x', bodyCuts: [], notes: [] });
  });

  it('is not also said to have lines that are not done: the last marker reads like a place for the answer', () => {
    const response = 'POST http://x/a\n\n> {%\n x\n%}\n';
    const notesOf = (text: string) => parseHttpFile(text).requests[0]?.notes.map(({ line }) => line);
    expect(notesOf(response)).toEqual([3]);
    expect(notesOf(`${settled}${conflict('1', '2')}`)).toEqual([]);
  });

  it('is a fault of each request that it goes through, and of no other', () => {
    const { requests, faults } = parseHttpFile(
      `### a\nGET http://x/a\n${conflict('### b\nGET http://x/b', '### c\nGET http://x/c')}### d\nGET http://x/d\n`,
    );
    expect(requests.map(({ name, faults: own }) => [name, own.length > 0])).toEqual([
      ['a', true],
      ['b', true],
      ['c', true],
      ['d', false],
    ]);
    expect(faults.map(({ line }) => line)).toEqual([3]);
  });

  it.each([
    `${settled}=======\n`,
    `${settled} <<<<<<< a\n=======\n >>>>>>> b\n`,
    `${settled}a >>>>>>> b\n<<<<<<<<\n`,
    `${settled}a\n========\nb\n`,
  ])('is not seen in a body that only has lines like it: %j', (text) => {
    expect(faultsOf(text)).toEqual([]);
  });
});

it('reads on behind a variable that only other clients name so: the variables below it were not there', () => {
  const file = parseHttpFile('@2fa = abc\n@user = alice\n### A\nGET http://a/{{user}}\n');
  expect(file.variables.map(({ name, value }) => [name, value])).toEqual([['user', 'alice']]);
  expect(file.faults.map(({ line, message }) => `${line} ${message}`)).toEqual([
    '1 This is no variable here: the name of a variable begins with a letter or _.',
  ]);
  expect(file.requests.map(({ url, faults }) => [url, faults])).toEqual([['http://a/{{user}}', []]]);
  const [own] = parseHttpFile('@2fa = abc\nGET http://a\n').requests;
  expect(own?.faults).toHaveLength(1);
});
