import { JSON_OBJECT } from '../json/json-sink';
import { compileIRegexp, PatternFault, type SafePattern } from '../regular-expression/compile-pattern';
import type { PathCall, PathOperand, PathTest } from './path-query';
import { comparePathValues, membersOf, valueAt, type PathValue } from './path-values';
import type { PathWalk } from './path-walk';

/** What a pattern that cannot be read has cost, and how many steps of a pattern make one of the walk. */
const FAULT_WORK = 1000;
const PATTERN_STEPS = 4;

/** Tells whether a filter lets a value through. @throws {AppError} `json.too_many` */
export function passesFilter(walk: PathWalk, test: PathTest, node: number): boolean {
  switch (test.kind) {
    case 'and':
      return passesFilter(walk, test.left, node) && passesFilter(walk, test.right, node);
    case 'or':
      return passesFilter(walk, test.left, node) || passesFilter(walk, test.right, node);
    case 'not':
      return !passesFilter(walk, test.test, node);
    case 'exists':
      return findOperand(walk, test.operand, node).length > 0;
    case 'matches':
      return matches(walk, test.call, node);
    case 'compare':
      return comparePathValues(
        walk,
        readOperand(walk, test.left, node),
        test.operator,
        readOperand(walk, test.right, node),
      );
  }
}

function findOperand(walk: PathWalk, operand: PathOperand, node: number): number[] {
  if (operand.kind !== 'query') return [];
  return walk.follow(walk, operand.query, operand.isFromRoot ? 0 : node);
}

function readOperand(walk: PathWalk, operand: PathOperand, node: number): PathValue {
  if (operand.kind === 'call') return call(walk, operand, node);
  if (operand.kind !== 'query') return operand;
  const [found, ...others] = findOperand(walk, operand, node);
  return found === undefined || others.length > 0 ? null : valueAt(walk, found);
}

/** @source RFC 9535, 2.4.4, 2.4.5, 2.4.8 */
function call(walk: PathWalk, { name, given }: PathCall, node: number): PathValue {
  const [operand] = given;
  if (operand === undefined) return null;
  if (name === 'count') return { kind: 'number', text: String(findOperand(walk, operand, node).length) };
  const value = readOperand(walk, operand, node);
  if (name === 'value') return value;
  const length = value === null ? null : lengthOf(walk, value);
  return length === null ? null : { kind: 'number', text: String(length) };
}

/** Characters of a text, members of an object, items of a list; null: it has no length. */
function lengthOf(walk: PathWalk, value: NonNullable<PathValue>): number | null {
  if (value.kind === 'string')
    return value.text.length - (value.text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);
  if (value.kind !== 'container') return null;
  return walk.index.kinds[value.node] === JSON_OBJECT
    ? membersOf(walk, value.node).size
    : [...walk.children(value.node)].length;
}

/** What is no text, and what is no pattern, matches nothing. @source RFC 9535, 2.4.6 and 2.4.7 */
function matches(walk: PathWalk, { name, given, pattern: written }: PathCall, node: number): boolean {
  const [text, source] = given.map((operand) => readOperand(walk, operand, node));
  if (text?.kind !== 'string' || source?.kind !== 'string') return false;
  const pattern = written ?? compile(walk, source.text, name === 'match');
  if (pattern === null) return false;
  const before = written === null ? 0 : pattern.work;
  const found = pattern.test(text.text);
  walk.spend(found === null ? Infinity : (pattern.work - before) / PATTERN_STEPS);
  return found === true;
}

function compile(walk: PathWalk, source: string, isWhole: boolean): SafePattern | null {
  try {
    return compileIRegexp(source, isWhole);
  } catch (error) {
    if (!(error instanceof PatternFault)) throw error;
    walk.spend(FAULT_WORK);
    return null;
  }
}
