import { ownValue } from '../../own-value';
import { memberOf, type JsonNode } from '../../json/json-tree';
import { isTrue, listItems, listMembers, readText } from '../nodes';
import type { References } from './references';

/** Schemas may contain themselves, and each other many times over. */
export const MAX_DEPTH = 12;
export const MAX_NODES = 2_000;

/** Names of a schema that tell what its values are. */
const DESCRIBING = ['type', 'properties', 'oneOf', 'anyOf'];

const text = (value: string): JsonNode => ({ kind: 'string', text: value });
const nothing: JsonNode = { kind: 'name', text: 'null' };

/** What a text of this format looks like; times and ids are made anew for each send. */
const formats: Readonly<Record<string, string>> = {
  uuid: '{{$uuid}}',
  'date-time': '{{$isoTimestamp}}',
  date: "{{$datetime 'YYYY-MM-DD'}}",
  time: "{{$datetime 'HH:mm:ss'}}",
  email: 'name@example.com',
  uri: 'https://example.com',
  url: 'https://example.com',
  'uri-reference': '/path',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  byte: 'AA==',
};

interface Sampling {
  references: References;
  nodes: number;
  /** Schemas that are being sampled: one within itself ends there. */
  open: Set<JsonNode>;
  isCut: boolean;
}

/**
 * Makes a value that a schema describes, from its example, default, choices or type.
 *
 * Numbers of the document stand as they were written there.
 * @param onCut - told where the schema has more values, or deeper ones, than are made
 */
export function sampleSchema(
  schema: JsonNode | null,
  references: References,
  onCut: () => void = () => undefined,
): JsonNode {
  const sampling: Sampling = { references, nodes: 0, open: new Set(), isCut: false };
  const made = sample(schema, 0, sampling) ?? nothing;
  if (sampling.isCut) onCut();
  return made;
}

/** Gives what the schema itself says that a value is; null: it does not. */
function readGiven(schema: JsonNode): JsonNode | null {
  return (
    memberOf(schema, 'example') ??
    listItems(schema, 'examples')[0] ??
    memberOf(schema, 'const') ??
    memberOf(schema, 'default') ??
    listItems(schema, 'enum')[0] ??
    null
  );
}

function sample(given: JsonNode | null, depth: number, sampling: Sampling): JsonNode | null {
  const schema = sampling.references.follow(given);
  sampling.nodes += 1;
  if (schema?.kind !== 'object') return schema === null ? null : text('string');
  if (sampling.open.has(schema)) return null;
  if (depth > MAX_DEPTH || sampling.nodes > MAX_NODES) {
    sampling.isCut = true;
    return null;
  }
  const beside = schema !== given && sampling.references.hasSiblings ? given : null;
  const stated = (beside === null ? null : readGiven(beside)) ?? readGiven(schema);
  if (stated !== null) return stated;
  sampling.open.add(schema);
  const made = make(schema, depth, sampling);
  sampling.open.delete(schema);
  return made;
}

function readType(schema: JsonNode): string | null {
  const named = readText(schema, 'type');
  if (named !== null) return named;
  const listed = listItems(schema, 'type').map((one) => readText(one));
  return listed.find((one) => one !== 'null' && one !== null) ?? null;
}

function make(schema: JsonNode, depth: number, sampling: Sampling): JsonNode | null {
  const parts = listItems(schema, 'allOf');
  if (parts.length > 0) return joinParts([...parts, ...listRest(schema)], depth, sampling);
  const [choice] = [...listItems(schema, 'oneOf'), ...listItems(schema, 'anyOf')];
  if (choice !== undefined && memberOf(schema, 'properties') === null)
    return sample(choice, depth + 1, sampling);
  const type = readType(schema) ?? (memberOf(schema, 'properties') === null ? 'string' : 'object');
  if (type === 'object') return makeObject(schema, depth, sampling);
  if (type === 'array') {
    const item = sample(memberOf(schema, 'items'), depth + 1, sampling);
    return { kind: 'array', items: item === null ? [] : repeat(item, schema) };
  }
  if (type === 'integer' || type === 'number') return { kind: 'number', text: sampleNumber(schema) };
  if (type === 'boolean') return { kind: 'name', text: 'true' };
  if (type === 'null') return nothing;
  return text(ownValue(formats, readText(schema, 'format') ?? '') ?? sampleText(schema));
}

