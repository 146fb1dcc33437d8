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
