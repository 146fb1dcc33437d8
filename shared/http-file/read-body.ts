import {
  assertionLine,
  describeForeignLine,
  handlersKept,
  scriptEnd,
  scriptStart,
  trailerLine,
} from './foreign-lines';
import type { BodyCut, HeaderLine, HttpFileFault, HttpRequestBlock } from './http-file';
import { countLines, findLineBeginning, readLine, unreadLine, type LineReader } from './http-lines';
import { isComment, isVariable, readAside, skipScript, type Asides } from './read-asides';

/** A body, and what of it does not go out as it stands. */
export type Body = Pick<HttpRequestBlock, 'body' | 'bodyCuts' | 'bodyLine' | 'bodyStart' | 'bodyEnd'>;

type Form = 'urlencoded' | 'multipart' | 'structured' | 'text';

const trailerMarks = ['>', '<>', 'HTTP/'];
const fileLine = /^<(@\w*)?[ \t]+(\S.*)$/s;

/** Reads the shape of a body from its Content-Type, else from its first character. */
function readForm(headers: readonly HeaderLine[], first: string): Form {
  const type = headers.findLast(({ name }) => name.toLowerCase() === 'content-type')?.value.toLowerCase();
  if (type === undefined) return /[[{<]/.test(first) ? 'structured' : 'text';
  if (type.startsWith('application/x-www-form-urlencoded')) return 'urlencoded';
  if (type.startsWith('multipart/')) return 'multipart';
  return /json|xml/.test(type) ? 'structured' : 'text';
}

const isBreak = (code: number): boolean => code === 13 || code === 10;
/** Blank lines, too: CR and LF of one must not be cut by halves. */
const isSpace = (code: number): boolean => code === 32 || code === 9 || isBreak(code);

function lineAt(text: string, start: number, limit: number): string {
  // Up to the limit alone: a line may be megabytes long, and is asked for at each of its braces.
  const rest = text.slice(start, limit);
  const feed = rest.indexOf('\n');
  const line = feed === -1 ? rest : rest.slice(0, feed);
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}

function findTrailer(text: string, from: number, to: number): number {
  let first = to;
  for (const mark of trailerMarks) {
    let at = findLineBeginning(text, mark, from, first);
    while (at < first && !trailerLine.test(lineAt(text, at, Math.min(to, at + 200)))) {
      at = findLineBeginning(text, mark, at + 1, first);
    }
    first = Math.min(first, at);
  }
  return first;
}

/** Line breaks and blank lines at a body's end belong to the file, as for the other readers of the format. */
function trimBlankLines(text: string, from: number, to: number): number {
  let end = to;
  for (let at = to; at > from && isSpace(text.charCodeAt(at - 1)); at--)
    if (isBreak(text.charCodeAt(at - 1))) end = at - 1;
  return end;
}

/** Where the script begins that a line `}}` ends; -1: it ends none, but two objects of JSON. */
function findScriptStart(text: string, from: number, to: number): number {
  for (let at = text.lastIndexOf('{{', to); at >= from; at = text.lastIndexOf('{{', at - 1)) {
    let start = at;
    while (start > from && /[ \t]/.test(text[start - 1]!)) start--;
    const beginsLine = start === from || text.charCodeAt(start - 1) === 10;
    if (beginsLine && scriptStart.test(lineAt(text, at, Math.min(to, at + 80)))) return start;
    if (at === 0) break;
  }
  return -1;
}

/**
 * Searching backwards costs much more than forwards: a body that is one long line is not gone through that way.
 *
 * @param first - the first line feed behind `from`; -1: there is none
 */
function findLineStart(text: string, from: number, first: number, end: number): number {
  return first === -1 || first >= end ? from : Math.max(from, text.lastIndexOf('\n', end - 1) + 1);
}

/**
 * Finds where a body ends before the lines under it that are the file's: variables, assertions, scripts.
 *
 * Comments there are the file's too, where such a line follows or the body can hold none.
 */
function findEnd(text: string, from: number, to: number, form: Form): number {
  const whole = trimBlankLines(text, from, to);
  let end = whole;
  let isDefinite = form !== 'text';
  const firstFeed = text.indexOf('\n', from);
  while (end > from) {
    let start = findLineStart(text, from, firstFeed, end);
    const line = lineAt(text, start, end);
    if (scriptEnd.test(line)) {
      start = findScriptStart(text, from, start);
      if (start === -1) break;
      isDefinite = true;
    } else if (isVariable(line) || assertionLine.test(line)) isDefinite = true;
    else if (!isComment(line)) break;
    end = trimBlankLines(text, from, start);
  }
  return isDefinite ? end : whole;
}

/** Passes over blank lines and asides; stops before the first line of a body. */
function skipAsides(reader: LineReader, asides: Asides): void {
  for (let line = readLine(reader); line !== null; line = readLine(reader)) {
    if (line.text.trim() === '' || readAside(reader, line, asides, 'body')) continue;
    unreadLine(reader, line);
    return;
  }
}

/** Reads what stands behind a response handler: more of them, and variables for the requests that follow. */
function readTrailers(reader: LineReader, asides: Asides): void {
  asides.notes.push({ line: reader.line, message: handlersKept });
  for (let line = readLine(reader); line !== null; line = readLine(reader)) {
    if (!skipScript(reader, line, [])) readAside(reader, line, asides, 'body');
  }
}

/** Most bodies hold none: a glance at their marks saves reading them line by line. */
function holdsForeignLines(text: string, from: number, to: number): boolean {
  const body = text.slice(from, to);
  if (body.includes('??')) return true;
  for (let at = body.indexOf('{{'); at !== -1; at = body.indexOf('{{', at + 2)) {
    if (scriptStart.test(lineAt(body, at, Math.min(body.length, at + 80)))) return true;
  }
  return false;
}

/** Cuts lines that only other clients know out of the middle of a body. */
function cutForeignLines(text: string, body: Body, asides: Asides): void {
  const { bodyStart, bodyEnd } = body;
  if (!holdsForeignLines(text, bodyStart, bodyEnd)) return;
  const reader: LineReader = { text, offset: bodyStart, line: body.bodyLine, limit: bodyEnd };
  for (let line = readLine(reader); line !== null; line = readLine(reader)) {
    const message = describeForeignLine(line.text, 'body');
    if (message !== null) asides.notes.push({ line: line.number, message });
    else if (!skipScript(reader, line, asides.notes)) continue;
    body.bodyCuts.push({ start: line.start - bodyStart, end: reader.offset - bodyStart, put: '' });
  }
}

/** Puts the files of `< path` lines in their places. */
function cutFiles(text: string, body: Body, faults: HttpFileFault[]): void {
  const { bodyStart, bodyEnd, bodyLine } = body;
  let [counted, line] = [bodyStart, bodyLine];
  let at = findLineBeginning(text, '<', bodyStart, bodyEnd);
  for (; at < bodyEnd; at = findLineBeginning(text, '<', at + 1, bodyEnd)) {
    const written = lineAt(text, at, bodyEnd);
    const found = fileLine.exec(written);
    if (found === null) continue;
    line += countLines(text, counted, at);
    counted = at;
    const message =
      'Variables inside another file are not filled in (`<@`): write `<`, or put the body itself here.';
    if (found[1] !== undefined) faults.push({ line, message });
    const start = at - bodyStart;
    const path = (found[2] ?? '').trimEnd();
    body.bodyCuts.push({ start, end: start + written.length, put: { path, line } });
  }
}

/** Steps from `at` over blanks, and over one `&` with the blanks behind it. */
function skipJoint(text: string, at: number, step: 1 | -1): { at: number; isSeparated: boolean } {
  const next = (): number => text.charCodeAt(step === 1 ? to : to - 1);
  let to = at;
  while (isSpace(next())) to += step;
  const isSeparated = next() === 38;
  if (isSeparated) to += step;
  while (isSeparated && isSpace(next())) to += step;
  return { at: to, isSeparated };
}

/** The joint of two lines of a form: the line end, blanks around it, and the `&` on either side. */
function findJoint(text: string, feed: number): BodyCut {
  const before = skipJoint(text, feed, -1);
  const behind = skipJoint(text, feed + 1, 1);
  return {
    start: before.at,
    end: behind.at,
    put: before.isSeparated || behind.isSeparated ? '&' : '',
  };
}

/** Joins the lines of a form, and ends those of a multipart body as its standard asks (RFC 2046). */
function cutLineEnds(body: string, form: Form): BodyCut[] {
  const cuts: BodyCut[] = [];
  let next: number;
  for (let feed = body.indexOf('\n'); feed !== -1; feed = body.indexOf('\n', next)) {
    next = feed + 1;
    if (form === 'urlencoded') {
      cuts.push(findJoint(body, feed));
      // Other line ends among the same blanks have the same joint.
      while (isSpace(body.charCodeAt(next))) next++;
    } else if (body.charCodeAt(feed - 1) !== 13) cuts.push({ start: feed, end: feed + 1, put: '\r\n' });
  }
  return cuts;
}

/** Drops cuts that lie within another, and puts the rest in order. */
function orderCuts(cuts: BodyCut[]): BodyCut[] {
  const ordered = cuts.toSorted((a, b) => a.start - b.start || b.end - a.end);
  let end = 0;
  return ordered.filter((cut) => {
    if (cut.start < end) return false;
    end = cut.end;
    return true;
  });
}

/**
 * Reads a body, and the lines around it that are not part of it.
 *
 * @param reader - stands behind the blank line that ends the head; at its limit afterwards
 */
export function readBody(
  reader: LineReader,
  headers: readonly HeaderLine[],
  asides: Asides,
  faults: HttpFileFault[],
): Body {
  const { text, limit } = reader;
  const empty = Math.min(reader.offset, limit);
  const bodyless = { body: null, bodyCuts: [], bodyLine: reader.line, bodyStart: empty, bodyEnd: empty };
  const trailer = findTrailer(text, empty, limit);
  reader.limit = trailer;
  skipAsides(reader, asides);
  const bodyStart = reader.offset;
  const form = readForm(headers, text[bodyStart] ?? '');
  const bodyEnd = findEnd(text, bodyStart, trailer, form);
  const bodyLine = reader.line;
  reader.offset = bodyEnd;
  // Where nothing follows, nobody asks for a line: a megabyte is not counted through at each key stroke.
  if (/\S/.test(text.slice(bodyEnd, trailer))) {
    reader.line = bodyLine + countLines(text, bodyStart, bodyEnd);
    skipAsides(reader, asides);
  }
  reader.limit = limit;
  reader.offset = trailer;
  if (trailer < limit) {
    reader.line = bodyLine + countLines(text, bodyStart, trailer);
    readTrailers(reader, asides);
  }
  if (bodyEnd <= bodyStart) return bodyless;
  const body: Body = { body: text.slice(bodyStart, bodyEnd), bodyCuts: [], bodyLine, bodyStart, bodyEnd };
  cutForeignLines(text, body, asides);
  cutFiles(text, body, faults);
  const isForm = form === 'urlencoded' || form === 'multipart';
  const lineEnds = isForm && body.body !== null ? cutLineEnds(body.body, form) : [];
  body.bodyCuts = orderCuts([...body.bodyCuts, ...lineEnds]);
  return body;
}
