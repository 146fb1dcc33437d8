import { encodePath } from '../../encode-for-url';
import { AppError } from '../../errors';
import { parseDecimal } from '../../payments/decimal';
import {
  filterFields,
  filterOperators,
  filterWords,
  type Filter,
  type FilterFieldName,
  type FilterOperator,
  type FilterTarget,
  type FilterWord,
} from './filter-fields';
import { readFieldPath } from './read-field-path';
import { readDuration, readInstant } from './read-moment';

/** Longest expression, in UTF-16 units. */
export const MAX_FILTER_LENGTH = 2000;
/** Brackets and `not` inside each other. */
const MAX_DEPTH = 32;

const isOrdering: ReadonlySet<string> = new Set(['<', '<=', '>', '>=']);

/** Where the reader stands. */
interface Cursor {
  readonly text: string;
  at: number;
  depth: number;
}

/**
 * Reads a filter expression, such as `status == FAILED and body.amount >= 2000`.
 *
 * Binds `not` before `and` before `or`. An empty text is `all`.
 * @throws {AppError} `inbox.bad_filter`, one sentence that names the character, with details `{ offset, length }`
 */
export function parseFilter(text: string): Filter {
  if (Array.from(text).length > MAX_FILTER_LENGTH) {
    throw fault(MAX_FILTER_LENGTH, 0, `it is longer than ${MAX_FILTER_LENGTH} characters`);
  }
  const cursor: Cursor = { text, at: 0, depth: 0 };
  skipSpace(cursor);
  if (cursor.at === text.length) return { is: 'word', word: 'all' };
  const filter = readOr(cursor);
  if (cursor.at < text.length) {
    const found = nextWord(cursor);
    throw fault(cursor.at, found.length, `'${cut(found)}' stands where 'and', 'or' or the end is expected`);
  }
  return filter;
}

function fault(offset: number, length: number, what: string): AppError {
  return new AppError('inbox.bad_filter', `The filter cannot be read at character ${offset + 1}: ${what}.`, {
    details: { offset, length: Math.max(length, 1) },
  });
}

function readOr(cursor: Cursor): Filter {
  let left = readAnd(cursor);
  while (takeKeyword(cursor, 'or')) left = { is: 'or', left, right: readAnd(cursor) };
  return left;
}

function readAnd(cursor: Cursor): Filter {
  let left = readNot(cursor);
  while (takeKeyword(cursor, 'and')) left = { is: 'and', left, right: readNot(cursor) };
  return left;
}

function readNot(cursor: Cursor): Filter {
  const { at } = cursor;
  const isNot = takeKeyword(cursor, 'not');
  if (!isNot && cursor.text[at] !== '(') return readCondition(cursor);
  if (++cursor.depth > MAX_DEPTH) {
    throw fault(at, 1, `more than ${MAX_DEPTH} brackets and 'not' stand inside each other`);
  }
  const filter: Filter = isNot ? { is: 'not', inner: readNot(cursor) } : readBrackets(cursor);
  cursor.depth--;
  return filter;
}

function readBrackets(cursor: Cursor): Filter {
  const opened = cursor.at++;
  skipSpace(cursor);
  const inner = readOr(cursor);
  if (cursor.text[cursor.at] !== ')') {
    throw cursor.at < cursor.text.length
      ? fault(
          cursor.at,
          nextWord(cursor).length,
          `'${cut(nextWord(cursor))}' stands where 'and', 'or' or ')' is expected`,
        )
      : fault(opened, 1, "this '(' is never closed");
  }
  cursor.at++;
  skipSpace(cursor);
  return inner;
}

function readCondition(cursor: Cursor): Filter {
  const from = cursor.at;
  if (from === cursor.text.length)
    throw fault(from, 0, 'the text ends where a field such as status is expected');
  const { name, path } = takeField(cursor);
  const { length } = cursor.text.slice(from, cursor.at).trimEnd();
  const target = findTarget(name, path);
  const operator = takeOperator(cursor);
  const isWord = (filterWords as readonly string[]).includes(name) && path === null;
  if (operator === null && isWord) return { is: 'word', word: name as FilterWord };
  if (target === null) throw fault(from, length, describeUnknown(name, path !== null));
  if (operator === null) throw missingOperator(cursor);
  const valueAt = cursor.at;
  const { value, isQuoted } = takeValue(cursor, operator);
  checkValue(target, operator, { value, isQuoted }, valueAt);
  return { is: 'condition', target, operator, value: asItTravels(target, value), isQuoted };
}

/** Paths come percent-encoded, and methods in capitals alone. */
function asItTravels(target: FilterTarget, value: string): string {
  if (target.of !== 'field') return value;
  if (target.name === 'method') return value.toUpperCase();
  return target.name === 'path' ? encodePath(value) : value;
}

