import { JSON_STYLES, SORTED_ABOVE, sortTopLevel, writeJson } from '../../doctor/hypotheses/json-styles';
import { listPrinted } from '../../doctor/hypotheses/print-languages';
import { readWindows1252, TEXT_ENCODINGS } from '../../doctor/hypotheses/text-encodings';
import { readJsonTree } from '../../json/json-tree';
import { encodeBase64 } from '../../signing/base64';
import { toHex } from '../../signing/hex';
import type { Form } from './deviation';

/** Bodies beyond this are tried in the likely forms alone: each costs a pass over all of it. */
const FULL_SEARCH_BYTES = 64 * 1024;
/** The tree of a larger one takes eighty times its size. */
const TREE_BYTES = 1024 * 1024;
const utf8 = new TextEncoder();
const AS_SENT = 'sign the bytes that are sent, and send them as they were signed';

/** Lists what senders sign in the place of the body that they send, that body first; none twice. */
export function* listBodyForms(body: Uint8Array): Generator<Form<Uint8Array>> {
  const seen = new Set<string>([readLatin1(body)]);
  yield { value: body, deviation: null, isCommon: true };
  const text = decodeUtf8(body);
  if (text === null) return;
  const isFull = body.length <= FULL_SEARCH_BYTES;
  for (const [written, what, isCommon] of isFull ? listAll(text) : listLikely(text)) {
    const value = typeof written === 'string' ? utf8.encode(written) : written;
    const key = readLatin1(value);
    if (seen.has(key)) continue;
    seen.add(key);
    const deviation = {
      part: 'body',
      phrase: `over ${what}, which is not what came`,
      remedy: AS_SENT,
    } as const;
    yield { value, deviation, isCommon };
  }
}

type Written = readonly [written: string | Uint8Array, what: string, isCommon: boolean];

function* listLikely(text: string): Generator<Written> {
  yield [text.trim(), 'the body without the white space around it', true];
  yield [`${text}\n`, 'the body and a line feed', true];
  const tree = text.length > TREE_BYTES ? null : readJsonTree(text);
  if (tree !== null) yield [writeJson(tree, JSON_STYLES[0]!), 'the body written anew, minified', true];
}

function* listAll(text: string): Generator<Written> {
  yield* listLikely(text);
  yield [`${text}\r\n`, 'the body and CRLF', false];
  yield [text.replace(/\r\n?/g, '\n'), 'the body with line ends as LF', false];
  yield [text.replace(/\r?\n/g, '\r\n'), 'the body with line ends as CRLF', false];
  yield [text.replace(/^\ufeff/, ''), 'the body without its byte order mark', false];
  yield [text.replace(/\s+/g, ''), 'the body with all white space taken out', false];
  yield ['', 'an empty body', true];
  yield ['{}', 'an empty object', true];
  yield ['[]', 'an empty list', false];
  yield ['null', 'the word “null”', false];
  yield ['undefined', 'the word “undefined”', false];
  yield ['[object Object]', '“[object Object]”, a parsed object that became text', true];
  yield ['Array', '“Array”, a PHP array that became text', false];
  const bytes = utf8.encode(text);
  yield [writeBytesLiteral(bytes), "the body as Python prints bytes (b'…')", true];
  yield [readLatin1(bytes), 'the body read as Latin-1', true];
  for (const read of readWindows1252(bytes)) yield [read, 'the body read as Windows-1252', false];
  yield [readLatin1(bytes).replace(/[^ -~\s]/g, '\ufffd'), 'the body read as ASCII', false];
  yield [bytes.map((byte) => byte & 0x7f), 'the body read as ASCII of seven bits', false];
  for (const { name, encode } of TEXT_ENCODINGS) yield [encode(text), `the body written as ${name}`, false];
  yield [JSON.stringify(text), 'the body as one JSON text, serialised twice', true];
  yield [encodeBase64(bytes), 'the body as Base64', false];
  yield [toHex(bytes), 'the body as hex', false];
  const tree = readJsonTree(text);
  if (tree === null) return;
  for (const [written, how] of listPrinted(tree)) yield [written, `the body ${how}`, true];
  for (const style of JSON_STYLES) {
    const written = writeJson(tree, style);
    yield [written, `the body written anew, ${style.name}`, style.isCommon];
    yield [`${written}\n`, `the body written anew, ${style.name}, and a line feed`, false];
  }
  const sorted = sortTopLevel(tree);
  for (const style of SORTED_ABOVE)
    yield [writeJson(sorted, style), `the body written anew, ${style.name}`, false];
}

/** Python's `str(b'…')`. @param bytes - quotes and what is beyond ASCII are written as Python has them */
function writeBytesLiteral(bytes: Uint8Array): string {
  const text = readLatin1(bytes);
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const named: Readonly<Record<string, string>> = {
    '\\': '\\\\',
    '\n': '\\n',
    '\r': '\\r',
    '\t': '\\t',
    [quote]: `\\${quote}`,
  };
  const write = (one: string): string =>
    named[one] ?? (/[ -~]/.test(one) ? one : `\\x${toHex(Uint8Array.of(one.charCodeAt(0)))}`);
  return `b${quote}${[...text].map(write).join('')}${quote}`;
}

/** At a time, so that neither arguments nor pieces become too many. */
const PIECE_BYTES = 8192;

function readLatin1(bytes: Uint8Array): string {
  const count = Math.ceil(bytes.length / PIECE_BYTES);
  const pieces = Array.from({ length: count }, (_, at) =>
    String.fromCharCode(...bytes.subarray(at * PIECE_BYTES, (at + 1) * PIECE_BYTES)),
  );
  return pieces.join('');
}

function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
