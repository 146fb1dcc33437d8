import { expect, it } from 'vitest';
import { editTestPayload, planTestWebhooks, writeTestPayload } from './test-webhook';

const plan = (payload: string, scenario: string | null) => planTestWebhooks(payload, scenario, () => 'new');

it('writes amount and metadata as they were typed, and leaves out what nobody gave', () => {
  const fields = { status: 'SUCCESS', code: undefined, amount: '1000.00', metadata: ' {"a": 1e3}' };
  expect(writeTestPayload(fields)).toBe('{"status":"SUCCESS","amount":1000.00,"metadata":{"a": 1e3}}');
  expect(() => writeTestPayload({ amount: '1,5' })).toThrow('not a JSON number');
});

it('sets in its place, adds with what leads there, and takes away', () => {
  const payload = '{ "amount": 1000.00, "a":{"b" :1} }';
  expect(editTestPayload(payload, { set: ['a.b=2.50'] })).toBe('{ "amount": 1000.00, "a":{"b" :2.50} }');
  expect(editTestPayload(payload, { set: ['x.y=FAILED', '__proto__.z=null'] })).toBe(
    '{"amount":1000.00,"a":{"b":1},"x":{"y":"FAILED"},"__proto__":{"z":null}}',
  );
  expect(editTestPayload(payload, { unset: ['a.b', 'nobody.c'] })).toBe('{"amount":1000.00,"a":{}}');
  for (const set of ['a', '=1', 'a..b=1', 'amount.c=1'])
    expect(() => editTestPayload(payload, { set: [set] })).toThrow();
  for (const bad of ['[1]', '{', '{"a":'.repeat(200) + '1' + '}'.repeat(200)])
    expect(() => editTestPayload(bad, {})).toThrow();
});

it('plans each scenario, and refuses what is none', () => {
  const payload = '{"status":"SUCCESS","client_reference":"R","payment_uuid":"7"}';
  expect(plan(payload, null)).toEqual([{ payload, copies: 1, delaySeconds: 0 }]);
  expect(plan(payload, 'duplicate')).toEqual([{ payload, copies: 2, delaySeconds: 0 }]);
  expect(plan(payload, 'late:90')).toEqual([{ payload, copies: 1, delaySeconds: 90 }]);
  expect(plan(payload, 'out-of-order').map((one) => one.payload)).toEqual([
    payload,
    payload.replace('SUCCESS', 'ACCEPTED'),
  ]);
  const burst = plan(payload, 'burst:50');
  expect(new Set(burst.map((one) => one.payload)).size).toBe(50);
  expect(burst[49]?.payload).toBe('{"status":"SUCCESS","client_reference":"R-50","payment_uuid":"70050"}');
  expect(plan('{}', 'burst:1')[0]?.payload).toBe('{"client_reference":"new-1"}');
  for (const bad of ['burst', 'burst:0', 'burst:1001', 'burst:x', 'late:-1', 'duplicate:2', 'toString', '']) {
    expect(() => plan(payload, bad)).toThrow('There is no scenario');
  }
});

it('refuses with words that say what is wrong, and never with a long text', () => {
  const long = 'x'.repeat(500);
  const refusal = (act: () => unknown): { code?: string; message: string } => {
    try {
      act();
    } catch (error) {
      return error as { code?: string; message: string };
    }
    throw new Error('nothing was refused');
  };
  const cases: [() => unknown, string][] = [
    [() => plan('{}', long), `There is no scenario '${'x'.repeat(60)}'.`],
    [() => editTestPayload('{}', { set: [long] }), `--set takes a.b=VALUE, not '${'x'.repeat(60)}'.`],
    [() => editTestPayload('{}', { set: ['=1'] }), "--set takes a.b=VALUE, not '=1'."],
    [
      () => editTestPayload('{}', { unset: [`a..${long}`] }),
      `'a..${'x'.repeat(57)}' is no path. Write it as a.b.`,
    ],
    [
      () => editTestPayload(`{"${long}":1}`, { set: [`${long}.b=1`] }),
      `'${'x'.repeat(60)}' leads through what is no object.`,
    ],
    [() => editTestPayload('{"a":[1]}', { set: ['a.b=1'] }), "'a.b' leads through what is no object."],
    [() => editTestPayload('[1]', {}), 'The body of the webhook is no JSON object.'],
    [
      () => editTestPayload('{"a" 1}', {}),
      'The body of the webhook is no JSON. The body is not JSON: line 1',
    ],
    [
      () => editTestPayload('{"a":'.repeat(200) + '1' + '}'.repeat(200), {}),
      'The body of the webhook is no JSON. It is deeper than 100 levels.',
    ],
    [() => writeTestPayload({ metadata: '[]' }), 'The metadata is not a JSON object.'],
  ];
  for (const [act, words] of cases) {
    const { code, message } = refusal(act);
    expect([code, message]).toEqual(['sending.bad_input', expect.stringContaining(words)]);
  }
});

it('sets by a name of one letter, and takes away what lies three levels deep alone', () => {
  expect(editTestPayload('{"a":1}', { set: ['a=2'] })).toBe('{"a":2}');
  expect(editTestPayload('{}', { set: ['a=2'] })).toBe('{"a":2}');
  expect(editTestPayload('{"a":{"b":{"c":1,"b":2}}}', { unset: ['a.b.c'] })).toBe('{"a":{"b":{"b":2}}}');
  for (const path of ['a.b.c', 'a.x.c', 'x'])
    expect(editTestPayload('{ "a": {"b": 1} }', { unset: [path] })).toBe('{ "a": {"b": 1} }');
});

it('plans as much as it may, and not one more', () => {
  expect(plan('{}', 'burst:1000')).toHaveLength(1000);
  expect(plan('{}', 'late')[0]?.delaySeconds).toBe(5);
  expect(plan('{}', 'late:86400')[0]?.delaySeconds).toBe(86_400);
  for (const bad of ['late:86401', 'late:x5', 'late:5x', 'out-of-order:2']) {
    expect(() => plan('{}', bad)).toThrow('There is no scenario');
  }
});
