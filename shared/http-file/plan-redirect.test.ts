import { describe, expect, it } from 'vitest';
import { planRedirect, type RedirectPlan } from './plan-redirect';

const request = {
  method: 'POST',
  url: 'https://pay.example/payments/v1/payouts?x=1',
  headers: [
    ['Authorization', 'Bearer {{token.payout}}'],
    ['X-Custom-Signature', '{{signature}}'],
    ['Cookie', 'sid=1'],
    ['X-Note', 'v={{vault.api_key}}'],
    ['X-Typed-Api-Key', 'typed-by-hand'],
    ['Content-Type', 'application/json'],
    ['Accept', 'application/json'],
  ] as [string, string][],
  body: '{"amount":1000.00}',
};
const plan = (location: string, httpStatus = 307, from: Partial<typeof request> = {}, seen: string[] = []) =>
  planRedirect({ ...request, ...from }, { httpStatus, headers: [['location', location]] }, seen);
const go = (found: RedirectPlan | null) => {
  expect(found?.kind).toBe('go');
  return found as RedirectPlan & { kind: 'go' };
};
const names = ({ request: { headers } }: RedirectPlan & { kind: 'go' }) => headers.map(([name]) => name);

describe('planRedirect', () => {
  it.each([
    ['another host', 'https://evil.example/payments/v1/payouts'],
    ['a host behind two slashes', '//evil.example/payments'],
    ['another port', 'https://pay.example:8443/payments'],
    ['a host that begins like ours', 'https://pay.example.evil.example/'],
    ['a host with a dot at its end', 'https://pay.example./x'],
  ])('takes nothing secret to %s', (_name, location) => {
    for (const httpStatus of [301, 302, 303, 307, 308]) {
      const found = go(plan(location, httpStatus));
      expect(found.isForeign).toBe(true);
      const text = JSON.stringify(found.request);
      for (const secret of ['Authorization', 'Signature', 'Cookie', '{{', 'typed-by-hand'])
        expect(text).not.toContain(secret);
      expect(found.dropped).toContain('Authorization');
    }
  });

  it('takes along what is no secret, and says what it leaves behind', () => {
    const headers: [string, string][] = [
      ...request.headers,
      ['X-ApiKey', 'typed'],
      ['Host', 'pay.example'],
      ['X-Host', 'a'],
      ['Hosting', 'b'],
      ['X-Content-Kind', 'c'],
    ];
    const kept = ['Content-Type', 'Accept', 'X-Host', 'Hosting', 'X-Content-Kind'];
    const found = go(plan('https://evil.example/', 307, { headers }));
    expect(names(found)).toEqual(kept);
    expect(found.dropped).toEqual(headers.map(([name]) => name).filter((name) => !kept.includes(name)));
    const moved = go(plan('/a', 303, { headers }));
    expect(moved.dropped).toEqual(['X-Custom-Signature', 'Content-Type', 'Host']);
  });

  it('takes a body of bytes along with 307 and 308 alone', () => {
    const bytes = { body: null, bodyBase64: 'AAEC' } as unknown as Partial<typeof request>;
    expect(go(plan('/a', 308, bytes)).request).toMatchObject({ body: null, bodyBase64: 'AAEC' });
    expect(go(plan('https://evil.example/', 307, bytes)).request).toMatchObject({ bodyBase64: 'AAEC' });
    expect(go(plan('/a', 302, bytes)).request).not.toHaveProperty('bodyBase64');
    expect(go(plan('/a', 307)).request).not.toHaveProperty('bodyBase64');
  });

  it('reads an address with blanks around it, as long as may be', () => {
    expect(go(plan(' /a ')).request.url).toBe('https://pay.example/a');
    const longest = `/${'a'.repeat(3999)}`;
    expect(go(plan(longest)).request.url).toBe(`https://pay.example${longest}`);
    expect(plan(`${longest}a`)).toMatchObject({ reason: 'The address is too long.' });
  });

  it('stays with http where it was http', () => {
    expect(go(plan('/a', 307, { url: 'http://127.0.0.1:4010/x' })).request.url).toBe(
      'http://127.0.0.1:4010/a',
    );
  });

  it.each([
    ['/elsewhere', 'https://pay.example/elsewhere'],
    ['other?y=2#part', 'https://pay.example/payments/v1/other?y=2'],
    ['https://PAY.example:443/a', 'https://pay.example/a'],
    ['?y=1', 'https://pay.example/payments/v1/payouts?y=1'],
  ])('takes everything along within its origin: %s', (location, url) => {
    const found = go(plan(location));
    expect(found).toMatchObject({ isForeign: false, dropped: [], request: { ...request, url } });
  });

  it('keeps method and body for 307 and 308 alone', () => {
    for (const httpStatus of [307, 308]) {
      expect(go(plan('/a', httpStatus)).request).toMatchObject({ method: 'POST', body: request.body });
    }
    for (const httpStatus of [301, 302, 303]) {
      const found = go(plan('/a', httpStatus));
      expect(found.request).toMatchObject({ method: 'GET', body: null });
      expect(names(found)).not.toContain('Content-Type');
      // It covers the body, which stays behind.
      expect(names(found)).not.toContain('X-Custom-Signature');
      expect(names(found)).toContain('Authorization');
    }
    expect(go(plan('/a', 303, { method: 'HEAD' })).request.method).toBe('HEAD');
  });

  it.each([
    ['from https to http', 'http://pay.example/a', 'from https to http'],
    ['a script', 'javascript:alert(1)', 'no address of the web'],
    ['a file', 'file:///etc/passwd', 'no address of the web'],
    ['data', 'data:text/html,x', 'no address of the web'],
    ['a user and password', 'https://pay.example@evil.example/', 'user name or password'],
    ['a password alone', 'https://:word@pay.example/', 'user name or password'],
    ['backslashes', 'https:\\\\evil.example\\@pay.example/', 'do not belong'],
    ['line ends', 'https://pay.example/\r\nX-A: b', 'do not belong'],
    ['a variable', 'https://{{vault.api_key}}.evil.example/', 'do not belong'],
    ['too much', `/${'a'.repeat(5000)}`, 'too long'],
    ['no host', 'https://', 'cannot be read'],
    ['itself', request.url, 'circle'],
  ])('refuses %s', (_name, location, reason) => {
    expect(plan(location)).toEqual({ kind: 'refused', reason: expect.stringContaining(reason) as string });
  });

  it('refuses a circle over several addresses, and a way without end', () => {
    expect(plan('/a', 307, {}, ['https://pay.example/a'])).toMatchObject({ kind: 'refused' });
    const seen = ['1', '2', '3', '4', '5'].map((name) => `https://pay.example/${name}`);
    expect(plan('/6', 307, {}, seen)).toMatchObject({ reason: 'It is the 6th in a row.' });
    expect(plan('/6', 307, {}, seen.slice(1))).toMatchObject({ kind: 'go' });
  });

  it('keeps a body with a value of the vault at home', () => {
    const body = '{"a":"{{vault.api_key}}"}';
    expect(plan('https://evil.example/', 307, { body })).toMatchObject({ kind: 'refused' });
    expect(go(plan('/a', 307, { body })).request.body).toBe(body);
  });

  it('keeps the value of a secret variable at home, in whatever header or body it stands', () => {
    const own = { secretValues: ['s3cret-of-partner'] } as unknown as Partial<typeof request>;
    const headers: [string, string][] = [
      ['X-Partner', 'id s3cret-of-partner'],
      ['X-Meta', 'pin=271828'],
      ['X-Note', 'fine'],
    ];
    expect(names(go(plan('https://evil.example/', 302, { ...own, headers })))).toEqual(['X-Note']);
    expect(names(go(plan('/a', 307, { ...own, headers })))).toContain('X-Partner');
    const bodies = [
      { body: '{"partner":"s3cret-of-partner"}' },
      { body: '{"consumer_secret":"typed by hand"}' },
      { body: null, bodyBase64: btoa('a=s3cret-of-partner') } as unknown as Partial<typeof request>,
    ];
    for (const body of bodies) {
      expect(plan('https://evil.example/', 307, { ...own, ...body })).toMatchObject({ kind: 'refused' });
      expect(go(plan('https://evil.example/', 303, { ...own, ...body })).request.body).toBeNull();
      expect(go(plan('/a', 307, { ...own, ...body })).request).toMatchObject(body);
    }
  });

  it('is none where the answer is no redirect, and refused without one address', () => {
    expect(plan('/a', 201)).toBeNull();
    expect(plan('/a', 304)).toBeNull();
    const from = (headers: [string, string][]): RedirectPlan | null =>
      planRedirect(request, { httpStatus: 302, headers });
    const other: [string, string] = ['Content-Location', '/b'];
    expect(from([other])).toEqual({ kind: 'refused', reason: 'It names no address.' });
    expect(from([other, ['LOCATION', '/a']])).toMatchObject({ request: { url: 'https://pay.example/a' } });
    expect(
      from([
        ['Location', '/a'],
        ['Location', 'https://evil.example/'],
      ]),
    ).toEqual({ kind: 'refused', reason: 'It names several addresses.' });
  });
});
