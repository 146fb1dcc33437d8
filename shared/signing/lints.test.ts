import { describe, expect, it } from 'vitest';
import { inspectBody } from './inspect-body';
import { readStringToSign } from './string-to-sign';

const DEFAULTS = { reference: '"INV-1"', amount: '1500', service_code: '"MPESA-KE"', country: '"KE"' };

function write(fields: Partial<typeof DEFAULTS>): string {
  const { reference, amount, service_code, country } = { ...DEFAULTS, ...fields };
  return `{"transaction":{"reference":${reference},"amount":${amount},"service_code":${service_code}},"originator":{"country":${country}}}`;
}

/** Applies the fix of the only warning with this code. */
function fixed(body: string, code: string): string {
  const found = inspectBody(body).lints.filter((lint) => lint.code === code);
  expect(found).toHaveLength(1);
  const { fix } = found[0]!;
  if (fix === undefined) return 'no fix';
  const after = body.slice(0, fix.start) + fix.replacement + body.slice(fix.end);
  expect(inspectBody(after).lints.map((lint) => lint.code)).not.toContain(code);
  return readStringToSign(after).text;
}

describe('the warnings of inspectBody', () => {
  it('has nothing to say about a plain body', () => {
    expect(inspectBody(write({})).lints).toEqual([]);
    expect(inspectBody(write({ country: '"KEN"' })).lints).toEqual([]);
  });

  it.each([
    ['amount_quoted', { amount: '"1500"' }, 'INV-11500KEMPESA-KE'],
    ['amount_not_integer', { amount: '1500.00' }, 'INV-11500KEMPESA-KE'],
    ['amount_not_integer', { amount: '1500.50' }, 'no fix'],
    ['amount_exponent', { amount: '1.5e3' }, 'INV-11500KEMPESA-KE'],
    ['amount_too_large', { amount: '9007199254740993' }, 'no fix'],
    ['edge_white_space', { reference: '" INV-1 "' }, 'INV-11500KEMPESA-KE'],
    ['invisible_character', { reference: '"INV\u200b-1"' }, 'INV-11500KEMPESA-KE'],
    ['invisible_character', { reference: '"INV\u00a01"' }, 'INV 11500KEMPESA-KE'],
    ['look_alike_character', { service_code: '"МPESA-KE"' }, 'INV-11500KEMPESA-KE'],
    ['look_alike_character', { reference: '"INV–1"' }, 'INV-11500KEMPESA-KE'],
    ['escape', { reference: '"INV\\u002d1"' }, 'INV-11500KEMPESA-KE'],
    ['escape', { reference: '"INV\\"1"' }, 'no fix'],
    ['country_form', { country: '"ke"' }, 'INV-11500KEMPESA-KE'],
    ['country_form', { country: '"Kenya"' }, 'INV-11500KEMPESA-KE'],
    ['country_form', { country: '"Atlantis"' }, 'no fix'],
    ['unresolved_variable', { reference: '"{{order}}"' }, 'no fix'],
    ['lone_surrogate', { reference: '"\ud800"' }, 'no fix'],
  ])('warns of %s in %j', (code, fields, expected) => {
    expect(fixed(write(fields), code)).toBe(expected);
  });

  it.each([
    [
      'white space at the edge that cannot be seen',
      { reference: '"\u00a0INV-1\u3000"' },
      ['edge_white_space'],
    ],
    ['the largest number that floating point keeps', { amount: '9007199254740991' }, []],
    ['that number, negative', { amount: '-9007199254740991' }, []],
    ['the next one', { amount: '9007199254740992' }, ['amount_too_large']],
    ['one that is far beyond', { amount: '1e999999' }, ['amount_exponent', 'amount_too_large']],
    ['a fraction of many digits', { amount: '0.00000000000000000001' }, ['amount_not_integer']],
    ['a quoted text that is no number', { amount: '"1,500"' }, ['amount_not_number']],
    ['a digit and a letter that looks like one', { amount: '"70o"' }, ['amount_not_number']],
    ['an ISO-3 code with an edge', { country: '" KEN"' }, ['edge_white_space', 'country_form']],
  ])('says of %s all that is to be said, and no more', (_name, fields, codes) => {
    expect(inspectBody(write(fields)).lints.map(({ code }) => code)).toEqual(codes);
  });

  it.each([
    ['amount_quoted', { amount: '"1500"' }, '"amount":1500,'],
    ['amount_not_integer', { amount: '"1500.00"' }, '"amount":"1500",'],
    ['amount_not_integer', { amount: '1500.00' }, '"amount":1500,'],
    ['edge_white_space', { reference: '" a\\"b "' }, '"reference":"a\\"b",'],
    ['country_form', { country: '" kenya "' }, '"country":"KE"'],
    ['look_alike_character', { reference: '"a“b"' }, '"reference":"a\\"b",'],
  ])('mends %s in %j with what stands in the body', (code, fields, written) => {
    const body = write(fields);
    const { fix } = inspectBody(body).lints.find((lint) => lint.code === code)!;
    expect(body.slice(0, fix!.start) + fix!.replacement + body.slice(fix!.end)).toContain(written);
  });

  it('names the characters that are meant', () => {
    const messageOf = (reference: string): string =>
      inspectBody(write({ reference: `"${reference}"` })).lints[0]!.message;
    expect(messageOf('МPESA')).toContain("holds 'М' (U+041C), which looks like 'M'");
    expect(messageOf('a\u200bb')).toContain('holds U+200B');
  });

  it('warns of repeated keys on the way to signed fields, and of no others', () => {
    const body =
      '{"meta":{"a":1,"a":2},"transaction":{"reference":"A","reference":"B","amount":1,"service_code":"S"},' +
      '"originator":{"country":"KE"},"originator":{"country":"KE"}}';
    expect(inspectBody(body).lints.map(({ code, pointer }) => [code, pointer])).toEqual([
      ['duplicate_key', '/transaction/reference'],
      ['duplicate_key', '/originator'],
    ]);
  });

  it('leaves text of another script alone', () => {
    expect(inspectBody(write({ reference: '"ЗАКАЗ-12"' })).lints).toEqual([]);
  });

  it('warns about the fields that are there while others are missing', () => {
    const body = '{"transaction":{"amount":"1"}}';
    const { toSign, error, lints } = inspectBody(body);
    expect(toSign).toBeNull();
    expect(error?.code).toBe('signing.field_missing');
    expect(lints.map(({ code }) => code)).toEqual(['amount_quoted']);
  });

  it('answers a body that is not JSON with its error, no throw', () => {
    expect(inspectBody('{')).toMatchObject({ toSign: null, error: { code: 'signing.not_json' }, lints: [] });
  });
});
