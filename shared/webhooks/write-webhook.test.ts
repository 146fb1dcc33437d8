import { expect, it } from 'vitest';
import { createDynamicValues } from '../http-file/dynamic-values';
import { parseHttpFile } from '../http-file/parse-http-file';
import { resolveRequest } from '../http-file/resolve-request';
import { toPlainText } from '../plain-text';
import { writeWebhookAsCurl, writeWebhookAsHttp, type WrittenWebhook } from './write-webhook';

const webhook = (change: Partial<WrittenWebhook> = {}): WrittenWebhook => {
  const { body = `{"a":"it's"}` } = change;
  return {
    method: 'POST',
    path: '/hooks?try=1',
    headers: [
      ['Host', '127.0.0.1:1'],
      ['Content-Type', 'application/json'],
      ['CONTENT-LENGTH', '12'],
      ['Connection', 'close'],
      ['Transfer-Encoding', 'chunked'],
      ['Keep-Alive', 'timeout=5'],
      ['Accept-Encoding', 'gzip'],
      ['X-Note', `it's`],
    ],
    bodyBase64: Buffer.from(body).toString('base64'),
    ...change,
    body,
  };
};
const target = 'http://127.0.0.1:3000';

it('writes a command that sends the same bytes, without what belongs to the connection', () => {
  expect(writeWebhookAsCurl(webhook(), target).split('\n')).toEqual([
    "curl 'http://127.0.0.1:3000/hooks?try=1' \\",
    "  -H 'Content-Type: application/json' \\",
    "  -H 'X-Note: it'\\''s' \\",
    `  --data-raw '{"a":"it'\\''s"}'`,
  ]);
});

it('writes bytes that are no text as Base64, and no body where there is none', () => {
  const bytes = Buffer.from([0xff, 0xfe]).toString('base64');
  const binary = webhook({ headers: [], body: '\ufffd\ufffd', bodyBase64: bytes });
  expect(writeWebhookAsCurl(binary, target).split('\n')).toEqual([
    `printf %s '${bytes}' | base64 -d | curl 'http://127.0.0.1:3000/hooks?try=1' \\`,
    "  -H 'Content-Type:' \\",
    '  --data-binary @-',
  ]);
  expect(writeWebhookAsCurl(webhook({ headers: [], body: '' }), target)).toBe(
    "curl -X POST 'http://127.0.0.1:3000/hooks?try=1'",
  );
});

it.each([
  ['names a file', '@/etc/passwd', `--data-raw '@/etc/passwd'`],
  ['has a NUL, which no argument can', 'a\0b', '--data-binary @-'],
  ['has a CR, which a terminal takes for Enter', 'a\r\nb', '--data-binary @-'],
  ['ends a paste', 'a\u001b[201~\nid\n', '--data-binary @-'],
  ['hides a character, which a terminal is told the name of', 'a\u200bb', '--data-binary @-'],
  ['tells a build server what to do', '##vso[task.setvariable]x', '--data-binary @-'],
  ['is longer than an argument may be', 'x'.repeat(100_000), '--data-binary @-'],
])('sends a body as it came that %s', (_what, body, data) => {
  const command = writeWebhookAsCurl(webhook({ body }), target);
  expect(command.endsWith(` ${data}`)).toBe(true);
  const encoded = `printf %s '${Buffer.from(body).toString('base64')}' | base64 -d | curl `;
  expect(command.startsWith(encoded)).toBe(data.endsWith('@-'));
});

it('has one address, an empty header, and no content type that was not there', () => {
  const headers: WrittenWebhook['headers'] = [['X-Empty', '']];
  expect(
    writeWebhookAsCurl(webhook({ headers, path: '/{a,b}[1-3]', body: 'x' }), target).split('\n'),
  ).toEqual([
    "curl --globoff 'http://127.0.0.1:3000/{a,b}[1-3]' \\",
    "  -H 'X-Empty;' \\",
    "  -H 'Content-Type:' \\",
    "  --data-raw 'x'",
  ]);
});

it('writes a request of a file under one line of a title', () => {
  expect(writeWebhookAsHttp(webhook(), target, 'SUCCESS\r\nof R-1').split('\n')).toEqual([
    '### SUCCESS of R-1',
    'POST http://127.0.0.1:3000/hooks?try=1',
    'Content-Type: application/json',
    "X-Note: it's",
    '',
    `{"a":"it's"}`,
    '',
  ]);
});

it('leaves out a body that is no text, and says so', () => {
  const text = writeWebhookAsHttp(webhook({ headers: [], body: 'a\ufffd' }), target, 'Odd');
  expect(text).toBe(
    '### Odd\n# The body is not UTF-8 text, and is left out.\nPOST http://127.0.0.1:3000/hooks?try=1\n\n\n',
  );
});

