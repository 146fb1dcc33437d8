import { describe, expect, it } from 'vitest';
import { assembleBody } from './assemble-body';
import { createDynamicValues } from './dynamic-values';
import { parseHttpFile } from './parse-http-file';
import { findRefusal, prepareRequest, type PreparedRequest } from './prepare-request';

/** Files as other clients write them: what goes out is what they say, or a note says what does not. */
const prepareAll = (text: string): PreparedRequest[] =>
  parseHttpFile(text).requests.map((block) =>
    prepareRequest(block, {
      variables: { host: 'http://h', v: 'value' },
      dynamic: createDynamicValues({
        now: () => Date.UTC(2026, 0, 31, 3, 4, 5, 678),
        random: { uuid: () => 'uuid', bytes: (size) => new Uint8Array(size).fill(7) },
      }),
    }),
  );
const prepare = (text: string): PreparedRequest => prepareAll(text)[0]!;
const notesOf = (prepared: PreparedRequest): number[] => prepared.notes.map(({ line }) => line);

describe('the URL', () => {
  it.each([
    ['GET http://h/a\n?b=1\n&c=2', 'http://h/a?b=1&c=2'],
    ['GET http://h\n    /a\n  ?b=1\n\t&c=2 HTTP/1.1\nA: b', 'http://h/a?b=1&c=2'],
    ['GET http://h/a\n  ?time=10:30\n  &to=http://x', 'http://h/a?time=10:30&to=http://x'],
    ['  GET http://h/a  HTTP/2', 'http://h/a'],
    ['GET http://h/a\n  # ?no=1\n  ?b=1', 'http://h/a?b=1'],
    ['GET {{host}}/{{%v}}?q={{%w}}\n\n@w = a b&c', 'http://h/value?q=a%20b%26c'],
  ])('goes on over lines: %j', (text, url) => {
    expect(prepare(text).url).toBe(url);
    expect(prepare(text).faults).toEqual([]);
  });

  it.each([
    ['POST {{host}}/x HTTP/1.1\n  Authorization: Bearer T\n\tX-A: b\n\n{}', ['Authorization', 'X-A']],
    ['POST {{host}}/x\n  Authorization: Bearer T\n  X-A: b\n\n{}', ['Authorization', 'X-A']],
    ['POST {{host}}/x\nAuthorization: Bearer T\n  ?not: a query\n\n{}', ['Authorization']],
  ])('never takes a header, however it is indented: %j', (text, names) => {
    const { url, headers } = prepare(text);
    expect(url).toBe('http://h/x');
    expect(headers.map(([name]) => name)).toEqual(names);
    expect(headers[0]).toEqual(['Authorization', 'Bearer T']);
  });

  it.each([
    'GET http://h/a HTTP/1.1\n  ?b=1',
    'GET http://h/a HTTP/1.1\n?b=1\n&c=2',
    'GET http://h/a HTTP/1.1 ?b=1',
  ])('ends with the HTTP version: %j', (text) => {
    const prepared = prepare(text);
    expect(prepared.url).toBe('http://h/a');
    expect(prepared.notes[0]?.message).toContain('“?b=1” stands after the HTTP version and is not sent');
  });

  it('refuses what is not HTTP', () => {
    for (const line of ['WEBSOCKET ws://h/a', 'GRPC localhost:1/a', 'GRAPHQL http://h/g', 'MQTT mqtt://h']) {
      expect(findRefusal(prepare(line))?.message, line).toMatch(/Countersign sends HTTP/);
    }
  });
});

