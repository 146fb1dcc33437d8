import { isSameJson } from '../json/json-equal';
import type { JsonNode } from '../json/json-tree';
import { writeJson } from '../json/write-json';

/** `written`: the same value, other characters; `moved`: the same member at another place among its siblings. */
export type JsonDifferenceKind = 'changed' | 'written' | 'added' | 'removed' | 'moved';

/** One place in which two JSON values differ. */
export interface JsonDifference {
  /** JSON pointer; empty: the whole. */
  readonly pointer: string;
  readonly kind: JsonDifferenceKind;
  /** As written; null: it is not there. */
  readonly left: string | null;
  readonly right: string | null;
}

/** So many are told; more say no more. */
const MOST = 1000;

/**
 * Compares two JSON values by meaning: where they differ, with the literals of both.
 *
 * The order of members means nothing in JSON; it is told all the same, once for each object, and apart from what changed.
 */
export function compareJson(left: JsonNode, right: JsonNode): JsonDifference[] {
  const found: JsonDifference[] = [];
  compareAt('', left, right, found);
  return found;
}

function compareAt(pointer: string, left: JsonNode, right: JsonNode, found: JsonDifference[]): void {
  if (found.length >= MOST) return;
  if (left.kind === 'object' && right.kind === 'object') {
    const keys = [...new Set([...left.members.keys(), ...right.members.keys()])];
    for (const key of keys) {
      compareMembers(`${pointer}/${escapeStep(key)}`, left.members.get(key), right.members.get(key), found);
    }
    return noteOrder(pointer, left, right, found);
  }
  if (left.kind === 'array' && right.kind === 'array') {
    for (let at = 0; at < Math.max(left.items.length, right.items.length); at++) {
      compareMembers(`${pointer}/${at}`, left.items[at], right.items[at], found);
    }
    return;
  }
  const [before, after] = [writeJson(left), writeJson(right)];
  if (before === after) return;
  found.push({ pointer, kind: isSameJson(left, right) ? 'written' : 'changed', left: before, right: after });
}

function compareMembers(
  pointer: string,
  left: JsonNode | undefined,
  right: JsonNode | undefined,
  found: JsonDifference[],
): void {
  if (left !== undefined && right !== undefined) return compareAt(pointer, left, right, found);
  if (left !== undefined) found.push({ pointer, kind: 'removed', left: writeJson(left), right: null });
  else if (right !== undefined) found.push({ pointer, kind: 'added', left: null, right: writeJson(right) });
}

type JsonObject = Extract<JsonNode, { kind: 'object' }>;

function noteOrder(pointer: string, left: JsonObject, right: JsonObject, found: JsonDifference[]): void {
  const [before, after] = [
    [...left.members.keys()].filter((key) => right.members.has(key)),
    [...right.members.keys()].filter((key) => left.members.has(key)),
  ];
  if (before.every((key, at) => key === after[at])) return;
  found.push({ pointer, kind: 'moved', left: before.join(', '), right: after.join(', ') });
}

function escapeStep(step: string): string {
  return step.replaceAll('~', '~0').replaceAll('/', '~1');
}
