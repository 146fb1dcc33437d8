import type { Filter } from '@shared/webhooks/filter/filter-fields';
import { matchesFilter } from '@shared/webhooks/filter/match-filter';
import { parseFilter } from '@shared/webhooks/filter/parse-filter';
import type { Arrivals } from '../arrivals';
import { toFilterSubject } from '../filter-subject';
import { readLogRow, type LogRow } from '../inbox-log';
import { findOriginal } from './find-original';
import type { ForwardStore, Gap } from './forward-store';

const SLICE_ROWS = 256;
const SLICE_BYTES = 4 * 1024 * 1024;

/** Tells of a webhook whether it is forwarded. */
type Passes = (row: LogRow, nowMs: number) => boolean;

/**
 * @param readKeys - what a filter on the verdict verifies signatures with
 * @throws {AppError} `inbox.bad_filter`
 */
export function readForwardFilter(text: string, readKeys: () => readonly string[] = () => []): Passes {
  const filter: Filter = parseFilter(text);
  if (filter.is === 'word' && filter.word === 'all') return () => true;
  return (row, nowMs) => matchesFilter(filter, toFilterSubject(readLogRow(row, readKeys())), nowMs);
}

/** Webhooks that were looked at: those to be forwarded with their references, and the rows of all. */
export interface TakenSlice {
  readonly isDone: boolean;
  readonly takenId: number;
  readonly taken: readonly (readonly [id: number, reference: string | null])[];
  readonly rows: readonly LogRow[];
}

/**
 * Looks at the next webhooks of the log, or of a gap in it, and queues those that pass.
 *
 * @param range.upTo - the last id to look at
 */
export function takeSlice(
  arrivals: Arrivals,
  store: ForwardStore,
  passes: Passes,
  { after, upTo, gap }: { after: number; upTo: number; gap: Gap | null },
): TakenSlice {
  const rows = arrivals.list(after, upTo, SLICE_ROWS, SLICE_BYTES);
  const now = Date.now();
  const taken = rows
    .filter((row) => isWhole(row) && findOriginal(row, arrivals) === null && passes(row, now))
    .map((row) => [row.id, readReference(row)] as const);
  const takenId = rows.at(-1)?.id ?? after;
  const isDone = rows.length === 0 || takenId >= upTo;
  if (rows.length > 0 || gap !== null) store.take(taken, isDone && gap !== null ? gap.toId : takenId, gap);
  return { isDone, takenId, taken, rows };
}

/** Looks at all up to an id, at once. */
export function takeAll(
  arrivals: Arrivals,
  store: ForwardStore,
  passes: Passes,
  { after, upTo }: { after: number; upTo: number },
): void {
  for (let at = after, isDone = false; !isDone;) {
    ({ isDone, takenId: at } = takeSlice(arrivals, store, passes, { after: at, upTo, gap: null }));
  }
}

/** What was too long is kept cut, or its head alone; without its whole body it is no webhook. */
function isWhole({ responded_status, full_bytes, raw, head_size }: LogRow): boolean {
  if (full_bytes !== null) return false;
  if (responded_status !== 413 || raw.length > head_size) return true;
  return !/\r\n(?:content-length:[ \t]*[1-9]|transfer-encoding:)/i.test(raw.toString('latin1', 0, head_size));
}

/** What order is kept by: the reference, else the payment. */
function readReference(row: LogRow): string | null {
  const { client_reference, payment_uuid } = readLogRow(row).row;
  return client_reference ?? payment_uuid;
}
