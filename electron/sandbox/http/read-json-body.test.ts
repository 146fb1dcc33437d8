import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { describeBodyFault, readJsonObject } from './read-json-body';

const read = (bytes: Buffer) => readJsonObject(bytes, 'application/json', undefined);

it.each<[what: string, bytes: Buffer, message: string]>([
  ['a byte order mark', Buffer.from('\ufeff{"a":1}'), 'byte order mark'],
  ['UTF-16, little endian', Buffer.from('{"a":1}', 'utf16le'), 'UTF-16'],
  ['UTF-16 that begins with a line end', Buffer.from('\n{"a":1}', 'utf16le'), 'UTF-16'],
  ['UTF-16, big endian', Buffer.from('{"a":1}', 'utf16le').swap16(), 'UTF-16'],
  ['UTF-16 with its mark', Buffer.from('\ufeff{"a":1}', 'utf16le'), 'UTF-16'],
  ['Latin-1', Buffer.from('{"a":"é"}', 'latin1'), 'not valid UTF-8'],
  ['one byte that is none of UTF-8', Buffer.from([0xff]), 'not valid UTF-8'],
  ['what is compressed', gzipSync('{"a":1}'), 'compressed (gzip)'],
  ['a text that holds JSON', Buffer.from(JSON.stringify('{"a":1}')), 'written as JSON twice'],
  ['a text', Buffer.from('"a"'), 'not an object'],
  ['a list', Buffer.from('[{"a":1}]'), 'a JSON list'],
  ['a form', Buffer.from('a=1&b=2'), 'is a form'],
  ['what Python prints of a dict', Buffer.from("{'a': 1}"), 'single quotes'],
  ['characters counted as bytes', Buffer.from('{"a":"é"'), 'counts the bytes'],
  ['a text that was cut', Buffer.from('{"a":"e"'), 'ends before its object'],
  ['no JSON', Buffer.from('{"a":'), 'not JSON'],
])('says what is wrong with %s', (_what, bytes, message) => {
  expect(describeBodyFault(bytes, undefined)).toContain(message);
  expect(read(bytes)).toMatchObject({
    ok: false,
    error: 'invalid_json',
    message: expect.stringContaining(message) as string,
  });
});

it('reads an object, blanks around it', () => {
  expect(read(Buffer.from(' \n{"a":1}\n'))).toMatchObject({ ok: true, value: { a: 1 } });
});

it('says that another charset is named, where the type is right', () => {
  const read16 = readJsonObject(Buffer.from('{}'), 'application/json; charset=utf-16', undefined);
  expect(read16).toMatchObject({ message: expect.stringContaining('the charset utf-16') as string });
});

it('quotes nothing of a body where it is told elsewhere, and finds nothing wrong with an object', () => {
  expect(describeBodyFault(Buffer.from('secret-word'), undefined)).toBe('is not JSON');
  expect(describeBodyFault(Buffer.from('{}'), 'gzip')).toContain('Content-Encoding');
  expect(describeBodyFault(Buffer.alloc(0), undefined)).toContain('empty');
  expect(describeBodyFault(Buffer.from('{}'), 'identity')).toBeNull();
});
