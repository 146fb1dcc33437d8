import { describe, expect, it } from 'vitest';
import { findCurlOption } from './curl-options';
import { readCurlArguments } from './read-arguments';

describe('findCurlOption', () => {
  it.each([
    ['request', 'request', 'request', true],
    ['data-binary', 'data-binary', 'data', true],
    ['X', 'request', 'request', true],
    ['0', 'http1.0', 'ignored', false],
    ['#', 'progress-bar', 'ignored', false],
    [':', 'next', 'next', false],
    ['next', 'next', 'next', false],
    ['heade', 'header', 'header', true],
    ['reque', '', null, false],
    ['user-a', 'user-agent', 'user-agent', true],
    ['compr', 'compr', null, false],
    ['silen', 'silent', 'ignored', false],
    ['no-silent', 'no-silent', 'ignored', false],
    ['no-location', 'no-location', 'ignored', false],
    ['no-buffer', 'no-buffer', 'ignored', false],
    ['no-clobber', 'no-clobber', 'ignored', false],
    ['expand-data', 'data', 'data', true],
    ['expand-no-such', '', null, false],
    ['dat', '', null, false],
    ['x-request', '', null, false],
    ['casino-silent', '', null, false],
    ['quest', '', null, false],
    ['no-such-thing', '', null, false],
    ['%', '', null, false],
    ['constructor', '', null, false],
  ])('finds for %s: %s', (given, name, kind, takesValue) => {
    expect(findCurlOption(given)).toEqual(kind === null ? null : { name, kind, takesValue });
  });
});

/** An option that is not known takes no value, and what follows would be an address. */
it.each([
  'proxy-pass',
  'tlspassword',
  'proxy-tlspassword',
  'proxy-key',
  'etag-save',
  'etag-compare',
  'dns-interface',
  'hostpubsha256',
  'libcurl',
  'create-file-mode',
  'expand-output',
  'ech',
])('takes what follows --%s for its value, and for no address', (option) => {
  const requests = readCurlArguments([`--${option}`, 'hunter2', 'https://a.example/pay'], null);
  expect(requests.map(({ url }) => url)).toEqual(['https://a.example/pay']);
  expect(requests[0]!.notes.join()).not.toContain('hunter2');
});

it.each(['crlf', 'use-ascii', 'sslv3', 'http0.9', 'cert-status', 'proxy-basic', 'follow', 'mptcp'])(
  'takes what follows --%s for an address',
  (option) => {
    const requests = readCurlArguments([`--${option}`, 'https://a.example/pay'], null);
    expect(requests.map(({ url }) => url)).toEqual(['https://a.example/pay']);
  },
);
