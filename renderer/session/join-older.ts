/** The newest rows of a list, without a gap, and where it goes on. */
export interface ReadRows<T, Cursor> {
  readonly rows: readonly T[];
  /** Null: at its end. */
  readonly nextBefore: Cursor | null;
}

/** Puts the latest page before what was loaded of older rows, where they still follow on; else the page is all that is loaded. */
export function joinOlder<T, Cursor>(
  page: ReadRows<T, Cursor>,
  known: ReadRows<T, Cursor>,
  idOf: (row: T) => string,
): ReadRows<T, Cursor> {
  const last = page.rows.at(-1);
  const at = last === undefined ? -1 : known.rows.findIndex((row) => idOf(row) === idOf(last));
  // A row may have moved up.
  const fresh = new Set(page.rows.map(idOf));
  const older = at === -1 ? [] : known.rows.slice(at + 1).filter((row) => !fresh.has(idOf(row)));
  return older.length === 0 ? page : { rows: [...page.rows, ...older], nextBefore: known.nextBefore };
}
