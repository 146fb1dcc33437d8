import { memberOf, type JsonNode } from '../json/json-tree';
import { refuseMany } from './imported';

/** What is made of an entry takes a hundred times as much as the entry itself. */
const MAX_ENTRIES = 100_000;

/** Gives the items of an array; none where it is none. @throws {AppError} `import.too_many` */
export function listItems(node: JsonNode | null, ...path: readonly string[]): readonly JsonNode[] {
  const found = memberOf(node, ...path);
  if (found?.kind !== 'array') return [];
  if (found.items.length > MAX_ENTRIES) throw refuseMany(MAX_ENTRIES, 'entries in one list');
  return found.items;
}

/** Gives the members of an object; none where it is none. */
export function listMembers(node: JsonNode | null, ...path: readonly string[]): [string, JsonNode][] {
  const found = memberOf(node, ...path);
  return found?.kind === 'object' ? [...found.members] : [];
}

/** Gives a text, an empty one included, or what a number or a truth value is written as; null: neither is there. */
export function readText(node: JsonNode | null, ...path: readonly string[]): string | null {
  const found = memberOf(node, ...path);
  if (found === null || found.kind === 'array' || found.kind === 'object') return null;
  return found.kind === 'name' && found.text === 'null' ? null : found.text;
}

/** Tells whether something is there and true. */
export function isTrue(node: JsonNode | null, ...path: readonly string[]): boolean {
  return readText(node, ...path) === 'true';
}

/** Tells whether something is there and false. */
export function isFalse(node: JsonNode | null, ...path: readonly string[]): boolean {
  return readText(node, ...path) === 'false';
}

/** Tells whether a number is a status of HTTP. */
export function isStatus(value: number): boolean {
  return Number.isInteger(value) && value >= 100 && value <= 999;
}
