import type { Exchange } from '../contract/sending';
import { writeCsv } from '../csv/write-csv';
import { memberOf, readJsonTree, textOf } from '../json/json-tree';
import { formatDuration } from '../format-duration';
import { isTooLong, listRetryHeaders, readRetryAfterMs } from '../payments/retry-after';
import { isTerminalState } from '../payments/tables/states';
import type { LookupItem } from './lookup-list';

/** What the service was heard to say of one payment. */
export interface LookupAnswer {
  readonly exchange: Exchange;
  /** Null: the answer does not tell. */
  readonly isFound: boolean | null;
  readonly state: string | null;
}

/** One row of the results. */
export interface LookupRow extends LookupItem {
  readonly outcome: 'waiting' | 'asking' | 'found' | 'not_found' | 'not_known' | 'not_asked';
  readonly state: string | null;
  readonly amount: string | null;
  readonly paymentUuid: string | null;
  readonly paymentReference: string | null;
  readonly httpStatus: number | null;
  /** What stands in the way of knowing; null: nothing. */
  readonly reason: string | null;
  /** Epoch milliseconds of the last query; null: none yet. */
  readonly askedAt: number | null;
  readonly queries: number;
}

export interface LookupRunOptions {
  ask(item: LookupItem): Promise<LookupAnswer>;
  /** Waits; ends early where the run is stopped. */
  wait(ms: number): Promise<void>;
  isStopped(): boolean;
  onRow(index: number, row: LookupRow): void;
  perSecond: number;
  /** Asks again until each is final, this long at most; null: each is asked once. */
  watchMs: number | null;
  /** Epoch milliseconds. */
  now(): number;
  /** Milliseconds that pass whatever the clock is put to. */
  monotonicMs(): number;
}

const FIRST_PAUSE_MS = 2000;
const MAX_PAUSE_MS = 30_000;
const GROWTH = 1.5;
const MOST_REFUSALS = 5;
const USUAL_RETRY_MS = 5000;

/** How long a watch waits after its nth query: longer each time, half a minute at most. */
export function pauseOfWatch(count: number): number {
  return Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * GROWTH ** Math.max(0, count - 1));
}

/**
 * What stands beside a payment that a watch has left.
 *
 * @param isFound - as the service said last; null: it did not tell
 */
export function describeEndOfWatch(watchMs: number, isFound: boolean | null): string {
  const span = watchMs % 60_000 === 0 ? `${watchMs / 60_000} min` : `${watchMs / 1000} s`;
  const what = isFound === null ? 'Not known' : isFound ? 'Not final' : 'Not found';
  return `${what} after ${span}; the watch has ended.`;
}

/**
 * A row as it stands once its list was stopped: one that was not asked says so, and of a watch one that is not final.
 *
 * @param isLeft - it would have been asked for again
 * @param aloneMs - the service itself ended the list: it wants to be left alone for longer than the list waits
 */
export function stopRow(row: LookupRow, isLeft: boolean, aloneMs: number | null = null): LookupRow {
  const alone = aloneMs === null ? null : describeLeftAlone(aloneMs);
  if (row.queries === 0)
    return { ...row, outcome: 'not_asked', reason: alone ?? 'The list was stopped before its turn.' };
  if (!isLeft) return row;
  return addReason(row, alone ?? 'The watch was stopped before it was final.');
}

/** Said of what is not asked any more, because the service wants to be left alone for longer than anybody waits. */
export function describeLeftAlone(aloneMs: number): string {
  return `The service was asked too often: ask again after ${formatDuration(aloneMs)}.`;
}

const addReason = (row: LookupRow, more: string): LookupRow => ({
  ...row,
  reason: row.reason === null ? more : `${row.reason.replace(/[.]?$/, '.')} ${more}`,
});

/** A row that was not asked for yet. */
export function toLookupRow(item: LookupItem): LookupRow {
  return {
    ...item,
    outcome: 'waiting',
    state: null,
    amount: null,
    paymentUuid: null,
    paymentReference: null,
    httpStatus: null,
    reason: null,
    askedAt: null,
    queries: 0,
  };
}

/**
 * Asks for many payments one after the other, no faster than it may; waits as long as a 429 says, and ends where that is too long.
 *
 * One that cannot be asked for does not hold up the rest.
 */