const leftOut = '# The body holds what request files act on, and is left out: as cURL it is written whole.';

it.each([
  ['a further request', '{}\n### more\nDELETE http://evil.test/all'],
  ['a further request of httpYac', '{}\nDELETE http://evil.test/all'],
  ['one behind a CR alone', '{}\r### more\rDELETE http://evil.test/all'],
  ['a file', '{"a":1}\n< ./http-client.private.env.json'],
  ['a file with variables', '<@ ./secret.txt'],
  ['a variable', '{"a":"{{vault.consumer_secret}}"}'],
  ['a script', '{{\nprocess.exit()\n}}'],
  ['a response handler', '{}\n> {% client.global.set("a", 1) %}'],
  ['a variable of the file', '{}\n@base_url = http://evil.test'],
  ['a comment that asks for something', '{}\n# @import ./other.http'],
  ['lines that a form joins', 'a=1\nb=2', 'application/x-www-form-urlencoded'],
])('takes a body that holds %s for text that no request file can say', (_what, body, type = 'text/plain') => {
  const text = writeWebhookAsHttp(webhook({ headers: [['Content-Type', type]], body }), target, 'R-1');
  expect(text.split('\n')).toEqual([
    '### R-1',
    leftOut,
    'POST http://127.0.0.1:3000/hooks?try=1',
    `Content-Type: ${type}`,
    '',
    '',
    '',
  ]);
});

const sources = { now: () => 0, random: { uuid: () => '', bytes: (size: number) => new Uint8Array(size) } };
const notWhole = '# The body is sent without some of its line ends: as cURL it is written whole.\n';

it.each([
  ['{"a":{"b":{"c":1}}}', 'application/json', ''],
  ['{\r\n  "a": "it < that > this"\r\n}', 'application/json', ''],
  ['{\r\n  "a": "it < that > this"\r\n}\r\n', 'application/json', notWhole],
  ['{}\n', 'application/json', notWhole],
  ['\n\n {} ', 'application/json', notWhole],
  ['  {}  ', 'application/json', ''],
  ['a=1&b=%7B%7Bx%7D%7D', 'application/x-www-form-urlencoded', ''],
  [
    '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--',
    'Multipart/form-data; boundary=x',
    '',
  ],
  [
    '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--\r\n',
    'multipart/form-data; boundary=x',
    notWhole,
  ],
  [' \n', 'text/plain', notWhole],
])('keeps %j, and says where it is not sent whole', (body, type, note) => {
  const text = writeWebhookAsHttp(webhook({ headers: [['Content-Type', type]], body }), target, 'R-1');
  expect(text).toBe(
    `### R-1\n${note}POST http://127.0.0.1:3000/hooks?try=1\nContent-Type: ${type}\n\n${body}\n`,
  );
  const [block] = parseHttpFile(text).requests;
  const { body: sent } = resolveRequest(block!, { variables: {}, dynamic: createDynamicValues(sources) });
  expect(sent === body).toBe(note === '');
});

it.each([
  ['{\r\n}', 'application/json', /^# The body is sent without some of its line ends/m],
  ['--x\r\n\r\n1\r\n--x--', 'multipart/form-data; boundary=x', /^(?!# )/],
  [
    '{"a":"\u200f\u0627"}',
    'application/json',
    /^# The body holds characters that a terminal acts on, and is left out/m,
  ],
  ['{"a":"\u0627"}', 'application/json', /^(?!# )/],
])('says of %j what a terminal does not keep', (body, type, note) => {
  const one = webhook({ headers: [['Content-Type', type]], body });
  const [, second] = writeWebhookAsHttp(one, target, 'R-1', toPlainText).split('\n');
  expect(second).toMatch(note);
});

it('lets neither address, headers nor title of a webhook name a variable', () => {
  const hostile = webhook({
    path: '/a?b={{vault.key}}',
    headers: [
      ['X-A', 'kept'],
      ['X-B', '{{vault.key}}'],
      ['#X-C', 'a comment'],
    ],
  });
  const text = writeWebhookAsHttp(hostile, target, 'R {{vault.key}}');
  expect(text).not.toContain('{{');
  expect(text).toContain('\n# Headers that request files act on are left out.\n');
  const [block] = parseHttpFile(text).requests;
  expect(block).toMatchObject({ url: `${target}/a?b=%7B%7Bvault.key%7D%7D`, body: hostile.body });
  expect(block?.headers.map(({ name }) => name)).toEqual(['X-A']);
});
