import type { Wallet } from '@shared/payments/read-wallets';
import { products, type Product } from '@shared/payments/tables/products';
import type { MethodOutput } from '@shared/contract/contract';
import { create } from 'zustand';
import type { BalanceAround } from '@shared/contract/balances';
import type { JourneySummary } from '@shared/contract/journey';
import { call, watchConnection } from '../../transport/client';
import { isPassing, toClientError, type ClientError } from '../../transport/client-error';
import { keptByEnvironment, moveMember, whenRenamed } from '../../session/renamed-environments';
import { tell } from '../../ui/say';
import { readRemembered, remember } from '../../ui/remembered';
import {
  addReading,
  joinReadings,
  paymentsOf,
  type BalanceReading,
  type WalletChoice,
  type WalletPayment,
} from './balances-selectors';
import { countOf } from '@shared/count-of';

type BalancesAnswer = MethodOutput<'balances.fetch'>;

/** Readings on hand of one product in one environment. */
const readingLimit = 2000;
/** Payments whose change can be asked for, the latest. */
const mostPayments = 200;
const everyKey = keptByEnvironment.balancesEvery;

/** How often balances can be read again while they are on show, in seconds; 0: not by itself. */
export const repeatSeconds = [0, 10, 30, 60, 300] as const;
export type RepeatSeconds = (typeof repeatSeconds)[number];

export interface ProductBalances {
  /** What the last try came to. */
  answer: BalancesAnswer | null;
  /** The last answer that told the wallets: it stands while later tries fail. */
  told: BalancesAnswer | null;
  error: ClientError | null;
  isLoading: boolean;
  /** Where something changed, oldest first. */
  readings: BalanceReading[];
}

export const noBalances: ProductBalances = {
  answer: null,
  told: null,
  error: null,
  isLoading: false,
  readings: [],
};

export interface BalancesState {
  chosen: WalletChoice | null;
  /** How often each environment is asked again while the view is on show. */
  every: Readonly<Record<string, RepeatSeconds>>;
  /** Payments whose change can be asked for, newest first. */
  payments: readonly JourneySummary[];
  /** The payment whose change is on show. */
  around: {
    environment: string;
    reference: string;
    found: BalanceAround | null;
    error: ClientError | null;
  } | null;
  /** Upper-case ISO 4217, or empty: all wallets. */
  currency: string;
  /** Why the readings of earlier sessions are not there; null: they are, as far as there are any. */
  keptError: ClientError | null;
  /** By `environment/product`. */
  entries: Record<string, ProductBalances>;
  /** Where each environment was when it was last on show. */
  addresses: Readonly<Record<string, string | null>>;
  choose(wallet: WalletChoice): void;
  repeat(environment: string, seconds: RepeatSeconds): void;
  setCurrency(currency: string): void;
  /** @param isRound - nobody asked for it by hand: it stays out of the history */
  refresh(environment: string, product: Product, isRound?: boolean): Promise<void>;
  refreshAll(environment: string, isRound?: boolean): Promise<void>;
  /**
   * Fetches what was chosen and read in earlier sessions.
   *
   * @param address - where the environment is now, null for the embedded sandbox: another one is another service
   */
  readKept(environment: string, address: string | null): Promise<void>;
  readPayments(): Promise<void>;
  showAround(environment: string, reference: string): Promise<void>;
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
    (entries[entryKey(environment, product)]?.told?.wallets ?? []).map((wallet) => ({
      product,
      currency: wallet.currency,
      wallet,
    })),
  );
  const isChosen = (one: WalletChoice): boolean =>
    one.product === chosen?.product && one.currency === chosen.currency;
  return all.find(isChosen) ?? all[0] ?? null;
}

/** Payments of one wallet of an environment, as far as it is known where that is. */
export function useWalletPayments(environment: string, wallet: WalletChoice): WalletPayment[] {
  const payments = useBalancesStore((state) => state.payments);
  const address = useBalancesStore((state) => state.addresses[environment]);
  return address === undefined ? [] : paymentsOf(payments, { environment, address }, wallet);
}

/** Tells a screen reader; why a product has no wallets is told where it stands. */
function tellRead(entries: readonly (ProductBalances | undefined)[]): void {
  const counts = entries.map((one) => (one?.error ? 0 : (one?.answer?.wallets.length ?? 0)));
  const count = counts.reduce((sum, one) => sum + one, 0);
  if (count > 0) tell(`${countOf(count, 'wallet')} read`);
}

/**
 * Chooses which answer's wallets stand: what was told before holds while nobody answers, or nobody who knows.
 *
 * That a wallet is not there (404) is an answer; another address or currency was another question.
 */
function chooseTold(before: BalancesAnswer | null, answer: BalancesAnswer): BalancesAnswer | null {
  const { response, reading, request } = answer.exchange;
  const isTold = answer.wallets.length > 0 || reading?.outcome === 'ok' || response?.httpStatus === 404;
  if (isTold) return answer;
  return before?.exchange.request.url === request.url ? before : null;
}

const readReadings = (environment: string) =>
  call('balances.readings', { environment }).then(
    ({ readings }) => ({ readings, keptError: null }),
    (error: unknown) => ({ readings: [], keptError: toClientError(error) }),
  );

