import { describeJsonFault } from './json-fault';
import {
  JSON_ARRAY,
  JSON_FALSE,
  JSON_NULL,
  JSON_NUMBER,
  JSON_OBJECT,
  JSON_STRING,
  JSON_TRUE,
  type JsonSink,
} from './json-sink';
import { Utf16Map, Utf16Sink } from './utf16-sink';

/** Buffers longer than this are not kept between scans. */
const KEPT_BYTES = 4 * 1024 * 1024;

const encoder = new TextEncoder();
let buffer = new Uint8Array(16 * 1024);
let stack = new Uint8Array(256);

/** Where a scan stopped, by byte; becomes an error with a place in the text. */
class ByteFault {
  constructor(
    readonly at: number,
    readonly expected: string,
  ) {}
}

/**
 * Reads a text as strict JSON (RFC 8259), in one pass, and tells a sink where everything stands.
 *
 * Accepts exactly what `JSON.parse` accepts, nests to any depth, and never converts a value: literals are
 * slices of the text. It walks the UTF-8 bytes, because reading a byte of an array costs a fraction of reading a
 * character of a string. A sink must not start another scan.
 * @throws {AppError} `signing.not_json` with `{ line, column, offset }`
 * @source RFC 8259
 */
export function scanJson(text: string, sink: JsonSink): void {
  const size = encode(text);
  const bytes = buffer;
  try {
    scanBytes(bytes, size, size === text.length ? sink : new Utf16Sink(bytes, sink));
  } catch (error) {
    if (!(error instanceof ByteFault)) throw error;
    const offset = size === text.length ? error.at : new Utf16Map(bytes).at(error.at);
    throw describeJsonFault(text, offset, error.expected);
  } finally {
    if (buffer.length > KEPT_BYTES) buffer = new Uint8Array(16 * 1024);
  }
}

/** Fills the buffer with the text's UTF-8 and a zero behind it, which no rule of JSON accepts. */
function encode(text: string): number {
  const { length } = text;
  if (buffer.length <= length) buffer = new Uint8Array(length + (length >> 3) + 1);
  const first = encoder.encodeInto(text, buffer);
  let size = first.written;
  if (first.read < length || size === buffer.length) {
    buffer = new Uint8Array(length * 3 + 1);
    size = encoder.encodeInto(text, buffer).written;
  }
  buffer[size] = 0;
  return size;
}

// One loop without calls for each element: it runs over a megabyte at each key stroke.
// eslint-disable-next-line complexity
function scanBytes(bytes: Uint8Array, size: number, sink: JsonSink): void {
  const { levels } = sink;
  let depth = 0;
  let at = skipWhiteSpace(bytes, 0);
  for (;;) {
    const code = bytes[at]!;
    const told = depth <= levels ? sink : null;
    if (code === 0x7b || code === 0x5b) {
      const isObject = code === 0x7b;
      if (told !== null) sink.open(isObject ? JSON_OBJECT : JSON_ARRAY, at);
      if (depth === stack.length) growStack();
      stack[depth++] = isObject ? 1 : 0;
      at = skipWhiteSpace(bytes, at + 1);
      if (bytes[at] !== (isObject ? 0x7d : 0x5d)) {
        if (isObject) at = scanKey(bytes, at, depth <= levels ? sink : null);
        continue;
      }
      // An empty container: the loop below closes it.
    } else {
      at = scanScalar(bytes, at, code, told);
    }
    for (;;) {
      at = skipWhiteSpace(bytes, at);
      if (depth === 0) {
        if (at !== size) throw new ByteFault(at, 'the end of the text');
        return;
      }
      const isObject = stack[depth - 1] === 1;
      const next = bytes[at]!;
      if (next === 0x2c) {
        at = skipWhiteSpace(bytes, at + 1);
        if (isObject) at = scanKey(bytes, at, depth <= levels ? sink : null);
        break;
      }
      if (next !== (isObject ? 0x7d : 0x5d)) throw new ByteFault(at, isObject ? "',' or '}'" : "',' or ']'");
      depth -= 1;
      at += 1;
      if (depth <= levels) sink.close(at);
    }
  }
}

function growStack(): void {
  const wider = new Uint8Array(stack.length * 4);
  wider.set(stack);
  stack = wider;
}

function skipWhiteSpace(bytes: Uint8Array, from: number): number {
  let at = from;
  for (;;) {
    const code = bytes[at]!;
    if (code > 0x20 || (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09)) return at;
    at += 1;
  }
}

/** Reads `"key" :` and the white space around; gives the offset of the value. */
function scanKey(bytes: Uint8Array, from: number, sink: JsonSink | null): number {
  if (bytes[from] !== 0x22) throw new ByteFault(from, 'a key in double quotes');
  const found = scanString(bytes, from + 1);
  const end = found < 0 ? ~found : found;
  if (sink !== null) sink.key(from + 1, end, found < 0);
  const colon = skipWhiteSpace(bytes, end + 1);
  if (bytes[colon] !== 0x3a) throw new ByteFault(colon, "':'");
  return skipWhiteSpace(bytes, colon + 1);
}