/** Reads a name with its dots: `status`, `body.a.b`, `body./pointer`, `body."a b"`, `header.x-y`. */
function takeField(cursor: Cursor): { name: string; path: readonly string[] | null } {
  const { text, at } = cursor;
  const name = /^[^\s.()=!<>"']*/.exec(text.slice(at))?.[0] ?? '';
  if (name === '') {
    const found = nextWord(cursor);
    throw fault(at, found.length, `'${cut(found)}' stands where a field such as status is expected`);
  }
  cursor.at += name.length;
  if (text[cursor.at] !== '.') {
    skipSpace(cursor);
    return { name, path: null };
  }
  const read = readFieldPath(text, cursor.at + 1);
  if ('expected' in read) throw fault(read.at, 1, `${read.expected} is expected after '${cut(name)}.'`);
  const written = text.slice(cursor.at + 1, read.end);
  // No header is called so: it would find nothing, whatever comes.
  if (name === 'header' && written.includes('['))
    throw fault(cursor.at + 1, written.length, `'${cut(written)}' is no name of a header`);
  cursor.at = read.end;
  skipSpace(cursor);
  return { name, path: read.path };
}

function findTarget(name: string, path: readonly string[] | null): FilterTarget | null {
  if (path === null) {
    return Object.hasOwn(filterFields, name) ? { of: 'field', name: name as FilterFieldName } : null;
  }
  if (name === 'body') return { of: 'body', path };
  return name === 'header' && path.length > 0 ? { of: 'header', name: path.join('.').toLowerCase() } : null;
}

function describeUnknown(name: string, hasPath: boolean): string {
  if (hasPath) return `'${cut(name)}.' is not known; what may be followed by a dot is body and header`;
  if (name === 'body' || name === 'header')
    return `'${name}' needs a dot and a name, such as ${name === 'body' ? 'body.amount' : 'header.x-trace'}`;
  const known = [...Object.keys(filterFields), 'body.…', 'header.…'];
  return `there is no field '${cut(name)}', but ${known.join(', ')}`;
}

function takeOperator(cursor: Cursor): FilterOperator | null {
  const { text, at } = cursor;
  const found = filterOperators.find((one) =>
    one === 'contains' ? isKeywordAt(text, at, one) : text.startsWith(one, at),
  );
  if (found === undefined) return null;
  cursor.at += found.length;
  skipSpace(cursor);
  return found;
}

function missingOperator(cursor: Cursor): AppError {
  const found = nextWord(cursor);
  const one = filterOperators.join(' ');
  if (found === '') return fault(cursor.at, 0, `the text ends where one of ${one} is expected`);
  const hint = found.startsWith('=') ? "'=' alone says nothing, write ==" : `one of ${one} is expected`;
  return fault(cursor.at, found.length, `'${cut(found)}' stands here; ${hint}`);
}

function takeValue(cursor: Cursor, operator: FilterOperator): { value: string; isQuoted: boolean } {
  const { text, at } = cursor;
  const quote = text[at];
  if (quote !== '"' && quote !== "'") {
    const value = /^[^\s()]*/.exec(text.slice(at))?.[0] ?? '';
    if (value === '') throw fault(at, 1, `a value is missing after ${operator}`);
    cursor.at += value.length;
    skipSpace(cursor);
    return { value, isQuoted: false };
  }
  const end = findQuote(text, at);
  if (end === -1) throw fault(at, 1, 'this quote is never closed');
  cursor.at = end + 1;
  skipSpace(cursor);
  return { value: text.slice(at + 1, end).replace(/\\([\\"'])/g, '$1'), isQuoted: true };
}

function findQuote(text: string, opened: number): number {
  for (let at = opened + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === text[opened]) return at;
  }
  return -1;
}

/** Tells whether a number alone can be met; the amount is kept as its sender wrote it, number or not. */
function isNumber(target: FilterTarget, operator: FilterOperator, isQuoted: boolean): boolean {
  if (target.of !== 'field' || operator === 'contains' || filterFields[target.name].kind !== 'number')
    return false;
  return !isQuoted || target.name !== 'amount';
}

/** What can never match is said at once, and not by an empty list. */
function checkValue(
  target: FilterTarget,
  operator: FilterOperator,
  { value, isQuoted }: { value: string; isQuoted: boolean },
  at: number,
): void {
  const field: { kind: string; choices?: readonly string[] } =
    target.of === 'field' ? filterFields[target.name] : { kind: 'text' };
  const refuse = (what: string): never => {
    throw fault(at, value.length, `'${cut(value)}' ${what}`);
  };
  if (operator === 'contains' && (field.kind === 'instant' || field.kind === 'age'))
    refuse("is text; 'contains' looks into text, and a time is none");
  if (field.kind === 'instant' && readInstant(value) === null)
    refuse('is no moment such as 2026-03-01 or 2026-03-01T12:00:00Z');
  if (field.kind === 'age' && readDuration(value) === null)
    refuse('is no span of time such as 30s, 10m, 2h or 7d');
  if (field.choices !== undefined && operator !== 'contains' && !field.choices.includes(value))
    refuse(`is none of ${field.choices.join(', ')}`);
  const isNumeric = field.kind === 'number' || field.kind === 'text';
  if (isOrdering.has(operator) && (field.kind === 'choice' || (isNumeric && parseDecimal(value) === null)))
    refuse(`is no number that ${operator} could compare`);
  if (isNumber(target, operator, isQuoted) && parseDecimal(value) === null)
    refuse('is no number such as 200');
}

function takeKeyword(cursor: Cursor, word: string): boolean {
  if (!isKeywordAt(cursor.text, cursor.at, word)) return false;
  cursor.at += word.length;
  skipSpace(cursor);
  return true;
}

function isKeywordAt(text: string, at: number, word: string): boolean {
  const after = text[at + word.length];
  return (
    text.slice(at, at + word.length).toLowerCase() === word && (after === undefined || /[\s()"']/.test(after))
  );
}

function nextWord({ text, at }: Cursor): string {
  return /^(?:[()]|[^\s()]+)/.exec(text.slice(at))?.[0] ?? '';
}

function skipSpace(cursor: Cursor): void {
  while (cursor.at < cursor.text.length && /\s/.test(cursor.text[cursor.at]!)) cursor.at++;
}

/** Cuts what is quoted of a filter, or of a rule, in a message. */
export function cut(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
