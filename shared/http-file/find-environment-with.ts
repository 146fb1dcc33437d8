import { isShared } from '../contract/environment-id';
import type { Environment } from '../contract/environments';

/**
 * Finds the environment that has the most of the values that the active one lacks; null: none has any.
 *
 * Offered are the user's own and those of the request's collection: what a stranger's collection says of its own address
 * is none of this request. Production is chosen by hand alone.
 */
export function findEnvironmentWith(
  names: readonly string[],
  { id, baseUrl }: Pick<Environment, 'id' | 'baseUrl'>,
  environments: readonly Environment[],
  collectionId: string,
): { environment: Environment; has: string[] } | null {
  const found = environments
    .filter((one) => one.id !== id && one.kind !== 'production')
    .filter((one) => !isShared(one.id) || one.id.startsWith(`${collectionId}/`))
    .map((environment) => ({
      environment,
      has: names.filter((name) => (environment.variables[name] ?? '') !== ''),
    }))
    .filter(({ has }) => has.length > 0);
  const rank = (one: (typeof found)[number]): number =>
    one.has.length * 2 + (one.environment.baseUrl === baseUrl ? 1 : 0);
  return found.toSorted((one, other) => rank(other) - rank(one))[0] ?? null;
}
