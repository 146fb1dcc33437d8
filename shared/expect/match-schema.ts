import type { JsonNode } from '../json/json-tree';
import { compareDecimals, parseDecimal } from '../payments/decimal';
import { describeAnswers, operationAnswers } from '../payments/schemas/answer-schemas';
import type { JsonSchema } from '../payments/schemas/field-schemas';
import type { OperationName } from '../payments/tables/operations';
import { showNode } from './write-json';

type Check = (node: JsonNode, rule: never, place: string) => string | null;

const typeOf = (node: JsonNode): string => {
  if (node.kind !== 'name') return node.kind;
  return node.text === 'null' ? 'null' : 'boolean';
};

function isOfType(node: JsonNode, type: string): boolean {
  return type === 'integer' ? node.kind === 'number' && /^-?\d+$/.test(node.text) : typeOf(node) === type;
}

function isConstant(node: JsonNode, value: unknown): boolean {
  if (typeof value === 'number') return node.kind === 'number' && Number(node.text) === value;
  return node.kind === 'string' && node.text === value;
}

const at = (place: string, key: string): string => (place === '' ? key : `${place}.${key}`);
const name = (place: string): string => (place === '' ? 'the body' : place);

/** The words of JSON Schema that the tables of the interface use. @returns what is wrong; null: nothing */
const checks: Readonly<Record<string, Check>> = {
  type: (node, type: string | readonly string[], place) => {
    const types = [type].flat();
    return types.some((one) => isOfType(node, one))
      ? null
      : `${name(place)} is ${typeOf(node)}, not ${types.join(' or ')}`;
  },
  const: (node, value: unknown, place) =>
    isConstant(node, value) ? null : `${name(place)} is ${showNode(node)}, not ${JSON.stringify(value)}`,
  enum: (node, values: readonly unknown[], place) =>
    values.some((value) => isConstant(node, value))
      ? null
      : `${name(place)} is ${showNode(node)}, not one of ${values.slice(0, 8).join(', ')}`,
  pattern: (node, pattern: string, place) =>
    node.kind !== 'string' || new RegExp(pattern, 'u').test(node.text)
      ? null
      : `${name(place)} is ${showNode(node)}, which has another form than the interface's`,
  minimum: (node, least: number, place) => {
    const value = node.kind === 'number' ? parseDecimal(node.text) : null;
    const isBelow = value !== null && compareDecimals(value, parseDecimal(String(least))!) < 0;
    return isBelow ? `${name(place)} is below ${least}` : null;
  },
  required: (node, names: readonly string[], place) => {
    const missing = node.kind === 'object' ? names.find((key) => !node.members.has(key)) : undefined;
    return missing === undefined ? null : `${at(place, missing)} is missing`;
  },
  maxProperties: (node, most: number, place) =>
    node.kind === 'object' && node.members.size > most ? `${name(place)} should be empty` : null,
  minItems: (node, least: number, place) =>
    node.kind === 'array' && node.items.length < least ? `${name(place)} has too few elements` : null,
  // Of objects whose members the tables name, they name all.
  properties: (node, properties: Readonly<Record<string, JsonSchema>>, place) => {
    if (node.kind !== 'object') return null;
    for (const [key, value] of node.members) {
      if (!Object.hasOwn(properties, key)) return `${at(place, key)} is not in the interface`;
      const fault = findFault(value, properties[key]!, at(place, key));
      if (fault !== null) return fault;
    }
    return null;
  },
  items: (node, items: JsonSchema, place) => {
    if (node.kind !== 'array') return null;
    for (const [index, item] of node.items.entries()) {
      const fault = findFault(item, items, at(place, String(index)));
      if (fault !== null) return fault;
    }
    return null;
  },
};

function findFault(node: JsonNode, schema: JsonSchema, place: string): string | null {
  for (const [word, rule] of Object.entries(schema)) {
    const fault = checks[word]?.(node, rule as never, place) ?? null;
    if (fault !== null) return fault;
  }
  return null;
}

let answers: Readonly<Record<string, JsonSchema>> | null = null;

/**
 * Checks an answer against the shapes that the interface gives for an operation and its HTTP status.
 *
 * @returns what is wrong, in words; null: it has one of the shapes
 * @source payments-service-interface, parts 2.3 to 2.5, 4 and 7
 */
export function findSchemaFault(body: JsonNode, httpStatus: number, operation: OperationName): string | null {
  const row = operationAnswers[operation].find(([status]) => status === httpStatus);
  if (row === undefined) return `the interface has no answer ${httpStatus} for ${operation}`;
  answers ??= describeAnswers();
  let first: string | null = null;
  for (const schema of row[2]) {
    const fault = findFault(body, answers[schema]!, '');
    if (fault === null) return null;
    first ??= `${fault} (${schema})`;
  }
  return first;
}
