import { expect, it } from 'vitest';
import { describeUnread, readWallets } from './read-wallets';

it('reads wallets with their amounts as written', () => {
  const body =
    '{"results":[{"currency":"KES","actual_balance":1000.50,"available_balance":"12345678901234567890.10","alert_limit":0,"status":"ACTIVE"},' +
    '{"currency":"UGX"},{"actual_balance":1},"KES",null]}';
  expect(readWallets(body).unreadCount).toBe(0);
  expect(readWallets(body).wallets).toEqual([
    {
      currency: 'KES',
      actualBalance: '1000.50',
      availableBalance: '12345678901234567890.10',
      alertLimit: '0',
      status: 'ACTIVE',
    },
    { currency: 'UGX', actualBalance: '', availableBalance: '', alertLimit: null, status: '' },
  ]);
});

it.each(['', '<html>', '{}', '[]', '{"results":{}}', '{"results":"KES"}', '{"results":[]}'])(
  'finds none in %j',
  (body) => {
    expect(readWallets(body)).toEqual({ wallets: [], unreadCount: 0 });
  },
);

it('reads five hundred of them, of values that may be amounts, and says how many it left out', () => {
  const answer = (count: number, more: object[] = []) =>
    readWallets(
      JSON.stringify({
        results: [...more, ...Array.from({ length: count }, (_, at) => ({ currency: `C${at}` }))],
      }),
    );
  expect(describeUnread(answer(500))).toBeNull();
  const many = answer(700, [
    { currency: 'KES', actual_balance: '1'.repeat(201) },
    { currency: 'K'.repeat(200) },
  ]);
  expect(many.wallets.map(({ currency }) => currency).slice(0, 2)).toEqual(['K'.repeat(200), 'C0']);
  expect(many.wallets).toHaveLength(500);
  expect(describeUnread(many)).toBe(
    '202 of 702 wallets of this answer are left out: at most 500 are read, of values of at most 200 characters.',
  );
});