export async function runLookups(
  items: readonly LookupItem[],
  options: LookupRunOptions,
): Promise<LookupRow[]> {
  const { wait, isStopped, perSecond, watchMs, monotonicMs } = options;
  const rows = items.map(toLookupRow);
  const endsAt = monotonicMs() + (watchMs ?? 0);
  let open = rows.map((_row, index) => index);
  // Asking again changes nothing there. One that is not found, or not told, may have been sent just now.
  const unaskable = new Set<number>();
  const isOpen = (index: number): boolean =>
    !unaskable.has(index) && !isTerminalState(rows[index]!.state ?? '');
  const stop = (refused: number | null = null, aloneMs: number | null = null): LookupRow[] => {
    rows.forEach((row, index) => {
      const isLeft = index === refused || (watchMs !== null && isOpen(index));
      const stopped = stopRow(row, isLeft, aloneMs);
      if (stopped !== row) options.onRow(index, (rows[index] = stopped));
    });
    return rows;
  };
  for (let round = 1; open.length > 0 && !isStopped(); round += 1) {
    for (const index of open) {
      if (isStopped()) return stop();
      const startedAt = monotonicMs();
      const readLeftMs = (): number => (watchMs === null ? Infinity : endsAt - monotonicMs());
      const { row, isUnaskable, aloneMs, pauseMs } = await askOne(rows[index]!, index, options, readLeftMs);
      rows[index] = row;
      if (aloneMs !== null) return stop(index, aloneMs);
      if (isUnaskable) unaskable.add(index);
      options.onRow(index, row);
      if (watchMs === null && index === rows.length - 1) break;
      await wait(Math.max(pauseMs, 1000 / perSecond - (monotonicMs() - startedAt)));
    }
    if (watchMs === null) return rows;
    open = open.filter(isOpen);
    const leftMs = endsAt - monotonicMs();
    if (open.length > 0 && leftMs <= 0) {
      for (const index of open) options.onRow(index, (rows[index] = leaveRow(rows[index]!, watchMs)));
      return rows;
    }
    // The last question is asked when the time is up, and not a pause before.
    if (open.length > 0) await wait(Math.min(pauseOfWatch(round), leftMs));
  }
  return open.length > 0 ? stop() : rows;
}

/** A payment whose watch is over before it was final; what stood in the way of knowing is said first. */
function leaveRow(row: LookupRow, watchMs: number): LookupRow {
  const isUntold = row.outcome === 'not_known' && row.state === null;
  const end = describeEndOfWatch(watchMs, isUntold ? null : row.outcome !== 'not_found');
  return addReason(row, end);
}

/**
 * @param readLeftMs - so much time a watch has left
 * @returns the row; whether it was no answer but an error that stays: it cannot be asked for; how long the service wants to be left
 *   alone, where nobody waits so long; and how long the next one has to wait
 */
async function askOne(
  row: LookupRow,
  index: number,
  options: LookupRunOptions,
  readLeftMs: () => number,
): Promise<{ row: LookupRow; isUnaskable: boolean; aloneMs: number | null; pauseMs: number }> {
  options.onRow(index, { ...row, outcome: 'asking' });
  for (let refusals = 0; ; refusals += 1) {
    const asked = { ...row, askedAt: options.now(), queries: row.queries + refusals + 1 };
    const { retryMs, ...asking } = await options.ask(row).then(
      (answer) => ({
        retryMs: readRetryMs(answer.exchange, options.now()),
        row: readAnswerRow(asked, answer),
        isUnaskable: false,
      }),
      (error: unknown) => ({
        retryMs: readTokenRetryMs(error, options.now()),
        row: readErrorRow(asked, error),
        isUnaskable: !mayPass(error),
      }),
    );
    const isLong = isTooLong(retryMs) || (retryMs !== null && retryMs > readLeftMs());
    if (isLong && !options.isStopped()) return { ...asking, aloneMs: retryMs, pauseMs: 0 };
    if (retryMs === null || refusals >= MOST_REFUSALS || options.isStopped())
      return { ...asking, aloneMs: null, pauseMs: retryMs ?? 0 };
    options.onRow(index, { ...asked, outcome: 'asking', reason: describeRetry(retryMs) });
    await options.wait(retryMs);
    // The wait ends early then: the service would be asked before the time that it named.
    if (options.isStopped()) return { ...asking, aloneMs: null, pauseMs: 0 };
  }
}

