import { describe, expect, it } from 'vitest';
import { checkWebhookFields } from './check-webhook-fields';

const whole = {
  status: 'SUCCESS',
  code: '200.100',
  amount: 1000,
  client_reference: 'R-1',
  payment_uuid: '77',
  payment_reference: 'P-1',
  metadata: {},
};
const check = (body: unknown) => checkWebhookFields(typeof body === 'string' ? body : JSON.stringify(body));

describe('a webhook compared with the schema', () => {
  it('has no problem as the service sends it, in `data` too, and with metadata that is null', () => {
    expect(check(whole)).toEqual([]);
    expect(check({ event: 'payment', data: { ...whole, metadata: null } })).toEqual([]);
  });

  it('names what is missing, unexpected, of another type, and of another form', () => {
    const { code: _code, ...rest } = whole;
    const problems = check({ ...rest, amount: '1000.00', payment_uuid: 77, status: 'PAID', 'a/b': 1 });
    expect(problems.map(({ pointer, kind }) => [pointer, kind])).toEqual([
      ['/status', 'unknown_value'],
      ['/code', 'missing'],
      ['/amount', 'wrong_type'],
      ['/payment_uuid', 'wrong_type'],
      ['/a~1b', 'unexpected'],
    ]);
    expect(problems[0]!.message).toBe('status is “PAID”, none of SUCCESS, FAILED, CANCELED.');
    expect(problems[2]!.message).toBe('amount is a string ("1000.00"); number is expected.');
    expect(check({ ...whole, payment_uuid: 'P-1' })[0]?.message).toBe(
      'payment_uuid is “P-1”, not a numeric text.',
    );
    expect(check({ ...whole, code: null })[0]?.message).toBe('code is null (null); string is expected.');
  });

  it('says of what is too much to be looked into that it was not', () => {
    const message = 'The body holds over 200,000 values, and is not looked into.';
    expect(check(`{"status":"SUCCESS","metadata":[${'[],'.repeat(200_000)}0]}`)).toMatchObject([
      { pointer: '', kind: 'too_many', message },
    ]);
    expect(check(`{"status":"SUCCESS","metadata":[${'[],'.repeat(190_000)}0]}`)[0]?.kind).toBe('missing');
  });

  it('says of what is no object that it is none', () => {
    expect(check('{"a":')[0]).toMatchObject({
      kind: 'not_json',
      message: 'The body is not JSON: line 1, column 6: the text ends here, expected a value.',
    });
    expect(check('[1]')[0]?.message).toBe('The body is an array; an object is expected.');
  });

  it.each([
    ['a number', 7, 'a number'],
    ['true', true, 'a boolean'],
    ['null', null, 'null'],
    ['a text', 'x', 'a string'],
    ['a list', [], 'an array'],
  ])('calls %s by its name', (_what, body, name) => {
    expect(check(JSON.stringify(body))[0]?.message).toBe(`The body is ${name}; an object is expected.`);
  });

  it('looks into `data` where no field stands beside it, and where it is an object', () => {
    expect(check({ ...whole, data: { status: 'SUCCESS' } })).toMatchObject([
      { pointer: '/data', kind: 'unexpected' },
    ]);
    expect(check({ data: { ...whole, status: 'PAID' } })[0]).toMatchObject({ pointer: '/data/status' });
    expect(check({ data: [] }).map(({ pointer }) => pointer)).toContain('/status');
    expect(check({ status: 'SUCCESS', data: whole }).map(({ pointer }) => pointer)).toContain('/code');
  });

  it('takes states of the environment besides, digits alone for a payment UUID, and null where it may be', () => {
    expect(checkWebhookFields(JSON.stringify({ ...whole, status: 'HELD' }), ['HELD'])).toEqual([]);
    expect(check({ ...whole, payment_uuid: '77x' })[0]?.kind).toBe('unknown_value');
    expect(check({ ...whole, metadata: 'x' })[0]?.kind).toBe('wrong_type');
    expect(check({ ...whole, status: null })[0]?.kind).toBe('wrong_type');
  });

  it('shows eighty characters of a value, and says that there are more', () => {
    const says = (length: number) => check({ ...whole, status: 'x'.repeat(length) })[0]?.message;
    expect(says(80)).toContain(`“${'x'.repeat(80)}”`);
    expect(says(81)).toContain(`“${'x'.repeat(80)}…”`);
  });

  it('stays short whatever it is given', () => {
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`${'k'.repeat(200)}${at}`, at]));
    const problems = check({ ...whole, ...many, status: 'x'.repeat(100_000) });
    expect(problems).toHaveLength(52);
    expect(problems.at(-1)?.message).toBe('4950 more members are no fields of the schema.');
    expect(Math.max(...problems.map(({ message }) => message.length))).toBeLessThan(300);
    expect(check(`${'['.repeat(10_000)}${']'.repeat(10_000)}`)).toHaveLength(1);
  });
});
