import { expect, it } from 'vitest';
import type { ImportedExample } from '../imported';
import { printImportedExample } from './write-example';

const example: ImportedExample = {
  name: 'Accepted',
  request: 'POST https://a.example/pay?api_key=0123456789abcdef',
  httpStatus: 201,
  reason: 'Created',
  headers: [
    ['Content-Type', 'application/json'],
    ['not a name', 'x'],
    ['', 'x'],
    ['Set-Cookie', 'sid=0123456789abcdef'],
    ['X-Echo', 'the-key'],
  ],
  body: '{"access_token":"abcdefghijklmnop","echo":"the-key"}',
};
const mask = (text: string): string => text.replaceAll('the-key', '***');

it('prints an answer with what is secret in it masked, wherever it stands', () => {
  expect(printImportedExample(example, mask)).toBe(
    [
      '# POST https://a.example/pay?api_key=••••••••',
      'HTTP/1.1 201 Created',
      'Content-Type: application/json',
      'Set-Cookie: 0123…cdef'.replace('0123', 'sid='),
      'X-Echo: ***',
      '',
      '{"access_token":"••••••••","echo":"***"}',
    ].join('\n'),
  );
});

it('prints one whose request nobody kept', () => {
  expect(printImportedExample({ ...example, request: null, headers: [], body: '' }, mask)).toBe(
    'HTTP/1.1 201 Created\n\n',
  );
});

it.each(['POST', 'the-key', 'access_token'])(
  'prints none where of one part nobody can tell in time what is secret: %s',
  (part) => {
    expect(printImportedExample(example, (text) => (text.includes(part) ? null : text))).toBeNull();
  },
);
