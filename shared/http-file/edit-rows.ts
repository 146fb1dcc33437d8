import { oneLine } from './example-file';
import type { HttpFile, HttpRequestBlock } from './http-file';
import { findExpression } from './find-expression';
import { lineAt, lineEndAt } from './line-ends';
import { parseHttpFile } from './parse-http-file';
import { continuation } from './read-head';
import { decodeFromForm, encodeForUrl } from '../encode-for-url';

/** A header or a query parameter as a table shows it. */
export interface PairRow {
  readonly name: string;
  readonly value: string;
  /** Off: it stands in the file as a comment, and is not sent. */
  readonly isEnabled: boolean;
  /** As it stands in the file; left out for a row that was edited. */
  readonly raw?: string;
}

interface PlacedRow extends PairRow {
  readonly start: number;
  readonly end: number;
}

const disabledHeader = /^[ \t]*#[ \t]*([!#$%&'*+.^_`|~\w-]+):(?:[ \t]+(.*)|$)/s;
const disabledParameter = /^[ \t]*#[ \t]*[?&]([^\s#]\S*)[ \t]*$/;

interface HeadLine {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** The lines after the request line's first, up to the blank line before the body. */
function listHeadLines({ text }: HttpFile, { urlStart, end }: HttpRequestBlock): HeadLine[] {
  const lines: HeadLine[] = [];
  let start = text.indexOf('\n', urlStart) + 1;
  while (start > 0 && start < end) {
    const feed = text.indexOf('\n', start);
    const to = feed === -1 ? end : Math.min(feed, end);
    const line = text.slice(start, text[to - 1] === '\r' ? to - 1 : to);
    if (line.trim() === '') break;
    lines.push({ text: line, start, end: start + line.length });
    start = feed === -1 ? 0 : feed + 1;
  }
  return lines;
}

/** Reads the headers of a request, those that are commented out as well. */
export function readHeaderRows(file: HttpFile, request: HttpRequestBlock): PairRow[] {
  return placeHeaders(file, request);
}

function placeHeaders(file: HttpFile, request: HttpRequestBlock): PlacedRow[] {
  const rows: PlacedRow[] = request.headers.map(({ name, value, start, end }) => ({
    name,
    value,
    isEnabled: true,
    start,
    end,
  }));
  for (const { text, start, end } of listHeadLines(file, request)) {
    const [, name, value = ''] = disabledHeader.exec(text) ?? [];
    if (name !== undefined) rows.push({ name, value: value.trim(), isEnabled: false, start, end });
  }
  return rows.toSorted((a, b) => a.start - b.start);
}

/**
 * Gives the file's text with other headers for one request; one that is off stands there as `# Name: value`.
 *
 * Rows are matched by place, as in `replaceHeaders`: what is the same stays untouched, comments between them too.
 */
export function replaceHeaderRows(
  file: HttpFile,
  request: HttpRequestBlock,
  rows: readonly PairRow[],
): string {
  const { text } = file;
  const olds = placeHeaders(file, request);
  let result = '';
  let at = 0;
  const put = (start: number, end: number, written: string): void => {
    result += text.slice(at, start) + written;
    at = end;
  };
  olds.forEach((old, index) => {
    const wanted = rows[index];
    if (wanted === undefined) {
      const { start, end } = lineAt(text, old);
      put(Math.max(at, start), end, '');
    } else if (!isSameRow(old, wanted)) put(old.start, old.end, printHeader(wanted));
  });
  const last = Math.max(request.headEnd, olds.at(-1)?.end ?? 0);
  const lineEnd = lineEndAt(file, last);
  const added = rows.slice(olds.length).map((row) => lineEnd + printHeader(row));
  if (added.length > 0) put(last, last, added.join(''));
  return result + text.slice(at);
}

const isSameRow = (one: PairRow, other: PairRow): boolean =>
  one.name === other.name && one.value === other.value && one.isEnabled === other.isEnabled;

const printHeader = ({ name, value, isEnabled }: PairRow): string =>
  `${isEnabled ? '' : '# '}${name}: ${oneLine(value)}`.trimEnd();

/** Variables may hold what divides an address: they are passed over. */
function hideExpressions(text: string): string {
  let hidden = '';
  let at = 0;
  for (let found = findExpression(text, 0); found !== null; found = findExpression(text, found.end)) {
    hidden += text.slice(at, found.start) + 'x'.repeat(found.end - found.start);
    at = found.end;
  }
  return hidden + text.slice(at);
}

/** An address in parts; those of its query that are switched off stand in comments among its lines. */
export interface Query {
  readonly base: string;
  readonly rows: readonly PairRow[];
  /** With its `#`; empty: there is none. */
  readonly fragment: string;
}

/** Splits an address into what is before its query, the parameters of that, and its fragment; `{{…}}` stays whole. */
export function splitAddress(url: string): Query {
  const hidden = hideExpressions(url);
  const hash = hidden.indexOf('#');
  const end = hash === -1 ? url.length : hash;
  const mark = hidden.slice(0, end).indexOf('?');
  return {
    base: url.slice(0, mark === -1 ? end : mark),
    rows: mark === -1 ? [] : splitQuery(url.slice(mark + 1, end)),
    fragment: url.slice(end),
  };
}

/** Reads the query parameters of a request, those that are commented out as well. */
export function readQuery(file: HttpFile, request: HttpRequestBlock): Query {
  const { base, rows, fragment } = splitAddress(request.url);
  const counter = new ParameterCounter();
  counter.add(firstLine(file, request));
  const disabled = listHeadLines(file, request).flatMap(({ text }) => {
    const found = disabledParameter.exec(text)?.[1];
    if (found === undefined) {
      if (continuation.test(text)) counter.add(text);
      return [];
    }
    return [{ at: counter.count, row: { ...readParameter(found), isEnabled: false } }];
  });
  const all: PairRow[] = [...rows];
  disabled.forEach(({ at, row }, index) => all.splice(Math.min(at, rows.length) + index, 0, row));
  return { base, rows: all, fragment };
}

const firstLine = ({ text }: HttpFile, { urlStart }: HttpRequestBlock): string => {
  const feed = text.indexOf('\n', urlStart);
  return text.slice(urlStart, feed === -1 ? text.length : feed);
};

/** Counts the parameters in the lines of an address, so that one that is off is put between those around it. */
class ParameterCounter {
  count = 0;
  private isInQuery = false;
  private isInParameter = false;