/** A number of the schema, where it is one that can be counted up to. */
function readCount(schema: JsonNode, name: string, most: number): number | null {
  const written = readText(schema, name) ?? '';
  return /^\d{1,9}$/.test(written) ? Math.min(Number(written), most) : null;
}

const MOST_ITEMS = 10;
const MOST_REPEATED = 100;
const MOST_CHARACTERS = 200;

/** As many as there have to be; where each has to differ, one: others cannot be made up. */
function repeat(item: JsonNode, schema: JsonNode): JsonNode[] {
  const count = isTrue(schema, 'uniqueItems') ? 1 : (readCount(schema, 'minItems', MOST_ITEMS) ?? 1);
  const isSmall = countValues(item) * count <= MOST_REPEATED;
  return Array.from({ length: isSmall ? Math.max(1, count) : 1 }, () => item);
}

/** Lists in lists, of ten each, would fill the memory. */
function countValues(node: JsonNode): number {
  const inner = node.kind === 'array' ? node.items : node.kind === 'object' ? [...node.members.values()] : [];
  return inner.reduce((sum, one) => sum + countValues(one), 1);
}

const whole = /^-?\d{1,15}$/;

/** The smallest that it may be, as it is written there; where there is none, the largest below 0, else 0. */
function sampleNumber(schema: JsonNode): string {
  const number = readBound(schema, 'minimum', 1) ?? readBelow(schema) ?? '0';
  const step = readText(schema, 'multipleOf') ?? '';
  if (!whole.test(number) || !whole.test(step) || Number(step) <= 0) return number;
  return String(Math.ceil(Number(number) / Number(step)) * Number(step) + 0);
}

function readBelow(schema: JsonNode): string | null {
  const maximum = readBound(schema, 'maximum', -1);
  return maximum?.startsWith('-') === true ? maximum : null;
}

/** `exclusiveMinimum` is a number of its own in 3.1, and a truth value beside `minimum` in 3.0. */
function readBound(schema: JsonNode, name: 'minimum' | 'maximum', by: 1 | -1): string | null {
  const exclusive = memberOf(schema, name === 'minimum' ? 'exclusiveMinimum' : 'exclusiveMaximum');
  const next = (written: string): string => (whole.test(written) ? String(Number(written) + by) : written);
  const bound = readText(schema, name);
  const own = bound !== null && exclusive?.kind === 'name' && exclusive.text === 'true' ? next(bound) : bound;
  const other = exclusive?.kind === 'number' ? next(exclusive.text) : null;
  if (own === null || other === null) return own ?? other;
  return (Number(own) - Number(other)) * by >= 0 ? own : other;
}

function sampleText(schema: JsonNode): string {
  const fewest = readCount(schema, 'minLength', MOST_CHARACTERS) ?? 0;
  const most = readCount(schema, 'maxLength', MOST_CHARACTERS) ?? MOST_CHARACTERS;
  return 'string'.repeat(Math.ceil(Math.max(fewest, 6) / 6)).slice(0, Math.max(fewest, Math.min(most, 6)));
}

/** What stands beside the parts, where that says what a value is: beside a description alone there is none to make up. */
function listRest(schema: JsonNode): JsonNode[] {
  if (schema.kind !== 'object' || !DESCRIBING.some((name) => schema.members.has(name))) return [];
  return [{ kind: 'object', members: new Map([...schema.members].filter(([name]) => name !== 'allOf')) }];
}

function joinParts(parts: readonly JsonNode[], depth: number, sampling: Sampling): JsonNode | null {
  const members = new Map<string, JsonNode>();
  let other: JsonNode | null = null;
  for (const part of parts) {
    const made = sample(part, depth + 1, sampling);
    if (made?.kind === 'object') for (const [name, value] of made.members) members.set(name, value);
    else if (made !== null && other === null) other = made;
  }
  return members.size > 0 ? { kind: 'object', members } : other;
}

/** What only answers have is left out. */
function makeObject(schema: JsonNode, depth: number, sampling: Sampling): JsonNode {
  const members = new Map<string, JsonNode>();
  for (const [name, property] of listMembers(schema, 'properties')) {
    if (isTrue(sampling.references.follow(property), 'readOnly')) continue;
    const value = sample(property, depth + 1, sampling);
    if (value !== null) members.set(name, value);
  }
  return { kind: 'object', members };
}
