import { randomBytes } from 'node:crypto';
import type { SqlDatabase } from '../../platform/ports';

/** Small values of the store that outlive a run. */
export interface SandboxMeta {
  readonly tokenSecret: Buffer;
  readonly consumerKey: string;
  readonly consumerSecret: string;
  /** Starts of this store before this one. */
  readonly run: number;
  readonly clockOffsetMs: number;
  saveClockOffset(offsetMs: number): void;
  /** As they were saved; null: none were made. */
  readonly backendCredentials: string | null;
  saveBackendCredentials(text: string): void;
  /** Those who share the sandbox, as they were saved; null: nobody ever did. */
  readonly tenants: string | null;
  saveTenants(text: string): void;
  /** Writes that the store was written to. */
  noteCheck(): void;
}

/**
 * Reads what an earlier run left; makes keys and credentials at the first start and keeps them.
 *
 * Credentials that the caller gives are used and not written: the vault of the app is where they live.
 */
export function openSandboxMeta(
  db: SqlDatabase,
  given: { consumerKey?: string; consumerSecret?: string },
): SandboxMeta {
  const read = db.prepare('SELECT value FROM meta WHERE name = ?');
  const write = db.prepare('INSERT OR REPLACE INTO meta VALUES (?, ?)');
  const find = (name: string): string | undefined => (read.get(name) as { value: string } | undefined)?.value;
  const findOrMake = (name: string, make: () => string): string => {
    const kept = find(name);
    if (kept !== undefined) return kept;
    const made = make();
    write.run(name, made);
    return made;
  };

  return db.transaction(() => {
    const run = Number(find('runs') ?? 0);
    write.run('runs', String(run + 1));
    return {
      tokenSecret: Buffer.from(
        findOrMake('token_secret', () => randomBytes(32).toString('hex')),
        'hex',
      ),
      consumerKey:
        given.consumerKey ?? findOrMake('consumer_key', () => `ck_${randomBytes(12).toString('hex')}`),
      consumerSecret:
        given.consumerSecret ?? findOrMake('consumer_secret', () => `cs_${randomBytes(24).toString('hex')}`),
      run,
      clockOffsetMs: Number(find('clock_offset_ms') ?? 0),
      backendCredentials: find('backend_credentials') ?? null,
      saveBackendCredentials: (text: string) => void write.run('backend_credentials', text),
      tenants: find('tenants') ?? null,
      saveTenants: (text: string) => void write.run('tenants', text),
      noteCheck: () => void write.run('checked_at', String(Date.now())),
      saveClockOffset: (offsetMs: number) => void write.run('clock_offset_ms', String(offsetMs)),
    };
  })();
}
