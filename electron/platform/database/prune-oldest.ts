import type { SqlDatabase } from '../ports';

/** How much of a table is kept. It has the columns `seq`, which counts up, and `size_bytes`. */
export interface PruningBounds {
  readonly table: string;
  readonly mostRows: number;
  readonly mostBytes: number;
}

export interface Pruning {
  /** Of all rows; whoever adds some adds theirs. */
  bytes: number;
  prune(): void;
  /** Makes a transaction that adds rows: where it is taken back, so is what was counted in it. */
  transaction<A extends unknown[]>(act: (...given: A) => void): (...given: A) => void;
}

/**
 * Forgets, oldest first, what is too many or too much. The bytes are counted as they come and go: adding all of them up
 * again would read the whole table after each batch.
 */
export function createPruning(db: SqlDatabase, bounds: PruningBounds): Pruning {
  const { table, mostRows, mostBytes } = bounds;
  const total = db.prepare(`SELECT ifnull(sum(size_bytes), 0) AS bytes FROM ${table} WHERE seq <= ?`);
  const newest = db.prepare(`SELECT ifnull(max(seq), 0) AS seq FROM ${table}`);
  const oldest = db.prepare(`SELECT seq, size_bytes FROM ${table} ORDER BY seq LIMIT 200`);
  const remove = db.prepare(`DELETE FROM ${table} WHERE seq <= ?`);
  const sum = (upTo: number): number => (total.get(upTo) as { bytes: number }).bytes;
  const forget = (upTo: number, bytes: number): void => {
    remove.run(upTo);
    kept.bytes -= bytes;
  };
  const kept: Pruning = {
    bytes: sum(Number.MAX_SAFE_INTEGER),
    prune() {
      const tooOld = (newest.get() as { seq: number }).seq - mostRows;
      forget(tooOld, sum(tooOld));
      while (kept.bytes > mostBytes) {
        const rows = oldest.all() as { seq: number; size_bytes: number }[];
        let bytes = 0;
        const last =
          rows.find(({ size_bytes }) => (bytes += size_bytes) >= kept.bytes - mostBytes) ?? rows.at(-1);
        if (last === undefined) return;
        forget(last.seq, bytes);
      }
    },
    transaction(act) {
      const run = db.transaction(act);
      return (...given) => {
        const before = kept.bytes;
        try {
          run(...given);
        } catch (error) {
          kept.bytes = before;
          throw error;
        }
      };
    },
  };
  return kept;
}
