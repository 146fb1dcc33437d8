import { createHash, randomBytes } from 'node:crypto';

/** What is known of a tenant beside its own store. */
export interface TenantRecord {
  readonly name: string;
  /** Epoch milliseconds of the machine's clock. */
  readonly createdAt: number;
  /** When it is removed; null: when somebody does. */
  readonly expiresAt: number | null;
  /** Hosts that its webhooks may go to, beside those of the whole sandbox. */
  readonly callbackHosts: readonly string[];
  /** SHA-256 of its admin token, hex: the token is random and long, so that the digest gives nothing away. */
  readonly adminDigest: string;
}

/** Makes an admin token, and what is kept of it. */
export function makeAdminToken(): { adminToken: string; adminDigest: string } {
  const adminToken = `ta_${randomBytes(24).toString('hex')}`;
  return { adminToken, adminDigest: digestToken(adminToken) };
}

/** Gives what a token is found by. */
export function digestToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Reads the list that was saved; null: nobody was on it yet. */
export function readTenantList(text: string | null): TenantRecord[] {
  return text === null ? [] : (JSON.parse(text) as TenantRecord[]);
}