describe('forms', () => {
  const head = 'POST http://h\nContent-Type: application/x-www-form-urlencoded\n\n';

  it.each([
    ['a=1&\nb=2&\nc=3', 'a=1&b=2&c=3'],
    ['a=1\n&b=2\n&c=3', 'a=1&b=2&c=3'],
    ['a=1 &\r\n  b={{v}}\r\n  &c=3\r\n', 'a=1&b=value&c=3'],
    ['a=1\n & b=2 &\nc=3', 'a=1&b=2&c=3'],
    ['note=one\n  two', 'note=onetwo'],
    ['a=1&b=x y\n\n', 'a=1&b=x y'],
    ['a=1&\r\n\r\nb=2', 'a=1&b=2'],
  ])('are joined: %j', (body, sent) => {
    expect(prepare(head + body).body).toBe(sent);
  });

  it('ends the lines of a multipart body with CR and LF, and puts files in as bytes', () => {
    const text =
      'POST http://h\nContent-Type: multipart/form-data; boundary=B\n\n--B\nContent-Disposition: form-data; name="a"\r\n\n{{v}}\n--B\nContent-Disposition: form-data; name="f"; filename="f.bin"\n\n< ./{{v}}.bin\n--B--\n';
    const prepared = prepare(text);
    const bytes = new Uint8Array([0, 255, 10, 13]);
    const read: string[] = [];
    const sent = assembleBody(prepared, (path) => {
      read.push(path);
      return bytes;
    });
    expect(read).toEqual(['./value.bin']);
    expect(Buffer.from(sent!.bytes)).toEqual(
      Buffer.concat([
        Buffer.from(
          '--B\r\nContent-Disposition: form-data; name="a"\r\n\r\nvalue\r\n--B\r\nContent-Disposition: form-data; name="f"; filename="f.bin"\r\n\r\n',
        ),
        bytes,
        Buffer.from('\r\n--B--'),
      ]),
    );
    expect(prepared.files.map(({ line }) => line)).toEqual([11]);
  });
});

describe('bodies', () => {
  const json = 'POST http://h\nContent-Type: application/json\n\n';

  it.each([
    ['# a comment\n// another\n\n{"a":1}', '{"a":1}'],
    ['{"a":1}\n\n@x = y\n@z = {{x}}\n', '{"a":1}'],
    ['{"a":1}\n@x = y', '{"a":1}'],
    ['{"a":1}\n\n# about what follows\n@x = y', '{"a":1}'],
    ['{"a":1}\n\n# the next request\n', '{"a":1}'],
    ['{"a":1}\n?? status == 200\n?? body a == 1\n', '{"a":1}'],
    ['{"a":1}\n\n{{\n  exports.x = {};\n}}\n', '{"a":1}'],
    ['{"a":1}\n\n{{@response\n  console.log(1);\n}}\n', '{"a":1}'],
    ['{"a":{"b":{"c":1\n}}}', '{"a":{"b":{"c":1\n}}}'],
    ['{"a":{"b":1\n}}', '{"a":{"b":1\n}}'],
    ['{"a":1}\n\n> ./check.js\n', '{"a":1}'],
    ['{"a":1}\n\n>>! out.json\n@x = y\n', '{"a":1}'],
    ['{"a":1}\n\nHTTP/1.1 200 OK\nA: b\n\n{}\n', '{"a":1}'],
    ['{\n?? status == 200\n"a":1}', '{\n"a":1}'],
  ])('leave out what is not theirs: %j', (body, sent) => {
    expect(prepare(json + body).body).toBe(sent);
    expect(prepare((json + body).replaceAll('\n', '\r\n')).body).toBe(sent.replaceAll('\n', '\r\n'));
  });

  it.each([
    '<payment>\n  <a x="1"\n  > text</a>\n</payment>',
    '<soap:Envelope xmlns:soap="http://x">\n</soap:Envelope>',
    '<?xml version="1.0"?>\n<a/>',
    '<a>\n<b c="1"\n> text</b></a>',
  ])('may be XML: %j', (body) => {
    const prepared = prepare(`POST http://h\nContent-Type: text/xml\n\n${body}\n`);
    expect(prepared).toMatchObject({ body, files: [], faults: [] });
  });

  it('keep the text of lines that only look like others', () => {
    const body = 'What?? Yes.\n  # no comment of ours\nmail@x = y is no variable\n}}';
    expect(prepare(`POST http://h\nContent-Type: text/plain\n\n${body}`).body).toBe(body);
  });

  it('may stand in a file right under the headers', () => {
    expect(prepare('POST http://h\nA: b\n< ./a.json').files).toEqual([{ at: 0, path: './a.json', line: 3 }]);
    expect(findRefusal(prepare('POST http://h\nA: b\n<@ ./a.json'))).not.toBeNull();
    expect(prepare('POST http://h\nA: b\n< {% x %}\nC: d').headers).toHaveLength(2);
  });

  it('may stand in a file, or say that they cannot', () => {
    const prepared = prepare(`${json}< ./a b.json\n`);
    expect(prepared.files).toEqual([{ at: 0, path: './a b.json', line: 4 }]);
    expect(assembleBody(prepared, () => new Uint8Array([1]))).toEqual({
      bytes: new Uint8Array([1]),
      files: [[0, 1]],
    });
    expect(findRefusal(prepare(`${json}<@latin1 ./a.json\n`))?.message).toContain(
      'Variables inside another file',
    );
  });
});

