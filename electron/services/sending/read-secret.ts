import { AppError } from '@shared/errors';
import { nameCredential, writeVaultReference } from '@shared/http-file/vault-reference';
import { ownValue } from '@shared/own-value';
import { isProduct, products, type Product } from '@shared/payments/tables/products';
import type { Destination } from '../environments/environment-setups';
import type { Credentials } from '../vault/vault-credentials';
import { errorsOf } from '../errors-of';
import { readNamed } from '../tokens/find-field';
import { findPlaceholders } from './fill-headers';
import type { Outgoing } from './fill-secrets';

const SendingError = errorsOf<'sending.send'>();

export interface ReadSecretDeps {
  environments: {
    /** @throws {AppError} `environments.no_secret`, `vault.*` */
    readSecret(id: string, name: string): Promise<string>;
  };
  tokens: {
    /** Null: each product has its own, and none is named. @throws {AppError} `tokens.no_credentials`, `vault.*` */
    readCredentials(environment: string, product: Product | null): Promise<Credentials | null>;
  };
}

/** Where a secret is asked for, and what says whose. */
type Asking = Readonly<Pick<Outgoing, 'environment' | 'operation' | 'body' | 'headers'>>;

/** What the token call is made with has a place of its own in the vault, and goes by these names in a request. */
const credentialNames: Readonly<Record<string, keyof Credentials>> = {
  consumer_key: 'consumerKey',
  consumer_secret: 'consumerSecret',
};

/** Whose, where the name says it: `payout_consumer_key`. */
function findCredential(name: string): { part: keyof Credentials; product: Product | null } | null {
  const product = products.find((one) => name.startsWith(nameCredential(one, ''))) ?? null;
  const part = ownValue(
    credentialNames,
    product === null ? name : name.slice(nameCredential(product, '').length),
  );
  return part === undefined ? null : { part, product };
}

/**
 * Gives what `{{vault.name}}` stands for in a request: the environment's secret of that name, else its consumer key or secret.
 *
 * @throws {AppError} `environments.no_secret`, `tokens.no_credentials`, `vault.*`; `sending.unresolved` where each product
 *   has its own and the request does not say which is meant
 */
export async function readSecret(
  { environments, tokens }: ReadSecretDeps,
  input: Asking,
  { setup }: Destination,
  name: string,
): Promise<string> {
  const asked = findCredential(name);
  try {
    return await environments.readSecret(input.environment, name);
  } catch (error) {
    const isOther = asked !== null && error instanceof AppError && error.code === 'environments.no_secret';
    if (!isOther) throw error;
    const { product: field } = setup.profile.requestNames;
    const product = asked.product ?? findProduct(input, field);
    const credentials = await tokens.readCredentials(input.environment, product);
    if (credentials === null) throw refuseToGuess(name, field);
    return credentials[asked.part];
  }
}

/** Whose credentials are meant, where each product has its own: that of the body, else of the operation, else of the one token. */
function findProduct({ operation, body, headers }: Asking, field: string): Product | null {
  const named = field === '' ? null : readNamed(body ?? '', field)?.toLowerCase();
  if (isProduct(named)) return named;
  if (isProduct(operation)) return operation;
  const [product, ...others] = findPlaceholders(headers).products;
  return product === undefined || others.length > 0 ? null : product;
}

function refuseToGuess(name: string, field: string): AppError {
  const inBody =
    field === '' ? '' : `name it in the body, as "${field}": "payout" (or "remittance", "collection"), or `;
  const named = writeVaultReference(nameCredential('payout', name));
  return new SendingError(
    'sending.unresolved',
    `{{vault.${name}}} has no value here: each product has its own, and the request does not say whose is meant. To say it, ${inBody}write ${named} (or remittance_…, collection_…) in its place.`,
    { details: { variable: name, lacksProduct: true } },
  );
}
