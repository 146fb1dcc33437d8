import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hash, infoOf, padPkcs1, padPss, padZeros } from '../../test/support/doctor-blocks';
import type { DoctorResult } from '../contract/doctor';
import { encodeBase64 } from '../signing/base64';
import { fromHex, toHex } from '../signing/hex';
import type { DoctorKey } from './decode/key-search';
import { diagnoseSignature } from './diagnose';
import type { DoctorQuestion } from './question';

const path = join(import.meta.dirname, '../../test/fixtures/signing/doctor-answers.json');
/** Writes what is answered as what is expected; look at the difference before you keep it. */
const isUpdate = process.env['UPDATE_FIXTURES'] === '1';
const expected = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;

const body =
  '{"transaction":{"reference":"R-1","amount":10,"service_code":"X"},"originator":{"country":"KE","name":"A"},"recipient":{"country":"UG"}}';
const string = 'R-110KEX';

/** A key that 'signs' by this byte: what it makes of a signature is the signature less that byte everywhere. */
const key = (shift: number, facts: Partial<DoctorKey> = {}): DoctorKey => ({
  name: null,
  environment: null,
  fingerprint: `${shift}`.repeat(64),
  bits: 2048,
  recover: (signature) => signature.map((byte) => byte - shift),
  ...facts,
});
const mine = key(0, { name: 'Mine', environment: 'UAT' });
const live = key(7, { name: 'Live', environment: 'production' });
const nameless = key(9);

const sign = (block: Uint8Array, shift = 0): string => encodeBase64(block.map((byte) => byte + shift));
const over = (text: string): string => sign(padPkcs1(infoOf(text)));
const digestInfo = (head: string, digest: string): Uint8Array => padPkcs1(fromHex(head + digest));
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

