import type { Migration } from '../../platform/database/database';

/** So much of the beginning of each body is searched. */
export const searchedChars = 16_384;

/** Schema of `history.db`: exchanges with their bodies beside them, and balance readings. */
export const historyMigrations: readonly Migration[] = [
  {
    id: 1,
    name: 'exchanges and balance readings',
    sql: `
      CREATE TABLE exchanges (
        id INTEGER PRIMARY KEY,
        environment TEXT NOT NULL,
        operation TEXT NOT NULL,
        product TEXT,
        title TEXT NOT NULL,
        sent_at INTEGER NOT NULL,
        reference TEXT,
        payment_uuid TEXT,
        amount TEXT,
        currency TEXT,
        method TEXT NOT NULL,
        url TEXT NOT NULL,
        http_status INTEGER,
        total_ms REAL,
        outcome TEXT,
        state TEXT,
        summary TEXT NOT NULL,
        is_signed INTEGER NOT NULL,
        is_finished INTEGER NOT NULL,
        detail TEXT NOT NULL,
        request_body TEXT,
        response_body BLOB
      ) STRICT;
      CREATE INDEX exchanges_by_reference ON exchanges (reference, id) WHERE reference IS NOT NULL;
      CREATE INDEX exchanges_by_payment ON exchanges (payment_uuid, id) WHERE payment_uuid IS NOT NULL;
      CREATE INDEX exchanges_by_title ON exchanges (title, id);
      CREATE INDEX exchanges_of_payments ON exchanges (id)
        WHERE operation IN ('payout', 'remittance', 'collection') AND reference IS NOT NULL;
      CREATE TABLE balance_readings (
        id INTEGER PRIMARY KEY,
        exchange_id INTEGER NOT NULL REFERENCES exchanges (id) ON DELETE CASCADE,
        environment TEXT NOT NULL,
        product TEXT NOT NULL,
        currency TEXT NOT NULL,
        read_at INTEGER NOT NULL,
        actual_balance TEXT NOT NULL,
        available_balance TEXT NOT NULL,
        status TEXT NOT NULL
      ) STRICT;
      CREATE INDEX balance_readings_by_wallet ON balance_readings (environment, product, currency, read_at);
    `,
  },
  {
    id: 2,
    name: 'identity of the request',
    // What was kept before has none: a title alone cannot tell which request it was.
    sql: `
      ALTER TABLE exchanges ADD COLUMN collection_id TEXT;
      ALTER TABLE exchanges ADD COLUMN path TEXT;
      ALTER TABLE exchanges ADD COLUMN block TEXT;
      DROP INDEX exchanges_by_title;
      CREATE INDEX exchanges_by_request ON exchanges (collection_id, path, block, id)
        WHERE collection_id IS NOT NULL;
    `,
  },
  {
    id: 3,
    name: 'why no answer came',
    sql: `
      ALTER TABLE exchanges ADD COLUMN error_code TEXT;
      UPDATE exchanges SET error_code = json_extract(detail, '$.error.code')
        WHERE http_status IS NULL AND json_valid(detail);
    `,
  },
  {
    id: 4,
    name: 'bodies and searched texts by themselves, and pins',
    // Bodies lay before other columns of their row: whoever listed rows went through them.
    sql: `
      CREATE TABLE exchange_bodies (
        id INTEGER PRIMARY KEY REFERENCES exchanges (id) ON DELETE CASCADE,
        request_body TEXT,
        response_body BLOB
      ) STRICT;
      INSERT INTO exchange_bodies SELECT id, request_body, response_body FROM exchanges;
      CREATE TABLE exchange_texts (
        id INTEGER PRIMARY KEY REFERENCES exchanges (id) ON DELETE CASCADE,
        text TEXT NOT NULL
      ) STRICT;
      INSERT INTO exchange_texts SELECT id, concat_ws(char(10), title, method || ' ' || url, reference, payment_uuid, outcome,
          summary, substr(request_body, 1, ${searchedChars}), substr(CAST(response_body AS TEXT), 1, ${searchedChars}))
        FROM exchanges;
      ALTER TABLE exchanges DROP COLUMN request_body;
      ALTER TABLE exchanges DROP COLUMN response_body;
      ALTER TABLE exchanges ADD COLUMN is_pinned INTEGER NOT NULL DEFAULT 0;
      CREATE INDEX exchanges_pinned ON exchanges (id) WHERE is_pinned = 1;
    `,
  },
  {
    id: 5,
    name: 'what the local sandbox made of payments of the own backend',
    sql: `
      ALTER TABLE exchanges ADD COLUMN settled_state TEXT;
      ALTER TABLE exchanges ADD COLUMN settled_at INTEGER;
      CREATE INDEX exchanges_undecided ON exchanges (id)
        WHERE title = 'Your backend' AND outcome = 'accepted' AND settled_at IS NULL;
    `,
  },
];
