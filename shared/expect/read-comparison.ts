import { valueKinds, type Comparison, type ExpectedValue, type ValueKind } from './expectation';
import { compilePattern, PatternFault, type SafePattern } from '../regular-expression/compile-pattern';
import { findTextEnd } from '../mask-nested';
import { readJudged } from './read-judged';
import type { TextReader } from './text-reader';
import { writeJson } from './write-json';

const withValue = ['==', '!=', '<=', '>=', '<', '>', 'contains', 'matches'] as const;
type ValueOperator = (typeof withValue)[number];
const operators: readonly string[] = [...withValue, 'in', 'exists', 'is'];

/** What a reader offers where an operator is missing. */
export const operatorList = operators.join(', ');

/** Tells whether a word begins a comparison. */
export function isOperator(word: string): boolean {
  return word === 'not' || operators.includes(word) || /^(?:[<>]=?|[!=]=)/.test(word);
}

/** Takes quotes from a value: those of JSON, or single ones. */
export function readValue(text: string): ExpectedValue {
  const trimmed = text.trim();
  if (/^'.*'$/s.test(trimmed) && trimmed.length > 1) return { text: trimmed.slice(1, -1), isQuoted: true };
  if (!/^".*"$/s.test(trimmed) || trimmed.length < 2) return { text: trimmed, isQuoted: false };
  try {
    return { text: String(JSON.parse(trimmed)), isQuoted: true };
  } catch {
    return { text: trimmed.slice(1, -1), isQuoted: true };
  }
}

/** Splits at commas that stand in no quotes; a quote that nothing closes is a sign like any other. */
export function splitList(text: string): string[] {
  const parts: string[] = [];
  // Where a text is not closed, no later one of its quotes is: each is looked for once.
  const lastSingle = text.lastIndexOf("'");
  let [from, lastDouble] = [0, text.length];
  for (let at = 0; at <= text.length; at += 1) {
    const sign = text[at];
    if (sign === undefined || sign === ',') {
      if (at > from) parts.push(text.slice(from, at).trim());
      from = at + 1;
    } else if (sign === "'" && at < lastSingle) at = text.indexOf("'", at + 1);
    else if (sign === '"' && at < lastDouble) {
      const end = findTextEnd(text, at + 1, '"');
      if (end < text.length) at = end;
      else lastDouble = at;
    }
  }
  return parts;
}

/** `/re/flags`, or a pattern without slashes. */
export function splitPattern(text: string): { source: string; flags: string; offset: number } {
  const found = /^\/(.*)\/([a-z]*)$/s.exec(text);
  return found === null
    ? { source: text, flags: '', offset: 0 }
    : { source: found[1] ?? '', flags: found[2] ?? '', offset: 1 };
}

/** Makes the pattern of a value whose variables are filled in. @throws {PatternFault} */
export function compileValue(text: string): SafePattern {
  const { source, flags } = splitPattern(text);
  return compilePattern(source, flags);
}

/** @param start - where `typed`, which the pattern was read from, stands in the line */
function checkPattern(
  reader: TextReader,
  { text, isQuoted }: ExpectedValue,
  typed: string,
  start: number,
): void {
  // One with a variable in it is known when that is.
  if (text.includes('{{')) return;
  try {
    compileValue(text);
  } catch (error) {
    if (!(error instanceof PatternFault)) throw error;
    // Where escapes may stand before it, the value is pointed at.
    if (isQuoted) reader.fail(error.message, start, start + typed.length);
    const at = start + splitPattern(text).offset + error.offset;
    reader.fail(error.message, at, at + 1);
  }
}

/** Takes a word that is an operator, alone or with its value right behind it, as in `>=400`. */
function takeOperator(reader: TextReader): string {
  const word = reader.peek();
  const sign = /^(?:[<>]=?|[!=]=)/.exec(word)?.[0];
  if (sign !== undefined) {
    reader.move(sign.length);
    return sign;
  }
  if (word === '=') reader.fail("'=' compares nothing: write '=='.", reader.offset, reader.offset + 1);
  if (!operators.includes(word)) {
    const what =
      word === '' ? 'An operator is missing at the end' : `There is no operator '${word.slice(0, 30)}'`;
    reader.fail(`${what}: use ${operatorList}.`, reader.offset, reader.offset + Math.max(1, word.length));
  }
  reader.move(word.length);
  return word;
}

/** The values of `in`: a list of JSON, or what stands between commas. @param start - where the text stands in the line */
function readList(reader: TextReader, text: string, start: number): ExpectedValue[] {
  const tree = text.startsWith('[') ? readJudged(text).tree : null;
  if (tree?.kind === 'array') {
    if (tree.items.length === 0) reader.fail('This list is empty, and nothing is in it.', start);
    return tree.items.map((item) =>
      item.kind === 'string'
        ? { text: item.text, isQuoted: true }
        : { text: writeJson(item), isQuoted: false },
    );
  }
  const parts = splitList(text);
  const cut = parts.find((part) => /^(?:\[|\{(?!\{))/.test(part) && !/[\]}]$/.test(part));
  if (cut !== undefined) {
    const at = start + Math.max(0, text.indexOf(cut));
    const what = `'${cut.slice(0, 30)}' is cut at a comma`;
    reader.fail(`${what}: write a list as JSON, ["a",1], or without brackets, a,1.`, at, at + cut.length);
  }
  return parts.map(readValue);
}

function readKind(reader: TextReader): ValueKind {
  const word = reader.peek();
  const kind = valueKinds.find((one) => one === word);
  if (kind === undefined) {
    reader.fail(`'is' takes ${valueKinds.join(', ')}, not '${word.slice(0, 30)}'.`);
  }
  reader.move(word.length);
  return kind;
}

/**
 * Reads an operator and its value.
 *
 * @param takeText - gives the text of the value; left out: all that is left of the line
 */
export function readComparison(reader: TextReader, takeText?: () => string): Comparison {
  const isNegated = reader.skip('not');
  const operator = takeOperator(reader);
  if (operator === 'exists') return { operator, isNegated };
  if (operator === 'is') {
    const isOtherWay = reader.skip('not');
    return { operator, valueKind: readKind(reader), isNegated: isNegated !== isOtherWay };
  }
  const start = reader.offset;
  const text = takeText?.() ?? reader.move(reader.rest().length);
  const values = operator === 'in' ? readList(reader, text, start) : [readValue(text)];
  if (text === '' || values.length === 0)
    reader.fail(`A value is missing after '${operator}'; no text at all is written "".`, start);
  if (operator === 'in') return { operator, values, isNegated };
  const value = values[0]!;
  if (operator === 'matches') checkPattern(reader, value, text, start);
  return { operator: operator as ValueOperator, value, isNegated };
}
