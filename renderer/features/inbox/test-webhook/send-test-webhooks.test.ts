import { expect, it } from 'vitest';
import { planForm } from './send-test-webhooks';

const form = { status: 'SUCCESS', reference: '', amount: '', overrides: '', scenario: null };

it('sends what was filled in, amounts as typed, and asks for an exact body only for members of its own', () => {
  expect(planForm({ ...form, reference: 'R-1', amount: '1000.00' })).toEqual({
    webhooks: [
      {
        payload: '{"status":"SUCCESS","amount":1000.00,"client_reference":"R-1"}',
        copies: 1,
        delaySeconds: 0,
      },
    ],
    isExact: false,
  });
  const changed = planForm({
    ...form,
    reference: 'R-1',
    overrides: 'metadata.order=7\n\n-client_reference\n',
  });
  expect(changed.isExact).toBe(true);
  expect(JSON.parse(changed.webhooks[0]!.payload)).toEqual({ status: 'SUCCESS', metadata: { order: 7 } });
  expect(planForm({ ...form, scenario: 'out-of-order' }).webhooks).toHaveLength(2);
});

it.each([
  [{ overrides: 'no change' }, /Write a\.b=VALUE/],
  [{ overrides: '=1' }, /Write a\.b=VALUE/],
  [{ amount: '1,5' }, /The amount is not a JSON number/],
])('says what cannot be sent: %j', (part, message) => {
  expect(() => planForm({ ...form, ...part })).toThrow(message);
});
