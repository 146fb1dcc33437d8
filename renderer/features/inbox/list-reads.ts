import type { MethodOutput } from '@shared/contract/contract';
import type { EventMap } from '@shared/contract/events';
import { AppError } from '@shared/errors';
import { phaseWhileAsked } from '../../session/list-phase';
import { call } from '../../transport/client';
import { isPassing, toClientError, type ClientError } from '../../transport/client-error';
import {
  countRows,
  joinParts,
  placeRows,
  takeFarAgain,
  takeFarPage,
  takeNextPage,
  takeTopPage,
} from './inbox-rows';
import type { GetInbox, InboxState, SetInbox } from './inbox-state';

const firstPageSize = 100;
const pageSize = 500;
const placedPageSize = 200;
const screenSize = 40;
const refreshDelayMs = 250;

/** Which webhooks are asked for: the choice and the expression, as far as that can be read. */
export function writeFilter({
  filter,
  expression,
  expressionFault,
}: Pick<InboxState, 'filter' | 'expression' | 'expressionFault'>): string {
  return expression === '' || expressionFault !== null ? filter : `${filter} and (${expression})`;
}

/** Tells whether an error is over once the list could be read. */
const isOver = (error: ClientError | null, ofReading: ClientError | null): boolean =>
  error !== null && (isPassing(error) || error === ofReading);

type ListPage = MethodOutput<'inbox.list'>;

/** What is on show, after the list was read again: marked as it is now, or gone where another window or a command deleted it. */
function lookAtShown(state: InboxState, { webhooks, nextBefore }: ListPage): Partial<InboxState> {
  const { detail } = state;
  if (detail === null) return {};
  const row = webhooks.find(({ id }) => id === detail.id);
  if (row !== undefined) {
    const { isRead, isPinned, note, tags } = row;
    return { detail: { ...detail, isRead, isPinned, note, tags } };
  }
  const isListed = state.search === '' && writeFilter(state) === 'all';
  if (!isListed || (nextBefore !== null && detail.id < nextBefore)) return {};
  const gone = new AppError('inbox.unknown', 'This webhook was deleted. Choose another one.');
  return { detail: null, selectedId: null, detailPhase: 'failed', detailError: toClientError(gone) };
}

/**
 * Everything that reads or changes the list in the back end, one after the other: an answer that was made before a
 * change never overwrites it. What comes in meanwhile is read afterwards.
 */
export class ListReads {
  private turn: Promise<unknown> = Promise.resolve();
  private waiting = 0;
  private isStale = false;
  /** Counts searches and filters: an answer to one that is over is dropped. */
  private query = 0;
  /** Places that came into view and are not loaded; the last word counts. */
  private wanted: { from: number; to: number } | null = null;
  private isPlacing = false;
  /** Why the list could not be read last: over once it can be, unlike what a mark or a deletion failed at. */
  private failure: ClientError | null = null;
  private refreshTimer: ReturnType<typeof setTimeout> | null = null;

  constructor(
    private readonly set: SetInbox,
    private readonly get: GetInbox,
  ) {}

  /** Runs when everything before it is done. */
  inTurn<T>(act: () => Promise<T>): Promise<T> {
    this.waiting += 1;
    const result = this.turn.then(act).finally(() => {
      this.waiting -= 1;
      if (this.waiting === 0 && this.isStale) this.refreshSoon();
    });
    this.turn = result.catch(() => undefined);
    return result;
  }

  /** A new search or filter: what is asked for now is not wanted any more. */
  forget(): void {
    this.wanted = null;
    this.query += 1;
  }

  async load(): Promise<void> {
    this.forget();
    this.set({ phase: phaseWhileAsked(this.get()), error: null });
    await this.read(
      { limit: firstPageSize },
      ({ webhooks, nextBefore }) => ({
        rows: webhooks,
        nextBefore,
        far: null,
        query: this.query,
        phase: 'ready',
        isLoadingMore: false,
      }),
      { phase: 'failed' },
    );
    await this.fillScreen();
  }

  /** Where a filter looks at webhooks one by one, a page may be short while there is more. */
  private async fillScreen(): Promise<void> {
    const { rows, nextBefore, error, expression } = this.get();
    const isShort = rows.length < screenSize && nextBefore !== null && error === null;
    if (isShort && expression !== '') await this.loadMore();
  }

  async loadMore(): Promise<void> {
    const { nextBefore, isLoadingMore } = this.get();
    if (nextBefore === null || isLoadingMore) return;
    const { query } = this;
    this.set({ isLoadingMore: true });
    await this.read(
      () => ({ limit: pageSize, before: this.get().nextBefore }),
      (page, state) => ({
        ...joinParts({ ...takeNextPage(state, page), far: state.far }),
        isLoadingMore: false,
      }),
      { isLoadingMore: false },
    );
    if (query === this.query) await this.fillScreen();
  }