  add(line: string): void {
    let hidden = hideExpressions(line).trim();
    if (!this.isInQuery) {
      const mark = hidden.indexOf('?');
      if (mark === -1) return;
      this.isInQuery = true;
      hidden = hidden.slice(mark + 1);
    }
    for (const [index, part] of hidden.split('&').entries()) {
      const goesOn = index === 0 && this.isInParameter;
      if (part !== '' && !goesOn) this.count += 1;
      this.isInParameter = part !== '' || goesOn;
    }
  }
}

/** Reads a query without its question mark: names and values as people read them. */
export function splitQuery(query: string): PairRow[] {
  const hidden = hideExpressions(query);
  const rows: PairRow[] = [];
  let start = 0;
  for (let at = 0; at <= hidden.length; at += 1) {
    if (at < hidden.length && hidden[at] !== '&') continue;
    if (at > start) rows.push(readParameter(query.slice(start, at)));
    start = at + 1;
  }
  return rows;
}

function readParameter(raw: string): PairRow & { raw: string } {
  const equals = hideExpressions(raw).indexOf('=');
  const name = mapAround(equals === -1 ? raw : raw.slice(0, equals), decodeFromForm);
  const value = equals === -1 ? '' : mapAround(raw.slice(equals + 1), decodeFromForm);
  return { name, value, isEnabled: true, raw };
}

/** Encodes what would mean something else in a query; what is readable stays as it is. */
const encode = (text: string): string =>
  mapAround(text, (part) => part.replace(/[^A-Za-z0-9\-._~!$'()*,;:@/?]+/g, encodeForUrl));

/** Rewrites what stands around variables. */
function mapAround(text: string, map: (part: string) => string): string {
  let written = '';
  let at = 0;
  const add = (end: number): void => {
    written += map(text.slice(at, end));
  };
  for (let found = findExpression(text, 0); found !== null; found = findExpression(text, found.end)) {
    add(found.start);
    written += text.slice(found.start, found.end);
    at = found.end;
  }
  add(text.length);
  return written;
}

const printParameter = ({ name, value, raw }: PairRow): string =>
  raw ?? (value === '' ? encode(name) : `${encode(name)}=${encode(value)}`);

/** Longer addresses, which no server takes, are written anew. */
const longestLookedInto = 16 * 1024;

/** Finds a parameter as it is written, from a place on, in a comment where it is off; -1: it does not stand there in one piece. */
function findParameter(text: string, { raw, isEnabled }: PairRow, from: number): number {
  if (raw === undefined) return -1;
  for (let at = text.indexOf(raw, from); at !== -1; at = text.indexOf(raw, at + 1)) {
    const isWhole = /[?&]/.test(text[at - 1] ?? '') && /^[&#\s]?$/.test(text[at + raw.length] ?? '');
    const line = text.slice(text.lastIndexOf('\n', at) + 1, at);
    if (isWhole && /^[ \t]*(?:#|\/\/)/.test(line) !== isEnabled) return at;
  }
  return -1;
}

/** Changes names and values where they stand, on whatever line; null: more is wanted than that. */
function replaceParameters(
  file: HttpFile,
  request: HttpRequestBlock,
  rows: readonly PairRow[],
): string | null {
  const olds = readQuery(file, request).rows;
  if (olds.length !== rows.length || request.url.length > longestLookedInto) return null;
  let result = '';
  let at = 0;
  for (const [index, row] of rows.entries()) {
    const old = olds[index]!;
    const start = findParameter(file.text, old, Math.max(at, request.urlStart));
    if (start === -1 || old.raw === undefined) return null;
    result += file.text.slice(at, start) + (isSameRow(old, row) ? old.raw : printParameter(row));
    at = start + old.raw.length;
  }
  const text = result + file.text.slice(at);
  // What looked like one of them may have stood in a comment.
  const next = parseHttpFile(text);
  const block = next.requests[file.requests.indexOf(request)];
  const written = block === undefined ? [] : readQuery(next, block).rows;
  return written.length === rows.length && written.every((one, index) => isSameRow(one, rows[index]!))
    ? text
    : null;
}

/**
 * Gives the file's text with another query for one request.
 *
 * Names and values change where they stand. Where parameters come, go or are switched, all are put anew: on one line as
 * long as all are on. With one that is off, each has a line of its own, and that one is a comment (`# &page=2`): other
 * clients pass over it, too. What was not edited stays as it was written.
 */
export function replaceQuery(file: HttpFile, request: HttpRequestBlock, rows: readonly PairRow[]): string {
  const { text, lineEnd } = file;
  const inPlace = replaceParameters(file, request, rows);
  if (inPlace !== null) return inPlace;
  const { base, fragment } = readQuery(file, request);
  const lines = listHeadLines(file, request);
  const lastComment = lines.filter((line) => disabledParameter.test(line.text)).at(-1)?.end ?? 0;
  const end = Math.max(request.requestLineEnd, lastComment);
  const others = lines
    .filter((line) => line.end <= end && !disabledParameter.test(line.text) && !continuation.test(line.text))
    .map((line) => text.slice(text[line.start - 2] === '\r' ? line.start - 2 : line.start - 1, line.end));
  const version = request.httpVersion === null ? '' : ` ${request.httpVersion}`;
  const on = rows.filter(({ isEnabled }) => isEnabled);
  const isOneLine = rows.length === on.length;
  const query = on.length === 0 ? '' : `?${on.map(printParameter).join('&')}`;
  const written = isOneLine
    ? `${base}${query}${fragment}${version}`
    : printLines({ base, rows, fragment, version, lineEnd });
  return text.slice(0, request.urlStart) + written + others.join('') + text.slice(end);
}

function printLines(query: Query & { version: string; lineEnd: string }): string {
  const { base, rows, fragment, version, lineEnd } = query;
  const lastOn = rows.findLastIndex(({ isEnabled }) => isEnabled);
  const tail = fragment + version;
  let isFirst = true;
  const lines = rows.map((row, index) => {
    const mark = isFirst ? '?' : '&';
    if (row.isEnabled) isFirst = false;
    const written = `${mark}${printParameter(row)}`;
    return row.isEnabled ? `    ${written}${index === lastOn ? tail : ''}` : `    # ${written}`;
  });
  return [`${base}${lastOn === -1 ? tail : ''}`, ...lines].join(lineEnd);
}

/** Writes rows as lines of text, `# ` before those that are off. */
export function printBulk(rows: readonly PairRow[], divider: ':' | '='): string {
  const gap = divider === ':' ? ': ' : '=';
  return rows.map(({ name, value, isEnabled }) => `${isEnabled ? '' : '# '}${name}${gap}${value}`).join('\n');
}

/** Reads lines of text as rows; empty lines are passed over. */
export function readBulk(text: string, divider: ':' | '='): PairRow[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const [, off, rest = ''] = /^[ \t]*(#[ \t]*)?(.*)/s.exec(line) ?? [];
    if (rest.trim() === '') return [];
    const at = hideExpressions(rest).indexOf(divider);
    const name = (at === -1 ? rest : rest.slice(0, at)).trim();
    const value = at === -1 ? '' : rest.slice(at + 1);
    return [{ name, value: divider === ':' ? value.trim() : value, isEnabled: off === undefined }];
  });
}
