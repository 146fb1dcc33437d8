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
