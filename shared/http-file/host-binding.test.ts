import { expect, it } from 'vitest';
import { findForeignHost } from './host-binding';

const HOME = { label: 'live', baseUrl: 'https://api.example/pay' };
const find = (url: string, headers: [string, string][] = [], allowHosts: string[] = []): unknown =>
  findForeignHost({ url, headers, allowHosts }, HOME)?.details ?? null;
const foreign = (target: string, host: string): object => ({
  environment: 'live',
  home: 'https://api.example',
  target,
  host,
});

it.each([
  'https://api.example/x',
  'https://API.example:443/',
  'HTTPS://user:word@api.example',
  'https:\\\\api.example\\x',
])('lets %s go home', (url) => {
  expect(find(url)).toBe(null);
  expect(find(url, [['Host', 'api.example']])).toBe(null);
  expect(find(url, [['host', ' API.EXAMPLE:443 ']])).toBe(null);
  expect(find(url, [['X-Host', 'evil.example']])).toBe(null);
});

it.each([
  ['http://api.example/', 'http://api.example', 'http://api.example'],
  ['http://API.evil.example:8080/', 'http://api.evil.example:8080', 'http://api.evil.example:8080'],
  ['https://api.example:8443/', 'https://api.example:8443', 'api.example:8443'],
  ['https://api.example.evil.example/', 'https://api.example.evil.example', 'api.example.evil.example'],
  ['https://api.example@evil.example/', 'https://evil.example', 'evil.example'],
  ['https://evil.example\\@api.example/', 'https://evil.example', 'evil.example'],
  ['https://evil.example#@api.example/', 'https://evil.example', 'evil.example'],
  ['https://api.example./', 'https://api.example.', 'api.example.'],
  ['https://аpi.example/', 'https://xn--pi-6kc.example', 'xn--pi-6kc.example'],
])('takes %s for another host', (url, target, host) => {
  expect(find(url)).toEqual(foreign(target, host));
  expect(find(url, [], ['other.example', host.toUpperCase()])).toBe(null);
  expect(find(url, [], [`${host}.example`, 'evil', ''])).toEqual(foreign(target, host));
});

it('takes a Host header for an address, and allows it as one', () => {
  const url = 'https://api.example/';
  expect(find(url, [['HOST', 'evil.example']])).toEqual(foreign('https://evil.example', 'evil.example'));
  expect(find(url, [['Host', 'a b']])).toEqual(foreign('a b', 'a b'));
  expect(find(url, [['Host', 'evil.example']], ['evil.example'])).toBe(null);
  expect(find('https://evil.example', [['Host', 'api.example']])).toEqual(
    foreign('https://evil.example', 'evil.example'),
  );
  expect(findForeignHost({ url, headers: [['Host', 'x']] }, HOME)?.message).toContain(
    'Take out its Host header',
  );
  expect(findForeignHost({ url: 'https://evil.example/' }, HOME)?.message).toContain(
    'Use {{base_url}} for the address, or allow evil.example',
  );
});

it.each(['api.example/x', '/x', 'ftp://api.example/', 'file:///etc', 'https://', ''])('refuses %j', (url) => {
  expect(findForeignHost({ url }, HOME)).toMatchObject({ code: 'sending.bad_url', details: { url } });
});

it.each(['', '{{host}}'])(
  'trusts no address where the environment has %j, and says what is missing',
  (baseUrl) => {
    expect(findForeignHost({ url: 'https://api.example/' }, { label: 'new', baseUrl })).toMatchObject({
      code: 'sending.foreign_host',
      message:
        "Nothing was sent: 'new' has no base address, and a token or signature goes nowhere else. Set it (base_url) and try again.",
      details: { home: null },
    });
  },
);

it("says of the local sandbox without an address that it does not run: its address is nobody's to set", () => {
  const local = { id: 'local', label: 'Local sandbox', baseUrl: '' };
  expect(findForeignHost({ url: 'https://api.example/' }, local)?.message).toBe(
    'Nothing was sent: the local sandbox does not run, and a token or signature goes nowhere else. Start it, and try again.',
  );
});

it('lets a host that was allowed over https not have it over http, which anybody on the way reads', () => {
  expect(find('https://pay.example/', [], ['pay.example'])).toBe(null);
  expect(find('http://pay.example/', [], ['pay.example'])).toEqual(
    foreign('http://pay.example', 'http://pay.example'),
  );
  expect(find('http://pay.example/', [], ['http://pay.example'])).toBe(null);
  expect(find('http://api.example/', [], ['api.example'])).toEqual(
    foreign('http://api.example', 'http://api.example'),
  );
  expect(findForeignHost({ url: 'http://pay.example/' }, HOME)?.message).toContain(
    'allow http://pay.example (--allow-host http://pay.example on the command line)',
  );
  const local = { label: 'local', baseUrl: 'http://127.0.0.1:4010' };
  expect(findForeignHost({ url: 'http://pay.example/', allowHosts: ['pay.example'] }, local)).toBe(null);
});
