import { isProduct, type Product } from '@shared/payments/tables/products';
import type { Clock, Random } from '../../platform/ports';
import { putRecord, type StoredRecord } from '../vault/vault-file';
import type { VaultStore } from '../vault/vault-store';
import { asMoment } from './decode-jwt';
import type { FetchedToken } from './token-endpoint';

const KIND = 'token';

export interface TokenCacheDeps {
  store: VaultStore;
  clock: Clock;
  random: Random;
  /** False: tokens got with credentials from outside stay in memory; such a run leaves nothing behind. */
  isSealed: boolean;
}

/** What a token was got with: it is good for nothing else. */
export interface TokenGrant {
  /** Scheme, host and port. */
  address: string;
  /** Fingerprint of consumer key and secret. */
  credentials: string;
}

export type KeptToken = FetchedToken & { grant: TokenGrant };

export interface TokenCache {
  find(environment: string, product: Product): Promise<KeptToken | null>;
  list(): Promise<(FetchedToken & { environment: string; product: Product })[]>;
  keep(environment: string, product: Product, kept: KeptToken): Promise<void>;
  forget(environment: string, product: Product): Promise<void>;
}

/** Keeps tokens as sealed records of the vault. Nothing stays in memory: a locked vault gives no token. */
export function createTokenCache(deps: TokenCacheDeps): TokenCache {
  return deps.isSealed ? createSealedCache(deps) : createMemoryCache();
}

function createSealedCache({ store, random }: TokenCacheDeps): TokenCache {
  const open = async (record: StoredRecord): Promise<KeptToken> => {
    const plain = await store.open(record);
    const [token = '', credentials = ''] = plain.toString('utf8').split('\n');
    plain.fill(0);
    const { issued_at: issuedAt, expires_at: expiresAt, address } = record.open;
    return {
      token,
      issuedAt: Number(issuedAt),
      expiresAt: typeof expiresAt === 'number' ? asMoment(expiresAt) : null,
      grant: { address: String(address ?? ''), credentials },
    };
  };
  const listOpen = async (): Promise<StoredRecord[]> => {
    await store.requireUnlocked();
    return (await store.list(KIND)).filter(({ isLocked }) => !isLocked);
  };
  return {
    async find(environment, product) {
      const record = (await listOpen()).findLast((candidate) => isOf(candidate, environment, product));
      return record === undefined ? null : open(record);
    },
    async list() {
      const found = [];
      for (const record of await listOpen()) {
        const product = record.open['product'];
        if (typeof product !== 'string' || !isProduct(product) || record.environment === null) continue;
        found.push({ environment: record.environment, product, ...(await open(record)) });
      }
      return found;
    },
    async keep(environment, product, { token, issuedAt, expiresAt, grant }) {
      // Sealed with the token: even a hash of credentials is nothing to leave lying open.
      const secret = Buffer.from(`${token}\n${grant.credentials}`, 'utf8');
      const facts = { issued_at: issuedAt, expires_at: expiresAt, address: grant.address };
      await store.edit((records) => {
        const old = records.findLast((record) => isOf(record, environment, product) && !record.isLocked);
        const identity = {
          id: random.uuid(),
          kind: KIND,
          name: `${product} token`,
          environment,
          created_at: issuedAt,
          product,
        };
        return { changes: [putRecord(old, identity, facts, secret)], result: undefined };
      });
      secret.fill(0);
    },
    async forget(environment, product) {
      await store.requireUnlocked();
      if (!(await store.list(KIND)).some((record) => isOf(record, environment, product))) return;
      await store.edit((records) => ({
        changes: records
          .filter((record) => isOf(record, environment, product))
          .map((record) => ({ kind: 'remove', record })),
        result: undefined,
      }));
    },
  };
}

function createMemoryCache(): TokenCache {
  const kept = new Map<string, KeptToken & { environment: string; product: Product }>();
  const keyOf = (environment: string, product: Product): string => `${product} ${environment}`;
  return {
    find: async (environment, product) => kept.get(keyOf(environment, product)) ?? null,
    list: async () => [...kept.values()],
    keep: async (environment, product, token) => {
      kept.set(keyOf(environment, product), { ...token, environment, product });
    },
    forget: async (environment, product) => {
      kept.delete(keyOf(environment, product));
    },
  };
}

function isOf(record: StoredRecord, environment: string, product: Product): boolean {
  return record.kind === KIND && record.environment === environment && record.open['product'] === product;
}
