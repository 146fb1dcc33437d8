import { expect, it } from 'vitest';
import { readForwardedHead, withoutSecret } from './forward-head';
import { readForwardTarget } from './forward-target';

const head = (...lines: string[]): Buffer => Buffer.from(lines.join('\r\n'), 'latin1');

it('keeps names, order and bytes, and leaves out what belongs to the connection', () => {
  const read = readForwardedHead(
    head(
      'PUT /a?b HTTP/1.1',
      'host: x',
      'X-B: caf\xe9',
      'Connection: close, X-Hop',
      'x-hop: 1',
      'TE: trailers',
      'x-b:2',
      'Content-Length: 3',
    ),
  );
  expect(read).toEqual({ method: 'PUT', target: '/a?b', headers: ['X-B', 'caf\xe9', 'x-b', '2'] });
});

it.each([
  ['http://other.test/p?q', '/p?q'],
  ['http://other.test?q', '/?q'],
  ['*', '/'],
])('makes a path of the target %s', (target, path) => {
  expect(readForwardedHead(head(`POST ${target} HTTP/1.1`)).target).toBe(path);
});

it.each([
  ['/secret/a?b', '/a?b'],
  ['/secret?b', '/?b'],
  ['/secret', '/'],
  ['/secrets/a', '/secrets/a'],
  ['/a/secret', '/a/secret'],
])('takes the secret part out of %s', (path, left) =>
  expect(withoutSecret(path, ['other', 'secret'])).toBe(left),
);

it.each([
  ['http://127.0.0.1:3000', null, true],
  ['http://localhost', null, true],
  ['https://[::1]:8443/', '/', true],
  ['https://backend.test/a/../b?c#d', '/b?c', false],
  ['http://backend.test?x=1', '/?x=1', false],
])('reads the address %s', (text, path, isLoopback) => {
  expect(readForwardTarget(text)).toMatchObject({ path, isLoopback });
});

it.each(['/path', 'ws://x.test', 'http://u@x.test', 'http://u:p@x.test'])(
  'refuses the address %s',
  (text) => {
    expect(() => readForwardTarget(text)).toThrow(
      expect.objectContaining({ code: 'listener.bad_forward' }) as Error,
    );
  },
);
