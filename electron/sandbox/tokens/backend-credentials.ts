import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { SandboxMeta } from '../store/sandbox-meta';

interface Kept {
  readonly consumerKey: string;
  /** SHA-256 of the secret, hex: it is random and long, so that the digest gives nothing away. */
  readonly secretDigest: string;
}

/** The second pair of credentials: that of the user's own backend, beside the app's. */
export class BackendCredentials {
  private kept: Kept | null;

  constructor(private readonly meta: Pick<SandboxMeta, 'backendCredentials' | 'saveBackendCredentials'>) {
    this.kept = meta.backendCredentials === null ? null : (JSON.parse(meta.backendCredentials) as Kept);
  }

  get consumerKey(): string | null {
    return this.kept?.consumerKey ?? null;
  }

  /** Makes a pair in place of the one before. @returns the only copy of the secret */
  make(): { consumerKey: string; consumerSecret: string } {
    const consumerKey = `ck_${randomBytes(12).toString('hex')}`;
    const consumerSecret = `cs_${randomBytes(24).toString('hex')}`;
    const kept = { consumerKey, secretDigest: digest(consumerSecret).toString('hex') };
    this.meta.saveBackendCredentials(JSON.stringify(kept));
    this.kept = kept;
    return { consumerKey, consumerSecret };
  }

  accepts(consumerKey: string, consumerSecret: string): boolean {
    if (this.kept === null || this.kept.consumerKey !== consumerKey) return false;
    return timingSafeEqual(digest(consumerSecret), Buffer.from(this.kept.secretDigest, 'hex'));
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
