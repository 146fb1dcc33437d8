import type { HeaderList } from '@shared/contract/common';
import type { Replay } from '@shared/contract/inbox';
import type { SqlDatabase } from '../../platform/ports';

/** So much of an answer is kept, and so many replays of one webhook. */
const KEPT_CHARACTERS = 64 * 1024;
const MOST_KEPT = 100;

/** Keeps a replay; of one webhook the newest hundred stay. */
export function keepReplay(database: SqlDatabase, webhookId: number, replay: Replay): void {
  database
    .prepare(
      `INSERT INTO replays (webhook, sent_at, url, http_status, reason, elapsed_ms, is_edited, is_resigned, headers, body)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run([
      webhookId,
      replay.sentAt,
      replay.url,
      replay.httpStatus,
      replay.reason,
      replay.elapsedMs,
      Number(replay.isEdited),
      Number(replay.isResigned),
      JSON.stringify(replay.headers),
      replay.body.slice(0, KEPT_CHARACTERS),
    ]);
  database
    .prepare(
      `DELETE FROM replays WHERE webhook = ?1 AND id NOT IN
         (SELECT id FROM replays WHERE webhook = ?1 ORDER BY id DESC LIMIT ${MOST_KEPT})`,
    )
    .run([webhookId]);
}

/** Gives the replays of a webhook, newest first. */
export function listReplays(database: SqlDatabase, webhookId: number): Replay[] {
  const rows = database
    .prepare(`SELECT * FROM replays WHERE webhook = ? ORDER BY id DESC LIMIT ${MOST_KEPT}`)
    .all([webhookId]) as Record<string, string & number & null>[];
  return rows.map((row) => ({
    sentAt: row['sent_at']!,
    url: row['url']!,
    httpStatus: row['http_status']!,
    reason: row['reason']!,
    elapsedMs: row['elapsed_ms']!,
    isEdited: Number(row['is_edited']) === 1,
    isResigned: Number(row['is_resigned']) === 1,
    headers: JSON.parse(row['headers']!) as HeaderList,
    body: row['body']!,
  }));
}
