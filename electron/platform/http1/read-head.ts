import { limits } from './limits';
import { knownMethods } from './registered-names';

/** Why a message is not taken, and the status that says so. */
export interface Refusal {
  readonly kind: 'refused';
  readonly httpStatus: number;
  /** Half a sentence: what is wrong. */
  readonly reason: string;
}

/** The head of a request, and what it says about the body and the connection. */
export interface RequestHead {
  readonly kind: 'head';
  readonly method: string;
  /** As sent. */
  readonly target: string;
  /** Name, value, name, value …: in order, names as sent, values without the blanks around them, Latin-1. */
  readonly headers: readonly string[];
  readonly framing: Framing;
}

/** Where the body ends, and what becomes of the connection. */
export interface Framing {
  readonly kind: 'framing';
  /** Bytes of the body; null: it comes in chunks. */
  readonly contentLength: number | null;
  readonly isKeepAlive: boolean;
  readonly expectsContinue: boolean;
}

/** Origin form, asterisk or absolute form. Visible ASCII alone: anything else is to be percent-encoded. */
const REQUEST_LINE =
  /^([!#$%&'*+.^_`|~0-9A-Za-z-]+) (\/[!-~]*|\*|[A-Za-z]+:\/\/[\w.:[\]-]+(?:[/?][!-~]*)?) HTTP\/1\.([01])$/;
const OTHER_VERSION = /^\S+ \S+ HTTP\/(?!1\.[01]$)\d/;
/** Every line: a token, a colon, a value without control characters. Folded lines are obsolete and refused. */
// eslint-disable-next-line no-control-regex -- RFC 9110 §5.5 forbids exactly these
const FIELD_LINES = /^(?:\r\n[!#$%&'*+.^_`|~0-9A-Za-z-]+:[^\x00-\x08\x0a-\x1f\x7f]*)*$/;
/** Decimal digits of a length that can still be counted exactly. */
const LENGTH = /^\d{1,15}$/;
/** Allowed by the letter, and refused by Node's parser, which may stand before or behind us. */
const FRAMING_BEFORE_TAB = /\r\n(?:content-length|transfer-encoding):[^\r]*[^\r\t :] *\t/i;
/** Node's parser takes the second, which is in no standard, for the first. */
const CONNECTION = /^(?:proxy-)?connection$/i;

/**
 * Reads the head of a request, strictly.
 *
 * What two servers could read in two ways (both lengths, a length twice, folded lines) is refused.
 * @param head - bytes up to, without, the empty line; as Latin-1 text
 * @source RFC 9112 §2 to §6
 */
export function readHead(head: string): RequestHead | Refusal {
  const lineEnd = head.indexOf('\r\n');
  const firstLine = lineEnd === -1 ? head : head.slice(0, lineEnd);
  const line = REQUEST_LINE.exec(firstLine);
  if (line === null) return refuseLine(firstLine);
  const [, method = '', target = '', minor] = line;
  if (!knownMethods.has(method)) return refuse(501, `the method '${method.slice(0, 40)}' is not known`);
  if (target.length > limits.targetBytes) return refuse(414, 'the target is too long');
  const lines = lineEnd === -1 ? '' : head.slice(lineEnd);
  const headers = readFieldLines(lines);
  if (headers === null) return refuse(400, describeLines(lines));
  if (lines.includes('\t') && FRAMING_BEFORE_TAB.test(lines)) {
    return refuse(400, 'a tab stands behind a length or a coding');
  }
  const framing = readFraming(headers, minor === '1');
  if (framing.kind === 'refused') return framing;
  return { kind: 'head', method, target, headers, framing };
}

/**
 * Reads the field lines of a head or of a trailer.
 *
 * @param lines - each with its line break in front of it
 * @returns name, value, name, value …; null where a line cannot be read
 */
export function readFieldLines(lines: string): string[] | null {
  if (!FIELD_LINES.test(lines)) return null;
  const fields: string[] = [];
  for (let at = 2; at < lines.length;) {
    const colon = lines.indexOf(':', at);
    const next = lines.indexOf('\r\n', colon);
    const end = next === -1 ? lines.length : next;
    fields.push(lines.slice(at, colon), sliceWithoutBlanks(lines, colon + 1, end));
    at = end + 2;
  }
  return fields;
}

export function refuse(httpStatus: number, reason: string): Refusal {
  return { kind: 'refused', httpStatus, reason };
}

/** Not `trim()`: what that takes away beyond spaces and tabs, another server would take as part of the value. */
function sliceWithoutBlanks(text: string, from: number, to: number): string {
  while (from < to && isBlank(text.charCodeAt(from))) from++;
  while (to > from && isBlank(text.charCodeAt(to - 1))) to--;
  return text.slice(from, to);
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}

/** Where the body of a message ends, by its headers. */
export function readFraming(headers: readonly string[], isVersion11: boolean): Framing | Refusal {
  let length: string | null = null;
  let coding: string | null = null;
  let connection = '';
  let expectsContinue = false;
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index]!;
    const value = headers[index + 1]!;
    // Lengths first: few names are put into lower case.
    if (name.length === 14 && name.toLowerCase() === 'content-length') {
      if (length !== null) return refuse(400, 'Content-Length stands there twice');
      length = value;
    } else if (name.length === 17 && name.toLowerCase() === 'transfer-encoding') {
      if (coding !== null) return refuse(400, 'Transfer-Encoding stands there twice');
      coding = value.toLowerCase();
    } else if ((name.length === 10 || name.length === 16) && CONNECTION.test(name)) {
      connection += `${value.toLowerCase()},`;
    } else if (name.length === 6 && name.toLowerCase() === 'expect') {
      expectsContinue = isVersion11 && value.toLowerCase() === '100-continue';
    }
  }
  const contentLength = readLength(length, coding, isVersion11);
  if (typeof contentLength === 'object' && contentLength !== null) return contentLength;
  return { kind: 'framing', contentLength, isKeepAlive: isKept(connection, isVersion11), expectsContinue };
}

function isKept(connection: string, isVersion11: boolean): boolean {
  if (connection === '') return isVersion11;
  const options = connection.split(',').map((option) => option.trim());
  // After an offer to go on in another protocol nobody can be sure in which the next bytes are.
  if (options.includes('close') || options.includes('upgrade')) return false;
  return isVersion11 || options.includes('keep-alive');
}

function readLength(
  length: string | null,
  coding: string | null,
  isVersion11: boolean,
): number | null | Refusal {
  if (coding !== null) {
    if (length !== null || !isVersion11) return refuse(400, 'Transfer-Encoding cannot stand here');
    return coding === 'chunked'
      ? null
      : refuse(501, `the transfer coding '${coding.slice(0, 40)}' is not known`);
  }
  if (length === null) return 0;
  return LENGTH.test(length) ? Number(length) : refuse(400, 'Content-Length is not a number');
}

function describeLines(lines: string): string {
  return /\r\n[ \t]/.test(lines)
    ? 'a header goes on in a line of its own, which begins with a blank: write its value in one line'
    : 'a header line cannot be read';
}

function refuseLine(line: string): Refusal {
  if (line.startsWith('CONNECT ')) {
    return refuse(
      400,
      'CONNECT asks for a proxy of the network, which this is none of: give this address as the base address',
    );
  }
  return OTHER_VERSION.test(line)
    ? refuse(505, 'only HTTP/1.0 and HTTP/1.1 are understood')
    : refuse(400, 'the request line cannot be read');
}
