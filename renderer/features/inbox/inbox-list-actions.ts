import { parseFilter } from '@shared/webhooks/filter/parse-filter';
import { call, subscribe } from '../../transport/client';
import { toClientError } from '../../transport/client-error';
import type { GetInbox, InboxState, ListActions, SetInbox } from './inbox-state';
import { ListReads } from './list-reads';

const searchDelayMs = 120;

/** What the list does: paging, searching, live rows, read marks, deletion. */
export function createListActions(set: SetInbox, get: GetInbox): ListActions {
  const reads = new ListReads(set, get);
  let searchTimer: ReturnType<typeof setTimeout> | null = null;

  const reloadFor = (change: Partial<InboxState>, delayMs: number): void => {
    reads.forget();
    set({ ...change, isLoadingMore: false });
    if (searchTimer) clearTimeout(searchTimer);
    searchTimer = setTimeout(() => void reads.load(), delayMs);
  };

  return {
    load: () => reads.load(),
    loadMore: () => reads.loadMore(),
    start: () => {
      const stops = [
        subscribe('inbox.received', (event) => reads.receive(event)),
        subscribe('inbox.changed', ({ unreadCount, isMended = false }) => {
          if (isMended || unreadCount !== get().unreadCount) reads.refreshSoon();
          set({ unreadCount });
        }),
        subscribe('app.statusChanged', ({ listener }) => set({ listener })),
      ];
      void reads.load();
      void get().loadListener();
      return () => {
        stops.forEach((stop) => stop());
        reads.stop();
      };
    },
    dismissNotice: async () => {
      set({ notice: null });
      try {
        await call('inbox.dismissNotice');
      } catch (error) {
        set({ error: toClientError(error) });
      }
    },
    setSearch: (search) => reloadFor({ search }, searchDelayMs),
    setExpression: (typed) => {
      const expression = typed.trim() === '' ? '' : typed;
      const expressionFault = findFault(expression);
      if (expressionFault === null) reloadFor({ expression, expressionFault }, searchDelayMs);
      else set({ expression, expressionFault });
    },
    setFilter: (filter) => reloadFor({ filter, rows: [], nextBefore: null, phase: 'loading' }, 0),
    ...createMarkActions(set, reads),
    ...createDeleteActions(set, get, reads),
  };
}

/** Says what is wrong with an expression; null: nothing. */
function findFault(expression: string): string | null {
  try {
    parseFilter(expression);
    return null;
  } catch (error) {
    return toClientError(error).message;
  }
}

function createMarkActions(
  set: SetInbox,
  reads: ListReads,
): Pick<ListActions, 'markRead' | 'markAllRead' | 'mark'> {
  const mark = (ids: ReadonlySet<string> | 'all', isRead: boolean): void =>
    set((state) => {
      const change = <T extends { id: string; isRead: boolean }>(row: T): T =>
        ids === 'all' || ids.has(row.id) ? { ...row, isRead } : row;
      return { rows: state.rows.map(change), detail: state.detail && change(state.detail) };
    });

  return {
    mark: async (id, marks) => {
      try {
        await reads.inTurn(() => call('inbox.mark', { ids: [id], ...marks }));
        const change = <T extends { id: string }>(row: T): T => (row.id === id ? { ...row, ...marks } : row);
        set((state) => ({ rows: state.rows.map(change), detail: state.detail && change(state.detail) }));
      } catch (error) {
        set({ error: toClientError(error) });
      }
    },
    markRead: async (ids, isRead) => {
      const marked = new Set(ids);
      mark(marked, isRead);
      try {
        const { unreadCount } = await reads.inTurn(() => call('inbox.markRead', { ids, isRead }));
        mark(marked, isRead);
        set({ unreadCount });
      } catch (error) {
        mark(marked, !isRead);
        set({ error: toClientError(error) });
      }
    },
    markAllRead: async () => {
      try {
        const { unreadCount } = await reads.inTurn(() =>
          call('inbox.markRead', { isAll: true, isRead: true }),
        );
        mark('all', true);
        set({ unreadCount });
        reads.refreshSoon();
      } catch (error) {
        set({ error: toClientError(error) });
      }
    },
  };
}

function createDeleteActions(
  set: SetInbox,
  get: GetInbox,
  reads: ListReads,
): Pick<ListActions, 'remove' | 'removeAll'> {
  return {
    remove: async (ids) => {
      const gone = new Set(ids);
      await reads.inTurn(() => call('inbox.delete', { ids }));
      const { rows, selectedId } = get();
      const index = rows.findIndex((row) => row.id === selectedId);
      const left = rows.filter((row) => !gone.has(row.id));
      set((state) => ({
        rows: left,
        totalCount: Math.max(0, state.totalCount - (rows.length - left.length)),
      }));
      if (left.length === 0) await reads.load();
      if (selectedId && gone.has(selectedId)) {
        const next = left[Math.min(index, left.length - 1)];
        if (next) await get().select(next.id);
        else get().clearSelection();
      }
    },
    removeAll: async () => {
      await reads.inTurn(() => call('inbox.delete', { isAll: true }));
      get().clearSelection();
      set({ rows: [], nextBefore: null });
      await reads.load();
    },
  };
}
