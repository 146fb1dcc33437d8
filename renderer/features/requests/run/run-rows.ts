import type { AppRun, ItemResult } from '@shared/contract/running';
import { describeAnswer, isSkippedForAnother } from '@shared/run/run-result';
import type { Tone } from '../../../ui/tag';

/** One request of a run as the list shows it. */
export interface RunRow {
  id: string;
  /** Among the items of the run; -1: it is of the run before. */
  place: number;
  item: AppRun['items'][number];
  /** Null: it has no outcome yet. */
  result: ItemResult | null;
  state: RunRowState;
}

/** `next`: it waits for its turn; `unsent`: the run ended before it had one; `unready`: it was not fit to be sent. */
export type RunRowState = ItemResult['outcome'] | 'waiting' | 'next' | 'unsent' | 'unready';

/** What the list says of each state; the order is that of the list: what has to be looked at stands first. */
export const runStates: Readonly<Record<RunRowState, { word: string; tone: Tone; rank: number }>> = {
  failed: { word: 'failed', tone: 'bad', rank: 0 },
  error: { word: 'no answer', tone: 'bad', rank: 0 },
  unready: { word: 'could not be sent', tone: 'bad', rank: 0 },
  unfinished: { word: 'not finished', tone: 'warn', rank: 1 },
  unsent: { word: 'not sent', tone: 'warn', rank: 2 },
  waiting: { word: 'under way', tone: 'warn', rank: 3 },
  passed: { word: 'passed', tone: 'good', rank: 4 },
  next: { word: 'to come', tone: 'quiet', rank: 5 },
  skipped: { word: 'skipped', tone: 'quiet', rank: 6 },
};

/** The sign of an outcome where there is no room for its word: told apart without its colour. */
export function signOf(state: RunRowState): 'check' | 'cross' | 'open' {
  const { tone } = runStates[state];
  return tone === 'good' ? 'check' : tone === 'bad' ? 'cross' : 'open';
}

/** One that never left, as where no token was to be had, waits for no answer. */
const stateOf = ({ outcome, exchangeId }: ItemResult): RunRowState =>
  outcome === 'error' && exchangeId === null ? 'unready' : outcome;

/** Those of the run before that this one does not send again: they stand as they came out. */
function listKept({ kept }: AppRun): RunRow[] {
  return kept.map(({ item, result }, index) => {
    const state = result === null ? 'unsent' : stateOf(result);
    return { id: `kept ${index}`, place: -1, item, result, state };
  });
}

/** Lists the requests of a run: failed ones first, each group in the order of the run. */
export function listRunRows(run: AppRun, underWay: readonly number[]): RunRow[] {
  const results = new Map(run.results.map((result) => [result.place, result]));
  const waiting = new Set(underWay);
  const own = run.items.map((item, place): RunRow => {
    const result = results.get(place) ?? null;
    // What had no turn before the end has none any more.
    const left = run.state === 'over' ? 'unsent' : 'next';
    const state = result === null ? (waiting.has(place) ? 'waiting' : left) : stateOf(result);
    return { id: String(place), place, item, result, state };
  });
  return [...own, ...listKept(run)].toSorted((a, b) => runStates[a.state].rank - runStates[b.state].rank);
}

const untoldEnds: Readonly<Partial<Record<RunRowState, string>>> = {
  skipped: 'Not sent',
  unready: 'It could not be sent',
};

/** Says how one request ended, as its own page is headed: the answer, else why there is none. */
export function describeEnd(state: RunRowState, result: ItemResult): string {
  if (result.httpStatus !== null) return describeAnswer(result);
  const isUnknown = state === 'unfinished' && result.attempts === 0;
  return untoldEnds[state] ?? (isUnknown ? 'How it ended is not known' : 'No answer');
}

/** Counts requests by their states, in the order of the list; states that none has are left out. */
export function countStates(rows: readonly RunRow[]): { state: RunRowState; count: number }[] {
  const counts = new Map<RunRowState, number>();
  for (const { state } of rows) counts.set(state, (counts.get(state) ?? 0) + 1);
  return [...counts].map(([state, count]) => ({ state, count }));
}

/** How a run stands, where there is room for a few words: what has to be looked at, else that there is nothing. */
export function describeRun(run: AppRun): string {
  const counts = countStates(listRunRows(run, []));
  const isOver = run.state === 'over';
  const named = counts.filter(({ state }) => runStates[state].rank <= runStates.unsent.rank);
  const shown = isOver && named.length === 0 ? counts : named;
  const words = shown
    .map(({ state, count }) => `${count.toLocaleString('en')} ${runStates[state].word}`)
    .join(', ');
  const head = isOver
    ? 'Run'
    : `Run: ${run.results.length.toLocaleString('en')} of ${run.items.length.toLocaleString('en')}`;
  if (words === '') return isOver ? 'Run of nothing' : head;
  return isOver ? `${head}: ${words}` : `${head}, ${words}`;
}

/** Tells whether a request has to be looked at, or sent again: neither has one that is still to come. */
export function isFailed({ state }: RunRow): boolean {
  return runStates[state].rank <= runStates.unsent.rank;
}

/** Those that are to be run again: what failed, had no answer or no turn, and what was skipped for one of them. */
export function listFailed(rows: readonly RunRow[]): NonNullable<AppRun['subject']['only']> {
  return rows.filter((row) => isFailed(row) || isSkippedForAnother(row.result)).map(toChosen);
}

/** What it is found by where its file is another by then. */
export const toChosen = ({ item: { path, block, mark } }: RunRow) => ({ path, block, mark });

/** What came of a request, in one line. */
export function describeRow({ result, item }: RunRow): string {
  if (result === null) return item.folder;
  const failed = result.expectations.find(({ outcome }) => outcome === 'failed');
  if (result.reason !== null) return result.reason;
  if (failed !== undefined) return `${failed.text} · received ${failed.received}`;
  return describeAnswer(result);
}

/** The worst outcome of each file, by path: what the tree shows beside it. */
export function markFiles(run: AppRun | null): ReadonlyMap<string, RunRowState> {
  const marks = new Map<string, RunRowState>();
  const kept = run === null ? [] : listKept(run);
  const ended = [
    ...(run?.results ?? []).map((result) => ({ path: run?.items[result.place]?.path, result })),
    ...kept.map(({ item, result }) => ({ path: item.path, result })),
  ];
  for (const { path, result } of ended) {
    if (path === undefined || result === null) continue;
    const state = stateOf(result);
    const known = marks.get(path);
    if (known === undefined || runStates[state].rank < runStates[known].rank) marks.set(path, state);
  }
  return marks;
}
