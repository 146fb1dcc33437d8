import type { JsonNode } from '../json/json-tree';
import { isSameNumber } from '../payments/decimal';
import type { JsonPath } from './expectation';
import { coversPath, writeJsonPath } from './json-path';
import { showNode, writeJson } from './write-json';

/** The first place where two JSON values differ. */
export interface FirstDifference {
  /** As a path is written; empty: the whole. */
  readonly place: string;
  /** Null: nothing is to be there. */
  readonly expected: string | null;
  readonly received: string;
  /** The two are the same number, written in two ways. */
  readonly isOfWriting: boolean;
}

interface Options {
  readonly ignoring?: readonly JsonPath[];
  /** Numbers that are the same by value are the same; else as written. */
  readonly isByValue?: boolean;
}

/**
 * Compares two JSON values by meaning: white space and the order of members do not count, numbers do as written unless
 * `isByValue`.
 *
 * @returns null where they are the same
 */
export function findDifference(
  received: JsonNode,
  expected: JsonNode,
  options: Options = {},
): FirstDifference | null {
  return compareAt(received, expected, [], options);
}

function compareAt(
  received: JsonNode | null,
  expected: JsonNode | null,
  place: readonly string[],
  options: Options,
): FirstDifference | null {
  if (options.ignoring?.some((path) => coversPath(path, place))) return null;
  if (received?.kind === 'object' && expected?.kind === 'object') {
    const keys = new Set([...expected.members.keys(), ...received.members.keys()]);
    return findFirst(keys, (key) =>
      compareAt(
        received.members.get(key) ?? null,
        expected.members.get(key) ?? null,
        [...place, key],
        options,
      ),
    );
  }
  if (received?.kind === 'array' && expected?.kind === 'array') {
    const count = Math.max(received.items.length, expected.items.length);
    return findFirst(
      Array.from({ length: count }, (_, index) => index),
      (index) =>
        compareAt(
          received.items[index] ?? null,
          expected.items[index] ?? null,
          [...place, String(index)],
          options,
        ),
    );
  }
  return compareLeaves(received, expected, place, options);
}

function compareLeaves(
  received: JsonNode | null,
  expected: JsonNode | null,
  place: readonly string[],
  { isByValue }: Options,
): FirstDifference | null {
  const isOfWriting =
    received?.kind === 'number' && expected?.kind === 'number' && isSameNumber(received.text, expected.text);
  if (isByValue && isOfWriting) return null;
  const isSame =
    received !== null &&
    expected !== null &&
    received.kind === expected.kind &&
    'text' in received &&
    'text' in expected &&
    received.text === expected.text;
  if (isSame) return null;
  return {
    place: writeJsonPath(place),
    expected: expected === null ? null : writeJson(expected),
    received: showNode(received),
    isOfWriting,
  };
}

function findFirst<T>(items: Iterable<T>, find: (item: T) => FirstDifference | null): FirstDifference | null {
  for (const item of items) {
    const found = find(item);
    if (found !== null) return found;
  }
  return null;
}
