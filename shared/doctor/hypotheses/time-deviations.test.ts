import { expect, it } from 'vitest';
import { hash, infoOf, padPkcs1 } from '../../../test/support/doctor-blocks';
import { encodeBase64 } from '../../signing/base64';
import type { DoctorResult } from '../../contract/doctor';
import { diagnoseSignature } from '../diagnose';

const bodyOf = (time: string, reference = '"R-1"', amount = '500'): string =>
  `{"transaction":{"reference":${reference},"currency":"KES","amount":${amount},"service_code":"X","timestamp":"${time}"},"originator":{"country":"KE"}}`;

const key = {
  name: null,
  environment: null,
  fingerprint: '0'.repeat(64),
  bits: 2048,
  recover: (signature: Uint8Array) => signature,
};

function ask(signed: string, body = bodyOf('2026-11-30T08:00:00Z')): DoctorResult {
  const signature = encodeBase64(padPkcs1(infoOf(signed)));
  const question = { body, signature, key, otherKeys: [], claimedString: null, earlier: [] };
  const steps = diagnoseSignature(question, { hash, monotonicMs: () => 5 });
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

it.each([
  ['R-1500KEX1796025600', '1796025600, seconds since 1970'],
  ['R-1500KEX1796025600.0', '1796025600.0, seconds since 1970'],
  ['1796025600000R-1500KEX', '1796025600000, milliseconds since 1970'],
  ['R-15001796025600KEX', '1796025600, seconds since 1970'],
  ['R-1500KEX2026-11-30T08:00:00.000Z', '2026-11-30T08:00:00.000Z'],
  ['R-1500KEX2026-11-30T08:00:00+00:00', '2026-11-30T08:00:00+00:00'],
  ['R-1500KEX2026-11-30T08:00Z', '2026-11-30T08:00Z'],
  ['R-1500KEX2026-11-30 08:00:00', '2026-11-30 08:00:00'],
  ['R-1500KEX2026-11-30 08:00:00 +0000 UTC', '2026-11-30 08:00:00 +0000 UTC'],
  ['R-1500KEX20261130', '20261130'],
  ['R-1500KEX2026-11-30T11:00:00+03:00', '2026-11-30T11:00:00+03:00, its time in UTC+03:00'],
  ['R-1500KEXMon Nov 30 11:00:00 EAT 2026', 'Mon Nov 30 11:00:00 EAT 2026, its time in UTC+03:00'],
  ['R-1500KEXMon, 30 Nov 2026 08:00:00 GMT', 'Mon, 30 Nov 2026 08:00:00 GMT'],
])('explains a time that was signed in another form than the body has: %s', (signed, form) => {
  const { verdict, explanation, causes } = ask(signed);
  expect([verdict, causes.map(({ code }) => code)]).toEqual(['explained', ['string.field_extra']]);
  expect(explanation).toBe(
    `Signed with transaction.timestamp in it as ${form}: leave transaction.timestamp out of the string.`,
  );
});

it('names what stands between the values beside the time, and reads one without a zone as UTC', () => {
  const { causes } = ask('R-1|500|KE|X|1796025600', bodyOf('2026-11-30 08:00:00'));
  expect(causes.map(({ code, actual }) => [code, actual])).toEqual([
    ['string.separator', '|'],
    ['string.field_extra', '1796025600'],
  ]);
});

it('takes a time that fits none of the forms of the body for no time of it', () => {
  expect(ask('R-1500KEX1796025601').verdict).toBe('unexplained');
}, 180_000); // It goes through all that it knows: on a slow machine beside others that took more than a minute.

it.each([
  ['R-1500KEXR-1500KEX', 'string.field_extra', 'with the whole string twice, one behind the other: sign it once.'],
  ['XEK0051-R', 'string.order', 'with the whole string backwards, its last character first:'],
  ['R-1\u01f4KEX', 'number.format', 'with the amount as \u01f4:'],
  ['500KESR-1X2026-11-30T08:00:00Z', 'string.whole_body', 'the object transaction alone, all its values sorted by their names, with nothing between them:'],
  ['R-1|KES|500|X|2026-11-30T08:00:00Z', 'string.whole_body', 'all its values in their order there, with “|” between them:'],
  ['amount=500&currency=KES&reference=R-1&service_code=X&timestamp=2026-11-30T08:00:00Z', 'string.whole_body', 'all its names and values sorted by their names, joined:'],
])('explains %s', (signed, code, said) => {
  const { causes, explanation, checks } = ask(signed);
  expect(causes.map((cause) => cause.code)).toEqual([code]);
  expect(explanation).toContain(said);
  expect(checks.map(({ finding }) => finding)).not.toContain('; expected ');
}); // prettier-ignore

it('says of a reference that a number of the body has lost its zeros', () => {
  expect(ask('00042500KEX', bodyOf('2026-11-30T08:00:00Z', '42')).explanation).toBe(
    'Signed with reference as 00042, whose zeros in front the number 42 of the body has lost: send transaction.reference as a text, in quotes, as it is signed.',
  );
});
