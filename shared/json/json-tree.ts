import { AppError } from '../errors';
import { decodeJsonString, scanJson } from './json-scanner';
import { JSON_NUMBER, JSON_OBJECT, JSON_STRING } from './json-sink';

/** A JSON value that keeps its literals: `text` of a number is what was written, never a converted value. */
export type JsonNode =
  | { readonly kind: 'string' | 'number' | 'name'; readonly text: string }
  | { readonly kind: 'array'; readonly items: JsonNode[] }
  | JsonObject;

export interface JsonObject {
  readonly kind: 'object';
  readonly members: Map<string, JsonNode>;
}

/** Deeper levels are checked but not kept: answers and payloads of the interface have four. */
const MAX_LEVELS = 32;

/** Of empty objects fifteen million, 45 megabytes of text, end the process. */
const MOST_VALUES = 2_000_000;

function refuseMany(): never {
  throw new AppError('json.too_many', 'This JSON holds over two million values, and is not looked into.');
}

/**
 * Reads a text as a tree of literals.
 *
 * A byte order mark in front is passed over. Of a repeated key the last value counts, as in `JSON.parse`.
 * @returns null where the text is not JSON, or holds over two million values
 */
export function readJsonTree(text: string): JsonNode | null {
  try {
    return parseJsonTree(text, MAX_LEVELS);
  } catch {
    return null;
  }
}

/**
 * Reads the named members of an object as trees of literals, as {@link readJsonTree} does, and nothing beside them.
 *
 * For a few facts out of a text of any length: of ten megabytes of small values a whole tree takes seconds.
 * @returns an object that has those of them which are there; an array without its items; null where the text is not JSON, or they hold over two million values
 */
export function readJsonMembers(text: string, ...names: readonly string[]): JsonNode | null {
  try {
    return parseJsonTree(
      text,
      MAX_LEVELS,
      {},
      (parent, level, key) => level > 1 || (parent.kind === 'object' && names.includes(key)),
    );
  } catch {
    return null;
  }
}

/** Of inner containers, so many entries are kept by {@link readJsonFacts}, and so many values in all. */
const MOST_ENTRIES = 200;
const MOST_FACTS = 20_000;

/**
 * Reads all members of the outermost object and of the objects in it as trees of literals, as {@link readJsonTree} does, and of what
 * else there is the beginning alone.
 *
 * For facts out of a text that anybody may have sent: a whole tree of a megabyte of small values takes a quarter of a second.
 * @returns null where the text is not JSON, or holds over two million values
 */
export function readJsonFacts(text: string): JsonNode | null {
  try {
    return parseJsonTree(
      text,
      MAX_LEVELS,
      {},
      (parent, level, _key, values) =>
        (parent.kind === 'object' && level <= 2) || (values < MOST_FACTS && sizeOf(parent) < MOST_ENTRIES),
    );
  } catch {
    return null;
  }
}

function sizeOf(node: JsonNode): number {
  if (node.kind === 'array') return node.items.length;
  return node.kind === 'object' ? node.members.size : 0;
}

export interface TreeBounds {
  readonly refuseDeeper?: () => never;
  readonly mostValues?: number;
  readonly refuseMore?: () => never;
}

/** Tells whether a value is kept that stands in `parent`, so many `level`s below the text, where so many `values` are kept already. */
type IsKept = (parent: JsonNode, level: number, key: string, values: number) => boolean;

/**
 * Reads a text as a tree of literals, as {@link readJsonTree} does, and says where it is not JSON.
 *
 * @param levels - how many levels of containers are kept
 * @param bounds - `refuseDeeper` is called where a container stands deeper than that (left out: what it holds is not kept),
 *   `refuseMore` where more than `mostValues`, usually two million, would be kept: a value takes up to a hundred times its text
 * @param isKept - asked of what stands in a container that is kept; left out: all of it is
 * @throws {AppError} `signing.not_json` with line, column and offset; `json.too_many`
 */
export function parseJsonTree(
  text: string,
  levels: number,
  bounds: TreeBounds = {},
  isKept?: IsKept,
): JsonNode {
  const { refuseDeeper, mostValues = MOST_VALUES, refuseMore = refuseMany } = bounds;
  let values = 0;
  const source = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  let root: JsonNode | null = null;
  const parents: JsonNode[] = [];
  const keys: string[] = [];
  let key = '';
  /** Containers that are open within what is not kept. */
  let passedOver = 0;
  const isPassedOver = (): boolean =>
    passedOver > 0 ||
    (isKept !== undefined && parents.length > 0 && !isKept(parents.at(-1)!, parents.length, key, values));
  const add = (node: JsonNode): void => {
    values += 1;
    if (values > mostValues) refuseMore();
    const parent = parents.at(-1);
    if (parent === undefined) root = node;
    else if (parent.kind === 'object') parent.members.set(key, node);
    else if (parent.kind === 'array') parent.items.push(node);
  };
  scanJson(source, {
    levels,
    key: (start, end, hasEscape) => {
      if (passedOver === 0) key = decodeJsonString(source, start, end, hasEscape);
    },
    scalar: (kind, start, end, hasEscape) => {
      if (isPassedOver()) return;
      if (kind === JSON_STRING)
        add({ kind: 'string', text: decodeJsonString(source, start, end, hasEscape) });
      else add({ kind: kind === JSON_NUMBER ? 'number' : 'name', text: source.slice(start, end) });
    },
    open: (kind) => {
      if (isPassedOver()) {
        passedOver += 1;
        return;
      }
      if (parents.length >= levels) refuseDeeper?.();
      const node: JsonNode =
        kind === JSON_OBJECT ? { kind: 'object', members: new Map() } : { kind: 'array', items: [] };
      add(node);
      parents.push(node);
      keys.push(key);
    },
    close: () => {
      if (passedOver > 0) {
        passedOver -= 1;
        return;
      }
      parents.pop();
      key = keys.pop() ?? '';
    },
  });
  return root!;
}

/** Follows keys from a node; null where one of them is not there. */
export function memberOf(node: JsonNode | null, ...path: readonly string[]): JsonNode | null {
  let at = node;
  for (const key of path) {
    if (at?.kind !== 'object') return null;
    at = at.members.get(key) ?? null;
  }
  return at;
}

/** Text of a string, literal of a number; null for anything else and for an empty text. */
export function textOf(node: JsonNode | null, ...path: readonly string[]): string | null {
  const found = memberOf(node, ...path);
  return (found?.kind === 'string' || found?.kind === 'number') && found.text !== '' ? found.text : null;
}
