import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ParsedInput } from '@shared/contract/contract';
import type { HistoryOutcome } from '@shared/contract/sending';
import type { SqlDatabase } from '../../platform/ports';
import { ownValue } from '@shared/own-value';
import { formatSortableId, fromInstant, parseSortableId } from '../../platform/sortable-id';
import { IS_ROUND } from './balance-readings';
import { SUMMARY_COLUMNS, type ExchangeRow } from './history-store';

export type HistoryQuery = ParsedInput<'history.list'>;

export interface HistoryPage {
  rows: ExchangeRow[];
  /** Goes on from here; null: there are no more. */
  nextBefore: string | null;
}

/** So many are searched in one go, before others get their turn. */
const sliceRows = 1000;
/** A search stops here with what it has: whoever asked goes on from there. */
const longestMs = 300;

/** What each choice of outcome takes; `any` has no condition. */
const outcomeConditions: Readonly<Record<Exclude<HistoryOutcome, 'any'>, string>> = {
  good: "e.outcome IN ('accepted', 'ok')",
  refused: "e.outcome IN ('rejected', 'duplicate', 'unauthorized', 'not_found', 'rate_limited')",
  failed: "e.outcome IN ('failed', 'unknown')",
  no_answer: 'e.http_status IS NULL',
};

interface RowCondition {
  readonly sql: string;
  readonly values: readonly unknown[];
}

/** Words of a search: each must be found. */
function splitWords(search: string): string[] {
  return search.replaceAll('\0', ' ').trim().split(/\s+/).filter(Boolean).slice(0, 20);
}

/** Conditions that an index answers: they leave few rows. */
function narrow({ reference, identity, isPinned }: HistoryQuery): RowCondition[] {
  return [
    ...(reference === undefined ? [] : [{ sql: 'e.reference = ?', values: [reference] }]),
    ...(identity === undefined
      ? []
      : [
          {
            sql: `e.collection_id = ? AND e.path = ?${identity.block === null ? '' : ' AND e.block = ?'}`,
            values: [
              identity.collectionId,
              identity.path,
              ...(identity.block === null ? [] : [identity.block]),
            ],
          },
        ]),
    ...(isPinned === undefined ? [] : [{ sql: 'e.is_pinned = 1', values: [] }]),
  ];
}

// eslint-disable-next-line no-control-regex
const BEYOND_ASCII = /[^\x00-\x7f]/;

/** SQLite knows the case of the letters of ASCII alone. What an earlier version kept stands there as it was written. */
const spell = (word: string): string[] =>
  BEYOND_ASCII.test(word) ? [...new Set([word.toLowerCase(), word])] : [word];

/** A word of the texts, a status (`429`), or how it went, as the menu and `--json` call it (`refused`, `rate_limited`). */
function findWord(word: string): RowCondition {
  const outcome = word.toLowerCase();
  const named = ownValue(outcomeConditions as Readonly<Record<string, string>>, outcome);
  const patterns = spell(word).map((text) => `%${text.replace(/[\\%_]/g, '\\$&')}%`);
  const texts = patterns.map(() => "t.text LIKE ? ESCAPE '\\'").join(' OR ');
  return {
    sql: `(${texts} OR e.http_status = ? OR e.outcome = ?${named === undefined ? '' : ` OR ${named}`})`,
    values: [...patterns, /^\d{3}$/.test(word) ? Number(word) : null, outcome],
  };
}

/** Conditions that have to be looked at row by row. */
function sift({ search = '', outcome = 'any' }: HistoryQuery): RowCondition[] {
  const words = splitWords(search).map(findWord);
  return outcome === 'any' ? words : [{ sql: outcomeConditions[outcome], values: [] }, ...words];
}

/**
 * Lists exchanges, the newest first.
 *
 * What no index answers is searched in slices, with room for others between them: a hundred thousand rows hold nobody up.
 */
export async function listExchanges(database: SqlDatabase, query: HistoryQuery): Promise<HistoryPage> {
  const { limit, before, from, until } = query;
  const newest = Math.min(
    before === null ? Number.MAX_SAFE_INTEGER : (parseSortableId(before) ?? 0),
    until === undefined ? Number.MAX_SAFE_INTEGER : fromInstant(until),
  );
  const oldest = from === undefined ? 0 : fromInstant(from);
  const [few, sifted] = [narrow(query), sift(query)];
  if (few.length > 0 || sifted.length === 0) {
    const rows = read(database, { newest, oldest, limit, conditions: [...few, ...sifted] });
    return { rows, nextBefore: rows.length === limit ? formatSortableId(rows.at(-1)!.id) : null };
  }
  return searchSlices(database, { newest, oldest, limit, conditions: sifted });
}

interface IdRange {
  /** Not itself. */
  readonly newest: number;
  readonly oldest: number;
  readonly limit: number;
  readonly conditions: readonly RowCondition[];
}

async function searchSlices(database: SqlDatabase, range: IdRange): Promise<HistoryPage> {
  const { oldest, limit, conditions } = range;
  const findEnd = database.prepare(
    'SELECT id FROM exchanges WHERE id < ? AND id >= ? ORDER BY id DESC LIMIT 1 OFFSET ?',
  );
  const rows: ExchangeRow[] = [];
  const startedMs = performance.now();
  for (let newest = range.newest; ;) {
    const end = findEnd.get([newest, oldest, sliceRows - 1]) as { id: number } | undefined;
    const slice = { newest, oldest: end?.id ?? oldest, limit: limit - rows.length, conditions };
    rows.push(...read(database, slice));
    if (rows.length === limit) return { rows, nextBefore: formatSortableId(rows.at(-1)!.id) };
    if (end === undefined) return { rows, nextBefore: null };
    newest = end.id;
    if (performance.now() - startedMs > longestMs) return { rows, nextBefore: formatSortableId(newest) };
    await nextTurn();
  }
}

function read(database: SqlDatabase, { newest, oldest, limit, conditions }: IdRange): ExchangeRow[] {
  const needsText = conditions.some(({ sql }) => sql.includes('t.text'));
  const columns = SUMMARY_COLUMNS.split(', ')
    .map((column) => `e.${column}`)
    .join(', ');
  const where = ['e.id < ?', 'e.id >= ?', `NOT ${IS_ROUND}`, ...conditions.map(({ sql }) => sql)].join(
    ' AND ',
  );
  // CROSS JOIN keeps the order as written.
  const from = `exchanges e${needsText ? ' CROSS JOIN exchange_texts t ON t.id = e.id' : ''}`;
  return database
    .prepare(`SELECT ${columns} FROM ${from} WHERE ${where} ORDER BY e.id DESC LIMIT ?`)
    .all([newest, oldest, ...conditions.flatMap(({ values }) => values), limit]) as ExchangeRow[];
}
