import { expect, it } from 'vitest';
import { chooseAnswered as readAnswered } from './choose-answered';
import type { ExchangeRow } from './history-store';

let id = 0;
const paid = (environment: string, more: Partial<ExchangeRow> = {}) =>
  ({
    id: (id += 1),
    environment,
    url: `https://${environment}.test/pay`,
    operation: 'payout',
    outcome: 'accepted',
    error_code: null,
    payment_uuid: null,
    ...more,
  }) as ExchangeRow;
const chooseAnswered = (...asked: Parameters<typeof readAnswered<ExchangeRow>>) => readAnswered(...asked).row;
const unknown = { outcome: null, error_code: 'sending.timeout' };

it('takes of two payments with one reference the one whose UUID the webhook carries, not the one sent last', () => {
  const [one, two] = [paid('one', { payment_uuid: '11' }), paid('two', { payment_uuid: '22' })];
  expect(chooseAnswered([two, one], '11')).toBe(one);
  expect(chooseAnswered([two, one], '22')).toBe(two);
  expect(chooseAnswered([two, one], '99')).toBeNull();
  const test = paid('one', { operation: 'send_test', payment_uuid: '99', outcome: 'ok' });
  expect(chooseAnswered([two, one, test], '99')).toBe(test);
});

it('takes the payment whose UUID nobody told for one that may be meant, as long as its service told none', () => {
  const [one, lost] = [paid('one', { payment_uuid: '11' }), paid('two', unknown)];
  expect(chooseAnswered([lost, one], '99')).toBe(lost);
  const again = paid('one', { outcome: 'duplicate' });
  expect(chooseAnswered([again, one], '99')).toBeNull();
  expect(chooseAnswered([again, one, lost], '99')).toBe(lost);
  const elsewhere = { environment: 'local', url: 'http://127.0.0.1:4010/pay', payment_uuid: '11' };
  expect(chooseAnswered([paid('local', unknown), paid('local', elsewhere)], '99')).toBeNull();
});

it('says of a webhook without a UUID what it answers only where one service alone may have the payment', () => {
  const [one, two] = [paid('one', { payment_uuid: '11' }), paid('two', { payment_uuid: '22' })];
  expect(chooseAnswered([two, one], null)).toBeNull();
  const refused = paid('two', { outcome: 'rejected' });
  expect(chooseAnswered([refused, one], null)).toBe(one);
  expect(chooseAnswered([refused], '99')).toBe(refused);
  const test = paid('two', { operation: 'send_test', outcome: 'ok' });
  expect(chooseAnswered([one, test], null)).toBe(one);
  expect(chooseAnswered([test], '99')).toBe(test);
  expect(chooseAnswered([], '99')).toBeNull();
});

it('tells nobody can say which from none: it counts the services that may have the payment', () => {
  const count = (rows: ExchangeRow[], uuid: string | null): number => readAnswered(rows, uuid).oneOf;
  const [one, two, lost] = [
    paid('one', { payment_uuid: '11' }),
    paid('two', { payment_uuid: '22' }),
    paid('three', unknown),
  ];
  expect(count([lost, two, one], null)).toBe(3);
  expect(count([two, one, paid('one')], null)).toBe(2);
  expect(count([lost, paid('four', unknown), one], '99')).toBe(2);
  expect([count([two, one], '11'), count([two, one], '99'), count([one], null), count([], null)]).toEqual([
    0, 0, 0, 0,
  ]);
});
