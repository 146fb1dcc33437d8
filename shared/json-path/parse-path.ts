import { isLonger } from '../is-longer';
import { compileIRegexp, PatternFault, type SafePattern } from '../regular-expression/compile-pattern';
import { PathCursor, pathFault } from './path-cursor';
import {
  isOneValue,
  PATH_FUNCTIONS,
  type PathCall,
  type PathFunction,
  type PathOperand,
  type PathOperator,
  type PathQuery,
  type PathSegment,
  type PathSelector,
  type PathTest,
} from './path-query';

/** Longer queries are refused. */
const LONGEST_QUERY = 1000;
const OPERATORS: readonly PathOperator[] = ['==', '!=', '<=', '>=', '<', '>'];

/**
 * Reads a JSON Pointer (`/data/state`), JSONPath (`$..currency`, `$.results[?@.status == 'ACTIVE']`), or a plain way
 * (`data.state`).
 *
 * All of JSONPath, its functions included; blanks around it are no fault here. Nothing is ever run as code, and patterns
 * of `match` and `search` end in bounded time.
 * @throws {AppError} `json.bad_path` with `{ at }`
 * @source RFC 6901; RFC 9535
 */
export function parsePath(typed: string): PathQuery {
  const text = typed.trim();
  if (isLonger(text, LONGEST_QUERY))
    throw pathFault(LONGEST_QUERY, `it is longer than ${LONGEST_QUERY} characters`);
  const blanks = typed.length - typed.trimStart().length;
  if (text === '' || text.startsWith('/')) return parsePointer(text, blanks);
  const isPlain = /^[A-Za-z_\u0080-\uffff[]/.test(text);
  const root = isPlain ? (text.startsWith('[') ? '$' : '$.') : '';
  const cursor = new PathCursor(root + text, blanks - root.length);
  cursor.expect('$');
  const query = readSegments(cursor);
  cursor.skipBlanks();
  if (cursor.next !== '') cursor.fail('nothing that goes on like this is known');
  return query;
}

function parsePointer(text: string, blanks: number): PathQuery {
  const wrong = /~(?![01])/.exec(text);
  if (wrong !== null)
    throw pathFault(blanks + wrong.index, 'in a pointer ~ is written ~0, and / is written ~1');
  return text
    .split('/')
    .slice(1)
    .map((part) => ({
      isDescendant: false,
      selectors: [{ kind: 'part', part: part.replaceAll('~1', '/').replaceAll('~0', '~') }],
    }));
}

function readSegments(cursor: PathCursor): PathSegment[] {
  const segments: PathSegment[] = [];
  for (;;) {
    cursor.skipBlanks();
    if (cursor.take('..')) segments.push({ isDescendant: true, selectors: readAfterDots(cursor) });
    else if (cursor.take('.')) segments.push({ isDescendant: false, selectors: [readShort(cursor)] });
    else if (cursor.next === '[') segments.push({ isDescendant: false, selectors: readBracket(cursor) });
    else return segments;
  }
}

function readAfterDots(cursor: PathCursor): PathSelector[] {
  return cursor.next === '[' ? readBracket(cursor) : [readShort(cursor)];
}

function readShort(cursor: PathCursor): PathSelector {
  if (cursor.take('*')) return { kind: 'all' };
  const name = cursor.match(/[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*/y);
  return name === null
    ? cursor.fail("a name or * is expected; other names are written ['so']")
    : { kind: 'name', name };
}

function readBracket(cursor: PathCursor): PathSelector[] {
  cursor.expect('[');
  const selectors: PathSelector[] = [];
  do {
    selectors.push(cursor.within(() => readSelector(cursor)));
  } while (cursor.takeAfterBlanks(','));
  cursor.expect(']');
  return selectors;
}

function readSelector(cursor: PathCursor): PathSelector {
  cursor.skipBlanks();
  if (cursor.take('*')) return { kind: 'all' };
  if (cursor.take('?')) return { kind: 'filter', test: readOr(cursor) };
  const name = cursor.readQuoted();
  if (name !== null) return { kind: 'name', name };
  const start = readPlace(cursor);
  if (!cursor.takeAfterBlanks(':')) {
    return start === null
      ? cursor.fail('a name in quotes, a place, a slice, * or ?… is expected')
      : { kind: 'index', index: start };
  }
  cursor.skipBlanks();
  const end = readPlace(cursor);
  if (!cursor.takeAfterBlanks(':')) return { kind: 'slice', start, end, step: 1 };
  cursor.skipBlanks();
  return { kind: 'slice', start, end, step: readPlace(cursor) ?? 1 };
}

function readPlace(cursor: PathCursor): number | null {
  const { at } = cursor;
  const written = cursor.match(/-?\d+/y);
  if (written === null) return null;
  if (!/^(?:0|-?[1-9]\d*)$/.test(written)) cursor.fail('a place is 0, or begins with another digit', at);
  const place = Number(written);
  if (!Number.isSafeInteger(place)) cursor.fail('no list is as long as that', at);
  return place;
}

function readOr(cursor: PathCursor): PathTest {
  let left = readAnd(cursor);
  while (cursor.takeAfterBlanks('||')) left = { kind: 'or', left, right: readAnd(cursor) };
  return left;
}

function readAnd(cursor: PathCursor): PathTest {
  let left = readTest(cursor);
  while (cursor.takeAfterBlanks('&&')) left = { kind: 'and', left, right: readTest(cursor) };
  return left;
}

function readTest(cursor: PathCursor): PathTest {
  cursor.skipBlanks();
  const isNot = cursor.take('!');
  cursor.skipBlanks();
  let test: PathTest;
  if (cursor.take('(')) {
    test = cursor.within(() => readOr(cursor));
    cursor.skipBlanks();
    cursor.expect(')');
  } else {
    const { at } = cursor;
    test = readPlainTest(cursor);
    if (isNot && test.kind === 'compare') cursor.fail('! before a comparison wants brackets: !(…)', at);
  }
  return isNot ? { kind: 'not', test } : test;
}

function readPlainTest(cursor: PathCursor): PathTest {
  const leftAt = cursor.at;
  const left = readOperand(cursor);
  cursor.skipBlanks();
  const operator = OPERATORS.find((one) => cursor.take(one));
  if (operator !== undefined) {
    requireOneValue(cursor, left, leftAt);
    cursor.skipBlanks();
    const rightAt = cursor.at;
    const right = readOperand(cursor);
    requireOneValue(cursor, right, rightAt);
    return { kind: 'compare', left, operator, right };
  }
  if (left.kind === 'query') return { kind: 'exists', operand: left };
  if (left.kind === 'call' && PATH_FUNCTIONS[left.name].gives === 'truth')
    return { kind: 'matches', call: left };
  return cursor.fail('a comparison (==, !=, <, <=, >, >=) is expected');
}

function requireOneValue(cursor: PathCursor, operand: PathOperand, at: number): void {
  if (isOneValue(operand)) return;
  cursor.fail(
    operand.kind === 'call'
      ? `${operand.name}(…) is true or false by itself and is not compared`
      : 'this may be several values, and only one can be compared; value(…) and count(…) make one of them',
    at,
  );
}

function readOperand(cursor: PathCursor): PathOperand {
  const { next } = cursor;
  if (next === '@' || next === '$') {
    cursor.expect(next);
    return { kind: 'query', isFromRoot: next === '$', query: cursor.within(() => readSegments(cursor)) };
  }
  const text = cursor.readQuoted();
  if (text !== null) return { kind: 'string', text };
  const number = cursor.match(/-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])/y);
  if (number !== null) return { kind: 'number', text: number };
  const word = cursor.match(/(?:true|false|null)(?![\w(])/y);
  if (word !== null) return { kind: 'word', text: word };
  return readCall(cursor);
}

function readCall(cursor: PathCursor): PathCall {
  const start = cursor.at;
  const name = cursor.match(/[a-z][a-z_\d]*(?=\()/y);
  if (name === null) {
    return cursor.fail('@, $, a text in quotes, a number, true, false, null or a function is expected');
  }
  if (!isFunction(name)) {
    cursor.fail(`the functions of JSONPath are ${Object.keys(PATH_FUNCTIONS).join(', ')}`, start);
  }
  cursor.expect('(');
  const given: PathOperand[] = [];
  const { takes } = PATH_FUNCTIONS[name];
  let pattern: SafePattern | null = null;
  for (const [place, wanted] of takes.entries()) {
    cursor.skipBlanks();
    if (place > 0) cursor.expect(',');
    cursor.skipBlanks();
    const { at } = cursor;
    const operand = cursor.within(() => readOperand(cursor));
    if (wanted === 'value') requireOneValue(cursor, operand, at);
    else if (operand.kind !== 'query') cursor.fail(`${name}(…) takes a path: @… or $…`, at);
    if (place === 1 && operand.kind === 'string') pattern = readPattern(cursor, name, operand.text, at);
    given.push(operand);
    cursor.skipBlanks();
  }
  if (!cursor.take(')')) cursor.fail(`${name}(…) takes ${takes.length === 1 ? 'one value' : 'two values'}`);
  return { kind: 'call', name, given, pattern };
}

function isFunction(name: string): name is PathFunction {
  return Object.hasOwn(PATH_FUNCTIONS, name);
}

/** A pattern that is written here is read at once: one that cannot be read would silently match nothing. */
function readPattern(cursor: PathCursor, name: PathFunction, source: string, at: number): SafePattern {
  try {
    return compileIRegexp(source, name === 'match');
  } catch (error) {
    if (!(error instanceof PatternFault)) throw error;
    return cursor.fail(error.message.replace(/\.$/, ''), at);
  }
}