  /** Loads the rows at places that are in view: from the first rows on, from those further down on, or by their place. */
  async loadAt(from: number, to: number): Promise<void> {
    this.wanted = { from, to };
    if (this.isPlacing) return;
    this.isPlacing = true;
    while (this.wanted !== null) {
      const range: { from: number; to: number } = this.wanted;
      this.wanted = null;
      await this.readAt(range);
      if (this.get().error !== null) break;
    }
    this.isPlacing = false;
  }

  private async readAt({ from, to }: { from: number; to: number }): Promise<void> {
    const state = this.get();
    const { rows, nextBefore, far, isTotalCut } = state;
    const count = countRows(state);
    if (nextBefore === null || isTotalCut || from >= count) return;
    if (from < rows.length + screenSize) return this.loadMore();
    const middle = Math.floor((from + to) / 2);
    const last = far?.items.at(-1)?.id;
    const farEnd = count - (far?.below ?? 0);
    const doesFollow = last !== undefined && from >= farEnd - 1 && from < farEnd + screenSize;
    const skip = Math.max(rows.length, Math.min(middle - placedPageSize / 2, count - placedPageSize));
    const place = doesFollow ? { before: last } : { skip };
    await this.read({ ...place, limit: placedPageSize, isPlaced: true }, (page, now) =>
      takeFarPage(now, page),
    );
  }

  /** Loads all that stands between the first rows and those further down. */
  async fillGap(): Promise<void> {
    const { query } = this;
    for (let before = -1; query === this.query && this.get().far !== null;) {
      const { length } = this.get().rows;
      if (length === before) return;
      before = length;
      await this.loadMore();
      // Where somebody else is loading already.
      await this.inTurn(() => Promise.resolve());
    }
  }

  /** Reads the newest page again, a moment later; asked for more often, once. */
  refreshSoon(): void {
    this.isStale = false;
    this.refreshTimer ??= setTimeout(() => {
      this.refreshTimer = null;
      void this.refreshTop();
    }, refreshDelayMs);
  }

  stop(): void {
    if (this.refreshTimer) clearTimeout(this.refreshTimer);
    this.refreshTimer = null;
  }

  /** Takes what came into an inbox, if it is the one on show. */
  receive(store: string, { webhooks, count, unreadCount }: EventMap['inbox.received']): void {
    if (store !== this.get().store) return;
    const { search, filter, expression } = this.get();
    const isAsked = search === '' && expression === '';
    const isWhole = webhooks.length === count && isAsked && (filter === 'all' || filter === 'unread');
    if (!isWhole || this.waiting > 0 || this.refreshTimer) {
      this.set({ unreadCount });
      if (this.waiting > 0) this.isStale = true;
      else this.refreshSoon();
      return;
    }
    this.set((state) => {
      const rows = placeRows(state.rows, webhooks);
      // What a page has counted may be told of after it.
      return { rows, totalCount: state.totalCount + rows.length - state.rows.length, unreadCount };
    });
  }

  private async refreshTop(): Promise<void> {
    await this.read(
      // Many times a second while a burst comes in: as many as are loaded, not as many as a page has.
      () => ({ limit: Math.min(Math.max(this.get().rows.length, firstPageSize), pageSize) }),
      (page, state) => ({
        ...joinParts({ ...takeTopPage(state, page), far: state.far }),
        ...lookAtShown(state, page),
      }),
    );
    await this.refreshFar();
  }

  /** Reads the rows further down again, and how many follow them now. */
  private async refreshFar(): Promise<void> {
    const { far } = this.get();
    const first = far?.items[0];
    if (far === null || first === undefined) return;
    const limit = Math.max(1, Math.min(far.items.length - 1, pageSize));
    await this.read({ before: first.id, limit, isPlaced: true }, (page, state) =>
      takeFarAgain(state, first.id, page),
    );
  }

  private read(
    given: object | (() => object),
    take: (page: ListPage, state: InboxState) => Partial<InboxState>,
    onFailure: Partial<InboxState> = {},
  ): Promise<void> {
    const query = this.query;
    return this.inTurn(async () => {
      if (query !== this.query) return;
      const { search, store } = this.get();
      const filter = writeFilter(this.get());
      try {
        const input = typeof given === 'function' ? given() : given;
        const page = await call('inbox.list', { ...input, store, search, filter });
        if (query !== this.query) return;
        const { totalCount, unreadCount, isTotalCut = false, notice = null } = page;
        const told = { totalCount, isTotalCut, unreadCount, notice, answered: { search, filter } };
        this.set((state) => ({
          ...(isOver(state.error, this.failure) && { error: null, phase: 'ready' }),
          ...take(page, { ...state, ...told }),
          ...told,
          ...(isTotalCut && { far: null }),
        }));
      } catch (error) {
        if (query !== this.query) return;
        this.failure = toClientError(error);
        this.set({ ...onFailure, error: this.failure });
      }
    });
  }
}
