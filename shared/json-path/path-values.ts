import { keyOf, sourceOf, valueOf } from '../json/json-index';
import { JSON_ARRAY, JSON_NUMBER, JSON_OBJECT, JSON_STRING } from '../json/json-sink';
import { compareDecimals, isSameNumber, parseDecimal } from '../payments/decimal';
import type { PathOperator } from './path-query';
import type { PathWalk } from './path-walk';

/** What is compared: a scalar, or an object or list by its node; null: nothing is there. */
export type PathValue = PathScalar | { readonly kind: 'container'; readonly node: number } | null;

interface PathScalar {
  readonly kind: 'string' | 'number' | 'word';
  readonly text: string;
}

/** Takes the value of a node, escapes read. */
export function valueAt(walk: PathWalk, node: number): PathValue {
  const { index } = walk;
  const kind = index.kinds[node];
  if (kind === JSON_OBJECT || kind === JSON_ARRAY) return { kind: 'container', node };
  walk.step(index.ends[node]! - index.starts[node]!);
  if (kind === JSON_STRING) return { kind: 'string', text: valueOf(index, node) };
  return { kind: kind === JSON_NUMBER ? 'number' : 'word', text: sourceOf(index, node) };
}

/** Compares two values: only numbers, and only texts, are before or after one another. @source RFC 9535, 2.3.5.2.2 */
export function comparePathValues(
  walk: PathWalk,
  left: PathValue,
  operator: PathOperator,
  right: PathValue,
): boolean {
  switch (operator) {
    case '==':
      return isSame(walk, left, right);
    case '!=':
      return !isSame(walk, left, right);
    case '<':
      return isBefore(left, right);
    case '>':
      return isBefore(right, left);
    case '<=':
      return isBefore(left, right) || isSame(walk, left, right);
    case '>=':
      return isBefore(right, left) || isSame(walk, left, right);
  }
}

function isBefore(left: PathValue, right: PathValue): boolean {
  if (left?.kind === 'number' && right?.kind === 'number') {
    const [a, b] = [parseDecimal(left.text), parseDecimal(right.text)];
    return a !== null && b !== null && compareDecimals(a, b) < 0;
  }
  return left?.kind === 'string' && right?.kind === 'string' && isTextBefore(left.text, right.text);
}

/** By code points: a surrogate counts as the character that it is half of, which lies above all others. */
function isTextBefore(left: string, right: string): boolean {
  const shorter = Math.min(left.length, right.length);
  for (let at = 0; at < shorter; at += 1) {
    if (left.charCodeAt(at) !== right.charCodeAt(at)) return left.codePointAt(at)! < right.codePointAt(at)!;
  }
  return left.length < right.length;
}

function isSame(walk: PathWalk, left: PathValue, right: PathValue): boolean {
  if (left === null || right === null) return left === right;
  if (left.kind === 'container') {
    return right.kind === 'container' && areSameTrees(walk, left.node, right.node);
  }
  return right.kind !== 'container' && isSameScalar(left, right);
}

/** Numbers by their exact value (`1e3` is `1000.00`), all else by its characters. */
function isSameScalar(left: PathScalar, right: PathScalar): boolean {
  if (left.kind !== right.kind) return false;
  if (left.text === right.text) return true;
  return left.kind === 'number' && isSameNumber(left.text, right.text);
}

/** By meaning: members in any order, of a repeated key the last. A list of pairs, for a text may be nested at any depth. */
function areSameTrees(walk: PathWalk, left: number, right: number): boolean {
  const { kinds } = walk.index;
  const pairs: [number, number][] = [[left, right]];
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const [a, b] = pair;
    if (a === b) continue;
    if (kinds[a] !== kinds[b]) return false;
    if (kinds[a] === JSON_ARRAY) {
      const [items, others] = [[...walk.children(a)], [...walk.children(b)]];
      if (items.length !== others.length) return false;
      for (const [at, item] of items.entries()) pairs.push([item, others[at]!]);
    } else if (kinds[a] === JSON_OBJECT) {
      const [members, others] = [membersOf(walk, a), membersOf(walk, b)];
      if (members.size !== others.size) return false;
      for (const [key, member] of members) {
        const other = others.get(key);
        if (other === undefined) return false;
        pairs.push([member, other]);
      }
    } else if (!isSameScalar(valueAt(walk, a) as PathScalar, valueAt(walk, b) as PathScalar)) return false;
  }
  return true;
}

/** The members of an object by their keys as meant; of a repeated key the last. */
export function membersOf(walk: PathWalk, node: number): Map<string, number> {
  const { index } = walk;
  const members = new Map<string, number>();
  for (const child of walk.children(node)) {
    walk.step(index.keyEnds[child]! - index.keyStarts[child]!);
    members.set(keyOf(index, child) ?? '', child);
  }
  return members;
}
