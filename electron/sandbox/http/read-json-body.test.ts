import { expect, it } from 'vitest';
import { readJsonObject } from './read-json-body';

const read = (bytes: Buffer) => readJsonObject(bytes, 'application/json', undefined);

it.each<[what: string, bytes: Buffer, message: string]>([
  ['a byte order mark', Buffer.from('\ufeff{"a":1}'), 'byte order mark'],
  ['UTF-16, little endian', Buffer.from('{"a":1}', 'utf16le'), 'UTF-16'],
  ['UTF-16 that begins with a line end', Buffer.from('\n{"a":1}', 'utf16le'), 'UTF-16'],
  ['UTF-16, big endian', Buffer.from('{"a":1}', 'utf16le').swap16(), 'UTF-16'],
  ['UTF-16 with its mark', Buffer.from('\ufeff{"a":1}', 'utf16le'), 'not valid UTF-8'],
  ['no JSON', Buffer.from('{"a":'), 'not JSON'],
])('says what is wrong with %s', (_what, bytes, message) => {
  expect(read(bytes)).toMatchObject({
    ok: false,
    error: 'invalid_json',
    message: expect.stringContaining(message) as string,
  });
});

it('reads an object, blanks around it', () => {
  expect(read(Buffer.from(' \n{"a":1}\n'))).toMatchObject({ ok: true, value: { a: 1 } });
});
