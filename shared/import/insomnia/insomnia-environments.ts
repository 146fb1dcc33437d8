import type { JsonNode } from '../../json/json-tree';
import type { Imported, ImportedVariable } from '../imported';
import { isSecretName } from '../../secrets';
import { isFalse, listItems, listMembers, readText } from '../nodes';
import { mapInsomniaText } from './insomnia-expressions';

/** An address proves nothing by itself: what is secret in it is found as in any text. */
const isAddress = (value: string): boolean => /^https?:\/\//i.test(value);

/** The members of an object or a list, by their names or places; null: it is one value. */
function listParts(node: JsonNode): Iterable<readonly [string, JsonNode]> | null {
  if (node.kind === 'array') return listItems(node).map((item, index) => [String(index), item] as const);
  return node.kind === 'object' ? listMembers(node) : null;
}

/**
 * Lists the values of an environment; what is nested has a name with points, as templates write it.
 *
 * What lies within a secret (`"secret_key": {"staging": "…"}`) is one, whatever its own name.
 * @param holder - an environment, or a folder; its table (`kvPairData`) has what is off, too
 */
export function readInsomniaVariables(
  holder: JsonNode | null,
  member: 'data' | 'environment',
  where: string,
  { notes, renames }: Pick<Imported, 'notes' | 'renames'>,
): ImportedVariable[] {
  const variables: ImportedVariable[] = [];
  const add = (node: JsonNode, name: string, isInSecret: boolean): void => {
    const parts = listParts(node);
    if (parts === null) {
      const value = mapInsomniaText(readText(node) ?? '', (what) => notes.push({ where, what }), renames);
      const isSecret = isInSecret && node.kind === 'string' && !isAddress(value);
      variables.push({ name, value, isSecret });
      return;
    }
    for (const [key, value] of parts) add(value, `${name}.${key}`, isInSecret || isSecretName(key));
  };
  for (const pair of listItems(holder, 'kvPairData')) {
    const name = readText(pair, 'name') ?? '';
    if (name !== '' && isFalse(pair, 'enabled'))
      notes.push({ where, what: `Its variable ${name} is disabled, and left out.` });
  }
  for (const [key, value] of listMembers(holder, member)) {
    if (key !== '__insomnia_vault') add(value, key, isSecretName(key));
    else
      for (const [secret] of listMembers(value))
        notes.push({ where, what: `Insomnia keeps the value of ${secret} to itself: enter it here.` });
  }
  return variables;
}
