import { describe, expect, it } from 'vitest';
import { createDynamicValues } from './dynamic-values';
import { parseHttpFile } from './parse-http-file';
import { chooseRequest, findRefusal, prepareRequest } from './prepare-request';

const dynamic = () =>
  createDynamicValues({
    now: () => 0,
    random: { uuid: () => 'uuid', bytes: (size) => new Uint8Array(size) },
  });
const signedBody =
  '{"transaction":{"reference":"{{$uuid}}","amount":10.50,"service_code":"X"},"originator":{"country":"KE"}}';
const prepare = (text: string, given?: Record<string, string>) =>
  prepareRequest(chooseRequest(parseHttpFile(text), 'a.http'), {
    variables: { base_url: 'http://env' },
    dynamic: dynamic(),
    ...(given && { given }),
  });

describe('prepareRequest', () => {
  it('gives what a preview, a send and a dry run need, from one resolution', () => {
    const prepared = prepare(
      `# @name Pay\nPOST {{base_url}}/payments/v1/payouts\nX-Custom-Signature: {{signature}}\n\n${signedBody}\n\n> {% x %}\n`,
    );
    expect(prepared).toMatchObject({
      name: 'Pay',
      operation: 'payout',
      method: 'POST',
      url: 'http://env/payments/v1/payouts',
      headers: [['X-Custom-Signature', '{{signature}}']],
      unresolved: [],
      isSigned: true,
      notes: [{ line: 7 }],
      faults: [],
    });
    expect(prepared.inspection?.toSign?.text).toBe('uuid10.50KEX');
    for (const { start, end, bodyStart, bodyEnd } of prepared.inspection!.toSign!.spans) {
      expect(prepared.body!.slice(bodyStart, bodyEnd)).toBe('uuid10.50KEX'.slice(start, end));
    }
  });

  it('is signed by its operation or by its header', () => {
    expect(prepare('POST http://x\nX: {{ signature }}\n\n{}').isSigned).toBe(true);
    expect(prepare('# @operation remittance\nPOST http://x\n\n{}').isSigned).toBe(true);
    expect(prepare('POST http://x\n\n{}')).toMatchObject({ isSigned: false, inspection: null });
  });

  it('says of an unsigned JSON body only that it is none', () => {
    const { inspection } = prepare('POST http://x\nContent-Type: application/json\n\n{"a": }');
    expect(inspection).toMatchObject({ toSign: null, error: { code: 'signing.not_json' }, lints: [] });
    expect(prepare('POST http://x\nContent-Type: text/plain\n\n{"a": }').inspection).toBeNull();
  });

  it.each([
    ['Content-Type: application/problem+json; charset=utf-8', '{"a": }', 'signing.not_json'],
    ['content-type: application/JSON', '{"a": }', 'signing.not_json'],
    ['X-Note: json', '{"a": }', null],
    ['Content-Type: application/jsonl', '{"a": }', null],
    ['A: 1\nContent-Type: application/json', '{"a": }', 'signing.not_json'],
    ['Content-Type: application/json', '{"a":1}', null],
    ['Content-Type: application/json', '< ./body.json', null],
    ['X-Custom-Signature: {{signature}}', '< ./body.json', null],
    ['X-Custom-Signature: {{ signature }}', '{"a":1}', 'signing.field_missing'],
    ['X-Custom-Signature: {{signature}}', null, null],
  ])('looks into a body behind %s: %s', (header, body, code) => {
    const { inspection } = prepare(`POST http://x\n${header}${body === null ? '' : `\n\n${body}`}`);
    expect(inspection?.error?.code ?? null).toBe(code);
  });

  it.each([
    ['X-Custom-Signature: {{signature}}', false],
    ['x-custom-SIGNATURE: {{  signature\t}}', false],
    ['x-custom-SIGNATURE: typed', true],
    ['A: 1\nX-Custom-Signature: x', true],
    ['X-Other: typed', false],
    ['X-Other: {{signature}}', false],
  ])('tells a signature that was typed: %s: %s', (header, isTyped) => {
    expect(prepare(`POST http://x\n${header}\n\n{}`).isSignatureTyped).toBe(isTyped);
  });

  it('says of another client’s values, and of no others, that they have none here', () => {
    const { notes, foreign } = prepare(
      'POST http://x/{{nope}}\nA: 1\nB: {{$processEnv HOME}}\n\n\n{{$dotenv A}}',
    );
    expect(notes).toEqual([
      {
        line: 3,
        message:
          '{{$processEnv HOME}} has no value here: put a variable of the environment or of the file in its place.',
      },
      { line: 6, message: expect.stringContaining('{{$dotenv A}} has no value') as string },
    ]);
    expect(foreign).toEqual([]);
    expect(prepare('POST http://x/{{host}}').foreign).toHaveLength(1);
    expect(prepare('POST http://x/').foreign).toEqual([]);
  });

  it('takes what is given for once before the file and the environment', () => {
    const text = '@base_url = http://file\n@host = {{base_url}}\nGET {{host}}/a';
    expect(prepare(text).url).toBe('http://file/a');
    expect(prepare(text, { base_url: 'http://given' }).url).toBe('http://given/a');
  });
});

