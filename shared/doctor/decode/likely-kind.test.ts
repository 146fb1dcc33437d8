import { describe, expect, it } from 'vitest';
import { nameLikelyKind, nameTextKind } from './likely-kind';

const bytes = (length: number, first = 7): Uint8Array => Uint8Array.of(first, ...new Uint8Array(length - 1));
/** `INTEGER` of so many bytes. */
const integer = (length: number): number[] => [2, length, ...new Array<number>(length).fill(1)];
const sequence = (inner: readonly number[], length = [inner.length]): Uint8Array =>
  Uint8Array.of(0x30, ...length, ...inner);
const ECDSA = 'an ECDSA signature in DER';
const DER = 'a key or a certificate in DER';

describe('bytes that are no signature of RSA', () => {
  it.each([
    [16, 'an MD5 digest or an HMAC-MD5'],
    [20, 'a SHA-1 digest or an HMAC-SHA1'],
    [28, 'a SHA-224 digest'],
    [32, 'a SHA-256 digest or an HMAC-SHA256'],
    [48, 'a SHA-384 digest or an HMAC-SHA384'],
    [64, 'a SHA-512 digest, an HMAC-SHA512, an Ed25519 or an ECDSA P-256 signature'],
    [96, 'an ECDSA P-384 signature'],
    [114, 'an Ed448 signature'],
    [128, 'a signature made with an RSA key of 1024 bits'],
    [132, 'an ECDSA P-521 signature'],
    [33, null],
  ])('%d of them are %s', (length, kind) => {
    expect(nameLikelyKind(bytes(length))).toBe(kind);
    // A digest may begin as DER does.
    expect(nameLikelyKind(bytes(length, 0x30))).toBe(kind);
  });

  const p256 = [...integer(32), ...integer(33)];
  const p521 = [...integer(66), ...integer(65)];
  it.each([
    ['two numbers in a sequence', sequence(p256), ECDSA],
    ['two long numbers, whose length has two bytes', sequence(p521, [0x81, p521.length]), ECDSA],
    ['two short numbers', sequence([...integer(3), ...integer(1)]), ECDSA],
    ['a sequence that is too short', sequence([...integer(1), ...integer(1)]), null],
    ['another first byte', Uint8Array.of(0x31, ...sequence(p256).slice(1)), null],
    ['a sequence with bytes behind it', Uint8Array.of(...sequence(p256), 0), null],
    ['a sequence that says another length', sequence(p256, [p256.length - 1]), null],
    ['a first part that is no number', sequence([3, ...p256.slice(1)]), null],
    ['a second part that is no number', sequence([...integer(32), 3, ...integer(33).slice(1)]), null],
    ['a third part', sequence([...p256, ...integer(1)]), null],
    ['a long sequence that fills the bytes', sequence(new Array<number>(300).fill(5), [0x82, 1, 44]), DER],
    ['a long sequence that does not', sequence(new Array<number>(300).fill(5), [0x82, 1, 43]), null],
    ['a long sequence of another form', sequence(new Array<number>(300).fill(5), [0x83, 1, 44]), null],
  ])('%s', (_what, given, kind) => {
    expect(nameLikelyKind(given)).toBe(kind);
  });
});

describe('a text in place of a signature', () => {
  it.each([
    [' "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln"', 'a JSON Web Token'],
    ['eyJhbGciOiJSUzI1NiJ9..c2lnX25-', 'a JSON Web Signature'],
    ["'eyJhbGciOiJSUzI1NiJ9.cGF5bG9hZA.c2ln' ", 'a JSON Web Signature'],
    ['eyJhbGciOiJSUzI1NiJ9.cGF5bG9hZA.c2ln.more', null],
    ['x eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln', null],
    ['-----BEGIN PGP SIGNATURE-----', 'a PGP signature'],
    ['-----BEGIN PGP MESSAGE-----', 'a PGP signature'],
    ['-----BEGIN SSH SIGNATURE-----', 'a signature of OpenSSH'],
    ['-----BEGIN PKCS7-----', 'a signature with its certificates (CMS)'],
    ['-----BEGIN CMS-----', 'a signature with its certificates (CMS)'],
    ['-----BEGIN PRIVATE KEY-----', 'a private key'],
    ['-----BEGIN RSA PRIVATE KEY-----', 'a private key'],
    ['-----BEGIN PUBLIC KEY-----', 'a public key'],
    ['-----BEGIN RSA PUBLIC KEY-----', 'a public key'],
    ['-----BEGIN CERTIFICATE-----', 'a certificate'],
    [' $2b$10$abcdefghijklmnopqrstuv', 'a bcrypt hash'],
    ['$2c$10$abcdefghijklmnopqrstuv', null],
    ['x$2b$10$abcdefghijklmnopqrstuv', null],
    ['a word', null],
  ])('%j is %s', (text, kind) => {
    expect(nameTextKind(text)?.split(':')[0] ?? null).toBe(kind);
  });
});
