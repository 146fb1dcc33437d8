import { memberOf, type JsonNode } from '../../json/json-tree';
import { printJsonLine } from '../../json/print-json-tree';
import { addQuery } from '../auth';
import type { ImportedRequest } from '../imported';
import { isTrue, listItems, listMembers, readText } from '../nodes';
import { encodeAroundVariables, renameVariable } from '../variables';
import type { References } from './references';
import { sampleSchema } from './sample-schema';
import { encodeForUrl } from '../../encode-for-url';

interface Parameter {
  name: string;
  place: string;
  isRequired: boolean;
  /** Its example; null: the document gives none. */
  example: string | null;
}

function readParameter(node: JsonNode, references: References): Parameter {
  const schema = references.follow(memberOf(node, 'schema'));
  const [, first] = listMembers(node, 'examples')[0] ?? [];
  const given =
    memberOf(node, 'example') ??
    memberOf(references.follow(first ?? null), 'value') ??
    ['example', 'default', 'const'].map((name) => memberOf(schema, name)).find((one) => one !== null) ??
    listItems(schema, 'examples')[0] ??
    listItems(schema, 'enum')[0] ??
    (readText(schema, 'format') === 'uuid' ? sampleSchema(schema, references) : null);
  return {
    name: readText(node, 'name') ?? '',
    place: readText(node, 'in') ?? '',
    isRequired: isTrue(node, 'required'),
    example: given === null ? null : printValue(given),
  };
}

function printValue(node: JsonNode): string {
  if (node.kind === 'array') return node.items.map(printValue).join(',');
  return node.kind === 'object' ? printJsonLine(node) : node.text;
}

const nameVariable = (name: string): string => renameVariable(name.replace(/[^\w.-]+/g, '_'));

/** Those of the path count for each operation in it; the operation's own come before them. */
function listParameters(path: JsonNode, operation: JsonNode, references: References): Parameter[] {
  const byKey = new Map<string, Parameter>();
  for (const node of [...listItems(path, 'parameters'), ...listItems(operation, 'parameters')]) {
    const found = references.follow(node);
    if (found === null) continue;
    const parameter = readParameter(found, references);
    if (parameter.name !== '') byKey.set(`${parameter.place} ${parameter.name}`, parameter);
  }
  return [...byKey.values()];
}

/**
 * Puts the parameters of an operation into a request: those of the path as variables of the file, required ones and those
 * with an example in address and headers. The rest is named in a note.
 */
export function addOpenapiParameters(
  request: ImportedRequest,
  path: JsonNode,
  operation: JsonNode,
  references: References,
): void {
  const left: string[] = [];
  const parameters = listParameters(path, operation, references);
  const examples = new Map(
    parameters.filter(({ place }) => place === 'path').map(({ name, example }) => [name, example]),
  );
  request.url = request.url.replace(/(?<!\{)\{([^{}]+)\}(?!\})/g, (_whole, name: string) => {
    const variable = nameVariable(name);
    if (variable !== name) request.renames.set(`{${name}}`, `{{${variable}}}`);
    const example = examples.get(name) ?? null;
    const isNew = !request.variables.some(([one]) => one === variable);
    if (isNew && example !== null && example !== '')
      request.variables.push([variable, encodeAroundVariables(example.replace(/[\r\n]/g, ' ').trim())]);
    return `{{${variable}}}`;
  });
  for (const { name, place, isRequired, example } of parameters) {
    if (place === 'path') continue;
    const isOfBody = place === 'header' && /^(?:accept|content-type|authorization)$/i.test(name);
    if (isOfBody) continue;
    if (!isRequired && example === null) {
      left.push(name);
      continue;
    }
    const value = example ?? `{{${nameVariable(name)}}}`;
    if (place === 'query')
      request.url = addQuery(request.url, `${encodeForUrl(name)}=${encodeAroundVariables(value)}`);
    else if (place === 'header') request.headers.push([name, value]);
    else if (place === 'cookie') request.headers.push(['Cookie', `${name}=${value}`]);
  }
  if (left.length > 0)
    request.notes.push(
      `Optional parameters without an example are left out: ${left.join(', ').slice(0, 300)}.`,
    );
}
