import { isBackEndValue } from './back-end-value';
import type { Environment } from '../contract/environments';
import { ownValue } from '../own-value';
import type { Product } from '../payments/tables/products';
import { plainName } from './find-expression';
import type { HttpRequestBlock } from './http-file';
import { findLastReference, lastReference } from './last-reference';
import type { ResolveInputs } from './resolve-request';
import { isVaultExpression, listVaultReferences } from './vault-reference';

/** Where a value comes from, the first that has one winning. */
export const valueScopes = ['session', 'file', 'environment', 'collection'] as const;
export type ValueScope = (typeof valueScopes)[number];

/** What gives values to a request beside its own file. */
export interface ValueOwners {
  readonly environment: Pick<
    Environment,
    'variables' | 'session' | 'sharedNames' | 'baseUrl' | 'setup' | 'lastReferences'
  > | null;
  /** Of the collection that the request is of. */
  readonly collection: Readonly<Record<string, string>>;
  /** Whose token the request carries. */
  readonly product?: Product | null;
}

/**
 * Puts the scopes together, in their order: session, file, environment, collection.
 *
 * The file's own values come in between by themselves: see `resolveRequest`.
 */
export function joinScopes({ environment, collection }: ValueOwners): Omit<ResolveInputs, 'dynamic'> {
  return {
    variables: environment === null ? collection : { ...collection, ...environment.variables },
    given: environment?.session ?? {},
    ...(environment && { destination: environment, lastReferences: environment.lastReferences }),
  };
}

/** One value of a name, and whose it is. */
export interface ScopedValue {
  readonly scope: ValueScope;
  readonly value: string;
}

/** What is known of an expression between two braces. */
export type ValueOrigin =
  | { readonly kind: 'value'; readonly found: ScopedValue; readonly hidden: readonly ScopedValue[] }
  /** The vault has it, by this name; `found` is what led there, where something did. */
  | { readonly kind: 'vault'; readonly name: string; readonly found: ScopedValue | null }
  | { readonly kind: 'back_end' | 'drawn' | 'none' };

/**
 * Tells where the value of an expression comes from, as `resolveRequest` would take it.
 *
 * @param expression - what stands between the braces, such as `base_url`, `%name`, `$uuid` or `vault.api_key`
 */
export function findOrigin(
  expression: string,
  fileVariables: HttpRequestBlock['fileVariables'],
  owners: ValueOwners,
): ValueOrigin {
  const name = plainName(expression.trim());
  if (isVaultExpression(name)) return { kind: 'vault', name: name.slice('vault.'.length), found: null };
  if (isBackEndValue(name)) return { kind: 'back_end' };
  if (name.startsWith('$')) return { kind: 'drawn' };
  const [found, ...hidden] = listValues(name, fileVariables, owners);
  if (found === undefined) return { kind: 'none' };
  const [secret] = listVaultReferences(found.value);
  return secret === undefined ? { kind: 'value', found, hidden } : { kind: 'vault', name: secret, found };
}

function listValues(
  name: string,
  fileVariables: HttpRequestBlock['fileVariables'],
  { environment, collection, product = null }: ValueOwners,
): ScopedValue[] {
  // The last line of a name is the one that counts.
  const ofFile = fileVariables.findLast((one) => one.name === name)?.value;
  const isShared = environment?.sharedNames?.includes(name) ?? false;
  const ofEnvironment =
    name === lastReference && environment !== null
      ? findLastReference(environment, product)
      : ownValue(environment?.variables, name);
  const values: Record<ValueScope, string | undefined> = {
    session: ownValue(environment?.session, name),
    file: ofFile,
    environment: isShared ? undefined : ofEnvironment,
    collection: isShared ? ofEnvironment : ownValue(collection, name),
  };
  return valueScopes.flatMap((scope) => {
    const value = values[scope];
    return value === undefined ? [] : [{ scope, value }];
  });
}