describe('notes', () => {
  it.each([
    ['# @prompt ref The reference\nGET http://h', [1]],
    ['// @ref login\n# @forceRef other\nGET http://h', [1, 2]],
    ['# @loop for 3\n# @import ./a.http\nGET http://h', [1, 2]],
    ['import ./a.http\nrun #all\n\nGET http://h', [1, 2]],
    ['{{\n  let a = 1;\n}}\nGET http://h', [1]],
    ['{{+\n  x\n}}\n\n< ./before.js\nGET http://h', [1, 5]],
    ['GET http://h\n...defaultHeaders\nA: b', [2]],
    ['GET http://h\nA: b\n?? status == 200', [3]],
    ['GET http://h\nA: b\n> {% client.test() %}', [3]],
    ['GET http://h\n# @sleep 5\nA: b', [2]],
    ['# @retry 3\n# @anything at all\n# @title T\n# @name N\n# @no-redirect\nGET http://h', [1, 2]],
    ['POST http://h\n\n{}\n\n?? status == 200\n\n> {%\n x\n%}', [5, 7]],
  ])('say what is not done, with the line: %j', (text, lines) => {
    const prepared = prepare(text);
    expect(notesOf(prepared)).toEqual(lines);
    expect(prepared.url).toBe('http://h');
    expect(prepared.faults).toEqual([]);
    expect(JSON.stringify([prepared.headers, prepared.body])).not.toMatch(/\?\?|client|let a|\.\.\./);
  });

  it('name the values that only other clients have, and keep them from being sent', () => {
    const prepared = prepare(
      'POST http://h/{{$processEnv HOME}}\nA: {{$dotenv X}}\n\n{\n"a":"{{$random.name.first}}"}',
    );
    expect(notesOf(prepared)).toEqual([1, 2, 5]);
    expect(findRefusal(prepared)).toMatchObject({ code: 'sending.unresolved' });
    expect(findRefusal(prepare('GET http://h/{{nobody}}'))).toBeNull();
  });

  it.each([
    ['# @disabled\nGET http://h', true],
    ['GET http://h\n# @disabled', true],
    ['# @disabled false\nGET http://h', false],
    ['GET http://h', false],
  ])('keep a disabled request from being sent: %j', (text, isDisabled) => {
    expect(prepare(text).isDisabled).toBe(isDisabled);
    expect(findRefusal(prepare(text))?.code).toBe(isDisabled ? 'sending.disabled' : undefined);
  });
});

describe('files', () => {
  it('keep their other requests usable beside a faulty one', () => {
    const file = parseHttpFile('oh no\n###\nGET http://a\nno header\n###\nGET http://b\n');
    expect(file.faults.map(({ line }) => line)).toEqual([1, 4]);
    expect(prepareAll(file.text).map((one) => findRefusal(one)?.code)).toEqual([
      'collections.bad_file',
      undefined,
    ]);
  });

  it('may hold variables alone', () => {
    expect(parseHttpFile('# shared\n@a = b\n\n@c = d\n')).toMatchObject({
      faults: [],
      variables: [{ name: 'a' }, { name: 'c' }],
    });
  });

  it('know variables that stand anywhere between their requests', () => {
    const text =
      'GET {{base}}/a\nA: b\n\n@base = http://h\n###\nPOST {{base}}/b\n\n{}\n\n> {% x %}\n@late = 1';
    expect(prepareAll(text).map(({ url, body }) => [url, body])).toEqual([
      ['http://h/a', null],
      ['http://h/b', '{}'],
    ]);
    expect(parseHttpFile(text).variables.map(({ name, line }) => [name, line])).toEqual([
      ['base', 4],
      ['late', 11],
    ]);
  });
});