describe('chooseRequest', () => {
  const file = parseHttpFile(
    '# @name A\nGET http://a\n###\n# @name B\nGET http://b\nno header\n###\nnot a request line\n',
  );

  it('takes one by name, or the only one', () => {
    expect(chooseRequest(file, 'a.http', 'A').url).toBe('http://a');
    expect(chooseRequest(parseHttpFile('GET http://x'), 'a.http').url).toBe('http://x');
  });

  it('leaves a request usable beside faulty ones, where it is named: one that cannot be read may be meant', () => {
    const one = parseHttpFile('GET http://a\n###\nnot a request line');
    expect(chooseRequest(one, 'a.http', 'line 1').url).toBe('http://a');
    expect(() => chooseRequest(one, 'a.http')).toThrow(
      /^a\.http, line 3: Not a request line.* The request that can be read is chosen with --name 'line 1'\.$/,
    );
    // A variable as other clients name it is none.
    const beside = parseHttpFile('@2fa = x\n###\nGET http://a');
    expect(chooseRequest(beside, 'a.http').url).toBe('http://a');
  });

  it('refuses a faulty one with the line', () => {
    expect(() => chooseRequest(file, 'a.http', 'B')).toThrow(/a\.http, line 6: Neither a header/);
    expect(() => chooseRequest(parseHttpFile('oh dear'), 'a.http')).toThrow(/line 1: Not a request line/);
  });

  it('names the choice where there is one', () => {
    expect(() => chooseRequest(file, 'a.http')).toThrow(/2 requests: choose one with --name \('A', 'B'\)/);
    const two = parseHttpFile('GET http://a\n###\n# @name B\nGET http://b');
    expect(() => chooseRequest(two, 'a.http', undefined, false)).toThrow(
      "a.http has 2 requests ('line 1', 'B'), and a file of one is sent: give the one that is meant a file of its own, or run all of them.",
    );
    expect(() => chooseRequest(two, 'a.http', 'C')).toThrow(/no request 'C', but 'line 1', 'B'/);
    // Of a name that nothing has, no fault of another request is told, but of what is none.
    expect(() => chooseRequest(file, 'a.http', 'C')).toThrow(
      /no request 'C', but 'A', 'B'\. Line 8 cannot be read: Not a request line/,
    );
  });

  it('refuses one whose variables stand for more than goes out, and notes it', () => {
    const prepared = prepare(`POST http://a\n\n${'{{a}}'.repeat(30)}`, { a: 'x'.repeat(1_000_000) });
    expect(prepared.notes.at(-1)?.message).toMatch(/^What its variables stand for is more than 16 MiB/);
    expect(findRefusal(prepared)).toMatchObject({ code: 'collections.bad_file' });
  });

  it('names twelve of very many, and counts the others', () => {
    const text = Array.from({ length: 60_000 }, (_one, at) => `### a\n# @name r${at}\nGET http://a\n`).join(
      '',
    );
    const many = parseHttpFile(text);
    expect(() => chooseRequest(many, 'a.http')).toThrow(
      /60000 requests: .*\('r0', .*, 'r11' and 59,988 more\)\.$/,
    );
  });

  it('tells of two of a name, of which the first is faulty, that there are two', () => {
    const text = '# @name A\nGET http://a\nno header\n###\n# @name A\nGET http://b';
    expect(() => chooseRequest(parseHttpFile(text), 'a.http', 'A')).toThrow(/a\.http has 2 requests 'A'/);
    expect(() => chooseRequest(parseHttpFile(''), 'a.http', 'A')).toThrow(/no request 'A'|line 1/);
  });

  it.each([
    ['# @disabled\nGET http://x', 'sending.disabled', /take out its line/],
    ['GET http://x\nno header', 'collections.bad_file', /^Line 2: /],
    ['GET http://x/{{$processEnv A}}', 'sending.unresolved', /^\{\{\$processEnv A\}\} has no value/],
    ['GET http://x/{{nope}}', null, null],
  ])('is refused, or not: %j', (text, code, message) => {
    const file = parseHttpFile(text);
    const refusal = findRefusal(prepareRequest(file.requests[0]!, { variables: {}, dynamic: dynamic() }));
    expect(refusal?.code ?? null).toBe(code);
    if (message !== null) expect(refusal?.message).toMatch(message);
  });

  it('takes by its line what has no name, and what shares one', () => {
    const text =
      'GET http://a\n###\n# @name B\nGET http://b\n###\n# @name B\nGET http://c\n###\nnot a request line';
    const several = parseHttpFile(text);
    expect(chooseRequest(several, 'a.http', 'line 1').url).toBe('http://a');
    expect(() => chooseRequest(several, 'a.http', 'B')).toThrow(/2 requests 'B'.*\('line 4', 'line 7'\)/);
    expect(chooseRequest(several, 'a.http', 'line 7').url).toBe('http://c');
  });
});
