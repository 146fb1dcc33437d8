import type { Migration } from '../../platform/database/database';

/**
 * Schema of `forwards.db`, beside the inbox.
 *
 * The inbox's log is where webhooks lie; here stands only which of them are still to be forwarded, and what became of
 * each attempt. A sink is a place that webhooks go to: the backend's address, or a command. `taken_id`: all up to it
 * were looked at; `until_id`: forwarding was switched off there, null while it is on, also over a crash. `gaps`: what
 * came in while it was off, after the first id and up to the second.
 */
export const forwardMigrations: readonly Migration[] = [
  {
    id: 1,
    name: 'queue and attempts of forwards',
    sql: `
      CREATE TABLE progress (
        sink TEXT PRIMARY KEY,
        filter TEXT NOT NULL,
        taken_id INTEGER NOT NULL,
        until_id INTEGER
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE gaps (
        sink TEXT NOT NULL,
        from_id INTEGER NOT NULL,
        to_id INTEGER NOT NULL,
        PRIMARY KEY (sink, from_id)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE queue (
        sink TEXT NOT NULL,
        id INTEGER NOT NULL,
        reference TEXT,
        attempt INTEGER NOT NULL DEFAULT 0,
        next_at INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (sink, id)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE attempts (
        webhook_id INTEGER NOT NULL,
        sink TEXT NOT NULL,
        attempt INTEGER NOT NULL,
        at INTEGER NOT NULL,
        outcome TEXT NOT NULL,
        http_status INTEGER,
        reason TEXT,
        duration_ms REAL NOT NULL,
        PRIMARY KEY (webhook_id, sink, attempt)
      ) STRICT, WITHOUT ROWID;
    `,
  },
];

/** How a damaged queue is brought back: as far as it can be read. */
export const forwardRescue = { counted: { table: 'queue', noun: 'webhooks to be forwarded' } };