describe('values', () => {
  const value = (expression: string): string => prepare(`POST http://h\n\n${expression}`).body!;

  it.each([
    ['{{$timestamp -1 d}}', '1769742245'],
    ['{{$timestamp 1M}}', '1772247845'],
    ['{{$datetime iso8601 1 M}}', '2026-02-28T03:04:05.678Z'],
    ['{{$datetime rfc1123 -1 y}}', 'Fri, 31 Jan 2025 03:04:05 GMT'],
    ['{{$datetime "dddd, MMM D YYYY, h:mm a [at] Z" 12 h}}', 'Saturday, Jan 31 2026, 3:04 pm at +00:00'],
    ['{{$random.float(1, 3)}}', String(1 + 2 * (0x070707070707 / 2 ** 48))],
    ['{{$random.email}}', 'hhhhhhhh@example.com'],
    ['{{$random.alphanumeric(3)}}', 'hhh'],
    ['{{$randomInt -5 5}}', '-5'],
  ])('%s is %s', (expression, expected) => {
    expect(value(expression)).toBe(expected);
  });

  it('writes local times with their offset', () => {
    const local = value("{{$localDatetime 'YYYY-MM-DD HH:mm:ss Z'}}");
    expect(new Date(local.replace(' ', 'T').replace(' ', '')).getTime()).toBe(Date.UTC(2026, 0, 31, 3, 4, 5));
    expect(new Date(value('{{$localDatetime iso8601}}')).getTime()).toBe(Date.UTC(2026, 0, 31, 3, 4, 5));
    expect(new Date(value('{{$localDatetime rfc1123 1 h}}')).getTime()).toBe(Date.UTC(2026, 0, 31, 4, 4, 5));
  });

  it.each([
    ['Basic amina secret word', 'Basic YW1pbmE6c2VjcmV0IHdvcmQ='],
    ['Basic amina:{{v}}', 'Basic YW1pbmE6dmFsdWU='],
    ['Basic amina:', 'Basic YW1pbmE6'],
    ['Basic YW1pbmE6', 'Basic YW1pbmE6'],
    ['Bearer a b', 'Bearer a b'],
    ['Basic {{nobody}} x', 'Basic {{nobody}} x'],
  ])('%s goes out as %s', (written, sent) => {
    expect(prepare(`GET http://h\nAuthorization: ${written}`).headers).toEqual([['Authorization', sent]]);
  });
});

