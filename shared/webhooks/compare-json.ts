import { readJudged } from '../expect/read-judged';
import { isSameJson } from '../json/json-equal';
import type { JsonNode, JsonObject } from '../json/json-tree';
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

/** So many that change the meaning are told, and so many that do not; more say no more. */
export const MOST_DIFFERENCES = 1000;

/** Kinds that leave the meaning as it is. */
const harmless: ReadonlySet<JsonDifferenceKind> = new Set(['written', 'moved']);

/** Tells whether values with these differences mean the same. */
export function meanSame(differences: readonly JsonDifference[]): boolean {
  return differences.every(({ kind }) => harmless.has(kind));
}

/** Differences in their order. Those of one sort never take the place of the other: a thousand harmless ones would hide a change. */
class Differences {
  readonly list: JsonDifference[] = [];
  private harmlessCount = 0;

  add(one: JsonDifference): void {
    const isHarmless = harmless.has(one.kind);
    const count = isHarmless ? this.harmlessCount : this.list.length - this.harmlessCount;
    if (count >= MOST_DIFFERENCES) return;
    if (isHarmless) this.harmlessCount += 1;
    this.list.push(one);
  }

  /** True once no difference changes what is known: it is not the same, and enough of it is told. */
  get isFull(): boolean {
    return this.list.length - this.harmlessCount >= MOST_DIFFERENCES;
  }
}

/**
 * Compares two JSON values by meaning: where they differ, with the literals of both.
 *
 * The order of members means nothing in JSON; it is told all the same, once for each object, and apart from what changed.
 */
export function compareJson(left: JsonNode, right: JsonNode): JsonDifference[] {
  const found = new Differences();
  compareAt('', left, right, found);
  return found.list;
}

/** Two texts by what they mean as JSON, or why they have no such meaning, as the end of a sentence ('one of them is not JSON'). */
export type JsonTextComparison =
  | { readonly differences: JsonDifference[]; readonly whyNot: null }
  | { readonly differences: null; readonly whyNot: string };

/** Compares two texts that should be JSON: wholly, or not at all. */
export function compareJsonTexts(left: string, right: string): JsonTextComparison {
  const [before, after] = [readJudged(left), readJudged(right)];
  if (before.tree !== null && after.tree !== null) {
    return { differences: compareJson(before.tree, after.tree), whyNot: null };
  }
  return { differences: null, whyNot: describeUnread(before.whyUnread, after.whyUnread) };
}

function describeUnread(before: string | null, after: string | null): string {
  const why = before ?? after ?? 'not JSON';
  if (before !== after) return `one of them is ${why}`;
  return why === 'not JSON' ? 'neither is JSON' : `both are ${why}`;
}

/** Tells the first byte in which two bodies differ, counted from 1; null: they are the same. */
export function findFirstByte(left: Uint8Array, right: Uint8Array): number | null {
  const shorter = Math.min(left.length, right.length);
  let at = 0;
  while (at < shorter && left[at] === right[at]) at += 1;
  return at === shorter && left.length === right.length ? null : at + 1;
}

function compareAt(pointer: string, left: JsonNode, right: JsonNode, found: Differences): void {
  if (found.isFull) return;
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
  found.add({ pointer, kind: isSameJson(left, right) ? 'written' : 'changed', left: before, right: after });
}

function compareMembers(
  pointer: string,
  left: JsonNode | undefined,
  right: JsonNode | undefined,
  found: Differences,
): void {
  if (found.isFull) return;
  if (left !== undefined && right !== undefined) return compareAt(pointer, left, right, found);
  if (left !== undefined) found.add({ pointer, kind: 'removed', left: writeJson(left), right: null });
  else if (right !== undefined) found.add({ pointer, kind: 'added', left: null, right: writeJson(right) });
}

function noteOrder(pointer: string, left: JsonObject, right: JsonObject, found: Differences): void {
  const [before, after] = [
    [...left.members.keys()].filter((key) => right.members.has(key)),
    [...right.members.keys()].filter((key) => left.members.has(key)),
  ];
  if (before.every((key, at) => key === after[at])) return;
  found.add({ pointer, kind: 'moved', left: before.join(', '), right: after.join(', ') });
}

function escapeStep(step: string): string {
  return step.replaceAll('~', '~0').replaceAll('/', '~1');
}
