import { expect, it } from 'vitest';
import { encodeBase64 } from '../../signing/base64';
import { readSubject } from '../subject';
import { decodeSignature } from './decode-signature';
import type { DoctorKey } from './key-search';
import { refuseEarly } from './refuse-early';

const key = (bits: number): DoctorKey => ({
  name: null,
  environment: null,
  fingerprint: '',
  bits,
  recover: () => null,
});
const subject = readSubject(
  '{"transaction":{"reference":"R-1","amount":10,"service_code":"X"},"originator":{"country":"KE"}}',
);
const bytes = (length: number): string =>
  encodeBase64(Uint8Array.from({ length }, (_, at) => (at * 7 + 1) % 256));
const refuse = (signature: string, bits = 2048, otherBits: number[] = []) => {
  const decoded = decodeSignature(signature, Math.ceil(bits / 8));
  return refuseEarly(
    { body: '', signature, key: key(bits), otherKeys: otherBits.map(key), claimedString: null, earlier: [] },
    subject,
    decoded,
  );
};

it.each([
  ['a whole one', bytes(256), 2048, []],
  ['one of a larger key', bytes(384), 2048, []],
  ['one of the largest key', bytes(1024), 4096, []],
  ['one of a smaller key', bytes(256), 4096, []],
  ['one of an odd key at hand', bytes(192), 1536, []],
  ['one of another odd key of the vault', bytes(192), 2048, [1536]],
])('asks the keys about %s', (_what, signature, bits, others) => {
  expect(refuse(signature, bits, others)).toBeNull();
});

it.each([
  ['cut for sure', `${bytes(200).slice(0, 201)}`, 2048, '150 of 256 bytes, a part of it is lost: send', 1],
  ['without an end', bytes(150), 2048, '150 of 256 bytes, a part of it is lost: send', 1],
  ['of the fewest bytes', `${bytes(66).slice(0, 85)}...`, 2048, '63', 0],
  ['of a byte more', `${bytes(66).slice(0, 86)}…`, 2048, '64 of 256 bytes', 1],
  ['as long as that of a smaller key', bytes(192), 2048, 'or it was made with an RSA key of 1536 bits', 1],
  ['as long as something else', `${bytes(129).slice(0, 171)}…`, 2048, '128 of 256 bytes', 1],
])('says of a part that it is one: %s', (_what, signature, bits, said, causes) => {
  const result = refuse(signature, bits)!;
  expect(result.explanation).toContain(said);
  expect(result.verdict).toBe(causes === 0 ? 'not_a_signature' : 'explained');
  expect(result.causes.map(({ code }) => code)).toEqual(causes === 0 ? [] : ['encoding.truncated']);
  expect(result.checks[0]).toMatchObject({ name: 'Encoding', isGood: false });
});

it.each([
  ['nothing readable', 'a sentence!', 'cannot be read as', 'neither Base64 nor hex.'],
  [
    'another text',
    '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----',
    'is not',
    'in standard Base64, it is a certificate.',
  ],
  ['a digest', bytes(32), 'is not', 'Base64, 32 bytes, as many as a SHA-256 digest or an HMAC-SHA256 has.'],
  ['a padded text of a part', bytes(151), 'is not', 'Base64, 151 bytes.'],
  ['too many bytes', bytes(300), 'is not', 'Base64, 300 bytes.'],
  [
    'as many bytes as another thing has',
    bytes(96),
    'is not',
    '96 bytes, as many as an ECDSA P-384 signature has.',
  ],
])('says of %s that it is no signature', (_what, signature, how, said) => {
  const result = refuse(signature)!;
  expect(result).toMatchObject({ verdict: 'not_a_signature', causes: [], valid: false });
  expect(result.explanation).toContain(
    `This ${how} a signature made with an RSA key of 2048 bits: it should be 256 bytes`,
  );
  expect(result.explanation).toMatch(new RegExp(`${said.replace(/[.+]/g, '\\$&')}$`));
});

it.each([
  ['the string to sign', 'R-110KEX', 'the string to sign itself'],
  ['Base64 of it', 'Ui0xMTBLRVg=', null],
  ['Base64 of a text as long as a signature', encodeBase64(new TextEncoder().encode('body '.repeat(52).slice(0, 256))), 'another writing of a text, not of a signature'],
  ['Base64 of Base64 of Base64', encodeBase64(new TextEncoder().encode(encodeBase64(new TextEncoder().encode(bytes(256))))), 'encoded more than twice: write the signature bytes as Base64 once'],
  ['Base64 of Base64 of hex', encodeBase64(new TextEncoder().encode(encodeBase64(new TextEncoder().encode('0a'.repeat(256))))), 'encoded more than twice: write the signature bytes as Base64 once'],
  ['nothing', ' ', 'empty: the code had no signature'],
  ['Base64 of a word', encodeBase64(new TextEncoder().encode('undefined')), 'a word that languages print for nothing'],
  ['Base64 of what was printed', encodeBase64(new TextEncoder().encode('[object ArrayBuffer]')), 'what JavaScript prints of an object'],
  ['Base64 of bytes that were read as UTF-8', encodeBase64(new TextEncoder().encode('\ufffd\ufffdab'.repeat(80))), 'bytes that were read as text, which lost some'],
  ['a word', 'undefined', 'a word that languages print for nothing'],
  ['Base64 in lower case', encodeBase64(Uint8Array.from({ length: 256 }, (_, at) => (at * at * 31 + at) % 251)).toLowerCase(), 'Base64 whose letters are all of one case'],
])('names what stands in place of a signature: %s', (_what, signature, said) => {
  const result = refuse(signature)!;
  expect(result).toMatchObject({ verdict: 'not_a_signature', causes: [] });
  const named = said === null ? 'it is Base64, 8 bytes.' : `in standard Base64, it is ${said}`;
  expect(result.explanation).toContain(named);
}); // prettier-ignore

it('names the body, and Base64 of the string to sign', () => {
  const body = '{"transaction":{"reference":"R-1000000000","amount":10,"service_code":"X"},"originator":{"country":"KE"}}';
  const told = (signature: string): string =>
    refuseEarly(
      { body, signature, key: key(2048), otherKeys: [], claimedString: null, earlier: [] },
      readSubject(body),
      decodeSignature(signature, 256),
    )!.explanation;
  expect(told(` ${body}\n`)).toContain('it is the body: send a signature over the string to sign.');
  expect(told(encodeBase64(new TextEncoder().encode('R-100000000010KEX')))).toContain('it is the string to sign in another writing, not signed');
}); // prettier-ignore

it('says how many bytes there should be, and are', () => {
  expect(refuse(bytes(192))!.causes).toMatchObject([{ expected: '256 bytes', actual: '192 bytes' }]);
  expect(refuse(bytes(192))!.causes[0]!.message).toContain('or it was made with an RSA key of 1536 bits');
});
