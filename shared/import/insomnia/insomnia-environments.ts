import type { JsonNode } from '../../json/json-tree';
import type { Imported, ImportedVariable } from '../imported';
import { listMembers, readText } from '../nodes';
import { mapInsomniaText } from './insomnia-expressions';

/** Lists the values of an environment; what is nested has a name with points, as templates write it. */
export function readInsomniaVariables(
  data: JsonNode | null,
  where: string,
  { notes, renames }: Pick<Imported, 'notes' | 'renames'>,
): ImportedVariable[] {
  const variables: ImportedVariable[] = [];
  const add = (node: JsonNode, prefix: string): void => {
    for (const [key, value] of listMembers(node)) {
      const name = `${prefix}${key}`;
      if (prefix === '' && key === '__insomnia_vault') {
        for (const [secret] of listMembers(value)) {
          notes.push({ where, what: `Insomnia keeps the value of ${secret} to itself: enter it here.` });
        }
      } else if (value.kind === 'object') add(value, `${name}.`);
      else if (value.kind === 'array')
        notes.push({ where, what: `Its variable ${name} is a list, and left out.` });
      else {
        const text = mapInsomniaText(readText(value) ?? '', (what) => notes.push({ where, what }), renames);
        variables.push({ name, value: text, isSecret: false });
      }
    }
  };
  if (data !== null) add(data, '');
  return variables;
}
