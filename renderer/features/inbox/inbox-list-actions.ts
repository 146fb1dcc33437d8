import type { EventMap } from '@shared/contract/events';
import { call, subscribe } from '../../transport/client';
import { toClientError } from '../../transport/client-error';
import { mergeOnTop } from './inbox-selectors';
import type { GetInbox, InboxState, SetInbox } from './inbox-store';
import type { InboxFilter } from '@shared/contract/inbox';

const firstPageSize = 100;
const pageSize = 500;
const searchDelayMs = 120;
const refreshDelayMs = 250;

export interface ListActions {
  /** Loads, then follows the events; the returned function stops following. */
  start(): () => void;
  load(): Promise<void>;
  loadMore(): Promise<void>;
  setSearch(search: string): void;
  setFilter(filter: InboxFilter): void;
  markRead(ids: string[], isRead: boolean): Promise<void>;
  markAllRead(): Promise<void>;
  remove(ids: string[]): Promise<void>;
  removeAll(): Promise<void>;
}

/** What the list does: paging, searching, live rows, read marks, deletion. */
export function createListActions(set: SetInbox, get: GetInbox): ListActions {
  let loadNumber = 0;
  let searchTimer: ReturnType<typeof setTimeout> | null = null;
  let refreshTimer: ReturnType<typeof setTimeout> | null = null;

  const query = (): { search: string; filter: InboxFilter } => ({
    search: get().search,
    filter: get().filter,
  });
  const fail = (error: unknown): void => set({ error: toClientError(error) });

  const load = async (): Promise<void> => {
    const mine = ++loadNumber;
    set({ phase: get().rows.length > 0 ? 'ready' : 'loading', error: null });
    try {
      const page = await call('inbox.list', { ...query(), limit: firstPageSize });
      if (mine !== loadNumber) return;
      const { webhooks, nextBefore, totalCount, unreadCount } = page;
      set({ rows: webhooks, nextBefore, totalCount, unreadCount, phase: 'ready', isLoadingMore: false });
    } catch (error) {
      if (mine === loadNumber) set({ phase: 'failed', error: toClientError(error) });
    }
  };

  /** Reads the newest page and puts what is new above the rows; starts afresh where the two do not meet. */
  const refreshTop = async (): Promise<void> => {
    const mine = loadNumber;
    try {
      const page = await call('inbox.list', { ...query(), limit: pageSize });
      if (mine !== loadNumber) return;
      const known = new Set(get().rows.map((row) => row.id));
      const doesMeet = page.nextBefore === null || page.webhooks.some((row) => known.has(row.id));
      const { totalCount, unreadCount } = page;
      if (doesMeet)
        set((state) => ({ rows: mergeOnTop(state.rows, page.webhooks), totalCount, unreadCount }));
      else set({ rows: page.webhooks, nextBefore: page.nextBefore, totalCount, unreadCount });
    } catch (error) {
      fail(error);
    }
  };

  const refreshSoon = (): void => {
    refreshTimer ??= setTimeout(() => {
      refreshTimer = null;
      void refreshTop();
    }, refreshDelayMs);
  };

  const receive = (event: EventMap['inbox.received']): void => {
    const { search, filter } = get();
    const isWhole = event.webhooks.length === event.count;
    if (search !== '' || filter === 'failed' || !isWhole) {
      set({ unreadCount: event.unreadCount });
      refreshSoon();
      return;
    }
    set((state) => ({
      rows: mergeOnTop(state.rows, event.webhooks.toReversed()),
      totalCount: state.totalCount + event.count,
      unreadCount: event.unreadCount,
    }));
  };

  const reloadFor = (change: Partial<InboxState>, delayMs: number): void => {
    set(change);
    if (searchTimer) clearTimeout(searchTimer);
    searchTimer = setTimeout(() => void load(), delayMs);
  };

  return {
    load,
    start: () => {
      const stops = [
        subscribe('inbox.received', receive),
        subscribe('inbox.changed', ({ unreadCount }) => {
          if (unreadCount !== get().unreadCount) refreshSoon();
          set({ unreadCount });
        }),
        subscribe('app.statusChanged', ({ listener }) => set({ listener })),
      ];
      void load();
      void get().loadListener();
      return () => stops.forEach((stop) => stop());
    },
    loadMore: async () => {
      const { nextBefore, isLoadingMore } = get();
      if (nextBefore === null || isLoadingMore) return;
      const mine = loadNumber;
      set({ isLoadingMore: true });
      try {
        const page = await call('inbox.list', { ...query(), limit: pageSize, before: nextBefore });
        if (mine !== loadNumber) return;
        set((state) => ({ rows: [...state.rows, ...page.webhooks], nextBefore: page.nextBefore }));
      } catch (error) {
        fail(error);
      }
      if (mine === loadNumber) set({ isLoadingMore: false });
    },
    setSearch: (search) => reloadFor({ search }, searchDelayMs),
    setFilter: (filter) => {
      reloadFor({ filter, rows: [], phase: 'loading' }, 0);
    },
    ...createMarkActions(set, get, load),
  };
}

function createMarkActions(
  set: SetInbox,
  get: GetInbox,
  load: () => Promise<void>,
): Pick<ListActions, 'markRead' | 'markAllRead' | 'remove' | 'removeAll'> {
  const mark = (ids: ReadonlySet<string> | 'all', isRead: boolean): void =>
    set((state) => {
      const change = <T extends { id: string; isRead: boolean }>(row: T): T =>
        ids === 'all' || ids.has(row.id) ? { ...row, isRead } : row;
      return { rows: state.rows.map(change), detail: state.detail && change(state.detail) };
    });

  return {
    markRead: async (ids, isRead) => {
      mark(new Set(ids), isRead);
      try {
        set(await call('inbox.markRead', { ids, isRead }));
      } catch (error) {
        mark(new Set(ids), !isRead);
        set({ error: toClientError(error) });
      }
    },
    markAllRead: async () => {
      try {
        const { unreadCount } = await call('inbox.markRead', { isAll: true, isRead: true });
        mark('all', true);
        set({ unreadCount });
      } catch (error) {
        set({ error: toClientError(error) });
      }
    },
    remove: async (ids) => {
      const gone = new Set(ids);
      await call('inbox.delete', { ids });
      const { rows, selectedId } = get();
      const index = rows.findIndex((row) => row.id === selectedId);
      const left = rows.filter((row) => !gone.has(row.id));
      set((state) => ({
        rows: left,
        totalCount: Math.max(0, state.totalCount - (rows.length - left.length)),
      }));
      if (selectedId && gone.has(selectedId)) {
        const next = left[Math.min(index, left.length - 1)];
        if (next) await get().select(next.id);
        else get().clearSelection();
      }
    },
    removeAll: async () => {
      await call('inbox.delete', { isAll: true });
      get().clearSelection();
      set({ rows: [], nextBefore: null });
      await load();
    },
  };
}
