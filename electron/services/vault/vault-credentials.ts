import type { Handlers } from '@shared/contract/contract';
import { readEnvironmentName } from '@shared/contract/environment-id';
import { isProduct, type Product } from '@shared/payments/tables/products';
import { maskName } from '@shared/secrets';
import type { Clock, Random } from '../../platform/ports';
import { putRecord, type StoredRecord } from './vault-file';
import type { VaultStore } from './vault-store';

const KIND = 'credentials';

export interface Credentials {
  consumerKey: string;
  consumerSecret: string;
}

export interface VaultCredentialsDeps {
  store: VaultStore;
  clock: Clock;
  random: Random;
}

type CredentialHandlers = Pick<Handlers, 'credentials.list' | 'credentials.delete'>;

/** Keeps the consumer key and secret of each environment: one for all products, one for each, or both. */
export class VaultCredentials {
  readonly #deps: VaultCredentialsDeps;

  constructor(deps: VaultCredentialsDeps) {
    this.#deps = deps;
  }

  /** Gives an environment's credentials; null: none saved. @throws {AppError} `vault.locked`, `vault.damaged`, `vault.unreadable` */
  async get(environment: string, product: Product | null): Promise<Credentials | null> {
    const record = (await this.#list(environment)).findLast((one) => productOf(one) === product);
    if (record === undefined) return null;
    const plain = await this.#deps.store.open(record);
    const { consumer_key: consumerKey, consumer_secret: consumerSecret } = JSON.parse(
      plain.toString('utf8'),
    ) as Record<string, string>;
    plain.fill(0);
    return { consumerKey: consumerKey ?? '', consumerSecret: consumerSecret ?? '' };
  }

  /** Tells whether credentials are there, locked or not. */
  async has(environment: string): Promise<boolean> {
    return (await this.#list(environment)).length > 0;
  }

  /** Saves credentials in place of those that can be opened; what cannot is kept beside them. */
  async save(
    environment: string,
    { consumerKey, consumerSecret }: Credentials,
    product: Product | null,
  ): Promise<void> {
    const { store, clock, random } = this.#deps;
    const secret = Buffer.from(
      JSON.stringify({ consumer_key: consumerKey, consumer_secret: consumerSecret }),
      'utf8',
    );
    const created_at = clock.now();
    const shown = { consumer_key_masked: maskName(consumerKey), created_at };
    await store.edit((records) => {
      const old = records.findLast(
        (record) => isOf(record, environment) && productOf(record) === product && !record.isLocked,
      );
      const identity = {
        id: random.uuid(),
        kind: KIND,
        name: readEnvironmentName(environment),
        environment,
        created_at,
        ...(product !== null && { product }),
      };
      return { changes: [putRecord(old, identity, shown, secret)], result: undefined };
    });
    secret.fill(0);
  }

  readonly handlers: CredentialHandlers = {
    'credentials.list': async () => ({
      credentials: (await this.#deps.store.list(KIND)).map((record) => ({
        environment: record.environment ?? record.name,
        product: productOf(record),
        consumerKeyMasked: String(record.open['consumer_key_masked'] ?? ''),
        savedAt: Number(record.open['created_at'] ?? 0),
        isLocked: record.isLocked,
      })),
    }),
    'credentials.delete': async ({ environment, product }) => {
      await this.#deps.store.edit((records) => ({
        changes: records
          .filter((record) => isOf(record, environment))
          .filter((record) => product === undefined || productOf(record) === product)
          .map((record) => ({ kind: 'remove', record })),
        result: undefined,
      }));
      return {};
    },
  };

  /** Those that can be opened stand last. */
  async #list(environment: string): Promise<StoredRecord[]> {
    const records = (await this.#deps.store.list(KIND)).filter((record) => isOf(record, environment));
    return [...records.filter(({ isLocked }) => isLocked), ...records.filter(({ isLocked }) => !isLocked)];
  }
}

function isOf(record: StoredRecord, environment: string): boolean {
  return record.kind === KIND && record.environment === environment;
}

/** Null: for all products. */
function productOf({ open }: StoredRecord): Product | null {
  const { product } = open;
  return typeof product === 'string' && isProduct(product) ? product : null;
}
