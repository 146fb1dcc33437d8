import { childrenOf, isContainer, keyOf, type JsonIndex } from '../json/json-index';
import { JSON_ARRAY } from '../json/json-sink';
import { passesFilter } from './judge-filter';
import type { PathQuery, PathSelector } from './path-query';
import { PathWalk } from './path-walk';

/** More finds are cut. */
const MOST_FOUND = 10_000;

/**
 * Finds what a query asks for, in the order of the text where that is the query's.
 *
 * @returns nodes of the index, at most 10,000
 * @throws {AppError} `json.too_many` for a query that looks at more than five million values
 */
export function findNodes(index: JsonIndex, query: PathQuery): { nodes: number[]; isCut: boolean } {
  const nodes = follow(new PathWalk(index, follow), query, 0);
  return nodes.length > MOST_FOUND
    ? { nodes: nodes.slice(0, MOST_FOUND), isCut: true }
    : { nodes, isCut: false };
}

function follow(walk: PathWalk, query: PathQuery, from: number): number[] {
  let found = [from];
  for (const { isDescendant, selectors } of query) {
    const next: number[] = [];
    for (const start of found) {
      const end = isDescendant ? walk.index.nexts[start]! : start + 1;
      for (let node = start; node < end; node += 1) {
        for (const selector of selectors) select(walk, selector, node, next);
      }
    }
    found = next;
  }
  return found;
}

function select(walk: PathWalk, selector: PathSelector, node: number, found: number[]): void {
  walk.step();
  const { index } = walk;
  if (!isContainer(index, node)) return;
  const isList = index.kinds[node] === JSON_ARRAY;
  switch (selector.kind) {
    case 'name':
      if (!isList) selectNamed(walk, node, selector.name, found);
      return;
    case 'part':
      if (!isList) selectNamed(walk, node, selector.part, found);
      else if (/^(?:0|[1-9]\d{0,8})$/.test(selector.part))
        selectPlace(walk, node, Number(selector.part), found);
      return;
    case 'index':
      if (isList) selectPlace(walk, node, selector.index, found);
      return;
    case 'slice':
      if (isList) selectSlice(walk, node, selector, found);
      return;
    case 'all':
      for (const child of walk.children(node)) found.push(child);
      return;
    case 'filter':
      for (const child of walk.children(node))
        if (passesFilter(walk, selector.test, child)) found.push(child);
  }
}

/** Of a repeated key the last value counts, as in `JSON.parse`. */
function selectNamed(walk: PathWalk, node: number, name: string, found: number[]): void {
  const { index } = walk;
  let last = -1;
  for (const child of childrenOf(index, node)) {
    walk.step(index.keyEnds[child]! - index.keyStarts[child]!);
    if (keyOf(index, child) === name) last = child;
  }
  if (last !== -1) found.push(last);
}

function selectPlace(walk: PathWalk, node: number, place: number, found: number[]): void {
  const children = place < 0 ? [...walk.children(node)] : null;
  if (children !== null) {
    const child = children.at(place);
    if (child !== undefined) found.push(child);
    return;
  }
  let at = 0;
  for (const child of walk.children(node)) {
    if (at === place) {
      found.push(child);
      return;
    }
    at += 1;
  }
}

type Slice = PathSelector & { kind: 'slice' };

/** @source RFC 9535, 2.3.4.2.2 */
function selectSlice(walk: PathWalk, node: number, { start, end, step: by }: Slice, found: number[]): void {
  const children = [...walk.children(node)];
  const { length } = children;
  if (by === 0) return;
  const normalize = (place: number): number => (place < 0 ? length + place : place);
  const clamp = (place: number, least: number, most: number): number =>
    Math.min(Math.max(place, least), most);
  const first = normalize(start ?? (by > 0 ? 0 : length - 1));
  const last = end === null ? (by > 0 ? length : -1) : normalize(end);
  if (by > 0) {
    for (let at = clamp(first, 0, length); at < clamp(last, 0, length); at += by) found.push(children[at]!);
  } else {
    const low = end === null ? -1 : clamp(last, -1, length - 1);
    for (let at = clamp(first, -1, length - 1); at > low; at += by) found.push(children[at]!);
  }
}
