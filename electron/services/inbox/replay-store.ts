import type { Replay } from '@shared/contract/inbox';
import {
  MOST_REPLAYS,
  readReplay,
  REPLAY_COLUMNS,
  REPLAY_PLACES,
  toReplayValues,
} from '../../listener/replay-rows';
import type { SqlDatabase } from '../../platform/ports';

/**
 * Keeps a replay; of one webhook the newest hundred stay.
 *
 * @param before - what was kept of it until now, which this row takes the place of
 * @returns the row's number
 */
export function keepReplay(
  database: SqlDatabase,
  webhookId: number,
  replay: Replay,
  before: number | null,
): number {
  const keep = database.transaction(() => {
    const { lastInsertRowid } = database
      .prepare(`INSERT INTO replays ${REPLAY_COLUMNS} VALUES ${REPLAY_PLACES}`)
      .run(toReplayValues(webhookId, replay));
    database
      .prepare(
        `DELETE FROM replays WHERE id = ?2 OR webhook = ?1 AND id NOT IN
           (SELECT id FROM replays WHERE webhook = ?1 AND id IS NOT ?2 ORDER BY id DESC LIMIT ${MOST_REPLAYS})`,
      )
      .run([webhookId, before]);
    return Number(lastInsertRowid);
  });
  return keep();
}

/** Gives the replays of a webhook, newest first. */
export function listReplays(database: SqlDatabase, webhookId: number): Replay[] {
  const rows = database
    .prepare(`SELECT * FROM replays WHERE webhook = ? ORDER BY id DESC LIMIT ${MOST_REPLAYS}`)
    .all([webhookId]) as Record<string, unknown>[];
  return rows.map(readReplay);
}
