import type { Wallet } from '@shared/payments/read-wallets';
import { products, type Product } from '@shared/payments/tables/products';
import type { MethodOutput } from '@shared/contract/contract';
import { create } from 'zustand';
import { call } from '../../transport/client';
import { toClientError, type ClientError } from '../../transport/client-error';
import { addReading, type BalanceReading, type WalletChoice } from './balances-selectors';

type BalancesAnswer = MethodOutput<'balances.fetch'>;

/** Readings kept for one product of one environment, in this session alone. */
const readingLimit = 500;

export interface ProductBalances {
  answer: BalancesAnswer | null;
  error: ClientError | null;
  isLoading: boolean;
  /** Where something changed, oldest first. */
  readings: BalanceReading[];
}

export const noBalances: ProductBalances = { answer: null, error: null, isLoading: false, readings: [] };

export interface BalancesState {
  chosen: WalletChoice | null;
  /** Asks again every 30 s while the view is open. */
  isRepeating: boolean;
  /** Upper-case ISO 4217, or empty: all wallets. */
  currency: string;
  /** By `environment/product`. */
  entries: Record<string, ProductBalances>;
  choose(wallet: WalletChoice): void;
  repeat(isRepeating: boolean): void;
  setCurrency(currency: string): void;
  refresh(environment: string, product: Product): Promise<void>;
  refreshAll(environment: string): Promise<void>;
}

/** Where the balances of one product in one environment are kept. */
export function entryKey(environment: string, product: Product): string {
  return `${environment}/${product}`;
}

/** The wallet on show: the one that was chosen, else the first there is. */
export function findWallet(
  { chosen, entries }: Pick<BalancesState, 'chosen' | 'entries'>,
  environment: string,
): (WalletChoice & { wallet: Wallet }) | null {
  const all = products.flatMap((product) =>
    (entries[entryKey(environment, product)]?.answer?.wallets ?? []).map((wallet) => ({
      product,
      currency: wallet.currency,
      wallet,
    })),
  );
  const isChosen = (one: WalletChoice): boolean =>
    one.product === chosen?.product && one.currency === chosen.currency;
  return all.find(isChosen) ?? all[0] ?? null;
}

/** Balances as last read, for each product; nothing is asked again by itself unless the user says so. */
export const useBalancesStore = create<BalancesState>()((set, get) => {
  const change = (key: string, update: (entry: ProductBalances) => Partial<ProductBalances>): void =>
    set(({ entries }) => {
      const entry = entries[key] ?? noBalances;
      return { entries: { ...entries, [key]: { ...entry, ...update(entry) } } };
    });

  return {
    chosen: null,
    isRepeating: false,
    currency: '',
    entries: {},
    choose: (chosen) => set({ chosen }),
    repeat: (isRepeating) => set({ isRepeating }),
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
          readings: answer.wallets.length > 0 ? addReading(readings, reading, readingLimit) : readings,
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