describe('what another client works out', () => {
  const sent = (text: string) => {
    const prepared = prepare(text);
    return [
      prepared.headers.map(([name]) => name),
      prepared.notes.map(({ line, message }) => `${line}: ${message}`),
    ];
  };

  it.each([
    'Digest user passwd',
    'digest {{ v }} {{v}}',
    'NTLM user pass word',
    'AWS <accessId> <accessKey> token:<t> region:x',
    'COGNITO user password region pool client',
    'OAuth2 client_credentials prefix',
    'openid password',
  ])('is no header: Authorization: %s', (value) => {
    expect(sent(`GET http://h/a\nAuthorization: ${value}\nX-A: b\n`)).toEqual([
      ['X-A'],
      ['2: Other clients work this header out; here it is not sent.'],
    ]);
  });

  it.each([
    'Digest username="u", realm="r", response="x"',
    'Digest username=u, uri=/a',
    'NTLM TlRMTVNTUAAB',
    'AWS AKID:signature',
    'Bearer a b',
    'Basic user password',
    'OAuth realm="x"',
    'OAuth2.0 token',
  ])('is one where it has been worked out: Authorization: %s', (value) => {
    expect(sent(`GET http://h/a\nAuthorization: ${value}\n`)).toEqual([['Authorization'], []]);
  });

  it('is no body of GraphQL', () => {
    const text = 'POST http://h/a\nContent-Type: application/json\nX-REQUEST-TYPE: GraphQL\n\nquery { a }\n';
    expect(findRefusal(prepare(text))?.message).toMatch(/write it as \{"query"/);
    expect(prepare(text.replace('GraphQL', 'other')).faults).toEqual([]);
  });

  it('is no address with the host of a header, and no HTTP/2', () => {
    const ofHost = /^1: The address has no host/;
    expect(sent('GET /a\nHost: h\n')[1]).toEqual([expect.stringMatching(ofHost)]);
    const version = '1: This is sent as HTTP/1.1.';
    expect(sent('GET http://h/a HTTP/2\n')[1]).toEqual([version]);
    expect(sent('GET http://h/a HTTP/2 (Prior Knowledge)\n')[1]).toEqual([version]);
    for (const one of ['HTTP/1.1', 'HTTP/1.0', 'HTTP/1'])
      expect(sent(`GET http://h/a ${one}\n`)[1]).toEqual([]);
  });

  it('says of braces with backslashes that they are sent, wherever httpYac leaves those out', () => {
    const [opened, closed] = [String.raw`\{\{`, String.raw`\}\}`];
    const at = (text: string): unknown[] => {
      const [, notes] = sent(text);
      expect(notes?.every((one) => one.includes('sent as it is written: httpYac'))).toBe(true);
      return notes!.map((one) => Number.parseInt(one, 10));
    };
    const escaped = `${opened}v${closed}`;
    expect(at(`POST http://h/?a=${escaped}\nA: b\nB: ${escaped}\n\nx\n${escaped} ${escaped}`)).toEqual([
      1, 3, 6,
    ]);
    expect(at(`POST http://h/\n\n${opened}a\\} ${escaped}`)).toEqual([3]);
    for (const other of [
      `${opened}v}}`,
      `\\{{v}}`,
      `${opened}${closed}`,
      `${opened}v`,
      `${opened}a}${closed}`,
    ])
      expect(at(`POST http://h/\nA: ${other}\n\n${other}`)).toEqual([]);
    expect(prepare(`POST http://h/\n\n${escaped}`).body).toBe(escaped);
  });

  it('says of a form that the blanks in it are sent', () => {
    const form = (body: string) =>
      sent(`POST http://h/a\nContent-Type: application/x-www-form-urlencoded\n\n${body}`)[1];
    const said = /Blanks beside “=” are sent/;
    expect(form('a=b &\nkey = value')).toEqual([expect.stringMatching(new RegExp(`^5: ${said.source}`))]);
    expect(form('a= b')).toEqual([expect.stringMatching(said)]);
    expect(form('a=b &\n  c={{ v }} &\nd=x y=')).toEqual([]);
  });

  it('says of a comment between the parts of a body that it is sent', () => {
    const part = 'Content-Disposition: form-data; name="a"; filename="a"';
    const form = (above: string) =>
      sent(
        `POST http://h/a\nContent-Type: multipart/form-data; boundary=b\n\n--b\n${part}\n\n${above}< ./a.txt\n--b--`,
      )[1];
    expect(form('// the file\n')).toEqual([
      expect.stringMatching(/^7: This comment is sent as part of the body/),
    ]);
    expect(form('# the file\r\n')).toEqual([expect.stringMatching(/^7: /)]);
    expect(form('')).toEqual([]);
  });

  it('says what stands in the place of a request line', () => {
    const say = (text: string): string | undefined => parseHttpFile(text).faults[0]?.message;
    expect(say('version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n')).toBe(
      'This file is a pointer of Git LFS, and the file itself was not fetched: run git lfs pull.',
    );
    expect(say('@2fa = 77\nGET http://h\n')).toBe(
      'This is no variable here: the name of a variable begins with a letter or _.',
    );
    expect(say('oh @2fa = 77')).toMatch(/^Not a request line/);
  });

  it('says of braces what is no name in them, once for each part: they are sent as they stand', () => {
    const { notes } = parseHttpFile(
      'POST http://h/{{ 2fa }}?a={{1}}\nX: {{-x}}\nY: {{y}} {{}} {{a.1}}\n\n{"a":"{{$uuid}}",\n"b":"{{.b}} {{@c}}"}\n',
    ).requests[0]!;
    const why = 'is no variable here and is not filled in: the name of a variable begins with a letter or _.';
    expect(notes).toEqual([
      { line: 1, message: `{{ 2fa }} ${why}` },
      { line: 2, message: `{{-x}} ${why}` },
      { line: 6, message: `{{.b}} ${why}` },
    ]);
  });

  it('says that the history is kept, and where a curl command belongs', () => {
    expect(sent('# @no-log\nGET http://h/a\n')[1]).toEqual([
      expect.stringMatching(/^1: The history keeps it/),
    ]);
    expect(parseHttpFile("###\ncurl -X POST http://h/a -d '{}'\n").faults[0]?.message).toMatch(
      /^A curl command is no request line/,
    );
  });
});

describe('names of variables in any script', () => {
  it.each(['état', 'überweisung', 'e\u0301tat', '参考', 'مرجع', 'größe', 'имя.x-1'])(
    'are filled in: %s',
    (name) => {
      const text = `@${name} = v\nPOST http://h/{{${name}}}?q={{%${name}}}\nX-A: {{ ${name} }}\n\n{"a":"{{${name}}}"}`;
      const { url, headers, body, faults, unresolved } = prepare(text);
      expect({ url, headers, body, faults, unresolved }).toEqual({
        url: 'http://h/v?q=v',
        headers: [['X-A', 'v']],
        body: '{"a":"v"}',
        faults: [],
        unresolved: [],
      });
    },
  );

  it('are missed where nobody gives them, and are no text', () => {
    expect(prepare('GET http://h/{{état}}').unresolved).toEqual([{ name: 'état', where: 'url' }]);
    expect(prepare('POST http://h\n\n{{1}} {{"a"}} {{}} {{«a»}}').unresolved).toEqual([]);
  });
});
