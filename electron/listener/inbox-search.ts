import type { SqlCondition } from './filter-sql';

/** The search index holds pieces of three characters: shorter words cannot be looked up in it. */
const MIN_INDEXED_WORD = 3;
/** Filters that leave fewer rows than this are searched row by row. */
const MAX_SCANNED = 20_000;

/** Words of a search: every one must be found. */
export function splitWords(search: string): string[] {
  return search.toLowerCase().replaceAll('\0', ' ').trim().split(/\s+/).filter(Boolean);
}

export interface SearchSource {
  readonly from: string;
  /** The same without what only the rows shown need. */
  readonly countedFrom: string;
  readonly condition: string;
  readonly id: string;
  readonly values: readonly (string | number)[];
}

/**
 * Chooses where a query begins: at the search index, or at the rows, reading the text of each.
 *
 * Words under three characters are not in the index, and a filter that leaves few rows is the shorter way.
 * CROSS JOIN keeps the order as written: SQLite might ask the search index anew for each row.
 */
export function chooseSource(
  words: readonly string[],
  filter: SqlCondition,
  countFiltered: () => number,
): SearchSource {
  const id = 'w.id';
  const isAll = filter.sql === '1';
  if (words.length === 0) {
    const { sql: condition, values } = filter;
    return { from: 'webhooks w', countedFrom: 'webhooks w', condition, id, values };
  }
  const hasShortWord = words.some((word) => [...word].length < MIN_INDEXED_WORD);
  const isNarrow = !isAll && countFiltered() < MAX_SCANNED;
  if (hasShortWord || isNarrow) {
    const from = isNarrow
      ? 'webhooks w CROSS JOIN webhook_values v ON v.id = w.id'
      : 'webhook_values v CROSS JOIN webhooks w ON w.id = v.id';
    return {
      from,
      countedFrom: isAll ? 'webhook_values v' : from,
      condition: [...words.map(() => "v.text LIKE ? ESCAPE '\\'"), filter.sql].join(' AND '),
      id: isNarrow ? id : 'v.id',
      values: [...words.map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`), ...filter.values],
    };
  }
  const from = 'webhook_text CROSS JOIN webhooks w ON w.id = webhook_text.rowid';
  return {
    from,
    countedFrom: isAll ? 'webhook_text' : from,
    condition: `webhook_text MATCH ? AND ${filter.sql}`,
    id: 'webhook_text.rowid',
    values: [words.map((word) => `"${word.replaceAll('"', '""')}"`).join(' AND '), ...filter.values],
  };
}
