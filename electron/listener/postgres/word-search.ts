import type { SqlCondition } from '../filter-sql';
import { MAX_COUNTED } from '../inbox-reader';
import { SCHEMA } from './postgres-schema';
import { WEBHOOKS } from './stored-rows';

export type StoreValue = string | number | null | readonly (number | string)[];
/** Runs one statement, its values marked by `?`. */
export type ReadStore = (sql: string, values: readonly StoreValue[]) => Promise<Record<string, unknown>[]>;

/** What a tenth of all webhooks have is frequent. So many of the newest tell whether it is; so far one goes back to count. */
const FREQUENT_SHARE = 0.1;
const SAMPLE = 5000;
const FREQUENT = SAMPLE * FREQUENT_SHARE;
const WALK = MAX_COUNTED / FREQUENT_SHARE;
/** Words are weighed by so many webhooks from so many places of the store; further words count as rare. */
const PLACES = 25;
const PLACE_ROWS = 80;
const MOST_WEIGHED = 8;
const NEWEST = Number.MAX_SAFE_INTEGER;

export interface FoundIds {
  /** Newest first. */
  readonly ids: readonly number[];
  /** Counted up to {@link MAX_COUNTED}. */
  readonly totalCount: number;
}

/**
 * Finds webhooks by words, beside what else is asked of them.
 *
 * The server cannot know how many words begin like one, and guesses a fiftieth; the newest webhooks tell. What is frequent
 * is found by going back from the newest, what is rare by the index of words.
 * @param written - what else is asked
 * @param words - as `tsquery` reads them, one at least
 */
export class WordSearch {
  /** Held against each webhook: the index is left out of it. */
  readonly #filtered: SqlCondition;

  constructor(
    private readonly read: ReadStore,
    private readonly written: SqlCondition,
    private readonly words: readonly string[],
  ) {
    this.#filtered = addWords(written, [], words);
  }

  /** Finds the newest below an id, and counts all. */
  async find(below: number, limit: number): Promise<FoundIds> {
    const newest = await this.#walk(below, SAMPLE, Math.max(limit, FREQUENT));
    if (newest.length >= Math.max(limit, FREQUENT)) {
      const counted = await this.#walk(NEWEST, WALK, MAX_COUNTED);
      if (counted.length >= MAX_COUNTED) return { ids: newest.slice(0, limit), totalCount: MAX_COUNTED };
    }
    const { sql, values } = await this.#askingIndex();
    const [found] = await this.read(
      `WITH found AS MATERIALIZED (SELECT w.id FROM ${WEBHOOKS} WHERE ${sql})
       SELECT (SELECT count(*) FROM found) AS total,
         ARRAY(SELECT id FROM found WHERE id < ? ORDER BY id DESC LIMIT ?) AS ids`,
      [...values, below, limit],
    );
    const ids = (found!['ids'] as unknown[]).map(Number);
    return { ids, totalCount: Math.min(Number(found!['total']), MAX_COUNTED) };
  }

  /** The condition by which those below an id are best read in turn. */
  async toCondition(below: number): Promise<SqlCondition> {
    const newest = await this.#walk(below, SAMPLE, FREQUENT);
    return newest.length >= FREQUENT ? this.#filtered : this.#askingIndex();
  }

  /** Goes back from an id, and no further than so many webhooks. @returns ids of those that pass */
  async #walk(below: number, far: number, most: number): Promise<number[]> {
    const { sql, values } = this.#filtered;
    const found = await this.read(
      `SELECT w.id FROM (SELECT w.* FROM ${WEBHOOKS} WHERE w.id < ? ORDER BY w.id DESC LIMIT ?) w
       WHERE ${sql} ORDER BY w.id DESC LIMIT ?`,
      [below, far, ...values, most],
    );
    return found.map(({ id }) => Number(id));
  }

  /**
   * Asks the index for the rare words, and holds what it finds against those that so many webhooks have: asked for them,
   * too, it would gather all of those first.
   */
  async #askingIndex(): Promise<SqlCondition> {
    const { words, written } = this;
    if (words.length < 2) return addWords(written, words, []);
    const weighed = words.slice(0, MOST_WEIGHED);
    const counts = weighed.map((_word, at) => `, count(*) FILTER (WHERE r.words @@ ?::tsquery) AS n${at}`);
    const [stored] = await this.read(
      `SELECT count(*) AS n${counts.join('')}
       FROM (SELECT min(id) AS low, max(id) AS high FROM ${SCHEMA}.webhooks) b, generate_series(1, ${PLACES}) place,
         LATERAL (SELECT words FROM ${SCHEMA}.webhooks WHERE id <= b.low + (b.high - b.low) / ${PLACES} * place
           ORDER BY id DESC LIMIT ${PLACE_ROWS}) r`,
      weighed,
    );
    const isFrequent = (_word: string, at: number): boolean =>
      Number(stored![`n${at}`] ?? 0) >= Number(stored!['n']) * FREQUENT_SHARE;
    const rare = words.filter((word, at) => !isFrequent(word, at));
    return rare.length === 0
      ? addWords(written, words, [])
      : addWords(written, rare, words.filter(isFrequent));
  }
}

/**
 * @param asked - words that the index may be asked for
 * @param filtered - words that it may not
 */
function addWords(
  condition: SqlCondition,
  asked: readonly string[],
  filtered: readonly string[],
): SqlCondition {
  const searched = [
    ...(asked.length === 0 ? [] : [['w.words @@ ?::tsquery', asked] as const]),
    ...(filtered.length === 0 ? [] : [['(w.words @@ ?::tsquery) IS TRUE', filtered] as const]),
  ];
  return {
    ...condition,
    sql: [...searched.map(([sql]) => sql), condition.sql].join(' AND '),
    values: [...searched.map(([, words]) => words.join(' & ')), ...condition.values],
  };
}
