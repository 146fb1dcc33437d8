import type { Operation } from '../contract/common';
import { ConflictNames } from './find-conflicts';
import { readForeignMeanings } from './foreign-meanings';
import type { FileVariable, HttpFile, HttpFileFault, HttpRequestBlock, RequestLine } from './http-file';
import { countLines, readLine, type LineReader } from './http-lines';
import { inferOperation, isOperation } from './infer-operation';
import { nameRule } from './find-expression';
import { FETCH_LFS, lfsBeginning } from './lfs-pointer';
import { readAside, type Asides } from './read-asides';
import { readBody } from './read-body';
import { readHead, readRequestLine } from './read-head';

/** Gives where the next `###` begins a line after `from`; -1: nowhere. */
function findSeparator(text: string, from: number): number {
  let at = text.indexOf('###', from + 1);
  while (at !== -1 && text.charCodeAt(at - 1) !== 10) at = text.indexOf('###', at + 1);
  return at;
}

function readOperation(
  annotations: Asides['annotations'],
  request: RequestLine,
  faults: HttpFileFault[],
): Operation {
  const given = annotations.find(({ name }) => name === 'operation');
  if (given === undefined) return inferOperation(request.method, request.url);
  if (isOperation(given.value)) return given.value;
  faults.push({
    line: given.line,
    message: `No operation '${given.value.slice(0, 40)}': use remittance, payout, collection, status, balances, token, send_test or other.`,
  });
  return inferOperation(request.method, request.url);
}

