import { constants, createHash, generateKeyPairSync, privateEncrypt, sign } from 'node:crypto';
import { expect, it } from 'vitest';
import type { DoctorResult } from '@shared/contract/doctor';
import { askOf, startBuiltDoctor } from '../support/built-doctor';

const diagnose = startBuiltDoctor();
const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const BODY =
  '{"transaction":{"reference":"INV-2026-0042","amount":1500,"service_code":"MPESA-KE","description":"Rent & \\"fees\\""},"originator":{"country":"KE"}}';
const EXPECTED = 'INV-2026-00421500KEMPESA-KE';
const TRANSACTION = BODY.slice(BODY.indexOf(':{') + 1, BODY.indexOf('}') + 1);

const ask = (signature: Buffer): Promise<DoctorResult> => diagnose(askOf(BODY, signature, publicKey));

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

it.each([
  ['the body in lower case', BODY.toLowerCase(), 'string.whole_body string.case'],
  ['the body percent-encoded', encodeURIComponent(BODY), 'string.whole_body string.charset'],
  ['the body as a JSON text', JSON.stringify(BODY), 'string.whole_body string.quoted'],
  ['a byte order mark before Base64', `\ufeff${base64(EXPECTED)}`, 'string.bom string.charset'],
  ['a byte order mark within Base64', base64(`\ufeff${EXPECTED}`), 'string.bom string.charset'],
  ['a line feed after Base64', `${base64(EXPECTED)}\n`, 'string.line_end string.charset'],
  ['a line feed after hex', `${Buffer.from(EXPECTED).toString('hex')}\n`, 'string.line_end string.charset'],
  ['an object after a line feed', `\n${TRANSACTION}`, 'string.whole_body string.line_end'],
  ['MD5 of an object in hex', md5(TRANSACTION), 'string.whole_body hash.hex_text hash.md5'],
  [
    'MD5 in hex of a field that is put in',
    md5(`Rent & "fees"${EXPECTED}`),
    'string.field_extra hash.hex_text hash.md5',
  ],
  [
    'SHA-1 in hex of decimals and a field at the end',
    createHash('sha1').update('INV-2026-00421500.00KEMPESA-KERent & "fees"').digest('hex'),
    'number.format string.field_extra hash.hex_text hash.sha1',
  ],
  [
    'joined without the dashes of the reference, with underscores in the service code',
    'INV20260042|1500|KE|MPESA_KE',
    'string.separator string.separator string.separator',
  ],
])('names each where the signed string was %s', async (_, text, codes) => {
  const result = await ask(sign('sha256', Buffer.from(text), privateKey));
  expect(result.causes.map(({ code }) => code).sort()).toEqual(codes.split(' ').sort());
  expect(result.verdict).toBe('explained');
});

const sha256 = (data: string | Buffer): Buffer => sign('sha256', Buffer.from(data), privateKey);
it.each([
  ['MD5 in hex', sha256(md5(EXPECTED)), 'over an MD5 digest, and over the digest as hex text', 'SHA-256'],
  ['MD5 as bytes', sha256(createHash('md5').update(EXPECTED).digest()), 'over an MD5 digest, and hashed twice', 'SHA-256'],
  ['SHA-1 in Base64', sha256(createHash('sha1').update(EXPECTED).digest('base64')), 'over a SHA-1 digest, and over the digest as Base64 text', 'SHA-256'],
  ['MD5 in hex, by SHA-1', sign('sha1', Buffer.from(md5(EXPECTED)), privateKey), 'over an MD5 digest, with SHA-1, and over the digest as hex text', 'SHA-1'],
  ['MD5 in hex, by MD5', sign('md5', Buffer.from(md5(EXPECTED)), privateKey), 'with MD5, and over the digest as hex text', 'MD5'],
])('tells the hash of a digest that was signed from the hash that it was signed with: %s', async (_, signature, done, outer) => {
  const { explanation, checks } = await ask(signature);
  expect(explanation.replace(/:.*/, '')).toBe(`Signed ${done}`);
  expect(checks.find(({ name }) => name === 'Hash')?.finding).toMatch(new RegExp(`^${outer}, digest .*(?:digest as|twice)`));
}); // prettier-ignore

const digest = createHash('sha256').update(EXPECTED).digest();
const INFO = Buffer.concat([Buffer.from('3031300d060960864801650304020105000420', 'hex'), digest]);
const RUBBISH = Buffer.from([1, 2, 3]);
const UNPADDED = { key: privateKey, padding: constants.RSA_NO_PADDING };

it.each([
  ['3 bytes before the DigestInfo', privateEncrypt(privateKey, Buffer.concat([RUBBISH, INFO]))],
  ['3 bytes after the DigestInfo', privateEncrypt(privateKey, Buffer.concat([INFO, RUBBISH]))],
  ['no padding around the DigestInfo', privateEncrypt(UNPADDED, Buffer.concat([Buffer.alloc(205), INFO]))],
])('says that there is %s, not that nothing was hashed', async (fault, signature) => {
  const result = await ask(signature);
  expect([result.valid, result.signedString]).toEqual([false, EXPECTED]);
  expect(result.explanation).toContain(`with ${fault}`);
  expect(result.causes).toEqual([]);
});

const cutInfo = INFO.subarray(0, 40);
const unknownInfo = Buffer.from(INFO);
// Of a hash that nobody has.
unknownInfo[14] = 0x7f;
it.each([
  ['a digest that was cut', cutInfo],
  ['a hash that is not known', unknownInfo],
])('does not say of %s that nothing was hashed', async (_, payload) => {
  const result = await ask(privateEncrypt(privateKey, payload));
  expect([result.verdict, result.causes, result.signedString]).toEqual(['unexplained', [], null]);
  expect(result.explanation).toContain(
    'a DigestInfo of a hash that is not known, or with a digest of another length',
  );
});
