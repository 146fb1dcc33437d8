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
