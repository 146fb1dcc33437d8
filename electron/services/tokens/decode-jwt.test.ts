import { expect, it } from 'vitest';
import { decodeJwt, readTimeClaim } from './decode-jwt';

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

it('decodes header and claims of three parts alone', () => {
  const [header, claims] = [part({ alg: 'RS256' }), part({ sub: 'é' })];
  expect(decodeJwt(`${header}.${claims}.x`)).toEqual({ header: { alg: 'RS256' }, claims: { sub: 'é' } });
  for (const token of [`${header}.${claims}`, `${header}.${claims}.x.y`, header, '', '..'])
    expect(decodeJwt(token)).toEqual({ header: {}, claims: {} });
});

it.each([null, 7, 'text', [1], true])('takes %j for no claims', (value) => {
  expect(decodeJwt(`${part({ a: 1 })}.${part(value)}.x`)).toEqual({ header: { a: 1 }, claims: {} });
});

it('takes what is no JSON for no claims', () => {
  expect(decodeJwt('e30.e3.x')).toEqual({ header: {}, claims: {} });
});

it('reads moments from numbers alone', () => {
  const claims = { exp: 60, text: '60', none: null, far: Infinity, beyond: 8.64e12 + 1 };
  expect(readTimeClaim(claims, 'exp')).toBe(60_000);
  for (const name of ['text', 'none', 'far', 'beyond', 'missing'])
    expect(readTimeClaim(claims, name)).toBeNull();
});
