import type { MethodInput } from '@shared/contract/contract';
import type { ProxyExchange, ProxyExchangeDetail, ProxyFilter, ProxyStatus } from '@shared/contract/proxy';
import { create } from 'zustand';
import { saveFile } from '../../../ui/save-file';
import { soon } from '../../../session/soon';
import { afterReconnect, call, subscribe } from '../../../transport/client';
import { joinOlder } from '../../../session/join-older';
import { followState, type FollowedState } from '../../../transport/follow-state';
import { toClientError, type ClientError } from '../../../transport/client-error';

const refreshDelayMs = 200;
const pageSize = 500;

export interface ProxyStoreState {
  status: ProxyStatus | null;
  phase: 'idle' | 'loading' | 'ready' | 'failed';
  error: ClientError | null;
  /** Why the last action was refused. */
  actionError: ClientError | null;
  isBusy: boolean;
  filter: ProxyFilter;
  /** What the filter lets through, newest first. */
  exchanges: readonly ProxyExchange[];
  /** Id after which the list goes on; null: all that the filter lets through is there. */
  nextBefore: string | null;
  isLoadingMore: boolean;
  /** All that are kept. */
  totalCount: number;
  id: string | null;
  exchange: ProxyExchangeDetail | null;
  exchangeError: ClientError | null;
  /** What the last export left out. */
  notice: string | null;

  start(): () => void;
  load(): Promise<void>;
  /** Reads the exchanges before those on show. */
  loadMore(): Promise<void>;
  narrow(change: Partial<ProxyFilter>): Promise<void>;
  open(id: string): Promise<void>;
  /** Throws a ClientError for the form that asked. */
  startProxy(input: MethodInput<'proxy.start'>): Promise<void>;
  /** With what was set up last. */
  startAgain(): Promise<void>;
  stopProxy(): Promise<void>;
  save(format: 'har' | 'jsonl'): Promise<void>;
}

type Set = (change: Partial<ProxyStoreState>) => void;
type Get = () => ProxyStoreState;
type Followed = FollowedState<'proxy.changed'>;

const nothingLoaded = { exchanges: [], nextBefore: null };
const everything: ProxyFilter = { operation: null, statusClass: null, onlyFindings: false, text: null };

/** The proxy as it stands, and what passed it: read again soon after each change. */
export const useProxyStore = create<ProxyStoreState>()((set, get) => {
  const followed = followState('proxy.changed', (status) => set({ status }));
  return {
    status: null,
    phase: 'idle',
    error: null,
    actionError: null,
    isBusy: false,
    filter: everything,
    exchanges: [],
    nextBefore: null,
    isLoadingMore: false,
    totalCount: 0,
    id: null,
    exchange: null,
    exchangeError: null,
    notice: null,
    ...createReading(set, get, followed),
    ...createActions(set, get, followed),
  };
});

function createReading(
  set: Set,
  get: Get,
  followed: Followed,
): Pick<ProxyStoreState, 'start' | 'load' | 'loadMore' | 'narrow' | 'open'> {
  let loadNumber = 0;
  /** What those on show were let through by. */
  let shownFilter: ProxyFilter | null = null;
  const load = async (): Promise<void> => {
    const mine = ++loadNumber;
    if (get().status === null) set({ phase: 'loading' });
    try {
      // The state is there at once, whatever the list takes.
      await followed.takeAnswer(() => call('proxy.status'));
      const { filter } = get();
      const page = await call('proxy.list', { ...filter, limit: pageSize });
      const { exchanges, nextBefore } = shownFilter === filter ? get() : nothingLoaded;
      const known = { rows: exchanges, nextBefore };
      const { totalCount } = page;
      if (mine !== loadNumber) return;
      shownFilter = filter;
      const latest = { rows: page.exchanges, nextBefore: page.nextBefore };
      const joined = joinOlder(latest, known, ({ id }) => id);
      set({
        exchanges: joined.rows,
        nextBefore: joined.nextBefore,
        totalCount,
        phase: 'ready',
        error: null,
      });
    } catch (error) {
      if (mine === loadNumber) set({ phase: 'failed', error: toClientError(error) });
    }
  };
  /** What is open may have been opened before the doctor had spoken. */
  const readVerdict = async (): Promise<void> => {
    const { exchange } = get();
    if (exchange?.signature !== 'refused' || exchange.diagnosis !== null) return;
    const latest = await call('proxy.get', { id: exchange.id }).catch(() => null);
    if (latest !== null && get().exchange === exchange) set({ exchange: latest });
  };
  const loadSoon = soon(() => Promise.all([load(), readVerdict()]), refreshDelayMs);
  return {
    load,
    start: () => {
      const stops = [followed.start(), subscribe('proxy.received', loadSoon), afterReconnect(loadSoon)];
      void load();
      return () => stops.forEach((stop) => stop());
    },
    loadMore: async () => {
      const { nextBefore, isLoadingMore, filter } = get();
      if (nextBefore === null || isLoadingMore) return;
      set({ isLoadingMore: true });
      try {
        const page = await call('proxy.list', { ...filter, limit: pageSize, before: nextBefore });
        // Another filter, or another list on top: what was asked for follows on nothing any more.
        if (get().filter === filter && get().nextBefore === nextBefore)
          set({ exchanges: [...get().exchanges, ...page.exchanges], nextBefore: page.nextBefore });
      } catch (error) {
        set({ error: toClientError(error) });
      }
      set({ isLoadingMore: false });
    },
    narrow: async (change) => {
      set({ filter: { ...get().filter, ...change }, nextBefore: null });
      await load();
    },
    open: async (id) => {
      const isOpen = (): boolean => get().id === id;
      set({ id, exchange: null, exchangeError: null });
      try {
        const exchange = await call('proxy.get', { id });
        if (isOpen()) set({ exchange });
      } catch (error) {
        if (isOpen()) set({ exchangeError: toClientError(error) });
      }
    },
  };
}

function createActions(
  set: Set,
  get: Get,
  followed: Followed,
): Pick<ProxyStoreState, 'startProxy' | 'startAgain' | 'stopProxy' | 'save'> {
  const run = async (act: () => Promise<void>): Promise<void> => {
    set({ isBusy: true, actionError: null, notice: null });
    try {
      await act();
    } catch (error) {
      set({ actionError: toClientError(error) });
    }
    set({ isBusy: false });
  };
  return {
    startProxy: async (input) => {
      set({ actionError: null });
      await followed.takeAnswer(() => call('proxy.start', input));
    },
    startAgain: () => run(async () => void (await followed.takeAnswer(() => call('proxy.start', {})))),
    stopProxy: () => run(async () => void (await followed.takeAnswer(() => call('proxy.stop')))),
    save: (format) =>
      run(async () => {
        const { content, count, isCut } = await call('proxy.export', { ...get().filter, format });
        const type = format === 'har' ? 'application/json' : 'application/x-ndjson';
        saveFile(`proxy.${format}`, content, type);
        if (isCut)
          set({
            notice: `The file has the latest ${count.toLocaleString('en')}; countersign proxy export writes all of them.`,
          });
      }),
  };
}
