import type { Replay } from '@shared/contract/inbox';
import {
  MOST_REPLAYS,
  readReplay,
  REPLAY_COLUMNS,
  REPLAY_PLACES,
  toReplayValues,
} from '../../listener/replay-rows';
import type { SqlDatabase } from '../../platform/ports';

/** Keeps a replay; of one webhook the newest hundred stay. */
export function keepReplay(database: SqlDatabase, webhookId: number, replay: Replay): void {
  database
    .prepare(`INSERT INTO replays ${REPLAY_COLUMNS} VALUES ${REPLAY_PLACES}`)
    .run(toReplayValues(webhookId, replay));
  database
    .prepare(
      `DELETE FROM replays WHERE webhook = ?1 AND id NOT IN
         (SELECT id FROM replays WHERE webhook = ?1 ORDER BY id DESC LIMIT ${MOST_REPLAYS})`,
    )
    .run([webhookId]);
}

/** Gives the replays of a webhook, newest first. */
export function listReplays(database: SqlDatabase, webhookId: number): Replay[] {
  const rows = database
    .prepare(`SELECT * FROM replays WHERE webhook = ? ORDER BY id DESC LIMIT ${MOST_REPLAYS}`)
    .all([webhookId]) as Record<string, unknown>[];
  return rows.map(readReplay);
}
