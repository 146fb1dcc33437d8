import { describe, expect, it } from 'vitest';
import { isOneCase, nameLikelyKind, nameTextKind, readAsText } from './likely-kind';

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
  it.each<[text: string, kind: string | null]>([
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
    ['undefined', 'a word that languages print for nothing'],
    ['"None" ', 'a word that languages print for nothing'],
    ['kotlin.Unit', 'a word that languages print for nothing'],
    ['undefined behaviour', null],
    ['[object Promise]', 'what JavaScript prints of a promise'],
    ['Promise { <pending> }', 'what JavaScript prints of a promise'],
    ['[object ArrayBuffer]', 'what JavaScript prints of an object'],
    ['<Buffer 3a 1f 2b ... 206 more bytes>', 'what Node prints of a buffer, the rest of it cut off'],
    [
      'Uint8Array(256) [\n  1, 2,\n  ... 156 more items\n]',
      'what Node prints of a buffer, the rest of it cut off',
    ],
    ['[B@6d06d69c', 'what Java prints of an array, not what is in it'],
    ['System.Byte[]', 'what .NET prints of an array, not what is in it'],
    ['Array', 'what PHP prints of something else than text'],
    ['OpenSSLAsymmetricKey Object\n(\n)\n', 'what PHP prints of something else than text'],
    ['<memory at 0x7f1>', 'what a language prints of an object or a function'],
    ['#<OpenSSL::PKey::RSA:0x000>', 'what a language prints of an object or a function'],
    ['%!s(*rsa.PrivateKey=0xc00)', 'what a language prints of an object or a function'],
    ['{{signature}}', 'a placeholder that nothing was put in for'],
    ['<BASE64_RSA_SIGNATURE>', 'a placeholder that nothing was put in for'],
    [`<${'aB3+'.repeat(86)}>`, null],
    [`${'0f'.repeat(32)}  -\n`, 'what sha256sum and its like print, a digest'],
    [`${'0f'.repeat(20)} *body.json`, 'what sha256sum and its like print, a digest'],
    ['0f'.repeat(32), null],
    ['java.security.InvalidKeyException: no', 'the text of an error'],
    ['aB3+aB3+...aB3=', 'a signature that something shortened to show it'],
    [`${'AB23'.repeat(100)}======`, 'Base32'],
    ['a\ufffdb', 'bytes that were read as text, which lost some of them'],
  ])('%j is %s', (text, kind) => {
    expect(nameTextKind(text)?.split(':')[0] ?? null).toBe(kind);
  });
});

const MANY = 'aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789+/'.repeat(9);
it.each([
  ['all in lower case', `${MANY.toLowerCase()}==`, true],
  ['all in upper case', MANY.toUpperCase(), true],
  ['of both cases', MANY, false],
  ['hex', '0123456789abcdef'.repeat(32), false],
  ['hex in groups', '0F-'.repeat(256), false],
  ['short', MANY.toLowerCase().slice(0, 99), false],
  ['of few characters', 'abc+'.repeat(86), false],
])('tells of Base64 %s whether its letters lost their case', (_what, text, isLost) => {
  expect(isOneCase(text)).toBe(isLost);
});

it('reads bytes as the text that they are, and no others', () => {
  const utf8 = new TextEncoder();
  expect(readAsText(utf8.encode('{"a":1,\r\n\t"b": 2, "c"}'))).toContain('"c"');
  expect(readAsText(utf8.encode('fifteen letters'))).toBeNull();
  expect(readAsText(Uint8Array.from({ length: 256 }, (_, at) => at))).toBeNull();
});
