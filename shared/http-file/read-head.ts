import { isHeaderName } from '../find-header';
import { trailerLine } from './foreign-lines';
import type { HeaderLine, HttpFileFault, RequestLine } from './http-file';
import { readLine, unreadLine, type Line, type LineReader } from './http-lines';
import { readAside, type Asides } from './read-asides';

const methods =
  /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|CONNECT|OPTIONS|TRACE|LOCK|UNLOCK|PROPFIND|PROPPATCH|COPY|MOVE|MKCOL|SEARCH)$/i;
const urlBeginning = /^(?:[a-z]+:\/\/|\{\{|\/|\[|localhost\b|[\w-]+(?:\.[\w-]+)+|[\w.-]+:\d)/i;
/** A URL goes on with `?` or `&`; indented, with `/` too. */
export const continuation = /^(?:[?&]|[ \t]+(?:[?&]|\/(?!\/)))/;

/** A file for a body, which httpYac takes right under the headers, too. */
export const bodyFile = /^<(?:@\w*)?[ \t]+(?!\{%)\S/;

/** Cuts `HTTP/1.1` from the end of a line, and what stands behind it: that is never part of a URL. */
function cutVersion(text: string): { rest: string; httpVersion: string | null; behind: string } {
  const found = /[ \t](HTTP\/\d(?:\.\d)?)(?:[ \t]+(\S.*))?$/i.exec(text);
  if (found === null) return { rest: text, httpVersion: null, behind: '' };
  const [, httpVersion = '', behind = ''] = found;
  return { rest: text.slice(0, found.index).trimEnd(), httpVersion, behind };
}

const notSent = (text: string): string =>
  `“${text.slice(0, 40)}” stands after the HTTP version and is not sent. Put it before.`;

/** Reads `METHOD URL HTTP/1.1`, method and version optional; null: the line is something else. */
export function readRequestLine(line: Line, notes: HttpFileFault[]): RequestLine | null {
  const trimmed = line.text.trim();
  const { rest, httpVersion, behind } = cutVersion(trimmed);
  const word = /^[A-Za-z]+(?=[ \t])/.exec(rest)?.[0];
  const url = rest.slice(word?.length ?? 0).trimStart();
  const isKnown = word !== undefined && methods.test(word);
  const mayBeMethod =
    isKnown || (word !== undefined && word === word.toUpperCase() && urlBeginning.test(url));
  if (word !== undefined ? !mayBeMethod : methods.test(url) || !urlBeginning.test(url)) return null;
  // JetBrains' client: how HTTP/2 is begun.
  if (behind !== '' && !/^\(prior knowledge\)$/i.test(behind))
    notes.push({ line: line.number, message: notSent(behind) });
  const start = line.start + line.text.indexOf(trimmed);
  const urlEnd = start + rest.length;
  return {
    method: word ?? 'GET',
    url,
    httpVersion,
    requestLineStart: start,
    requestLineEnd: line.end,
    methodEnd: word === undefined ? null : start + word.length,
    urlStart: urlEnd - url.length,
    urlEnd,
    line: line.number,
  };
}

function continueUrl(request: RequestLine, line: Line, notes: HttpFileFault[]): void {
  const text = line.text.trim();
  if (request.httpVersion !== null) {
    notes.push({ line: line.number, message: notSent(text) });
    return;
  }
  const { rest, httpVersion, behind } = cutVersion(text);
  if (behind !== '') notes.push({ line: line.number, message: notSent(behind) });
  request.url += rest;
  request.httpVersion = httpVersion;
  request.urlEnd = line.start + line.text.indexOf(text) + rest.length;
  request.requestLineEnd = line.end;
}

function readHeader(line: Line): HeaderLine | null {
  const colon = line.text.indexOf(':');
  const name = line.text.slice(0, Math.max(0, colon)).trim();
  if (!isHeaderName(name)) return null;
  const rest = line.text.slice(colon + 1);
  const value = rest.trim();
  const nameStart = line.start + line.text.indexOf(name);
  const valueStart =
    value === '' ? line.start + colon + 1 : line.start + colon + 1 + (rest.length - rest.trimStart().length);
  return {
    name,
    value,
    line: line.number,
    start: line.start,
    end: line.end,
    nameEnd: nameStart + name.length,
    valueStart,
    valueEnd: valueStart + value.length,
  };
}

/** Headers, and where the last of them (or the request line) ends, before its line end. */
export interface Head {
  headers: HeaderLine[];
  headEnd: number;
}

/** Reads what follows the request line, up to the blank line; a response handler or a file ends the head, too. */
export function readHead(
  reader: LineReader,
  request: RequestLine,
  asides: Asides,
  faults: HttpFileFault[],
): Head {
  const head: Head = { headers: [], headEnd: request.requestLineEnd };
  for (let line = readLine(reader); line !== null && line.text.trim() !== ''; line = readLine(reader)) {
    if (trailerLine.test(line.text) || bodyFile.test(line.text)) {
      unreadLine(reader, line);
      break;
    }
    if (head.headers.length === 0 && continuation.test(line.text)) {
      continueUrl(request, line, asides.notes);
      head.headEnd = line.end;
      continue;
    }
    if (readAside(reader, line, asides)) continue;
    const header = readHeader(line);
    if (header !== null) {
      head.headers.push(header);
      head.headEnd = line.end;
      continue;
    }
    const message = 'Neither a header (`Name: value`) nor the blank line before the body.';
    faults.push({ line: line.number, message });
  }
  return head;
}
