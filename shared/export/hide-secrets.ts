import { maskHeader, maskSecrets } from '../mask-secrets';

/** Puts variables in the place of secrets that were typed into requests. */
export interface SecretHider {
  /** Of an address or a body. */
  hideText(text: string): string;
  hideHeader(name: string, value: string): string;
  /** Variables that now stand for secrets. */
  names(): string[];
}

/** Makes a name that a variable can have out of a header's. */
function toVariableName(text: string): string {
  const name = text.toLowerCase().replace(/[^a-z0-9]+/g, '_');
  return /^[a-z]/.test(name) ? name : `secret_${name}`;
}

/**
 * Makes the one that hides the secrets of an export: the same secret becomes the same variable everywhere.
 *
 * @param isTaken - tells whether a variable of this name means something already
 */
export function createSecretHider(isTaken: (name: string) => boolean): SecretHider {
  const byValue = new Map<string, string>();
  const given = new Set<string>();
  const nameFor = (value: string, wanted: string): string => {
    const known = byValue.get(value);
    if (known !== undefined) return known;
    let name = wanted;
    for (let count = 2; given.has(name) || isTaken(name); count++) name = `${wanted}_${count}`;
    byValue.set(value, name);
    given.add(name);
    return name;
  };
  const write = (wanted: string) => (value: string) => `{{${nameFor(value, wanted)}}}`;
  return {
    hideText: (text) => maskSecrets(text, write('secret')),
    hideHeader: (name, value) => maskHeader(name, value, write(toVariableName(name))),
    names: () => [...given],
  };
}
