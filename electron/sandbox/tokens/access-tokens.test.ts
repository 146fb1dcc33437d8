import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { expect, test } from 'vitest';
import { AccessTokens } from './access-tokens';
import { SandboxClock } from '../sandbox-clock';

const secret = Buffer.alloc(32, 7);
const clock = new SandboxClock({ wallNow: () => 1_800_000_000_000 });
const tokens = new AccessTokens({ secret, clock });

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const claims = { sub: 'key', product: 'payout', iat: 1_800_000_000, exp: 1_800_003_600, jti: 'x' };
const read = (token: string) => tokens.read(`Bearer ${token}`);
const hmac = (input: string, key: Buffer | string = secret) =>
  createHmac('sha256', key).update(input).digest('base64url');

function reasonOf(token: string): string {
  const reading = read(token);
  return reading.ok ? 'accepted' : reading.reason;
}

test('an issued token is a JWT of its product, for one hour', () => {
  const { token, expiresAt } = tokens.issue('remittance', 'key');
  expect(read(token)).toEqual({ ok: true, product: 'remittance' });
  expect(expiresAt).toBe(1_800_003_600);
  const payload = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as object;
  expect(payload).toEqual({
    sub: 'key',
    product: 'remittance',
    iat: 1_800_000_000,
    exp: 1_800_003_600,
    jti: expect.any(String),
  });
});

test('alg none is refused by name, with and without a signature', () => {
  for (const alg of ['none', 'None', 'NONE']) {
    const input = `${encode({ alg, typ: 'JWT' })}.${encode(claims)}`;
    expect(reasonOf(`${input}.`)).toContain('alg none');
    expect(reasonOf(`${input}.${hmac(input)}`)).toContain('alg none');
  }
});

test('another algorithm is refused by name, even where its signature would be right', () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const input = `${encode({ alg: 'RS256', typ: 'JWT' })}.${encode(claims)}`;
  const signature = sign('sha256', Buffer.from(input), privateKey).toString('base64url');
  expect(reasonOf(`${input}.${signature}`)).toContain('RS256');
  const other = `${encode({ alg: 'HS512', typ: 'JWT' })}.${encode(claims)}`;
  expect(reasonOf(`${other}.${hmac(other)}`)).toContain('HS512');
});

test('a forged, an altered and a cut token are told from an expired one', () => {
  const input = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`;
  expect(reasonOf(`${input}.${hmac(input)}`)).toBe('accepted');
  expect(reasonOf(`${input}.${hmac(input, 'guess')}`)).toContain('not signed by this service');
  const altered = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode({ ...claims, product: 'collection' })}`;
  expect(reasonOf(`${altered}.${hmac(input)}`)).toContain('not signed by this service');
  expect(reasonOf(`${input}.${hmac(input).slice(0, 20)}`)).toContain('not signed by this service');
  for (const more of ['=', '!!']) {
    expect(reasonOf(`${input}.${hmac(input)}${more}`)).toContain('not signed by this service');
  }
  const expired = `${encode({ alg: 'HS256' })}.${encode({ ...claims, exp: 1_799_999_999 })}`;
  expect(reasonOf(`${expired}.${hmac(expired)}`)).toContain('expired');
});

test.each([
  ['', 'not of the form'],
  ['a.b', 'three parts'],
  ['a.b.c.d', 'three parts'],
  ['a.b.c', 'header cannot be read'],
  ['x'.repeat(5000), 'longer'],
])('%.10s is not a token', (token, reason) => {
  expect(reasonOf(token)).toContain(reason);
});

test('a header of another scheme, and none, are refused', () => {
  expect(tokens.read(undefined)).toEqual({ ok: false, reason: 'The Authorization header is missing.' });
  expect(tokens.read('Basic abc')).toMatchObject({ ok: false });
});

test('a token that was good expires on the sandbox clock', () => {
  const moving = new SandboxClock({ wallNow: () => 1_800_000_000_000 });
  const own = new AccessTokens({ secret, clock: moving });
  const { token } = own.issue('payout', 'ck');
  moving.advance(3599);
  expect(own.read(`Bearer ${token}`).ok).toBe(true);
  moving.advance(1);
  expect(own.read(`Bearer ${token}`)).toMatchObject({
    ok: false,
    reason: expect.stringContaining('expired'),
  });
});

test('a header of another form is told from others, and the token is not quoted', () => {
  const { token } = tokens.issue('payout', 'key');
  const told = (header: string): string => {
    const reading = tokens.read(header);
    const reason = reading.ok ? 'accepted' : reading.reason;
    expect(reason).not.toContain(token.slice(0, 8));
    return reason;
  };
  expect(told(token)).toContain('Bearer is missing');
  expect(told(`Bearer Bearer ${token}`)).toContain('stands there twice');
  expect(told(`Bearer ${token}, Bearer ${token}`)).toContain('sent twice');
  expect(told('Bearer ')).toContain('No token follows');
  expect(told('Basic Y2s6Y3M=')).toContain('It is Basic');
  expect(told(`Bearer "${token}"`)).toContain('in quotes');
  expect(told(`Bearer {"access_token":"${token}"}`)).toContain('JSON');
  expect(told('Token abc')).toMatch(/Bearer <token>\.$/);
});
