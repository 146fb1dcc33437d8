import { products, type Product } from '@shared/payments/tables/products';
import type { MethodOutput } from '@shared/contract/contract';
import { create } from 'zustand';
import { call } from '../../transport/client';
import { toClientError, type ClientError } from '../../transport/client-error';
import type { BalanceReading } from './balances-selectors';

type BalancesAnswer = MethodOutput<'balances.fetch'>;

/** Readings kept for one product of one environment, in this session alone. */
const readingLimit = 500;

export interface ProductBalances {
  answer: BalancesAnswer | null;
  error: ClientError | null;
  isLoading: boolean;
  readings: BalanceReading[];
}

export const noBalances: ProductBalances = { answer: null, error: null, isLoading: false, readings: [] };

export interface BalancesState {
  product: Product;
  /** Upper-case ISO 4217, or empty: all wallets. */
  currency: string;
  /** By `environment/product`. */
  entries: Record<string, ProductBalances>;
  choose(product: Product): void;
  setCurrency(currency: string): void;
  refresh(environment: string, product: Product): Promise<void>;
  refreshAll(environment: string): Promise<void>;
}

/** Where the balances of one product in one environment are kept. */
export function entryKey(environment: string, product: Product): string {
  return `${environment}/${product}`;
}

/** Balances as last read, for each product; nothing is asked again by itself. */
export const useBalancesStore = create<BalancesState>()((set, get) => {
  const change = (key: string, update: (entry: ProductBalances) => Partial<ProductBalances>): void =>
    set(({ entries }) => {
      const entry = entries[key] ?? noBalances;
      return { entries: { ...entries, [key]: { ...entry, ...update(entry) } } };
    });

  return {
    product: 'payout',
    currency: '',
    entries: {},
    choose: (product) => set({ product }),
    setCurrency: (currency) => set({ currency: currency.toUpperCase() }),
    refresh: async (environment, product) => {
      const key = entryKey(environment, product);
      if (get().entries[key]?.isLoading) return;
      const { currency } = get();
      change(key, () => ({ isLoading: true, error: null }));
      try {
        const answer = await call('balances.fetch', {
          environment,
          product,
          ...(currency === '' ? {} : { currency }),
        });
        const reading: BalanceReading = { at: answer.fetchedAt, wallets: answer.wallets };
        change(key, ({ readings }) => ({
          answer,
          isLoading: false,
          readings: answer.wallets.length > 0 ? [...readings, reading].slice(-readingLimit) : readings,
        }));
      } catch (error) {
        change(key, () => ({ error: toClientError(error), isLoading: false }));
      }
    },
    refreshAll: async (environment) => {
      await Promise.all(products.map((product) => get().refresh(environment, product)));
    },
  };
});
