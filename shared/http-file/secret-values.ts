import { isSecretName } from '../secrets';

/** A shorter one stands in other texts by chance. */
const SHORTEST = 6;
/** As many as a request may tell of. */
const MOST = 100;

/**
 * Lists the values that are secret by the names of their variables, so that they are masked wherever they come back.
 *
 * One with a variable in it is none yet: the back end alone has what the vault holds.
 */
export function listSecretValues(variables: Readonly<Record<string, string>>): string[] {
  return Object.entries(variables)
    .filter(([name, value]) => isSecretName(name) && value.length >= SHORTEST && !value.includes('{{'))
    .map(([, value]) => value)
    .slice(0, MOST);
}
