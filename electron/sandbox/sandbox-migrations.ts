/**
 * Numbered migrations of `sandbox.db`; those of the webhook queue follow with their own numbers.
 *
 * `payment_uuid` is the row's own number: payments are found by it without a further index.
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
        payment_reference TEXT NOT NULL,
        request_uuid TEXT NOT NULL,
        product TEXT NOT NULL,
        amount_minor INTEGER NOT NULL CHECK (amount_minor >= 0),
        charges_minor INTEGER NOT NULL CHECK (charges_minor >= 0),
        currency TEXT NOT NULL,
        account TEXT,
        state TEXT NOT NULL CHECK (state IN ('processing', 'succeeded', 'failed', 'canceled')),
        final_state TEXT,
        copies INTEGER NOT NULL,
        due_at INTEGER,
        callback_url TEXT NOT NULL,
        meta TEXT,
        checkout TEXT,
        time_received INTEGER NOT NULL,
        last_updated INTEGER NOT NULL
      ) STRICT;
      CREATE INDEX payments_by_request ON payments (request_uuid);
      CREATE INDEX payments_due ON payments (due_at) WHERE due_at IS NOT NULL;
      CREATE TABLE checkouts (id TEXT PRIMARY KEY, payment_uuid INTEGER NOT NULL) STRICT, WITHOUT ROWID;
      CREATE TABLE public_keys (
        fingerprint TEXT PRIMARY KEY, position INTEGER NOT NULL, pem TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;
    `,
  },
] as const;
