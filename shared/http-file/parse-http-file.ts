import type { Operation } from '../contract/common';
import type {
  Annotation,
  FileVariable,
  HeaderLine,
  HttpFile,
  HttpFileFault,
  HttpRequestBlock,
} from './http-file';
import { inferOperation, isOperation } from './infer-operation';

const methods =
  /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|CONNECT|OPTIONS|TRACE|LOCK|UNLOCK|PROPFIND|PROPPATCH|COPY|MOVE|MKCOL|SEARCH)$/i;
const annotationLine = /^(?:#|\/\/)\s*@([A-Za-z][\w-]*)(?:[ \t]*=[ \t]*|[ \t]+|$)(.*)$/;
const variableLine = /^@([A-Za-z_$][\w.-]*)\s*=\s*(.*)$/;
const urlBeginning = /^(?:https?:\/\/|\{\{|\/|\[|localhost\b|[\w-]+(?:\.[\w-]+)+|[\w.-]+:\d)/i;
const headerName = /^[!#$%&'*+.^_`|~\w-]+$/;
/** Lines that end a body: response handlers and references of other clients. None can stand inside JSON. */
const trailerLine = /^(?:>\s*\{%|>\s+\S|>>!?\s+\S|<>\s+\S)/;

interface Line {
  text: string;
  start: number;
  /** Before the line end. */
  end: number;
  /** Start of the line after. */
  next: number;
  number: number;
}

interface Reader {
  text: string;
  offset: number;
  line: number;
  limit: number;
}

function readLine(reader: Reader): Line | null {
  if (reader.offset >= reader.limit) return null;
  const start = reader.offset;
  const feed = reader.text.indexOf('\n', start);
  const isLast = feed === -1 || feed >= reader.limit;
  const next = isLast ? reader.limit : feed + 1;
  let end = isLast ? reader.limit : feed;
  if (end > start && reader.text.charCodeAt(end - 1) === 13) end--;
  const line = { text: reader.text.slice(start, end), start, end, next, number: reader.line };
  reader.offset = next;
  reader.line++;
  return line;
}

function countLines(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

/** Looks for `>` and then for what stands before it: line breaks are many in a body, `>` is not. */
function findTrailer(text: string, from: number, to: number): number {
  for (let at = text.indexOf('>', from); at !== -1 && at < to; at = text.indexOf('>', at + 1)) {
    const start = at > from && text.charCodeAt(at - 1) === 60 ? at - 1 : at;
    const beginsLine = start === from || text.charCodeAt(start - 1) === 10;
    if (beginsLine && trailerLine.test(text.slice(start, Math.min(to, start + 200)))) return start;
  }
  return to;
}

/** Gives where the next `###` begins a line after `from`; -1: nowhere. */
function findSeparator(text: string, from: number): number {
  let at = text.indexOf('###', from + 1);
  while (at !== -1 && text.charCodeAt(at - 1) !== 10) at = text.indexOf('###', at + 1);
  return at;
}

type Head = {
  title: string | null;
  annotations: Annotation[];
  notes: HttpFileFault[];
  isInScript: boolean;
};

/** Reads a line that may stand before the request line; false: it is the request line (or wrong). */
function readPreamble(line: Line, head: Head, variables: FileVariable[]): boolean {
  const text = line.text;
  if (head.isInScript) {
    head.isInScript = !text.includes('%}');
    return true;
  }
  if (text.trim() === '') return true;
  if (/^<\s*\{%/.test(text)) {
    head.notes.push({ line: line.number, message: 'Scripts are kept but not run.' });
    head.isInScript = !text.includes('%}');
    return true;
  }
  if (text.startsWith('#') || text.startsWith('//')) {
    const found = annotationLine.exec(text);
    if (found) {
      const [, name = '', value = ''] = found;
      head.annotations.push({
        name,
        value: value.trim(),
        line: line.number,
        start: line.start,
        end: line.end,
      });
    }
    return true;
  }
  const variable = variableLine.exec(text);
  if (variable === null) return false;
  variables.push({ name: variable[1] ?? '', value: (variable[2] ?? '').trim(), line: line.number });
  return true;
}

type RequestLine = Pick<
  HttpRequestBlock,
  | 'method'
  | 'url'
  | 'httpVersion'
  | 'requestLineStart'
  | 'requestLineEnd'
  | 'methodEnd'
  | 'urlStart'
  | 'urlEnd'
  | 'line'
>;

function readRequestLine(line: Line): RequestLine | null {
  const trimmed = line.text.trimEnd();
  const version = /[ \t]HTTP\/\d(?:\.\d)?$/.exec(trimmed);
  const withoutVersion = (version ? trimmed.slice(0, version.index) : trimmed).trimEnd();
  const word = /^[A-Za-z]+(?=[ \t])/.exec(withoutVersion)?.[0];
  const url = withoutVersion.slice(word?.length ?? 0).trimStart();
  const isKnown = word !== undefined && methods.test(word);
  const mayBeMethod =
    isKnown || (word !== undefined && word === word.toUpperCase() && urlBeginning.test(url));
  if (word !== undefined ? !mayBeMethod : methods.test(url) || !urlBeginning.test(url)) return null;
  const urlEnd = line.start + withoutVersion.length;
  return {
    method: word ?? 'GET',
    url,
    httpVersion: version?.[0].trim() ?? null,
    requestLineStart: line.start,
    requestLineEnd: line.end,
    methodEnd: word === undefined ? null : line.start + word.length,
    urlStart: urlEnd - url.length,
    urlEnd,
    line: line.number,
  };
}

function readHeader(line: Line): HeaderLine | null {
  const colon = line.text.indexOf(':');
  if (colon < 1) return null;
  const name = line.text.slice(0, colon).trimEnd();
  if (!headerName.test(name)) return null;
  const rest = line.text.slice(colon + 1);
  const value = rest.trim();
  const valueStart =
    value === '' ? line.start + colon + 1 : line.start + colon + 1 + (rest.length - rest.trimStart().length);
  return {
    name,
    value,
    line: line.number,
    start: line.start,
    end: line.end,
    nameEnd: line.start + name.length,
    valueStart,
    valueEnd: valueStart + value.length,
  };
}

/** Takes continuation lines of the URL and headers, up to the blank line. Gives the end of the head. */
function readHead(
  reader: Reader,
  request: RequestLine,
  headers: HeaderLine[],
  faults: HttpFileFault[],
): number {
  let headEnd = request.requestLineEnd;
  let mayContinueUrl = true;
  for (;;) {
    const line = readLine(reader);
    if (line === null || line.text.trim() === '') return headEnd;
    if (mayContinueUrl && /^(?:[ \t]+\S|[?&])/.test(line.text)) {
      request.url += line.text.trim();
      request.urlEnd = line.start + line.text.trimEnd().length;
      request.requestLineEnd = headEnd = line.end;
      continue;
    }
    mayContinueUrl = false;
    if (line.text.startsWith('#') || line.text.startsWith('//')) continue;
    const header = readHeader(line);
    if (header === null) {
      faults.push({
        line: line.number,
        message: 'Neither a header (`Name: value`) nor the blank line before the body.',
      });
      continue;
    }
    headers.push(header);
    headEnd = line.end;
  }
}

function readOperation(annotations: Annotation[], request: RequestLine, faults: HttpFileFault[]): Operation {
  const given = annotations.find(({ name }) => name === 'operation');
  if (given === undefined) return inferOperation(request.method, request.url);
  if (isOperation(given.value)) return given.value;
  faults.push({
    line: given.line,
    message: `No operation '${given.value.slice(0, 40)}': use remittance, payout, collection, status, balances, token, send_test or other.`,
  });
  return inferOperation(request.method, request.url);
}

/** The body's bounds: line breaks at its end belong to the file, as for the other readers of the format. */
function findBody(text: string, from: number, to: number): { start: number; end: number } {
  let end = to;
  while (end > from && (text.charCodeAt(end - 1) === 10 || text.charCodeAt(end - 1) === 13)) end--;
  return { start: from, end };
}

function readBlock(reader: Reader, file: HttpFile): void {
  const faults: HttpFileFault[] = [];
  const block = readRequest(reader, file.variables, faults);
  if (block !== null) file.requests.push(block);
  file.faults.push(...faults);
}

function readRequest(
  reader: Reader,
  variables: FileVariable[],
  faults: HttpFileFault[],
): HttpRequestBlock | null {
  const start = reader.offset;
  const head: Head = { title: null, annotations: [], notes: [], isInScript: false };
  if (reader.text.startsWith('###', start)) {
    const title = readLine(reader)?.text.replace(/^#+/, '').trim() ?? '';
    head.title = title === '' ? null : title;
  }
  const { text, limit } = reader;
  let line = readLine(reader);
  while (line !== null && readPreamble(line, head, variables)) line = readLine(reader);
  if (line === null) return null;
  const request = readRequestLine(line);
  if (request === null) {
    faults.push({
      line: line.number,
      message: 'Not a request line: write METHOD and URL, such as `POST {{base_url}}/payments/v1/payouts`.',
    });
    return null;
  }
  const headers: HeaderLine[] = [];
  const headEnd = readHead(reader, request, headers, faults);
  const bodyLine = reader.line;
  const trailer = findTrailer(text, reader.offset, limit);
  const body = findBody(text, Math.min(reader.offset, limit), trailer);
  if (trailer < limit) {
    const at = bodyLine + countLines(text, body.start, trailer);
    head.notes.push({ line: at, message: 'Response handlers are kept but not run.' });
  }
  if (
    text.charCodeAt(body.start) === 60 &&
    /^<@?\S*[ \t]+\S/.test(text.slice(body.start, body.start + 200))
  ) {
    faults.push({
      line: bodyLine,
      message: 'The body stands in another file (`< file`): put the body itself here.',
    });
  }
  return {
    ...request,
    name: head.annotations.find(({ name }) => name === 'name')?.value || head.title,
    operation: readOperation(head.annotations, request, faults),
    annotations: head.annotations,
    headers,
    body: body.end > body.start ? text.slice(body.start, body.end) : null,
    bodyStart: body.start,
    bodyEnd: body.end,
    headEnd,
    start,
    end: limit,
    fileVariables: variables,
    notes: head.notes,
    faults,
  };
}

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
  const reader: Reader = { text, offset: text.charCodeAt(0) === 0xfeff ? 1 : 0, line: 1, limit: 0 };
  while (reader.offset < text.length) {
    const start = reader.offset;
    const firstLine = reader.line;
    const separator = findSeparator(text, start);
    reader.limit = separator === -1 ? text.length : separator;
    readBlock(reader, file);
    if (reader.limit < text.length) reader.line = firstLine + countLines(text, start, reader.limit);
    reader.offset = reader.limit;
  }
  if (file.requests.length === 0 && file.faults.length === 0) {
    file.faults.push({ line: 1, message: 'No request in this file: write METHOD and URL on a line.' });
  }
  return file;
}
