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
  const found = listOffered(environments, { id, collectionId })
    .map((environment) => ({
      environment,
      has: names.filter(
        (name) => Object.hasOwn(environment.variables, name) && environment.variables[name] !== '',
      ),
    }))
    .filter(({ has }) => has.length > 0);
  const rank = (one: (typeof found)[number]): number =>
    one.has.length * 2 + (one.environment.baseUrl === baseUrl ? 1 : 0);
  return found.toSorted((one, other) => rank(other) - rank(one))[0] ?? null;
}

function listOffered(
  environments: readonly Environment[],
  { id, collectionId }: { id: string; collectionId: string },
): Environment[] {
  return environments
    .filter((one) => one.id !== id && one.kind !== 'production')
    .filter((one) => !isShared(one.id) || one.id.startsWith(`${collectionId}/`));
}

/** Tells of one value after the other what {@link findEnvironmentWith} finds for it alone: thousands may be asked about. @returns the label */
export function createEnvironmentFinder(
  { id, baseUrl }: Pick<Environment, 'id' | 'baseUrl'>,
  environments: readonly Environment[],
  collectionId: string,
): (name: string) => string | null {
  let known: Map<string, Environment> | null = null;
  const listKnown = (): Map<string, Environment> => {
    const found = new Map<string, Environment>();
    for (const one of listOffered(environments, { id, collectionId })) {
      for (const [name, value] of Object.entries(one.variables)) {
        const isNearer = one.baseUrl === baseUrl && found.get(name)?.baseUrl !== baseUrl;
        if (value !== '' && (!found.has(name) || isNearer)) found.set(name, one);
      }
    }
    return found;
  };
  return (name) => (known ??= listKnown()).get(name)?.label ?? null;
}
