import { constants, createHash, generateKeyPairSync, privateEncrypt, randomBytes, sign } from 'node:crypto';
import { expect, it } from 'vitest';
import type { DoctorResult } from '@shared/contract/doctor';
import { askOf, startBuiltDoctor } from '../support/built-doctor';
import { casesOf, isThorough } from '../support/effort';

// Each of these is searched for to the end.
const diagnose = startBuiltDoctor();
const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
/** Of its values millions of strings are made. */
const BODY =
  '{"transaction":{"reference":"INV-2026-0042","amount":1500,"service_code":"MPESA-KE","currency":"KES"},"originator":{"country":"KE"}}';
/** A value less, and the others short: half the strings, which are made and hashed in half the time. */
const SMALL_BODY = isThorough
  ? BODY
  : '{"transaction":{"reference":"R7","amount":15,"service_code":"MK"},"originator":{"country":"KE"}}';

const ask = (signature: Buffer, body = SMALL_BODY): Promise<DoctorResult> =>
  diagnose(askOf(body, signature, publicKey));

const unknown = [
  ['hex', createHash('sha256').update('unknown').digest('hex')],
  ['Base64', createHash('sha256').update('unknown').digest('base64')],
  ['bytes', createHash('sha256').update('unknown').digest()],
  ['MD5 in hex', createHash('md5').update('unknown').digest('hex')],
  ['random bytes', randomBytes(40)],
  ['a text that has none of the values', 'hello world, this is nobody'],
] as const;
// In hex it is read in two ways, and each is searched for.
it.each(unknown.slice(0, casesOf(1, unknown.length)))(
  'a padded digest of an unknown text (%s) stays unexplained',
  async (_, payload) => {
    const result = await ask(privateEncrypt(privateKey, Buffer.from(payload)));
    expect([result.verdict, result.causes.map(({ code }) => code)]).toEqual([
      'unexplained',
      ['hash.missing'],
    ]);
    expect(result.explanation).not.toContain('without transaction.');
  },
);

// This is also what a foreign signature looks like that reads as PSS by chance.
it('PSS with a salt that fills the block over an unknown string may be another key: both are said, neither is claimed', async () => {
  const padding = {
    key: privateKey,
    padding: constants.RSA_PKCS1_PSS_PADDING,
    saltLength: constants.RSA_PSS_SALTLEN_MAX_SIGN,
  };
  const result = await ask(sign('sha256', Buffer.from('nobody knows this'), padding));
  expect([result.verdict, result.causes]).toEqual(['unexplained', []]);
  expect(result.explanation).toMatch(/another key.* or .*PSS/);
});

it('a search that finds nothing tries millions of strings, and no more than it may, or says that its time was up', async () => {
  const result = await ask(sign('sha256', Buffer.from('nobody knows this'), privateKey), BODY);
  expect([result.verdict, result.causes]).toEqual(['unexplained', []]);
  expect(result.searched).toBeLessThan(6_500_000);
  const { explanation } = result;
  if (explanation.includes('The search was not finished: it looked at')) return;
  expect(result.searched).toBeGreaterThan(3_000_000);
});
