import type { HeaderList } from '@shared/contract/common';
import type { SendInput } from '@shared/contract/sending';
import { AppError } from '@shared/errors';
import type { ErrorCode } from '@shared/error-codes';
import { listVaultReferences } from '@shared/http-file/vault-reference';
import type { Product } from '@shared/payments/tables/products';
import type { Destination } from '../environments/environment-setups';
import type { KeySource } from '../signing/key-source';
import { findPlaceholders } from './fill-headers';
import { readSecret, type ReadSecretDeps } from './read-secret';

export interface SetUpDeps {
  readonly keys: Pick<KeySource, 'getSigningKey'>;
  readonly tokens: ReadSecretDeps['tokens'] & {
    /** @throws {AppError} `tokens.no_credentials`, `vault.*` */
    requireCredentials(environment: string, product: Product): Promise<void>;
  };
  readonly environments: ReadSecretDeps['environments'] & {
    /** @throws {AppError} `environments.unknown`, `.address_changed`, `.insecure` */
    requireBound(id: string): Promise<Destination>;
  };
}

/** What a request asks of the vault. */
export type AskingRequest = Readonly<
  Pick<SendInput, 'operation' | 'url' | 'body' | 'keyId' | 'overrideConfirmation'>
> & {
  readonly headers: HeaderList;
};

const missingCodes: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'keys.none_for_environment',
  'keys.needed',
  'tokens.no_credentials',
  'environments.no_secret',
]);

/** So many values that the vault lacks are named: each is a look of its own, and a file of somebody else may have thousands. */
const mostNamed = 12;

/** Tells an error of a set-up that lacks something: there may be more that it lacks. */
export const isMissingSetUp = (error: unknown): error is AppError =>
  error instanceof AppError && missingCodes.has(error.code);

/**
 * Looks for all that requests ask of the vault: its values, the key that signs, and the credentials of each token. Nothing is sent.
 *
 * A vault that cannot be asked ends the list: what else is lacking, it would have to say.
 */
export async function findMissingSetUp(
  deps: SetUpDeps,
  environment: string,
  requests: readonly AskingRequest[],
): Promise<AppError[]> {
  const missing: AppError[] = [];
  try {
    const { secrets, others } = await listLooks(deps, environment, requests);
    const leftSecrets = await look(secrets, missing, mostNamed);
    if (leftSecrets > 0) missing.push(tellOfMore(leftSecrets));
    await look(others, missing);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    missing.push(error);
  }
  return missing;
}

type Look = () => Promise<unknown>;

/** @returns how many were not looked for, since so many are missing */
async function look(looks: readonly Look[], missing: AppError[], most = Infinity): Promise<number> {
  for (const [index, find] of looks.entries()) {
    if (missing.length >= most) return looks.length - index;
    await find().catch((error: unknown) => {
      if (!isMissingSetUp(error)) throw error;
      missing.push(error);
    });
  }
  return 0;
}

const tellOfMore = (count: number): AppError =>
  new AppError(
    'environments.no_secret',
    `Whether the vault has the ${count.toLocaleString('en')} other values that are asked of it was not looked up.`,
  );

/** Each thing once, however many requests ask for it. */
async function listLooks(
  deps: SetUpDeps,
  environment: string,
  requests: readonly AskingRequest[],
): Promise<{ secrets: Look[]; others: Look[] }> {
  const secrets = new Map<string, AskingRequest>();
  const products = new Set<Product>();
  let signed: AskingRequest | null = null;
  for (const request of requests) {
    for (const text of [request.url, ...request.headers.map(([, value]) => value), request.body ?? ''])
      for (const name of listVaultReferences(text)) if (!secrets.has(name)) secrets.set(name, request);
    const found = findPlaceholders(request.headers);
    for (const product of found.products) products.add(product);
    if (found.isSigned) signed ??= request;
  }
  if (secrets.size + products.size === 0 && signed === null) return { secrets: [], others: [] };
  const destination = await deps.environments.requireBound(environment);
  return {
    secrets: [...secrets].map(
      ([name, request]) =>
        () =>
          readSecret(deps, { ...request, environment }, destination, name),
    ),
    others: [
      ...(signed === null
        ? []
        : [() => deps.keys.getSigningKey(environment, signed.keyId, signed.overrideConfirmation)]),
      ...[...products].map((product) => () => deps.tokens.requireCredentials(environment, product)),
    ],
  };
}