function ask(
  signature: string,
  question: Partial<DoctorQuestion> = {},
  clock = (): number => 5,
): DoctorResult {
  const asked = {
    body,
    signature,
    key: mine,
    otherKeys: [live, nameless],
    claimedString: null,
    earlier: [],
    ...question,
  };
  const steps = diagnoseSignature(asked, { hash, monotonicMs: clock });
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** A clock that shows these times, one at each look at it, and the last one from then on. */
const clock = (...times: number[]): (() => number) => {
  let look = -1;
  return () => times[Math.min((look += 1), times.length - 1)]!;
};
/** Asks of what nobody explains: the search is ended as soon as it has tried what is likeliest. */
const askBriefly = (signature: string): DoctorResult => ask(signature, {}, clock(0, 10_001));

const salt = (length: number): Uint8Array => new Uint8Array(length).fill(3);

const cases: Record<string, () => DoctorResult> = {
  'the right one': () => ask(over(string)),
  'the right one, not in standard Base64': () => ask(`${over(string)}\n`),
  'over a separator': () => ask(over('R-1|10|KE|X')),
  'over a separator that nobody sees': () => ask(over('R-1\u001f10\u001fKE\u001fX')),
  'over another order': () => ask(over('10R-1KEX')),
  'over another form of the number, in lower case': () => ask(over('r-110.00kex')),
  'over another form of the country': () => ask(over('R-110KenyaX')),
  'over a value too many': () => ask(over('R-110KEXUG')),
  'over a value in place of another': () => ask(over('R-110UGX')),
  'without two of the values': () => ask(over('R-1KE')),
  'over the body': () => ask(over(body)),
  'over the string of an earlier request': () =>
    ask(over('R-020KEX'), {
      earlier: [{ title: 'Payout, 10:04', reference: 'R-0', stringToSign: 'R-020KEX' }],
    }),
  'over the digest': () => ask(over(hash('sha256', string))),
  'over what nobody knows': () => askBriefly(over('something else')),
  'with SHA-1': () => ask(sign(digestInfo('3021300906052b0e03021a05000414', hash('sha1', string)))),
  'with SHA-1 over what nobody knows': () =>
    askBriefly(sign(digestInfo('3021300906052b0e03021a05000414', hash('sha1', 'something else')))),
  'with SHA-512/256': () =>
    ask(sign(digestInfo('3031300d060960864801650304020605000420', hash('sha512-256', string)))),
  'with a DigestInfo without NULL': () =>
    ask(sign(digestInfo('302f300b06096086480165030402010420', hash('sha256', string)))),
  'with a digest of another length': () =>
    askBriefly(sign(digestInfo('3031300d060960864801650304020105000420', 'ab'.repeat(20)))),
  'with PSS': () => ask(sign(padPss(string, salt(32)))),
  'with PSS whose salt fills it': () => ask(sign(padPss(string, salt(222)))),
  'with PSS whose salt fills it, over what nobody knows': () =>
    askBriefly(sign(padPss('something else', salt(222)))),
  'with such a PSS of another key, over what nobody knows': () =>
    askBriefly(sign(padPss('something else', salt(222)), 7)),
  'without a hash': () => ask(sign(padPkcs1(bytesOf(string)))),
  'without a hash, over a text like it': () => askBriefly(sign(padPkcs1(bytesOf('R-1 und 10!')))),
  'without a hash, over what nobody knows': () => askBriefly(sign(padPkcs1(bytesOf('something else')))),
  'without padding and hash': () => ask(sign(padZeros(bytesOf(string)))),
  'without padding': () => ask(sign(padZeros(infoOf(string)))),
  'with bytes in reverse': () => ask(sign(padPkcs1(infoOf(string)).toReversed())),
  'with another key of the vault': () => ask(sign(padPkcs1(infoOf(string)), 7)),
  'with another key without a name': () => ask(sign(padPkcs1(infoOf(string)), 9)),
  'with another key of the vault, over what nobody knows': () =>
    askBriefly(sign(padPkcs1(infoOf('something else')), 7)),
  'with a key that is not there': () => ask(sign(padPkcs1(infoOf(string)), 20)),
  'with a key that is not there, and no vault': () =>
    ask(sign(padPkcs1(infoOf(string)), 20), { otherKeys: [] }),
  'with a larger key': () => ask(encodeBase64(new Uint8Array(512).fill(5))),
  'as hex': () => ask(toHex(padPkcs1(infoOf(string)))),
  cut: () => ask(over(string).slice(0, 201)),
  'no signature': () => ask('a word'),
  'claimed rightly, and signed so': () => ask(over(string), { claimedString: string }),
  'claimed wrongly, and signed so': () => ask(over('R-1-10'), { claimedString: 'R-1-10' }),
  'claimed rightly, and not signed so': () => ask(over('R-1|10|KE|X'), { claimedString: string }),
  'claimed wrongly, and not signed so': () => ask(over('R-1|10|KE|X'), { claimedString: 'R-1-10' }),
  'over the first of two values of one key': () =>
    ask(over('R-19KEX'), { body: body.replace('"amount":10', '"amount":9,"amount":10') }),
  'over the values of the first of two objects': () =>
    ask(over('R-09KEX'), { body: body.replace('{', '{"transaction":{"reference":"R-0","amount":9},') }),
};

describe('the doctor says of a signature', () => {
  it.each(Object.keys(cases))('%s', (name) => {
    const { searched, planned, ...found } = cases[name]!();
    const explanation = found.explanation
      .replace(/(?<=none of )[\d,]+(?= strings)/, 'N')
      .replace(/(?<=looked at )[\d,]+ of [\d,]+/, 'N of M');
    const answer = { ...found, explanation, isEnded: planned !== null };
    if (isUpdate) expected[name] = answer;
    expect(answer).toEqual(expected[name]);
    expect(searched).toBeGreaterThan(answer.checks.length > 2 ? 0 : -1);
  });

  it('no more than is asked here', () => {
    if (isUpdate) writeFileSync(path, `${JSON.stringify(expected, null, 2)}\n`);
    expect(Object.keys(expected)).toEqual(Object.keys(cases));
  });
});

describe('what it says to do gives the string that is expected', () => {
  const escaped = body.replace('"R-1"', String.raw`"R\/\u00e9-1"`);
  it.each([
    ['with a signed value twice', body, 'R-11010KEX', 'with transaction.amount (10) in it twice: put transaction.amount into the string once'],
    ['with the quotes of the body', body, '"R-1"10KEX', 'with reference in quotes: sign transaction.reference without quotes or escapes, R-1'],
    ['with its escapes', escaped, String.raw`R\/\u00e9-110KEX`, 'not decoded: sign transaction.reference without quotes or escapes, R/é-1'],
    ['with some of them', escaped, String.raw`R/\u00e9-110KEX`, 'sign the decoded values, without quotes or escapes'],
  ])('%s', (_what, given, signed, said) => {
    expect(ask(over(signed), { body: given }).explanation).toContain(said);
  }); // prettier-ignore

  it.each([
    ['a whole body', body, null],
    ['a form with its fields sorted', 'amount=10&country=KE&reference=R-1&service_code=X', null],
    ['what is claimed', 'R-1<>10<>KE<>X', 'R-1<>10<>KE<>X'],
  ])('and of %s that was signed nothing is called as expected', (_what, signed, claimedString) => {
    const { verdict, checks } = ask(over(signed), { claimedString });
    expect(verdict).toBe('explained');
    expect(checks.map(({ finding }) => finding)).toContain('not compared one by one');
    expect(checks.map(({ finding }) => finding)).not.toContain('as expected');
  });

  it('and no dash that is left out is called a separator', () => {
    expect(ask(over('R110KEX')).checks).toContainEqual({
      name: 'Separator',
      finding: 'with dashes and underscores taken out of reference',
      isGood: false,
    });
  });
});

describe('a search that is ended', () => {
  it.each<[string, string, string]>([
    ['with this key', over('something else'), 'unexplained'],
    ['with another', sign(padPss('something else', salt(222)), 7), 'other_key'],
  ])('says how far it came: %s', (_what, signature, verdict) => {
    const { planned, searched, explanation, ...answer } = askBriefly(signature);
    expect(answer).toMatchObject({ verdict, signedString: null, elapsedMs: 10_001 });
    expect(planned).toBeGreaterThan(searched);
    expect(searched).toBeGreaterThan(0);
    expect(explanation).toContain(
      ` The search was not finished: it looked at ${searched.toLocaleString('en')} of ${planned!.toLocaleString('en')} strings`,
    );
  });

  it.each([
    [10_000, undefined, false],
    [10_001, undefined, true],
    [500, 500, false],
    [501, 500, true],
  ])('is so after %d ms, where %s are given: %s', (elapsedMs, mostMs, isEnded) => {
    const times = [0, ...new Array<number>(10).fill(elapsedMs), 1e9];
    const given = mostMs === undefined ? {} : { mostMs };
    const { searched } = ask(over('something else'), given, clock(...times));
    expect(searched === askBriefly(over('something else')).searched).toBe(isEnded);
  });
});

it.each([
  ['originator.name', body.replace(',"name":"A"', ''), 'minified'],
  ['recipient', body.replace(',"recipient":{"country":"UG"}', ''), 'minified'],
  [
    'transaction',
    '{\n  "originator": {\n    "country": "KE",\n    "name": "A"\n  },\n  "recipient": {\n    "country": "UG"\n  }\n}',
    'pretty-printed (2 spaces)',
  ],
])('says that it was signed over the body without %s', (name, signed, style) => {
  const { verdict, explanation, causes } = ask(over(signed));
  expect([verdict, causes.map(({ code }) => code)]).toEqual(['explained', ['string.whole_body']]);
  expect(explanation).toContain(`over the whole body without ${name}, ${style}`);
});

it.each([
  ['10', 'R-1|10-KEX', 'with “|” in the first and “-” in the second gap'],
  ['10', 'R-1|10:KE/X', 'with “|” in the first, “:” in the second and “/” in the third gap'],
  ['9223372036854775809', 'R-1-9223372036854775807KEX', 'all that an integer of 64 bits holds of it'],
  ['99999999999999999999', 'R-19223372036854775807KEX', 'all that an integer of 64 bits holds of it'],
  ['3000000000', 'R-1-1294967296KEX', 'all that an integer of 32 bits holds of it'],
  ['1234567890123456800', 'R-11234567890123456789KEX', 'which floating point takes for the 1234567890123456800 of the body'],
  ['1234567890123456', 'R-11.2345678901235E+15KEX', 'with the amount as 1.2345678901235E+15:'],
])('explains an amount of %s signed in %s', (amount, signed, said) => {
  const { verdict, explanation, causes } = ask(over(signed), { body: body.replace(':10,', `:${amount},`) });
  expect([verdict, causes.length]).toEqual(['explained', 1]);
  expect(explanation).toContain(said);
}); // prettier-ignore

it.each([
  ['"000420042"', '420042'],
  ['"12345678901234567890"', '12345678901234567000'],
  ['"12345678901234567890"', '1.2345678901235E+19'],
  ['"12345678901234567890"', '-6101065172474983726'],
])('explains a reference %s that was signed as the number %s', (reference, number) => {
  const { explanation } = ask(over(`${number}10KEX`), { body: body.replace('"R-1"', reference) });
  expect(explanation).toContain(`with reference as ${number}, the number that was made of it`);
});

it.each([
  ['', 'over nothing, an empty string'],
  ['0', 'with the amount as 0 and the other three values empty'],
  ['undefined'.repeat(4), 'with “undefined” in place of each of the four values'],
  ['<nil><nil><nil><nil>', 'with “<nil>” in place of each of the four values'],
])('explains %j, signed by code that found none of the four values', (text, phrase) => {
  const { verdict, explanation, causes } = ask(over(text));
  expect([verdict, causes.map(({ code }) => code)]).toEqual(['explained', ['string.field_missing']]);
  expect(explanation).toContain(`Signed ${phrase}: look what the code has of the body`);
});
