import { emptyLog } from '../../platform/database/empty-log';
import type { SqlDatabase } from '../../platform/ports';
import { fromInstant, parseSortableId } from '../../platform/sortable-id';

/** What of the history is kept, pinned exchanges beside it; 0: all. */
export interface HistoryRetention {
  readonly most: number;
  readonly days: number;
}

const dayMs = 24 * 60 * 60_000;
/** So many go at once, so that no request waits for it. */
const sliceRows = 200;
const pauseMs = 50;
/** From the first use, and between looks. */
const firstLookMs = 5_000;
const everyMs = 10 * 60_000;

/** Keeps exchanges whatever their age, or no longer. */
export function pinExchanges(database: SqlDatabase, ids: readonly string[], isPinned: boolean): void {
  const pin = database.prepare('UPDATE exchanges SET is_pinned = ? WHERE id = ?');
  database.transaction(() => ids.forEach((id) => pin.run([+isPinned, parseSortableId(id) ?? -1])))();
}

/** Moves all that was kept for an environment to its new id. */
export function renameEnvironment(database: SqlDatabase, from: string, to: string): void {
  database.transaction(() => {
    for (const table of ['exchanges', 'balance_readings'])
      database.prepare(`UPDATE ${table} SET environment = ? WHERE environment = ?`).run([to, from]);
  })();
}

/** A request, or a folder of them, of a collection. */
export interface RequestPlace {
  readonly collectionId: string;
  readonly path: string;
}

/**
 * Takes what a request, or all requests of a folder, were sent along to where their files are now.
 *
 * @param to.block - what the only request of the file is called now; null: as before
 */
export function moveRequests(
  database: SqlDatabase,
  from: RequestPlace,
  to: RequestPlace & { readonly block: string | null },
): void {
  database
    .prepare(
      `UPDATE exchanges SET collection_id = ?, path = ? || substr(path, length(?) + 1), block = coalesce(?, block)
       WHERE collection_id = ? AND (path = ? OR (path > ? || '/' AND path < ? || '0'))`,
    )
    .run([to.collectionId, to.path, from.path, to.block, from.collectionId, from.path, from.path, from.path]);
}

/** Forgets exchanges with their bodies, texts and balances. @returns how many there were */
export function deleteExchanges(database: SqlDatabase, ids: readonly string[]): number {
  const remove = database.prepare('DELETE FROM exchanges WHERE id = ?');
  let deleted = 0;
  database.transaction(() => {
    for (const id of ids) deleted += remove.run([parseSortableId(id) ?? -1]).changes;
  })();
  emptyLog(database);
  return deleted;
}

/** Forgets, the oldest first, some of what is too many or too old; pinned ones stay, and do not count. @returns how many went */
export function pruneHistory(database: SqlDatabase, { most, days }: HistoryRetention, nowMs: number): number {
  const surplus =
    most === 0
      ? undefined
      : (database
          .prepare('SELECT id FROM exchanges WHERE is_pinned = 0 ORDER BY id DESC LIMIT 1 OFFSET ?')
          .get([most]) as { id: number } | undefined);
  const tooOld = days === 0 ? 0 : fromInstant(nowMs - days * dayMs);
  const upTo = Math.max(surplus === undefined ? 0 : surplus.id + 1, tooOld);
  if (upTo === 0) return 0;
  const { changes } = database
    .prepare(
      `DELETE FROM exchanges WHERE id IN (
         SELECT id FROM exchanges WHERE id < ? AND is_pinned = 0 ORDER BY id LIMIT ${sliceRows})`,
    )
    .run([upTo]);
  if (changes > 0) emptyLog(database);
  return changes;
}

/** Prunes a history while it is open, a little at a time. @returns ends it */
export function keepPruned(
  database: SqlDatabase,
  options: {
    retention(): HistoryRetention;
    now(): number;
    onPruned(): void;
    onFailure(error: unknown): void;
  },
): { soon(): void; stop(): void } {
  let timer: NodeJS.Timeout | null = null;
  const arm = (ms: number): void => {
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(run, ms).unref();
  };
  const run = (): void => {
    let pruned = 0;
    try {
      pruned = pruneHistory(database, options.retention(), options.now());
      if (pruned > 0) options.onPruned();
    } catch (error) {
      options.onFailure(error);
    }
    arm(pruned === sliceRows ? pauseMs : everyMs);
  };
  arm(firstLookMs);
  return {
    soon: () => arm(pauseMs),
    stop: () => {
      if (timer !== null) clearTimeout(timer);
    },
  };
}
