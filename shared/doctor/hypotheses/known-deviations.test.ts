import { describe, expect, it } from 'vitest';
import { hash, infoOf, padPkcs1 } from '../../../test/support/doctor-blocks';
import { encodeBase64 } from '../../signing/base64';
import { diagnoseSignature } from '../diagnose';

const body =
  '{"transaction":{"reference":"R-1","amount":10,"service_code":"X"},"originator":{"country":"KE","name":"A"}}';
const string = 'R-110KEX';
const token = 'eyJhbGciOiJIUzI1NiJ9.eyJwIjoicGF5b3V0In0.c2lnbmF0dXJl';
const known = [
  { name: 'the bearer token', text: token },
  { name: 'the consumer secret', text: 'cs_trial' },
];
const key = {
  name: null,
  environment: null,
  fingerprint: '0'.repeat(64),
  bits: 2048,
  recover: (signature: Uint8Array) => signature,
};

function ask(signed: string, isKnown = true, sent = body) {
  const steps = diagnoseSignature(
    {
      body: sent,
      signature: encodeBase64(padPkcs1(infoOf(signed))),
      key,
      otherKeys: [],
      claimedString: null,
      earlier: [],
      ...(isKnown && { known }),
    },
    { hash, monotonicMs: () => 5 },
  );
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

describe('a token or a credential in what was signed', () => {
  it.each([
    [token + string, 'with the bearer token in front', '‹the bearer token›R-110KEX'],
    [`Bearer ${token}${string}`, 'with “Bearer” and the bearer token in front', 'Bearer ‹the bearer token›R-110KEX'],
    [`${token}.${string}`, 'with the bearer token and “.” in front', '‹the bearer token›.R-110KEX'],
    [string + token, 'with the bearer token at the end', 'R-110KEX‹the bearer token›'],
    [`${string}cs_trial`, 'with the consumer secret at the end', 'R-110KEX‹the consumer secret›'],
    [token + body, 'with the bearer token in front', `‹the bearer token›${body}`],
  ])('is named, and shown nowhere: %#', (signed, phrase, shown) => {
    const result = ask(signed);
    expect(result).toMatchObject({ verdict: 'explained', signedString: shown });
    expect(result.explanation).toContain(phrase);
    expect(result.causes.map(({ code }) => code)).toContain('string.field_extra');
    expect(JSON.stringify(result)).not.toMatch(/eyJ|cs_trial/);
  }); // prettier-ignore

  it.each([
    ['R-1{amount}KEX', 'with “{amount}” in place of amount'],
    ['R-1$amountKEX', 'with “$amount” in place of amount'],
    ['R-10KEX', 'with “0” in place of amount'],
    ['R-110KE${serviceCode}', 'with “${serviceCode}” in place of service_code'],
    ['R-110%sX', 'with “%s” in place of country'],
  ])('is told from a value that was not filled in: %s', (signed, phrase) => {
    expect(ask(signed).explanation).toContain(phrase);
  });

  it('is told from a string whose UTF-8 was read as Windows-1252', () => {
    const sent = body.replace('R-1', 'R-’1');
    expect(ask('R-â€™110KEX', false, sent).explanation).toContain(
      'as UTF-8 encoded twice, read as Windows-1252 between',
    );
  });

  it('is not told for certain from the body where either may have been encoded wrongly', () => {
    const sent = body.replace('R-1', 'R-Ã©1');
    expect(ask('R-é110KEX', false, sent).explanation).toContain(
      'Signed as Latin-1, or right, while the body was encoded as UTF-8 twice: encode the body as UTF-8 once; where',
    );
    expect(ask('R-1Ã©10KEX', false, body.replace('R-1', 'R-1Ã©')).verdict).toBe('valid');
  });

  it('is not guessed where nobody gave it', () => {
    expect(ask(token + string, false).verdict).toBe('unexplained');
  });

  it('changes nothing about a signature that is right', () => {
    expect(ask(string).verdict).toBe('valid');
  });
});

it.each([
  ['minified', (text: string) => text],
  ['minified, slashes escaped', (text: string) => text.replaceAll('/', '\\/')],
])('explains a body whose outermost keys alone were sorted, %s', (style, write) => {
  // `ksort` of PHP and `sort.to_h` of Ruby leave the order within.
  const sorted = `{"originator":{"country":"KE","name":"A/B"},"transaction":{"reference":"R-1","amount":10,"service_code":"X"}}`;
  const sent = `{"transaction":{"reference":"R-1","amount":10,"service_code":"X"},"originator":{"country":"KE","name":"A/B"}}`;
  const result = ask(write(sorted), false, sent);
  expect(result.verdict).toBe('explained');
  expect(result.explanation).toContain(`over the whole body, its top-level keys alone sorted, ${style}`);
});
