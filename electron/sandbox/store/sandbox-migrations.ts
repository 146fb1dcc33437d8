/**
 * Numbered migrations of `sandbox.db`; those of the webhook queue follow with their own numbers.
 *
 * A payment's row has the columns that change or are searched; what is written once lies in `detail` (a JSON list, in
 * the order of `PaymentDetail`): binding a value costs as much as an index. `payment_uuid` is the row's own number.
 */
export const sandboxMigrations = [
  {
    id: 1,
    name: 'sandbox core',
    sql: `
      CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
      CREATE TABLE wallets (
        product TEXT NOT NULL,
        currency TEXT NOT NULL,
        actual_minor INTEGER NOT NULL CHECK (actual_minor >= 0),
        held_minor INTEGER NOT NULL CHECK (held_minor BETWEEN 0 AND actual_minor),
        alert_minor INTEGER,
        status TEXT NOT NULL,
        PRIMARY KEY (product, currency)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE payments (
        payment_uuid INTEGER PRIMARY KEY,
        reference TEXT NOT NULL UNIQUE,
        state TEXT NOT NULL DEFAULT 'processing'
          CHECK (state IN ('processing', 'succeeded', 'failed', 'canceled')),
        due_at INTEGER,
        last_updated INTEGER,
        detail TEXT NOT NULL
      ) STRICT;
      CREATE INDEX payments_due ON payments (due_at) WHERE due_at IS NOT NULL;
      CREATE TABLE checkouts (id TEXT PRIMARY KEY, payment_uuid INTEGER NOT NULL) STRICT, WITHOUT ROWID;
      CREATE TABLE public_keys (
        fingerprint TEXT PRIMARY KEY, position INTEGER NOT NULL, pem TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;
    `,
  },
  {
    id: 3,
    name: 'payments in half the bytes',
    // The plain comparisons of `state` are a quarter of what an insert costs with `IN`, which fills a table first.
    sql: `
      CREATE TABLE payments_3 (
        payment_uuid INTEGER PRIMARY KEY,
        reference TEXT NOT NULL UNIQUE,
        state TEXT NOT NULL DEFAULT 'processing' CHECK (
          state = 'processing' OR state = 'succeeded' OR state = 'failed' OR state = 'canceled'
        ),
        due_at INTEGER,
        last_updated INTEGER,
        detail TEXT NOT NULL
      ) STRICT;
      INSERT INTO payments_3 SELECT payment_uuid, reference, state, due_at, last_updated, json_array(
        detail ->> 'paymentReference', detail ->> 'requestUuid', detail ->> 'product', detail ->> 'amountMinor',
        detail ->> 'chargesMinor', detail ->> 'currency', detail ->> 'account', detail ->> 'finalState',
        detail ->> 'copies', detail ->> 'callbackUrl', detail ->> 'metaJson', json_extract(detail, '$.checkout'),
        detail ->> 'timeReceived'
      ) FROM payments;
      DROP TABLE payments;
      ALTER TABLE payments_3 RENAME TO payments;
      CREATE INDEX payments_due ON payments (due_at) WHERE due_at IS NOT NULL;
    `,
  },
] as const;