/** How long the service wants to be left alone; null: it does not. @source part 7: HTTP 429 */
export function readRetryMs({ response }: Exchange, now: number): number | null {
  return response?.httpStatus === 429 ? boundRetry(readRetryAfterMs(response.headers, now)) : null;
}

/** The same where it was the token that it did not give for it: an error that says so. */
export function readTokenRetryMs(error: unknown, now: number): number | null {
  const details = (error as { details?: Readonly<Record<string, unknown>> } | null)?.details ?? {};
  return details['httpStatus'] === 429 ? boundRetry(readRetryAfterMs(listRetryHeaders(details), now)) : null;
}

function boundRetry(retryMs: number | null): number {
  return retryMs === null ? USUAL_RETRY_MS : Math.max(1000, retryMs);
}

/** Failures that may be over by the next question: a service that starts again, a network that was away. */
const passing: ReadonlySet<unknown> = new Set([
  'sending.unreachable',
  'sending.timeout',
  'sending.closed',
  'sending.dns',
  'sending.proxy',
  'sending.bad_answer',
  'tokens.unavailable',
]);

/** Tells whether a watch goes on after an error: it may be over by the next question. */
export function mayPass(error: unknown): boolean {
  return passing.has((error as { code?: unknown } | null)?.code);
}

/** What is said while the service is left alone. */
export function describeRetry(retryMs: number): string {
  return `Too many requests: again in ${Math.ceil(retryMs / 1000)} s`;
}

function readErrorRow(row: LookupRow, error: unknown): LookupRow {
  return { ...row, outcome: 'not_known', reason: error instanceof Error ? error.message : String(error) };
}

/** An answer that does not tell takes nothing back of what was told before. */
function readAnswerRow(row: LookupRow, { exchange, isFound, state }: LookupAnswer): LookupRow {
  const data = memberOf(readJsonTree(exchange.response?.body ?? ''), 'data');
  const { reading, error } = exchange;
  return {
    ...row,
    outcome: isFound === null ? 'not_known' : isFound ? 'found' : 'not_found',
    ...(isFound !== null && {
      state,
      amount: textOf(data, 'amount'),
      paymentUuid: textOf(data, 'payment_uuid'),
      paymentReference: textOf(data, 'payment_reference'),
    }),
    httpStatus: exchange.response?.httpStatus ?? null,
    reason: isFound === null ? (error?.message ?? describeReading(reading)) : null,
  };
}

/** What kind of refusal it is, and the service's own words for it. */
function describeReading(reading: Exchange['reading']): string {
  const words = [reading?.title, reading?.description].filter(Boolean).join(': ');
  return words === '' ? 'The answer could not be read.' : words;
}

const columns = [
  ['line', ({ line }) => line],
  ['asked_by', ({ by }) => by],
  ['value', ({ value }) => value],
  ['outcome', ({ outcome }) => outcome],
  ['state', ({ state }) => state],
  ['amount', ({ amount }) => amount],
  ['payment_uuid', ({ paymentUuid }) => paymentUuid],
  ['payment_reference', ({ paymentReference }) => paymentReference],
  ['http_status', ({ httpStatus }) => httpStatus],
  ['asked_at', ({ askedAt }) => (askedAt === null ? null : new Date(askedAt).toISOString())],
  ['queries', ({ queries }) => queries],
  ['reason', ({ reason }) => reason],
] as const satisfies readonly (readonly [string, (row: LookupRow) => string | number | null])[];

/** One row by the names of its columns, as the command line prints it. */
export function describeLookupRow(row: LookupRow): Record<string, string | number | null> {
  return Object.fromEntries(columns.map(([name, read]) => [name, read(row)]));
}

/** The results as a table for a spreadsheet. */
export function writeLookupCsv(rows: readonly LookupRow[]): string {
  return writeCsv(
    columns.map(([name]) => name),
    rows.map((row) => columns.map(([, read]) => read(row))),
  );
}