function readTitle(reader: LineReader): string | null {
  if (!reader.text.startsWith('###', reader.offset)) return null;
  const title = readLine(reader)?.text.replace(/^#+/, '').trim() ?? '';
  return title === '' ? null : title;
}

/** What stands in the place of a request line, and what is said of it; the first that fits. */
const noRequests: readonly (readonly [pattern: RegExp, message: string])[] = [
  [
    /^\s*curl(?:\.exe)?\s/i,
    'A curl command is no request line: paste it into the address of a new request, or import it.',
  ],
  [lfsBeginning, `This file ${FETCH_LFS}`],
  [/^/, 'Not a request line: write METHOD and URL, such as `POST {{base_url}}/payments/v1/payouts`.'],
];

/** A variable as other clients name it: what follows is read all the same. */
const foreignVariable = /^[ \t]*@[^\s=]+[ \t]*=/;

const describeNoRequest = (text: string): string => noRequests.find(([pattern]) => pattern.test(text))![1];

/** Reads up to the request line; null: the block has none, which is a fault where anything else stands there. */
function findRequestLine(reader: LineReader, asides: Asides, faults: HttpFileFault[]): RequestLine | null {
  for (let line = readLine(reader); line !== null; line = readLine(reader)) {
    if (line.text.trim() === '') continue;
    if (readAside(reader, line, asides)) continue;
    if (foreignVariable.test(line.text)) {
      faults.push({ line: line.number, message: `This is no variable here: ${nameRule}.`, isVariable: true });
      continue;
    }
    const request = readRequestLine(line, asides.notes);
    if (request !== null) return request;
    faults.push({ line: line.number, message: describeNoRequest(line.text) });
    return null;
  }
  return null;
}

function readRequest(
  reader: LineReader,
  variables: FileVariable[],
  faults: HttpFileFault[],
): HttpRequestBlock | null {
  const start = reader.offset;
  const title = readTitle(reader);
  const asides: Asides = { annotations: [], variables, notes: [] };
  const request = findRequestLine(reader, asides, faults);
  if (request === null) return null;
  const head = readHead(reader, request, asides, faults);
  const body = readBody(reader, head.headers, asides, faults);
  const { method, url, httpVersion, line } = request;
  const { headers, ...foreign } = readForeignMeanings({
    method,
    url,
    httpVersion,
    line,
    headers: head.headers,
    body: body.body,
    bodyCuts: body.bodyCuts,
    bodyLine: body.bodyLine,
  });
  // A fault of the request itself stands before those of its lines.
  faults.unshift(...foreign.faults);
  const { annotations } = asides;
  const disabled = annotations.find(({ name }) => name === 'disabled');
  // Key by key: put together by spreads, a block takes twenty times as long, and a collection has thousands.
  return {
    name: annotations.find(({ name }) => name === 'name')?.value || title,
    operation: readOperation(annotations, request, faults),
    isDisabled: disabled !== undefined && disabled.value !== 'false',
    annotations,
    method: request.method,
    url: request.url,
    httpVersion: request.httpVersion,
    headers,
    body: body.body,
    bodyCuts: body.bodyCuts,
    bodyLine: body.bodyLine,
    bodyStart: body.bodyStart,
    bodyEnd: body.bodyEnd,
    requestLineStart: request.requestLineStart,
    requestLineEnd: request.requestLineEnd,
    methodEnd: request.methodEnd,
    urlStart: request.urlStart,
    urlEnd: request.urlEnd,
    headEnd: head.headEnd,
    start,
    end: reader.limit,
    line: request.line,
    fileVariables: variables,
    notes: [...asides.notes, ...foreign.notes].toSorted((one, other) => one.line - other.line),
    faults,
  };
}

/** Told of a file, and of each of its requests; whoever mends them reads it again. One of 16 MiB could have millions. */
const MOST_FAULTS = 1000;

/**
 * Reads the text of a `.http` file.
 *
 * Nothing is thrown: what cannot be read is a fault with its line, the rest is there. All offsets point into
 * `text`, which is kept as it is. Time grows with the head, and with the body only as fast as it is searched.
 * @param text - the whole file, line ends and a byte order mark as they are
 * @source JetBrains HTTP request in Editor specification; REST Client and httpYac where they agree
 */
export function parseHttpFile(text: string): HttpFile {
  const firstFeed = text.indexOf('\n');
  const file: HttpFile = {
    text,
    lineEnd: firstFeed > 0 && text.charCodeAt(firstFeed - 1) === 13 ? '\r\n' : '\n',
    requests: [],
    variables: [],
    faults: [],
  };
  const reader: LineReader = { text, offset: text.charCodeAt(0) === 0xfeff ? 1 : 0, line: 1, limit: 0 };
  const conflicts = new ConflictNames(text);
  const told = new Set<HttpFileFault>();
  while (reader.offset < text.length) {
    const start = reader.offset;
    const firstLine = reader.line;
    const separator = findSeparator(text, start);
    reader.limit = separator === -1 ? text.length : separator;
    const own: HttpFileFault[] = [];
    const block = readRequest(reader, file.variables, own);
    const { faults, notes } = conflicts.putFirst(start, reader.limit, {
      faults: tellSome(own),
      notes: block?.notes ?? [],
    });
    if (block !== null) {
      Object.assign(block, { faults, notes });
      file.requests.push(block);
    }
    // A conflict that goes through several blocks is a fault of each, and one of the file.
    for (const fault of faults) {
      if (!told.has(fault)) file.faults.push(fault);
      told.add(fault);
    }
    if (reader.limit < text.length) reader.line = firstLine + countLines(text, start, reader.limit);
    reader.offset = reader.limit;
  }
  if (file.requests.length === 0 && file.faults.length === 0 && file.variables.length === 0) {
    // Such a file is one line, a comment more often than not.
    const message =
      firstFeed === -1 && text.trim().includes('\r')
        ? 'No request in this file: its lines end in a carriage return (CR) alone. Save it with line ends LF, or CR and LF.'
        : 'No request in this file: write METHOD and URL on a line.';
    file.faults.push({ line: 1, message });
  }
  file.faults = tellSome(file.faults);
  return file;
}

function tellSome(faults: HttpFileFault[]): HttpFileFault[] {
  if (faults.length <= MOST_FAULTS) return faults;
  const { line } = faults[MOST_FAULTS]!;
  const message = 'More of this file cannot be read than is told: mend the lines above first.';
  return [...faults.slice(0, MOST_FAULTS), { line, message }];
}

/** Lists what cannot be read and is of no request: another one may have been meant to stand there. */
export function listLooseFaults({ requests, faults }: HttpFile): HttpFileFault[] {
  const own = new Set(requests.flatMap((block) => block.faults));
  return faults.filter((fault) => !own.has(fault));
}
