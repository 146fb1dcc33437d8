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
    expect(inspectBody('{').error?.code).toBe('signing.not_json');
  });
});
