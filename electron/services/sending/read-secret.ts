import { AppError } from '@shared/errors';
import { readJsonMembers, textOf } from '@shared/json/json-tree';
import { ownValue } from '@shared/own-value';
import { isProduct, type Product } from '@shared/payments/tables/products';
import type { Destination } from '../environments/environment-setups';
import type { Credentials } from '../vault/vault-credentials';
import type { Outgoing } from './fill-secrets';

export interface ReadSecretDeps {
  environments: {
    /** @throws {AppError} `environments.no_secret`, `vault.*` */
    readSecret(id: string, name: string): Promise<string>;
  };
  tokens: {
    /** @throws {AppError} `tokens.no_credentials`, `vault.*` */
    readCredentials(environment: string, product: Product): Promise<Credentials>;
  };
}

/** What the token call is made with has a place of its own in the vault, and goes by these names in a request. */
const credentialNames: Readonly<Record<string, keyof Credentials>> = {
  consumer_key: 'consumerKey',
  consumer_secret: 'consumerSecret',
};

/**
 * Gives what `{{vault.name}}` stands for in a request: the environment's secret of that name, else its consumer key or secret.
 *
 * @throws {AppError} `environments.no_secret`, `tokens.no_credentials`, `vault.*`
 */
export async function readSecret(
  { environments, tokens }: ReadSecretDeps,
  input: Outgoing,
  { setup }: Destination,
  name: string,
): Promise<string> {
  const part = ownValue(credentialNames, name);
  try {
    return await environments.readSecret(input.environment, name);
  } catch (error) {
    const isOther =
      part !== undefined && error instanceof AppError && error.code === 'environments.no_secret';
    if (!isOther) throw error;
    const product = findProduct(input, setup.profile.requestNames.product);
    return (await tokens.readCredentials(input.environment, product))[part];
  }
}

/** Whose credentials are meant, where each product has its own: that of the body, else of the operation. */
function findProduct({ operation, body }: Outgoing, field: string): Product {
  const named = textOf(readJsonMembers(body ?? '', field), field);
  if (isProduct(named)) return named;
  return isProduct(operation) ? operation : 'payout';
}
