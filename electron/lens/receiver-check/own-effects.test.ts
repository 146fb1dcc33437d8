import { expect, it } from 'vitest';
import { OwnEffects } from './own-effects';
import { createPayment, reportPayment } from './played-webhook';

it('takes for another payment what an earlier scenario sent, which is seen late', () => {
  const effects = new OwnEffects();
  const [early, late] = [createPayment(), createPayment()];
  const rows = [early, late].map(({ reference }) => ({ reference }));
  effects.begin();
  effects.note(reportPayment(early));
  expect(effects.isDisturbed([], rows.slice(0, 1))).toBe(false);
  effects.begin();
  effects.note(reportPayment(late));
  expect(effects.isDisturbed([], rows.slice(1))).toBe(false);
  expect(effects.isDisturbed([], rows)).toBe(true);
});

it('knows a payment by a UUID that was kept as a double, which Ruby and Java print with an exponent', () => {
  const effects = new OwnEffects();
  const deliver = (paymentUuid: string): void =>
    effects.note({ id: `msg_${paymentUuid}`, body: `{"payment_uuid":"${paymentUuid}"}` });
  deliver('397587255966929');
  deliver('9009051082736916');
  const before = { orders: { '397587255966929.0': 'SUCCESS' } };
  const after = { orders: { ...before.orders, '9.009051082736916e+15': 'SUCCESS' } };
  expect(effects.isDisturbed({ orders: {} }, before)).toBe(false);
  expect(effects.isDisturbed(before, after)).toBe(false);
  expect(effects.isDisturbed(before, { orders: { ...before.orders, '9.1e+15': 'SUCCESS' } })).toBe(true);
});
