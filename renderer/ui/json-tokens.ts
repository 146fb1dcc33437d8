export type JsonTokenKind = 'key' | 'string' | 'number' | 'word' | 'mark' | 'plain';

export interface JsonToken {
  kind: JsonTokenKind;
  start: number;
  end: number;
}

const openers = new Set('{[');
const marks = new Set('{}[],:');
const spaces = new Set(' \t\r\n');
const numberParts = /[\d.eE+-]*/y;
const wordParts = /[A-Za-z]*/y;
const otherParts = /[^\s"{}[\],:\dA-Za-z-]*/y;
const spaceParts = /\s*/y;

/**
 * Cuts one line of JSON-like text into coloured parts; nothing is changed, and text that is not JSON stays readable.
 *
 * A string followed by a colon is a key; one without an end goes on to the end of the line. Each character is looked at
 * once, so that no text is slow. Works line by line, so that only lines in view are ever cut.
 */
export function tokenizeJsonLine(line: string): JsonToken[] {
  const tokens: JsonToken[] = [];
  let start = 0;
  while (start < line.length) {
    const token = readToken(line, start);
    tokens.push(token);
    start = token.end;
  }
  return tokens;
}

/** A line above this is never wrapped, so that no editor draws more of it than its beginning. */
const longLineChars = 100_000;
const drawnChars = 10_000;

/**
 * Cuts one line as {@link tokenizeJsonLine} does, of a very long one the beginning alone: an editor asks for all of a line
 * again at each key stroke, and draws no more of it.
 */
export function tokenizeDrawnLine(line: string): JsonToken[] {
  if (line.length <= longLineChars) return tokenizeJsonLine(line);
  const drawn = tokenizeJsonLine(line.slice(0, drawnChars));
  return [...drawn, { kind: 'plain', start: drawnChars, end: line.length }];
}

function readToken(line: string, start: number): JsonToken {
  const first = line.charAt(start);
  if (first === '"') return readText(line, start);
  if (marks.has(first)) return { kind: 'mark', start, end: start + 1 };
  const end = (parts: RegExp): number => matchEnd(parts, line, start + 1);
  if (/[-\d]/.test(first)) return { kind: 'number', start, end: end(numberParts) };
  if (/[A-Za-z]/.test(first)) return { kind: 'word', start, end: end(wordParts) };
  return { kind: 'plain', start, end: end(/\s/.test(first) ? spaceParts : otherParts) };
}

function readText(line: string, start: number): JsonToken {
  const end = findTextEnd(line, start);
  return { kind: isBeforeColon(line, end) ? 'key' : 'string', start, end };
}

/** The end of the text that begins with the quote at `start`, after its closing quote; the end of all, without one. */
function findTextEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return at + 1;
    if (code === 0x5c) at += 1;
  }
  return text.length;
}

function isBeforeColon(line: string, end: number): boolean {
  let at = end;
  while (at < end + 8 && spaces.has(line.charAt(at))) at += 1;
  return line[at] === ':';
}

function matchEnd(parts: RegExp, text: string, start: number): number {
  parts.lastIndex = start;
  return start + (parts.exec(text)?.[0].length ?? 0);
}

/** Indents grow with the depth: a hostile body of a hundred thousand levels would become a text beyond all memory. */
const longestLaidOutChars = 24_000_000;
/** So much is read and written between two looks at the clock. */
const stepChars = 50_000;
/** Of one part, whatever its length: it costs something too. */
const partChars = 8;

/**
 * Lays JSON out over lines without touching a literal: `1500.00` and `1e3` stay as written.
 *
 * Text that is laid out already (a line ends after its first bracket), would become very long, or is not JSON comes
 * back as it is.
 */
export function layOutJson(text: string): string {
  return runToEnd(layOutInSteps(text)) ?? text;
}

/** Lays JSON out anew, laid out or not; null where the indents would outgrow the memory. */
export function indentJson(text: string): string | null {
  return runToEnd(indentInSteps(text));
}

/** As {@link layOutJson}, to be run a step at a time; null: the text stays as it is. */
export function* layOutInSteps(text: string): Generator<void, string | null> {
  const first = /\S/.exec(text)?.[0] ?? '';
  if (!openers.has(first) || isLaidOut(text)) return null;
  return yield* indentInSteps(text);
}

function* indentInSteps(text: string): Generator<void, string | null> {
  const steps: string[] = [];
  let parts: string[] = [];
  let depth = 0;
  let size = text.length;
  let isAfterOpening = false;
  let stepSize = 0;
  for (let start = 0, end; start < text.length; start = end) {
    const first = text.charAt(start);
    end = findPartEnd(text, start);
    if (spaces.has(first)) continue;
    const isOpening = openers.has(first);
    const isClosing = first === '}' || first === ']';
    if (isClosing) depth = Math.max(0, depth - 1);
    const isBroken = isClosing !== isAfterOpening;
    if (isBroken || first === ',') size += 2 * depth;
    if (size > longestLaidOutChars) return null;
    if (isBroken) parts.push(`\n${'  '.repeat(depth)}`);
    parts.push(first === ':' ? ': ' : text.slice(start, end));
    if (first === ',') parts.push(`\n${'  '.repeat(depth)}`);
    if (isOpening) depth += 1;
    isAfterOpening = isOpening;
    stepSize += end - start + partChars + (isBroken || first === ',' ? 2 * depth : 0);
    if (stepSize > stepChars) {
      stepSize = 0;
      // Millions of parts joined at the end would hold the window up once more.
      steps.push(parts.join(''));
      parts = [];
      yield;
    }
  }
  return steps.join('') + parts.join('');
}

function runToEnd<T>(steps: Generator<void, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

const literalParts = /[^\s{}[\],:"]*/y;

function findPartEnd(text: string, start: number): number {
  const first = text.charAt(start);
  if (first === '"') return findTextEnd(text, start);
  if (marks.has(first)) return start + 1;
  return matchEnd(spaces.has(first) ? spaceParts : literalParts, text, start + 1);
}

function isLaidOut(text: string): boolean {
  return /^\s*[{[][ \t\r]*\n/.test(text);
}
