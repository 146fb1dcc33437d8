import { AppError } from '@shared/errors';
import { MIGRATION_LOCK, postgresMigrations, SCHEMA } from './postgres-schema';

/** As much of a connection of `pg` as is asked for. */
export interface PostgresSession {
  query(sql: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
}

const NOT_ALLOWED = '42501';
const latest = postgresMigrations.at(-1)!.id;

/**
 * Brings the schema of the team's store up to date, in one transaction.
 *
 * Of several that start at once, one migrates and the others wait for it. Who may not migrate may still use a schema that
 * is up to date.
 * @throws {AppError} `store.newer`, `store.not_ready`
 */
export async function migratePostgres(session: PostgresSession): Promise<void> {
  if (isLatest(await readVersion(session))) return;
  await session.query('BEGIN');
  try {
    await session.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    const version = await readVersion(session);
    if (!isLatest(version)) await runMissing(session, version);
    await session.query('COMMIT');
  } catch (error) {
    await session.query('ROLLBACK').catch(() => undefined);
    if ((error as { code?: unknown }).code !== NOT_ALLOWED) throw error;
    throw new AppError(
      'store.not_ready',
      'The database has no inbox of this version yet, and this user may not make it. ' +
        'Start `countersign listen --store` once as the user who owns the database.',
      { cause: error },
    );
  }
}

/** Which step of the schema there is; 0: none. */
async function readVersion(session: PostgresSession): Promise<number> {
  // `to_regclass` may answer from what this session knew before it waited for the lock; the catalogue itself does not.
  const { rows } = await session.query(
    `SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = '${SCHEMA}' AND c.relname = 'migrations'`,
  );
  if (rows.length === 0) return 0;
  const found = await session.query(
    `SELECT coalesce(max(id), 0)::integer AS version FROM ${SCHEMA}.migrations`,
  );
  return found.rows[0]!['version'] as number;
}

/** Tells whether the schema is that of this version; false: it is older. @throws {AppError} `store.newer` */
export function isLatest(version: number): boolean {
  if (version <= latest) return version === latest;
  throw new AppError(
    'store.newer',
    `The inbox in this database was made by a newer version (schema ${version}, known: ${latest}). Update this one.`,
    { details: { version, known: latest } },
  );
}

async function runMissing(session: PostgresSession, version: number): Promise<void> {
  await session.query(`CREATE SCHEMA IF NOT EXISTS ${SCHEMA}`);
  await session.query(
    `CREATE TABLE IF NOT EXISTS ${SCHEMA}.migrations
       (id integer PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`,
  );
  for (const { id, name, sql } of postgresMigrations.filter((step) => step.id > version)) {
    await session.query(sql);
    await session.query(`INSERT INTO ${SCHEMA}.migrations (id, name) VALUES ($1, $2)`, [id, name]);
  }
  await session.query(`SELECT ${SCHEMA}.grant_access()`);
}
