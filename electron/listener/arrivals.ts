import type { SqlDatabase } from '../platform/ports';
import type { LogRow } from './inbox-log';

/** Reads the log of the inbox in the order of its commits. */
export class Arrivals {
  readonly #sizes;
  readonly #rows;
  readonly #one;
  readonly #last;
  readonly #count;
  readonly #ids;

  constructor(database: SqlDatabase) {
    this.#sizes = database.prepare(
      'SELECT id, length(raw) AS size FROM arrivals WHERE id > ? AND id <= ? ORDER BY id LIMIT ?',
    );
    this.#rows = database.prepare('SELECT * FROM arrivals WHERE id > ? AND id <= ? ORDER BY id');
    this.#one = database.prepare('SELECT * FROM arrivals WHERE id = ?');
    this.#last = database.prepare(
      'SELECT max(ifnull((SELECT max(id) FROM arrivals), 0), (SELECT id FROM indexed)) AS last',
    );
    this.#ids = database.prepare(
      'SELECT id FROM arrivals INDEXED BY arrivals_by_id WHERE id > ? AND id <= ? ORDER BY id',
    );
    this.#count = database.prepare(
      'SELECT count(*) AS n FROM arrivals INDEXED BY arrivals_by_id WHERE id > ? AND id <= ?',
    );
  }

  /** Ids after one, oldest first. */
  listIds(afterId: number, upToId: number): number[] {
    return (this.#ids.all([afterId, upToId]) as { id: number }[]).map(({ id }) => id);
  }

  /** Id of the last webhook that was ever kept; 0: none. */
  lastId(): number {
    return (this.#last.get() as { last: number }).last;
  }

  /** The next ones after an id: at most `limit`, and no more of them than fit in `maxBytes`, but one in any case. */
  list(afterId: number, upToId: number, limit: number, maxBytes: number): LogRow[] {
    const sizes = this.#sizes.all([afterId, upToId, limit]) as { id: number; size: number }[];
    let bytes = 0;
    let last: number | null = null;
    for (const { id, size } of sizes) {
      bytes += size;
      if (last !== null && bytes > maxBytes) break;
      last = id;
    }
    return last === null ? [] : (this.#rows.all([afterId, last]) as LogRow[]);
  }

  get(id: number): LogRow | null {
    return (this.#one.get([id]) as LogRow | undefined) ?? null;
  }

  count(afterId: number, upToId: number): number {
    return (this.#count.get([afterId, upToId]) as { n: number }).n;
  }
}
