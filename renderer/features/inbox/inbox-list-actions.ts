import { parseFilter } from '@shared/webhooks/filter/parse-filter';
import { afterReconnect, call, subscribe } from '../../transport/client';
import { isPassing, toClientError } from '../../transport/client-error';
import { whenInFront } from '../../session/when-in-front';
import type { ChoiceGesture } from '../../ui/row-list';
import type { GetInbox, InboxState, ListActions, SetInbox, TypedMarks } from './inbox-state';
import { changeRows, findRow, mapParts } from './inbox-rows';
import { ListReads, writeFilter } from './list-reads';
import { chooseRows, NO_CHOICE } from './row-choice';
import { LOCAL } from './team/team-store';

const searchDelayMs = 120;
/** The back end deletes and marks so many at once. */
const mostAtOnce = 1000;

/** What the list does: paging, searching, live rows, read marks, deletion. */
export function createListActions(set: SetInbox, get: GetInbox): ListActions {
  const reads = new ListReads(set, get);
  let searchTimer: ReturnType<typeof setTimeout> | null = null;

  const reloadFor = (change: Partial<InboxState>, delayMs: number): void => {
    reads.forget();
    set({ ...change, isLoadingMore: false, choice: NO_CHOICE });
    if (searchTimer) clearTimeout(searchTimer);
    searchTimer = setTimeout(() => void reads.load(), delayMs);
  };

  return {
    load: () => reads.load(),
    loadMore: () => reads.loadMore(),
    loadAt: (from, to) => void reads.loadAt(from, to),
    start: () => {
      const stops = [
        subscribe('inbox.received', (event) => reads.receive(LOCAL, event)),
        subscribe('team.received', (event) => reads.receive(event.store, event)),
        subscribe('team.marked', ({ store, unreadCount }) => {
          if (store === get().store) set({ unreadCount });
        }),
        subscribe('inbox.changed', ({ unreadCount, ...how }) => {
          if (get().store !== LOCAL) return;
          if (Object.keys(how).length > 0 || unreadCount !== get().unreadCount) reads.refreshSoon();
          set({ unreadCount });
        }),
        get().followListener(),
        whenInFront(() => reads.refreshSoon()),
        afterReconnect(() => {
          reads.refreshSoon();
          const { selectedId, detailError } = get();
          if (selectedId !== null && isPassing(detailError)) void get().select(selectedId);
        }),
      ];
      void reads.load();
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
    choose: (gesture) => void choose(gesture, set, get, reads),
    exportAs: (format, ids) => {
      const { store, search } = get();
      if (ids !== 'all') return call('inbox.export', { store, ids: [...ids], format });
      return call('inbox.export', { store, search, filter: writeFilter(get()), format });
    },
    setSearch: (search) => reloadFor({ search }, searchDelayMs),
    setExpression: (typed) => {
      const expression = typed.trim() === '' ? '' : typed;
      const expressionFault = findFault(expression);
      if (expressionFault === null) reloadFor({ expression, expressionFault }, searchDelayMs);
      else set({ expression, expressionFault });
    },
    setFilter: (filter) => reloadFor({ filter, rows: [], nextBefore: null, far: null, phase: 'loading' }, 0),
    ...createMarkActions(set, get, reads),
    ...createDeleteActions(set, get, reads),
  };
}

const countLoaded = ({ rows, far }: Pick<InboxState, 'rows' | 'far'>): number =>
  rows.length + (far?.items.length ?? 0);

/** Chooses rows; a range that goes over rows that are not loaded has them loaded first. */
async function choose(gesture: ChoiceGesture, set: SetInbox, get: GetInbox, reads: ListReads): Promise<void> {
  const { rows, choice, selectedId } = get();
  if (gesture.kind === 'range') {
    const isFirst = (id: string | null): boolean => findRow(rows, id) !== null;
    if (isFirst(choice.anchor ?? selectedId) !== isFirst(gesture.id)) await reads.fillGap();
  }
  set((state) => {
    const { far } = state;
    // A range is of rows without a gap: where there still is one, the row alone is chosen.
    const isRange = gesture.kind === 'range';
    const isFar = far !== null && isRange && findRow(far.items, gesture.id) !== null;
    const known =
      far === null ? state.rows : isRange ? (isFar ? far.items : state.rows) : [...state.rows, ...far.items];
    return { choice: chooseRows(state.choice, gesture, known, selectedId) };
  });
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

/** Whether a note or tags became others since they were shown here: they are shown then, and not written over unseen. */
async function isOtherMeanwhile(
  id: string,
  { note, tags }: TypedMarks,
  set: SetInbox,
  get: GetInbox,
): Promise<boolean> {
  const { store, detail } = get();
  if (detail?.id !== id || (note ?? tags) === undefined) return false;
  const now = await call('inbox.get', { store, id });
  set((state) => ({
    detail:
      state.detail?.id === id
        ? { ...state.detail, note: now.note, tags: now.tags, lastMark: now.lastMark }
        : state.detail,
  }));
  return (
    (note !== undefined && now.note !== detail.note) ||
    (tags !== undefined && now.tags.join(' ') !== detail.tags.join(' '))
  );
}

function createMarkActions(
  set: SetInbox,
  get: GetInbox,
  reads: ListReads,
): Pick<ListActions, 'markRead' | 'markAllRead' | 'mark'> {
  const mark = (ids: ReadonlySet<string> | 'all', isRead: boolean): void =>
    set(({ rows, far, detail }) => ({
      ...mapParts({ rows, far }, (part) =>
        changeRows(part, ids === 'all' ? part.map(({ id }) => id) : ids, (row) => ({ ...row, isRead })),
      ),
      detail: detail && (ids === 'all' || ids.has(detail.id)) ? { ...detail, isRead } : detail,
    }));

  /** A team's inbox says who marked it and when. */
  const readMark = async (id: string): Promise<void> => {
    const { store, detail } = get();
    if (store === LOCAL || detail?.id !== id) return;
    const { lastMark } = await call('inbox.get', { store, id });
    set((state) => ({ detail: state.detail?.id === id ? { ...state.detail, lastMark } : state.detail }));
  };

  return {
    mark: async (id, marks) => {
      try {
        if (await isOtherMeanwhile(id, marks, set, get)) return false;
        await reads.inTurn(() => call('inbox.mark', { store: get().store, ids: [id], ...marks }));
        set(({ rows, far, detail }) => ({
          ...mapParts({ rows, far }, (part) => changeRows(part, [id], (row) => ({ ...row, ...marks }))),
          detail: detail?.id === id ? { ...detail, ...marks } : detail,
        }));
        await readMark(id);
        return true;
      } catch (error) {
        set({ error: toClientError(error) });
        return false;
      }
    },
    markRead: async (ids, isRead) => {
      const { store } = get();
      const marked = new Set(ids);
      mark(marked, isRead);
      try {
        for (let from = 0; from < ids.length; from += mostAtOnce) {
          const part = ids.slice(from, from + mostAtOnce);
          const { unreadCount } = await reads.inTurn(() =>
            call('inbox.markRead', { store, ids: part, isRead }),
          );
          set({ unreadCount });
        }
        mark(marked, isRead);
      } catch (error) {
        mark(marked, !isRead);
        set({ error: toClientError(error) });
      }
    },
    markAllRead: async () => {
      try {
        const { unreadCount } = await reads.inTurn(() =>
          call('inbox.markRead', { store: get().store, isAll: true, isRead: true }),
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
      for (let from = 0; from < ids.length; from += mostAtOnce) {
        const part = ids.slice(from, from + mostAtOnce);
        await reads.inTurn(() => call('inbox.delete', { ids: part }));
      }
      set({ choice: NO_CHOICE });
      const { rows, far, selectedId } = get();
      const part = far?.items.some((row) => row.id === selectedId) ? far.items : rows;
      const index = part.findIndex((row) => row.id === selectedId);
      const left = part.filter((row) => !gone.has(row.id));
      const parts = mapParts({ rows, far }, (some) => some.filter((row) => !gone.has(row.id)));
      const goneCount = countLoaded({ rows, far }) - countLoaded(parts);
      set((state) => ({ ...parts, totalCount: Math.max(0, state.totalCount - goneCount) }));
      if (parts.rows.length === 0) await reads.load();
      if (selectedId && gone.has(selectedId)) {
        const next = left[Math.min(index, left.length - 1)];
        if (next) await get().select(next.id);
        else get().clearSelection();
      }
    },
    removeAll: async () => {
      await reads.inTurn(() => call('inbox.delete', { isAll: true }));
      get().clearSelection();
      set({ rows: [], nextBefore: null, far: null, choice: NO_CHOICE });
      await reads.load();
    },
  };
}
