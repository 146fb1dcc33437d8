import { adviseOnMissing, type ForeignVariable } from '@shared/http-file/foreign-variables';
import { isSecretName } from '@shared/secrets';
import { listSome } from '@shared/list-some';

/** What ends a missing value; the same words wherever one is said. A secret belongs in no file that others read. */
export const adviseOnValue = (what: string, name: string): string =>
  isSecretName(name)
    ? `Give ${what} in an environment of your own, where the vault seals it, or for this run.`
    : `Give ${what} in the environment, for this run, or as “@${name} = …” in the file.`;

const brace = (name: string): string => `{{${name}}}`;

/**
 * Says what has no value, and what gives it one.
 *
 * @param elsewhere - label of an environment, and what it has
 * @param foreign - those that mean something in other clients
 */
export function describeMissing(
  missing: readonly { name: string; place: string }[],
  elsewhere: { label: string; has: readonly string[] } | null,
  foreign: readonly ForeignVariable[] = [],
): string {
  const what = `No value for ${listSome(
    missing.map(({ name, place }) => `${brace(name)} in ${place}`),
    4,
  )}.`;
  const names = [...new Set(missing.map(({ name }) => name))];
  const isOne = names.length === 1;
  if (elsewhere === null) {
    const adviseOnRest = (name: string): string => adviseOnValue(isOne ? 'it one' : 'each one', name);
    return `${what} ${adviseOnMissing(names, foreign, adviseOnRest)}`;
  }
  // Whether the vault has the value still, nobody looked.
  const among = `among the variables of “${elsewhere.label}”`;
  const rest = names.filter((name) => !elsewhere.has.includes(name));
  if (rest.length === 0) return `${what} ${isOne ? 'It is' : 'They are'} ${among}.`;
  const rests = rest.length === 1 ? 'the other one a value' : 'each of the others a value';
  const has = `${elsewhere.has.slice(0, 4).map(brace).join(', ')} ${elsewhere.has.length === 1 ? 'is' : 'are'} ${among}.`;
  return `${what} ${has} ${adviseOnMissing(rest, [], (name) => adviseOnValue(rests, name))}`;
}
