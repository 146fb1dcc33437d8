import type { Replay } from '@shared/contract/inbox';
import type { WebhookMarks } from '../inbox-indexer';
import {
  KEPT_CHARACTERS,
  MOST_REPLAYS,
  readReplay,
  REPLAY_COLUMNS,
  REPLAY_PLACES,
  toReplayValues,
} from '../replay-rows';
import { PostgresReader } from './postgres-reader';
import { SCHEMA } from './postgres-schema';
import { boundInstant, boundNumber } from './stored-rows';

/**
 * A team's inbox as one person works with it.
 *
 * What was read is each person's, by the user of the database; pins, notes, tags and replays are the team's.
 */
export class PostgresInbox extends PostgresReader {
  /** @returns how many of those named were there; null: of all */
  async markRead(ids: readonly number[] | 'all', isRead: boolean): Promise<number | null> {
    if (ids !== 'all') {
      const marked = await this.read(
        `INSERT INTO ${SCHEMA}.person_marks (id, is_read)
           SELECT c.id, ?::bigint FROM ${SCHEMA}.webhooks c WHERE c.id = ANY (?::bigint[])
         ON CONFLICT (person, id) DO UPDATE SET is_read = excluded.is_read RETURNING id`,
        [Number(isRead), ids],
      );
      return marked.length;
    }
    const upTo = isRead ? `(SELECT coalesce(max(id), 0) FROM ${SCHEMA}.webhooks)` : '0::bigint';
    await this.read(
      `WITH moved AS (
         INSERT INTO ${SCHEMA}.people (person, read_up_to) SELECT session_user, ${upTo}
         ON CONFLICT (person) DO UPDATE SET read_up_to = excluded.read_up_to RETURNING 1
       ) DELETE FROM ${SCHEMA}.person_marks WHERE person = session_user AND (SELECT count(*) FROM moved) > 0`,
    );
    return null;
  }

  async mark(ids: readonly number[], { isPinned, note, tags }: WebhookMarks): Promise<number> {
    const pin = isPinned === undefined || isPinned === null ? null : Number(isPinned);
    const changed = await this.read(
      `INSERT INTO ${SCHEMA}.team_marks AS m (id, is_pinned, note, tags)
         SELECT c.id, coalesce(?::bigint, 0), coalesce(?::text, ''), coalesce(?::text, '')
         FROM ${SCHEMA}.webhooks c WHERE c.id = ANY (?::bigint[])
       ON CONFLICT (id) DO UPDATE SET is_pinned = coalesce(?::bigint, m.is_pinned),
         note = coalesce(?::text, m.note), tags = coalesce(?::text, m.tags),
         marked_by = session_user, marked_at = now()
       RETURNING m.id`,
      [pin, note ?? null, tags ?? null, ids, pin, note ?? null, tags ?? null],
    );
    return changed.length;
  }

  /** Keeps a replay, in place of the row that was kept of it `before`; of one webhook the newest hundred stay. */
  async keepReplay(id: number, replay: Replay, before: number | null): Promise<number> {
    const [kept] = await this.read(
      `WITH gone AS (DELETE FROM ${SCHEMA}.replays WHERE id = ?::bigint)
         INSERT INTO ${SCHEMA}.replays ${REPLAY_COLUMNS} VALUES ${REPLAY_PLACES} RETURNING id`,
      [before, ...toReplayValues(id, replay)],
    );
    await this.read(
      `DELETE FROM ${SCHEMA}.replays WHERE webhook = ? AND id NOT IN
         (SELECT id FROM ${SCHEMA}.replays WHERE webhook = ? ORDER BY id DESC LIMIT ${MOST_REPLAYS})`,
      [id, id],
    );
    return Number(kept!['id']);
  }

  async listReplays(id: number): Promise<Replay[]> {
    const stored = await this.read(
      `SELECT sent_at, left(url, 4000) AS url, http_status, left(reason, 4000) AS reason, elapsed_ms, is_edited,
         is_resigned, left(headers, ${KEPT_CHARACTERS * 4}) AS headers, left(body, ${KEPT_CHARACTERS}) AS body
       FROM ${SCHEMA}.replays WHERE webhook = ? ORDER BY id DESC LIMIT ${MOST_REPLAYS}`,
      [id],
    );
    return stored.map((row) => ({
      ...readReplay(row),
      sentAt: boundInstant(row['sent_at']),
      httpStatus: row['http_status'] === null ? null : boundNumber(row['http_status'], 999),
      elapsedMs: row['elapsed_ms'] === null ? null : boundNumber(row['elapsed_ms']),
    }));
  }

  async readRights(): Promise<{ user: string; mayRead: boolean; mayMark: boolean }> {
    const [rights] = await this.read(
      `SELECT session_user::text AS "user",
         has_table_privilege(session_user, '${SCHEMA}.webhooks', 'SELECT') AS may_read,
         has_table_privilege(session_user, '${SCHEMA}.team_marks', 'INSERT') AS may_mark`,
    );
    const { user, may_read, may_mark } = rights!;
    return { user: String(user), mayRead: may_read === true, mayMark: may_mark === true };
  }

  /** Newest id that there is; 0: none. */
  async readNewest(): Promise<number> {
    return Number((await this.read(`SELECT coalesce(max(id), 0) AS id FROM ${SCHEMA}.webhooks`))[0]!['id']);
  }

  /** What came after an id: how many, counted as far as lists are, and the newest of them, oldest first. */
  async readSince(id: number, most: number) {
    const page = await this.findAfter(id, most);
    return { ...page, upTo: page.rows.at(-1)?.id ?? id };
  }
}
