import { expect, it } from 'vitest';
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
    "curl -X POST 'http://127.0.0.1:3000/hooks?try=1' \\",
    "  -H 'Content-Type: application/json' \\",
    "  -H 'X-Note: it'\\''s' \\",
    `  --data-binary '{"a":"it'\\''s"}'`,
  ]);
});

it('writes bytes that are no text as Base64, and no body where there is none', () => {
  const bytes = Buffer.from([0xff, 0xfe]).toString('base64');
  const binary = webhook({ headers: [], body: '\ufffd\ufffd', bodyBase64: bytes });
  expect(writeWebhookAsCurl(binary, target).split('\n')).toEqual([
    `printf %s '${bytes}' | base64 -d | curl -X POST 'http://127.0.0.1:3000/hooks?try=1' \\`,
    '  --data-binary @-',
  ]);
  expect(writeWebhookAsCurl(webhook({ headers: [], body: '' }), target)).toBe(
    "curl -X POST 'http://127.0.0.1:3000/hooks?try=1'",
  );
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