/** What another service said, or failed at, is not this one's. */
const hasMoved = (before: string | null | undefined, now: string | null | undefined): boolean =>
  before !== undefined && before !== now;

/** Forgets what was read of an environment that has another address by now. */
function moveTo(
  { addresses, entries }: BalancesState,
  environment: string,
  address: string | null,
): Pick<BalancesState, 'addresses' | 'entries'> {
  const isMoved = hasMoved(addresses[environment], address);
  const own = new Set(products.map((product) => entryKey(environment, product)));
  return {
    addresses: { ...addresses, [environment]: address },
    entries: isMoved ? Object.fromEntries(Object.entries(entries).filter(([key]) => !own.has(key))) : entries,
  };
}

/** What was remembered, as far as it is still a choice. */
function readEvery(): Record<string, RepeatSeconds> {
  const kept = readRemembered(everyKey);
  if (typeof kept !== 'object' || kept === null) return {};
  return Object.fromEntries(
    Object.entries(kept).flatMap(([environment, seconds]) => {
      const choice = repeatSeconds.find((one) => one === seconds);
      return choice === undefined ? [] : [[environment, choice]];
    }),
  );
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
    every: {},
    payments: [],
    around: null,
    currency: '',
    keptError: null,
    entries: {},
    addresses: {},
    choose: (chosen) => set({ chosen }),
    repeat: (environment, seconds) => {
      const every = { ...get().every, [environment]: seconds };
      remember(everyKey, every);
      set({ every });
    },
    setCurrency: (currency) => set({ currency: currency.toUpperCase() }),
    refresh: async (environment, product, isRound = false) => {
      const key = entryKey(environment, product);
      if (get().entries[key]?.isLoading) return;
      const { currency, addresses } = get();
      const isMoved = (): boolean => hasMoved(addresses[environment], get().addresses[environment]);
      change(key, () => ({ isLoading: true, error: null }));
      try {
        const answer = await call('balances.fetch', {
          environment,
          product,
          ...(currency === '' ? {} : { currency }),
          ...(isRound ? { isRound } : {}),
        });
        if (isMoved()) return;
        const reading: BalanceReading = { at: answer.fetchedAt, wallets: answer.wallets };
        change(key, ({ readings, told }) => ({
          answer,
          told: chooseTold(told, answer),
          isLoading: false,
          readings: answer.wallets.length > 0 ? addReading(readings, reading, readingLimit) : readings,
        }));
      } catch (error) {
        if (!isMoved()) change(key, () => ({ error: toClientError(error), isLoading: false }));
      }
    },
    refreshAll: async (environment, isRound = false) => {
      await Promise.all(products.map((product) => get().refresh(environment, product, isRound)));
      if (!isRound) tellRead(products.map((product) => get().entries[entryKey(environment, product)]));
    },
    readKept: async (environment, address) => {
      set((before) => ({ ...moveTo(before, environment, address), every: readEvery() }));
      const kept = await readReadings(environment);
      if (get().addresses[environment] !== address) return;
      set({ keptError: kept.keptError });
      for (const product of products) {
        const own = kept.readings.filter((one) => one.product === product);
        if (own.length > 0)
          change(entryKey(environment, product), ({ readings }) => ({
            readings: joinReadings(own, readings),
          }));
      }
    },
    readPayments: async () => {
      // What cannot be read leaves the payments as they were: the balances stand without them.
      const page = await call('journey.list', { limit: mostPayments }).catch(() => null);
      if (page !== null) set({ payments: page.journeys });
    },
    showAround: async (environment, reference) => {
      const isShown = ({ around }: BalancesState): boolean =>
        around?.reference === reference && around.environment === environment;
      if (!isShown(get())) set({ around: { environment, reference, found: null, error: null } });
      const result = await call('balances.around', { environment, reference }).then(
        ({ around }) => ({ found: around, error: null }),
        (error: unknown) => ({ found: null, error: toClientError(error) }),
      );
      if (isShown(get())) set({ around: { environment, reference, ...result } });
    },
  };
});

/** Drops that nothing answered, once it does again. @returns ends it */
export function dropUnanswered(): () => void {
  const drop = (entry: ProductBalances): ProductBalances =>
    isPassing(entry.error) ? { ...entry, error: null } : entry;
  return watchConnection((connection) => {
    if (connection !== 'online') return;
    useBalancesStore.setState(({ entries }) => ({
      entries: Object.fromEntries(Object.entries(entries).map(([key, entry]) => [key, drop(entry)])),
    }));
  });
}

whenRenamed((from, to) => {
  useBalancesStore.setState(({ entries, addresses, payments, around }) => ({
    every: readEvery(),
    entries: products.reduce(
      (moved, product) => moveMember(moved, entryKey(from, product), entryKey(to, product)),
      // What is on its way is answered to the former id.
      Object.fromEntries(
        Object.entries(entries).map(([key, entry]) => [key, { ...entry, isLoading: false }]),
      ),
    ),
    addresses: moveMember(addresses, from, to),
    payments: payments.map((one) => (one.environment === from ? { ...one, environment: to } : one)),
    around: around?.environment === from ? { ...around, environment: to } : around,
  }));
});
