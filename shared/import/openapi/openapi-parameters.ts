import { memberOf, type JsonNode } from '../../json/json-tree';
import { printJsonLine } from '../../json/print-json-tree';
import { addCookie, addQuery } from '../auth';
import type { ImportedRequest } from '../imported';
import { isFalse, isTrue, listItems, listMembers, readText } from '../nodes';
import { encodeAroundVariables, renameVariable } from '../variables';
import type { References } from './references';
import { sampleSchema } from './sample-schema';
import { encodeForUrl } from '../../encode-for-url';
import { listSome } from '../../list-some';

interface Parameter {
  name: string;
  place: string;
  isRequired: boolean;
  /** Its example; null: the document gives none. */
  example: string | null;
  /** Of the query: what it is written as, where that is not one value under its name. */
  pairs: readonly (readonly [string, string])[] | null;
  /** Of the query: it may stand without a value, and then without a `=`. @source OpenAPI 3.1.1, allowEmptyValue */
  allowsEmpty: boolean;
  /** Of the query: signs with a meaning in an address stay as they are. */
  allowsReserved: boolean;
  /** Of the path: what stands before its value, which is encoded here. */
  step: { before: string; value: string | null };
}

/** One variable cannot stand for what an object is written as. */
function sampleMembers(schema: JsonNode | null, references: References): JsonNode | null {
  const made = schema === null ? null : sampleSchema(schema, references);
  return made?.kind === 'object' && made.members.size > 0 ? made : null;
}

/** What the document says that a parameter is; null: it does not. */
function readValue(node: JsonNode, media: JsonNode | null, references: References): JsonNode | null {
  const schema = references.follow(memberOf(node, 'schema'));
  const [, first] = listMembers(node, 'examples')[0] ?? [];
  const [, firstOfMedia] = listMembers(media, 'examples')[0] ?? [];
  return (
    memberOf(node, 'example') ??
    memberOf(references.follow(first ?? null), 'value') ??
    memberOf(media, 'example') ??
    memberOf(references.follow(firstOfMedia ?? null), 'value') ??
    ['example', 'default', 'const'].map((name) => memberOf(schema, name)).find((one) => one !== null) ??
    listItems(schema, 'examples')[0] ??
    listItems(schema, 'enum')[0] ??
    (readText(schema, 'format') === 'uuid' ? sampleSchema(schema, references) : null) ??
    (isTrue(node, 'required') ? sampleMembers(schema ?? memberOf(media, 'schema'), references) : null)
  );
}

function readParameter(node: JsonNode, references: References): Parameter {
  const [, media = null] = listMembers(node, 'content')[0] ?? [];
  const given = readValue(node, media, references);
  return {
    name: readText(node, 'name') ?? '',
    place: readText(node, 'in') ?? '',
    isRequired: isTrue(node, 'required'),
    example: given === null ? null : printExample(node, given, media !== null),
    pairs: given === null || media !== null ? null : spread(node, given),
    allowsEmpty: isTrue(node, 'allowEmptyValue'),
    allowsReserved: isTrue(node, 'allowReserved'),
    step: writeStep(node, given, media !== null),
  };
}

function writeQuery({ name, pairs, allowsEmpty, allowsReserved }: Parameter, value: string): string[] {
  const all = pairs ?? [[encodeName(name), encodeValue(value, allowsReserved)]];
  return all.map(([key, one]) => (allowsEmpty && one === '' ? key! : `${key}=${one}`));
}

/** @source RFC 3986, 2.2; what would end a value early, or be read as a blank, is encoded all the same */
const reserved = /%(?:3A|2F|3F|5B|5D|40|21|24|27|28|29|2A|2C|3B|3D)/g;

function encodeValue(text: string, allowsReserved: boolean): string {
  const encoded = encodeAroundVariables(text);
  return allowsReserved ? encoded.replace(reserved, (sign) => decodeURIComponent(sign)) : encoded;
}

const encodeName = (name: string): string => encodeAroundVariables(name, encodeForUrl);

/** Writes a list or an object with one sign between its parts. */
function joinParts(
  value: JsonNode,
  { between, isExploded, encode }: { between: string; isExploded: boolean; encode: (text: string) => string },
): string | null {
  const print = (one: JsonNode): string => encode(printValue(one));
  if (value.kind === 'array') return value.items.map(print).join(between);
  if (value.kind !== 'object') return null;
  return [...value.members]
    .map(([name, inner]) => `${encode(name)}${isExploded ? '=' : ','}${print(inner)}`)
    .join(isExploded ? between : ',');
}

/** A header is written in the style `simple`. */
function printExample(node: JsonNode, value: JsonNode, isJson: boolean): string {
  const isExploded = isTrue(node, 'explode');
  const parts =
    isJson || readText(node, 'in') !== 'header'
      ? null
      : joinParts(value, { between: ',', isExploded, encode: (text) => text });
  return parts ?? printValue(value, isJson);
}

