import type { MethodInput } from '@shared/contract/contract';
import type { Exchange, ExchangeSummary, HistoryOutcome } from '@shared/contract/sending';
import type { AskedIdentity } from '@shared/contract/common';
import { create } from 'zustand';
import { phaseWhileAsked, type ListPhase } from '../../session/list-phase';
import { afterReconnect, call, subscribe } from '../../transport/client';
import { toClientError, type ClientError } from '../../transport/client-error';
import { say } from '../../ui/say';
import { mergeTop, toInstants, type TimeSpan } from './history-selectors';

const pageSize = 100;
const searchDelayMs = 150;

/** What the list is narrowed to. */
export interface HistoryFilter {
  search: string;
  outcome: HistoryOutcome;
  time: TimeSpan;
  isPinned: boolean;
  /** Of this request alone, with the name that people know it by. */
  request: { identity: AskedIdentity; title: string } | null;
}

export interface HistoryState {
  rows: readonly ExchangeSummary[];
  nextBefore: string | null;
  filter: HistoryFilter;
  /** What `rows` are the answer to: while more is typed, they are not yet of that. */
  answeredFilter: HistoryFilter;
  phase: ListPhase;
  error: ClientError | null;
  isLoadingMore: boolean;
  selectedId: string | null;
  exchange: Exchange | null;
  exchangeError: ClientError | null;
  /** The exchange that the one on show is compared with. */
  other: Exchange | null;
}

export const noFilter: HistoryFilter = {
  search: '',
  outcome: 'any',
  time: 'any',
  isPinned: false,
  request: null,
};

/** State of the History view; the actions below change it. */
export const useHistoryStore = create<HistoryState>(() => ({
  rows: [],
  nextBefore: null,
  filter: noFilter,
  answeredFilter: noFilter,
  phase: 'idle',
  error: null,
  isLoadingMore: false,
  selectedId: null,
  exchange: null,
  exchangeError: null,
  other: null,
}));

const set = useHistoryStore.setState;
const get = useHistoryStore.getState;
let loadNumber = 0;
let searchTimer: ReturnType<typeof setTimeout> | null = null;

function toQuery({ search, outcome, time, isPinned, request }: HistoryFilter): MethodInput<'history.list'> {
  return {
    limit: pageSize,
    outcome,
    ...(search.trim() !== '' && { search }),
    ...(isPinned && { isPinned: true }),
    ...(request !== null && { identity: request.identity }),
    ...toInstants(time, Date.now()),
  };
}

/** Follows the history while the view stands; gives what ends it. */
export function startHistory(): () => void {
  const refresh = (): void => void refreshTop();
  const stops = [subscribe('history.changed', refresh), afterReconnect(refresh)];
  void load();
  return () => stops.forEach((stop) => stop());
}

/** Reads the list from its top. */
export async function load(): Promise<void> {
  const mine = ++loadNumber;
  const { filter } = get();
  set({ phase: phaseWhileAsked(get()), error: null, isLoadingMore: false });
  try {
    const page = await call('history.list', toQuery(filter));
    if (mine !== loadNumber) return;
    set({ rows: page.exchanges, nextBefore: page.nextBefore, phase: 'ready', answeredFilter: filter });
    await fillPage(mine);
  } catch (error) {
    if (mine === loadNumber) set({ phase: 'failed', error: toClientError(error) });
  }
}

/** A search stops after a while with what it has: it goes on until a page is full. */
async function fillPage(mine: number): Promise<void> {
  const wanted = get().rows.length + pageSize - (get().rows.length % pageSize || pageSize);
  while (mine === loadNumber && get().nextBefore !== null && get().rows.length < Math.max(wanted, pageSize)) {
    await readMore(mine);
  }
}

/** Reads the next page, where there is one. */
export async function loadMore(): Promise<void> {
  if (get().nextBefore === null || get().isLoadingMore) return;
  await readMore(loadNumber);
}

