import { expect, it } from 'vitest';
import { readWallets } from './read-wallets';

it('reads wallets with their amounts as written', () => {
  const body =
    '{"results":[{"currency":"KES","actual_balance":1000.50,"available_balance":"12345678901234567890.10","alert_limit":0,"status":"ACTIVE"},' +
    '{"currency":"UGX"},{"actual_balance":1},"KES",null]}';
  expect(readWallets(body)).toEqual([
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
    expect(readWallets(body)).toEqual([]);
  },
);
