import { readLookupList, type LookupItem, type LookupProblem } from '@shared/lookups/lookup-list';
import {
  runLookups,
  stopRow,
  toLookupRow,
  writeLookupCsv,
  type LookupRow,
} from '@shared/lookups/run-lookups';
import { create } from 'zustand';
import { localEnvironmentId } from '@shared/contract/environment-id';
import { labelEnvironment } from '../../session/environments';
import { whenRenamed } from '../../session/renamed-environments';
import { call } from '../../transport/client';
import { holdWindow } from '../../ui/hold-window';
import { saveFile } from '../../ui/save-file';
import { findKnownProduct, useLookupsStore, watchForMs } from './lookups-store';

export interface BulkState {
  /** A list is asked for, and not one payment. */
  count: 'one' | 'many';
  /** As pasted, or read from a file. */
  text: string;
  /** Queries a second. */
  perSecond: number;
  isWatching: boolean;
  rows: LookupRow[];
  problems: LookupProblem[];
  /** The environment that the rows were asked for in, by its name then; null: no list was begun. */
  askedIn: string | null;
  isRunning: boolean;
  /** What was begun last asks again until each is final, whatever is chosen since. */
  isWatched: boolean;
  change(input: Partial<Pick<BulkState, 'count' | 'text' | 'perSecond' | 'isWatching'>>): void;
  /** Asks for all of them in turn; product, environment and kind of identifier are those of the form. */
  askAll(): Promise<void>;
  stop(): void;
  saveCsv(): void;
}

/** Many status queries, one after the other. */
export const useBulkStore = create<BulkState>()((set, get) => {
  /** Ends the run that goes on, and the wait that it is in. */
  let abort: AbortController | null = null;
  return {
    count: 'one',
    text: '',
    perSecond: 2,
    isWatching: false,
    rows: [],
    problems: [],
    askedIn: null,
    isRunning: false,
    isWatched: false,
    change: (input) => set(input),
    askAll: async () => {
      abort?.abort();
      const mine = (abort = new AbortController());
      const { product, by } = useLookupsStore.getState();
      let { environment } = useLookupsStore.getState();
      const stopFollowing = whenRenamed((from, to) => {
        if (from === environment) environment = to;
      });
      const { text, perSecond, isWatching } = get();
      const began = findAddress(environment);
      const { items: listed, problems } = readLookupList(text, by);
      set({
        rows: listed.map(toLookupRow),
        problems,
        askedIn: labelEnvironment(environment),
        isRunning: listed.length > 0,
        isWatched: isWatching,
      });
      const items: LookupItem[] = [];
      for (const item of listed)
        items.push({
          ...item,
          product: item.product ?? (await findKnownProduct({ ...item, environment })) ?? product,
        });
      if (mine.signal.aborted) return stopFollowing();
      set({ rows: items.map(toLookupRow) });
      const all = runLookups(items, {
        ask: async (item) => {
          requireSameAddress(environment, began);
          return call('lookups.status', {
            environment,
            product: item.product ?? product,
            by: item.by,
            value: item.value,
            isForScreen: true,
          });
        },
        wait: (ms) => waitUnlessStopped(ms, mine.signal),
        isStopped: () => mine.signal.aborted,
        onRow: (index, row) => {
          if (abort === mine) set(({ rows }) => ({ rows: rows.with(index, row) }));
        },
        perSecond,
        watchMs: isWatching ? watchForMs : null,
        now: () => Date.now(),
        monotonicMs: () => performance.now(),
      });
      await holdWindow(all);
      stopFollowing();
      if (abort === mine) set({ isRunning: false });
    },
    stop: () => {
      abort?.abort();
      set(({ rows }) => ({
        isRunning: false,
        // The one that is being asked may still be answered.
        rows: rows.map((row) =>
          row.outcome === 'asking' ? { ...row, outcome: readLastOutcome(row) } : stopRow(row, false),
        ),
      }));
    },
    // Without the mark at the start, Excel takes UTF-8 for the code page of its system.
    saveCsv: () => saveFile('payments.csv', `\ufeff${writeLookupCsv(get().rows)}`, 'text/csv'),
  };
});

const findAddress = (environment: string): string | undefined =>
  environment === localEnvironmentId
    ? undefined
    : useLookupsStore.getState().environments.find(({ id }) => id === environment)?.baseUrl;

/** One table is of one service: who answers at another address knows other payments by the same references. */
function requireSameAddress(environment: string, began: string | undefined): void {
  const now = findAddress(environment);
  if (began === undefined || now === undefined || now === began) return;
  throw new Error(
    `“${labelEnvironment(environment)}” has another address now than when the list began: nothing was sent. Query all again to ask there.`,
  );
}

/** What was known of a payment before it was asked for once more. */
function readLastOutcome({ state, queries, reason }: LookupRow): LookupRow['outcome'] {
  if (queries === 0) return 'waiting';
  if (state !== null) return 'found';
  return reason === null ? 'not_found' : 'not_known';
}

function waitUnlessStopped(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    const stop = (): void => {
      clearTimeout(timer);
      resolve();
    };
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}