async function readMore(mine: number): Promise<void> {
  set({ isLoadingMore: true });
  try {
    const { filter, nextBefore } = get();
    const page = await call('history.list', { ...toQuery(filter), before: nextBefore });
    if (mine !== loadNumber) return;
    // Where the list on top became another one, what was asked for follows on nothing any more.
    if (get().nextBefore === nextBefore)
      set((state) => ({ rows: [...state.rows, ...page.exchanges], nextBefore: page.nextBefore }));
  } catch (error) {
    if (mine === loadNumber) set({ error: toClientError(error), nextBefore: null });
  }
  if (mine === loadNumber) set({ isLoadingMore: false });
}

async function refreshTop(): Promise<void> {
  const mine = loadNumber;
  const { filter } = get();
  try {
    const page = await call('history.list', toQuery(filter));
    if (mine !== loadNumber) return;
    const latest = { rows: page.exchanges, nextBefore: page.nextBefore };
    set((state) => ({ ...mergeTop(state, latest), phase: 'ready', answeredFilter: filter, error: null }));
    if (get().rows.length < pageSize) await fillPage(mine);
    const { exchange, selectedId } = get();
    if (exchange !== null && exchange.id === selectedId && exchange.response === null)
      await select(exchange.id);
  } catch (error) {
    if (mine === loadNumber) set({ error: toClientError(error) });
  }
}

/** Narrows the list otherwise; what is typed is waited for. */
export function setFilter(change: Partial<HistoryFilter>): void {
  set(({ filter }) => ({ filter: { ...filter, ...change } }));
  if (searchTimer) clearTimeout(searchTimer);
  searchTimer = setTimeout(() => void load(), 'search' in change ? searchDelayMs : 0);
}

/** Shows an exchange; one that it is compared with stays. */
export async function select(id: string): Promise<void> {
  const isSame = get().exchange?.id === id;
  set({ selectedId: id, exchangeError: null, ...(!isSame && { exchange: null }) });
  try {
    const exchange = await call('history.get', { id, isForScreen: true });
    if (get().selectedId === id) set({ exchange });
  } catch (error) {
    if (get().selectedId === id) set({ exchange: null, exchangeError: toClientError(error) });
  }
}

/** Does something with an exchange of the list, on show or not; says where it could not be read. */
export async function withExchange(id: string, act: (exchange: Exchange) => unknown): Promise<void> {
  try {
    await act(await call('history.get', { id, isForScreen: true }));
  } catch (error) {
    say(toClientError(error).message);
  }
}

/** What was put beside the one on show last counts, in whatever order the answers come. */
let comparison = 0;

/** Puts another exchange beside the one on show; null: none. */
export async function compareWith(id: string | null): Promise<void> {
  const mine = ++comparison;
  if (id === null) {
    set({ other: null });
    return;
  }
  try {
    const other = await call('history.get', { id, isForScreen: true });
    if (mine === comparison) set({ other });
  } catch (error) {
    if (mine === comparison) set({ exchangeError: toClientError(error) });
  }
}

/** Keeps an exchange whatever its age, or no longer. */
export async function pin(id: string, isPinned: boolean): Promise<void> {
  try {
    await call('history.pin', { ids: [id], isPinned });
    set(({ rows }) => ({ rows: rows.map((row) => (row.id === id ? { ...row, isPinned } : row)) }));
  } catch (error) {
    set({ error: toClientError(error) });
  }
}

/** Forgets an exchange for good. @throws {ClientError} */
export async function forget(id: string): Promise<void> {
  await call('history.delete', { ids: [id] });
  const { rows, selectedId, other } = get();
  const index = rows.findIndex((row) => row.id === id);
  const left = rows.filter((row) => row.id !== id);
  set({ rows: left, ...(other?.id === id && { other: null }) });
  if (selectedId !== id) return;
  const next = left[Math.min(Math.max(index, 0), left.length - 1)];
  if (next) await select(next.id);
  else set({ selectedId: null, exchange: null });
}
