import type { SqlDatabase } from '../platform/ports';

/** Pages of 4 KB that are merged at once: about a hundredth of a second's work. */
const SLICE_PAGES = 100;
/** What was deleted is noted at ids from here on, until the pieces that have its text are merged. */
const FIRST_NOTE = 2n ** 53n;
/** Part of the time that merging may take. */
const SHARE = 1 / 10;

/**
 * Takes what was deleted out of the search index.
 *
 * FTS5 only notes that a row is deleted; its text stays in the index's pieces until they are merged, which in a large index may
 * never happen by itself. Here they are merged a little at a time.
 */
export class DeletedText {
  readonly #database: SqlDatabase;
  readonly #hasNotes;
  readonly #countChanges;
  /** Whether there may be something; at first nobody knows what an earlier process left. */
  #isDue = true;
  #isBegun = false;

  /** @param write - runs what writes, in a transaction that overwrites what goes */
  constructor(
    database: SqlDatabase,
    private readonly write: (work: () => void) => void,
  ) {
    this.#database = database;
    this.#hasNotes = database.prepare(`SELECT 1 FROM webhook_text_data WHERE id >= ${FIRST_NOTE} LIMIT 1`);
    this.#countChanges = database.prepare('SELECT total_changes() AS count');
  }

  /** Something was deleted. */
  note(): void {
    this.#isDue = true;
  }

  /** Merges some pieces, if any are due. @returns ms after which to go on; null: nothing is left */
  slice(): number | null {
    if (!this.#isDue) return null;
    this.#isDue = this.#hasNotes.get() !== undefined;
    if (!this.#isDue) {
      this.#isBegun = false;
      return null;
    }
    const startedAt = performance.now();
    const isFirst = !this.#isBegun;
    // A negative number begins to merge all pieces into one, others go on with it.
    const pages = isFirst ? -SLICE_PAGES : SLICE_PAGES;
    const before = this.#count();
    this.write(() =>
      this.#database.exec(`INSERT INTO webhook_text (webhook_text, rank) VALUES ('merge', ${pages})`),
    );
    // Fewer than two: there was nothing to merge. What was deleted meanwhile needs another round.
    this.#isBegun = this.#count() - before >= 2;
    this.#isDue = this.#isBegun || !isFirst;
    return (performance.now() - startedAt) / SHARE;
  }

  #count(): number {
    return (this.#countChanges.get() as { count: number }).count;
  }
}