/** Reads a string, number or name; gives the offset after it. */
function scanScalar(bytes: Uint8Array, at: number, code: number, sink: JsonSink | null): number {
  if (code === 0x22) {
    const found = scanString(bytes, at + 1);
    const end = found < 0 ? ~found : found;
    if (sink !== null) sink.scalar(JSON_STRING, at + 1, end, found < 0);
    return end + 1;
  }
  if (code === 0x2d || (code >= 0x30 && code <= 0x39)) {
    const end = scanNumber(bytes, at, code);
    if (sink !== null) sink.scalar(JSON_NUMBER, at, end, false);
    return end;
  }
  if (code === 0x74) return scanName(bytes, at, 'true', JSON_TRUE, sink);
  if (code === 0x66) return scanName(bytes, at, 'false', JSON_FALSE, sink);
  if (code === 0x6e) return scanName(bytes, at, 'null', JSON_NULL, sink);
  throw new ByteFault(at, 'a value');
}

function scanName(
  bytes: Uint8Array,
  from: number,
  name: string,
  kind: number,
  sink: JsonSink | null,
): number {
  for (let index = 0; index < name.length; index += 1) {
    if (bytes[from + index] !== name.charCodeAt(index)) throw new ByteFault(from + index, `'${name}'`);
  }
  if (sink !== null) sink.scalar(kind, from, from + name.length, false);
  return from + name.length;
}

/** Gives the offset of the closing quote; its complement (`~`) where the string holds an escape. */
function scanString(bytes: Uint8Array, from: number): number {
  let at = from;
  let hasEscape = false;
  for (;;) {
    const code = bytes[at]!;
    if (code > 0x5c) {
      // Small letters and all beyond ASCII: most of most strings.
      at += 1;
    } else if (code === 0x22) {
      return hasEscape ? ~at : at;
    } else if (code === 0x5c) {
      hasEscape = true;
      at = skipEscape(bytes, at);
    } else if (code < 0x20) {
      throw new ByteFault(at, "an escape such as \\n, or a closing '\"'");
    } else {
      at += 1;
    }
  }
}

function skipEscape(bytes: Uint8Array, backslash: number): number {
  switch (bytes[backslash + 1]) {
    case 0x75:
      for (let at = backslash + 2; at < backslash + 6; at += 1) {
        if (!isHexDigit(bytes[at]!)) throw new ByteFault(at, 'four hexadecimal digits');
      }
      return backslash + 6;
    case 0x22:
    case 0x5c:
    case 0x2f:
    case 0x62:
    case 0x66:
    case 0x6e:
    case 0x72:
    case 0x74:
      return backslash + 2;
    default:
      throw new ByteFault(backslash + 1, 'one of " \\ / b f n r t u after a backslash');
  }
}

function isHexDigit(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x46) || (code >= 0x61 && code <= 0x66);
}

function scanNumber(bytes: Uint8Array, from: number, first: number): number {
  let at = first === 0x2d ? from + 1 : from;
  if (bytes[at] === 0x30) at += 1;
  else at = skipDigits(bytes, at);
  if (bytes[at] === 0x2e) at = skipDigits(bytes, at + 1);
  if (bytes[at] === 0x65 || bytes[at] === 0x45) {
    at += 1;
    if (bytes[at] === 0x2b || bytes[at] === 0x2d) at += 1;
    at = skipDigits(bytes, at);
  }
  return at;
}

/** Reads one digit or more. */
function skipDigits(bytes: Uint8Array, from: number): number {
  let at = from;
  while (bytes[at]! >= 0x30 && bytes[at]! <= 0x39) at += 1;
  if (at === from) throw new ByteFault(at, 'a digit');
  return at;
}

/** What the character after a backslash stands for; `\u` apart. */
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

/**
 * Gives the value of a string that a scan has found.
 *
 * @param start - offset after the opening quote
 * @param end - offset of the closing quote
 * @param hasEscape - as the scan told it
 */
export function decodeJsonString(text: string, start: number, end: number, hasEscape: boolean): string {
  if (!hasEscape) return text.slice(start, end);
  let value = '';
  let from = start;
  for (;;) {
    const backslash = text.indexOf('\\', from);
    if (backslash === -1 || backslash >= end) return value + text.slice(from, end);
    value += text.slice(from, backslash);
    const letter = text[backslash + 1] ?? '';
    if (letter === 'u') {
      value += String.fromCharCode(Number.parseInt(text.slice(backslash + 2, backslash + 6), 16));
      from = backslash + 6;
    } else {
      value += ESCAPES[letter] ?? '';
      from = backslash + 2;
    }
  }
}
