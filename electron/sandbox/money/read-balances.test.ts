import { expect, test } from 'vitest';
import type { Product } from '@shared/payments/tables/products';
import type { ServiceRequest } from '../http/service-request';
import type { SandboxContext } from '../sandbox-context';
import { readBalances } from './read-balances';
import { startingWallets, type KeptWallet } from './wallets';

const wallets: KeptWallet[] = startingWallets.map((wallet) =>
  wallet.currency === 'UGX' ? { ...wallet, actualMinor: 1050n, heldMinor: 1n } : wallet,
);
const context = {
  wallets: {
    list: (product: Product) => wallets.filter((wallet) => wallet.product === product),
    find: (product: Product, currency: string) =>
      wallets.find((wallet) => wallet.product === product && wallet.currency === currency),
  },
} as unknown as SandboxContext;

const read = (product: Product, query: string) => {
  const answer = readBalances(context, product, { query } as ServiceRequest);
  return { ...answer, body: JSON.parse(answer.body) as Record<string, unknown> };
};

test.each(['', 'currency=', 'other=1'])(
  'with the query "%s" all wallets of the product are told',
  (query) => {
    const { httpStatus, body, verdict } = read('payout', query);
    expect([httpStatus, verdict]).toEqual([200, 'ok']);
    expect(body).toEqual({
      code: 200,
      status: 'SUCCESS',
      description: 'Wallet balances',
      results: [
        {
          currency: 'KES',
          actual_balance: 1_000_000,
          available_balance: 1_000_000,
          alert_limit: 50_000,
          status: 'ACTIVE',
        },
        {
          currency: 'UGX',
          actual_balance: 10.5,
          available_balance: 10.49,
          alert_limit: 500_000,
          status: 'ACTIVE',
        },
        { currency: 'TZS', actual_balance: 0, available_balance: 0, status: 'SUSPENDED' },
      ],
    });
  },
);

test('one currency is told alone', () => {
  const { body } = read('remittance', 'x=1&currency=USD');
  expect(body['results']).toMatchObject([{ currency: 'USD', actual_balance: 50_000 }]);
});

test.each([
  ['JPY', 'No JPY wallet is provisioned for the payout product.'],
  ['kes', 'kes is not an ISO 4217 currency code in capitals.'],
  ['A'.repeat(30), `${'A'.repeat(20)} is not an ISO 4217 currency code in capitals.`],
])('for %s there is nothing, and why', (currency, description) => {
  expect(read('payout', `currency=${currency}`)).toMatchObject({
    httpStatus: 404,
    verdict: 'not_found',
    body: { code: 404, status: 'FAILED', description },
  });
});
