import type { Migration } from '../platform/database/database';

/**
 * Schema of `inbox.db`.
 *
 * `arrivals` is the log: one narrow insert a webhook, and all that stands before its answer. `webhooks` (what
 * lists show), `webhook_values` and `webhook_text` (what searches read) are made from it after the commit.
 * `indexed` holds the id up to which that is done.
 */
export const inboxMigrations: readonly Migration[] = [
  {
    id: 1,
    name: 'arrivals, webhooks and what is searched in them',
    sql: `
      CREATE TABLE arrivals (
        id INTEGER PRIMARY KEY,
        received_at INTEGER NOT NULL,
        responded_status INTEGER NOT NULL,
        head_size INTEGER NOT NULL,
        remote_address TEXT,
        raw BLOB NOT NULL
      ) STRICT;
      CREATE INDEX arrivals_by_id ON arrivals (id);
      CREATE TABLE webhooks (
        id INTEGER PRIMARY KEY,
        received_at INTEGER NOT NULL,
        method TEXT NOT NULL,
        path TEXT NOT NULL,
        content_type TEXT,
        size_bytes INTEGER NOT NULL,
        responded_status INTEGER NOT NULL,
        answered_ms REAL,
        is_read INTEGER NOT NULL DEFAULT 0,
        status TEXT,
        code TEXT,
        amount TEXT,
        client_reference TEXT,
        payment_uuid TEXT,
        payment_reference TEXT,
        webhook_id TEXT
      ) STRICT;
      CREATE INDEX webhooks_by_reference ON webhooks (client_reference) WHERE client_reference IS NOT NULL;
      CREATE INDEX webhooks_by_payment ON webhooks (payment_uuid) WHERE payment_uuid IS NOT NULL;
      CREATE INDEX webhooks_by_webhook_id ON webhooks (webhook_id, id) WHERE webhook_id IS NOT NULL;
      CREATE INDEX webhooks_by_read ON webhooks (is_read, id);
      CREATE INDEX webhooks_failed ON webhooks (id) WHERE status IN ('FAILED', 'CANCELED') OR responded_status >= 300;
      CREATE TABLE webhook_values (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;
      CREATE VIRTUAL TABLE webhook_text USING fts5 (
        text, content = '', contentless_delete = 1, tokenize = 'trigram'
      );
      CREATE TABLE indexed (only INTEGER PRIMARY KEY CHECK (only = 1), id INTEGER NOT NULL) STRICT;
      INSERT INTO indexed VALUES (1, 0);
      CREATE TABLE numbers (i INTEGER PRIMARY KEY) STRICT;
      WITH RECURSIVE r (i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM r WHERE i < 1023)
      INSERT INTO numbers SELECT i FROM r;
    `,
  },
  {
    id: 2,
    name: 'rules, verdicts, cut bodies, and what the user notes of a webhook',
    sql: `
      ALTER TABLE arrivals ADD COLUMN rule TEXT;
      ALTER TABLE arrivals ADD COLUMN full_bytes INTEGER;
      ALTER TABLE webhooks ADD COLUMN rule TEXT;
      ALTER TABLE webhooks ADD COLUMN is_cut INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE webhooks ADD COLUMN verdict TEXT;
      ALTER TABLE webhooks ADD COLUMN verdict_reason TEXT;
      ALTER TABLE webhooks ADD COLUMN is_pinned INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE webhooks ADD COLUMN note TEXT NOT NULL DEFAULT '';
      ALTER TABLE webhooks ADD COLUMN tags TEXT NOT NULL DEFAULT '';
      CREATE INDEX webhooks_pinned ON webhooks (id) WHERE is_pinned = 1;
      DROP INDEX webhooks_failed;
      CREATE INDEX webhooks_failed ON webhooks (id)
        WHERE status IN ('FAILED', 'CANCELED') OR responded_status NOT BETWEEN 200 AND 299;
    `,
  },
  {
    id: 3,
    name: 'replays and what was answered to them',
    sql: `
      CREATE TABLE replays (
        id INTEGER PRIMARY KEY,
        webhook INTEGER NOT NULL,
        sent_at INTEGER NOT NULL,
        url TEXT NOT NULL,
        http_status INTEGER,
        reason TEXT,
        elapsed_ms REAL,
        is_edited INTEGER NOT NULL,
        is_resigned INTEGER NOT NULL,
        headers TEXT NOT NULL,
        body TEXT NOT NULL
      ) STRICT;
      CREATE INDEX replays_by_webhook ON replays (webhook, id);
    `,
  },
];

/** How a damaged inbox is brought back: the log and the catalogue as far as both can be read, the rest from the log. */
export const inboxRescue = {
  counted: { table: 'arrivals', noun: 'webhooks' },
  after: `
    DELETE FROM webhooks WHERE id NOT IN (SELECT id FROM webhook_values) OR id NOT IN (SELECT id FROM arrivals);
    DELETE FROM webhook_values WHERE id NOT IN (SELECT id FROM webhooks);
    INSERT INTO webhook_text (rowid, text) SELECT id, text FROM webhook_values;
    UPDATE indexed SET id = 0`,
};
