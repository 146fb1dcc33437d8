import type { Environment } from '@shared/contract/environments';
import { usualSetup } from '@shared/contract/usual-setup';

/** Environments to choose from; production is said to be that. */
export const toEnvironmentOptions = (environments: readonly Environment[], selected: string | null) =>
  listDistinct(environments, selected).map(({ id, label, kind }) => ({
    id,
    label,
    ...(kind === 'production' ? { detail: 'production' } : {}),
  }));

/**
 * Environments to choose from, each once: an import makes one in the collection's file, for the team, and one of the user's own
 * that has all of it and the secrets. As long as that is so, the own one stands for both.
 *
 * @param shownId - stays in any case
 */
export function listDistinct(
  environments: readonly Environment[],
  shownId: string | null = null,
): readonly Environment[] {
  const isCovered = (one: Environment): boolean =>
    one.id !== shownId && isBare(one) && environments.some((own) => hasAllOf(own, one));
  return environments.filter((one) => !isCovered(one));
}

/** Nothing was said or kept of it here. */
function isBare(one: Environment): boolean {
  const { source, kind, isActive, keyId, hasCredentials, sealedParts, addressChange, session, setup } = one;
  const isPlain = source === 'collection' && kind === 'sandbox' && !isActive && addressChange === null;
  const isEmpty = sealedParts.length === 0 && Object.keys(session).length === 0;
  const isUsual = JSON.stringify(setup) === JSON.stringify(usualSetup);
  return isPlain && isEmpty && isUsual && keyId === null && !hasCredentials;
}

function hasAllOf(
  own: Environment,
  { name, baseUrl, variables, sharedNames = [], privateNames = [] }: Environment,
): boolean {
  const isSameName = own.name === name || own.name.replace(/ \d{1,3}$/, '') === name;
  if (own.source !== 'data' || !isSameName || own.baseUrl !== baseUrl || privateNames.length > 0)
    return false;
  // What the file shares counts in the own one, too, unless that has a value of it.
  const isSame = ([key, value]: [string, string]): boolean =>
    own.variables[key] === value || (sharedNames.includes(key) && own.variables[key] === undefined);
  return Object.entries(variables).every((one) => one[0] === 'last_reference' || isSame(one));
}