/**
 * Writes a parameter of the path as its style says.
 *
 * @source OpenAPI 3.0.4 and 3.1.1, Style Values
 */
function writeStep(node: JsonNode, value: JsonNode | null, isJson: boolean): Parameter['step'] {
  const style = readText(node, 'style') ?? 'simple';
  const isSpread = isTrue(node, 'explode') && (value?.kind === 'array' || value?.kind === 'object');
  const name = encodeForUrl(readText(node, 'name') ?? '');
  const named = style === 'matrix' ? `;${name}=` : '';
  const before =
    style === 'label' ? '.' : style === 'matrix' && isSpread && value.kind === 'object' ? ';' : named;
  const encode = (text: string): string => encodeAroundVariables(text.replace(/[\r\n]/g, ' ').trim());
  if (value === null) return { before, value: null };
  const between =
    !isSpread || style === 'simple' ? ',' : style === 'label' ? '.' : value.kind === 'array' ? named : ';';
  const parts = isJson ? null : joinParts(value, { between, isExploded: isSpread, encode });
  return { before, value: parts ?? encode(printValue(value, isJson)) };
}

/** Signs between the elements of a list that stands under one name, as a URL has them. */
const joints: Readonly<Record<string, string>> = { pipeDelimited: '%7C', spaceDelimited: '%20', form: ',' };

/**
 * Writes a list or an object of the query as its style says; null: it is one value.
 *
 * @source OpenAPI 3.0.4 and 3.1.1, Style Values
 */
function spread(node: JsonNode, value: JsonNode): Parameter['pairs'] {
  const name = readText(node, 'name') ?? '';
  const style = readText(node, 'style') ?? 'form';
  if (readText(node, 'in') !== 'query' || !Object.hasOwn({ ...joints, deepObject: '' }, style)) return null;
  const encode = (one: JsonNode): string => encodeValue(printValue(one), isTrue(node, 'allowReserved'));
  const key = encodeName(name);
  const isExploded = style === 'form' ? !isFalse(node, 'explode') : isTrue(node, 'explode');
  if (value.kind === 'array') {
    const items = value.items.map(encode);
    return isExploded ? items.map((one) => [key, one]) : [[key, items.join(joints[style] ?? ',')]];
  }
  if (value.kind !== 'object') return null;
  const members = [...value.members].map(([one, inner]) => [encodeForUrl(one), encode(inner)] as const);
  if (style === 'deepObject') return members.map(([one, inner]) => [`${key}%5B${one}%5D`, inner]);
  return isExploded ? members : [[key, members.flat().join(joints[style])]];
}

function printValue(node: JsonNode, isJson = false): string {
  if (isJson && node.kind !== 'string') return printJsonLine(node);
  if (node.kind === 'array') return node.items.map((one) => printValue(one)).join(',');
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
  const known = new Set<string>();
  const steps = new Map(
    parameters.filter(({ place }) => place === 'path').map(({ name, step }) => [name, step]),
  );
  request.url = request.url.replace(/(?<!\{)\{([^{}]+)\}(?!\})/g, (_whole, name: string) => {
    const variable = nameVariable(name);
    if (variable !== name) request.renames.set(`{${name}}`, `{{${variable}}}`);
    const { before = '', value = null } = steps.get(name) ?? {};
    const isNew = !known.has(variable);
    // Its own name is no value: it stands for what is not known.
    if (isNew && value !== null && value !== '' && value !== `{{${variable}}}`) {
      known.add(variable);
      request.variables.push([variable, value]);
    }
    return `${before}{{${variable}}}`;
  });
  // Each is put in at one go: a document may have tens of thousands.
  const query: string[] = [];
  const cookies: string[] = [];
  for (const parameter of parameters) {
    const { name, place, isRequired, example } = parameter;
    if (place === 'path') continue;
    const isOfBody = place === 'header' && /^(?:accept|content-type|authorization)$/i.test(name);
    if (isOfBody) continue;
    if (!isRequired && example === null) {
      left.push(name);
      continue;
    }
    const value = example ?? `{{${nameVariable(name)}}}`;
    if (place === 'query') for (const one of writeQuery(parameter, value)) query.push(one);
    else if (place === 'header') request.headers.push([name, value]);
    else if (place === 'cookie') cookies.push(`${name}=${value}`);
  }
  if (query.length > 0) request.url = addQuery(request.url, query.join('&'));
  if (cookies.length > 0) addCookie(request, cookies.join('; '));
  if (left.length > 0)
    request.notes.push(`Optional parameters without an example are left out: ${listSome(left)}.`);
}
