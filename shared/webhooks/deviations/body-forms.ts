import { JSON_STYLES, writeJson } from '../../doctor/hypotheses/json-styles';
import { printPython } from '../../doctor/hypotheses/print-python';
import { readJsonTree } from '../../json/json-tree';
import { encodeBase64 } from '../../signing/base64';
import { toHex } from '../../signing/hex';
import type { Form } from './deviation';

/** Bodies beyond this are tried in the likely forms alone: each costs a pass over all of it. */
const FULL_SEARCH_BYTES = 64 * 1024;
const utf8 = new TextEncoder();
const AS_SENT = 'sign the bytes that are sent, and send them as they were signed';

/** Lists what senders sign in the place of the body that they send, that body first; none twice. */
export function* listBodyForms(body: Uint8Array): Generator<Form<Uint8Array>> {
  const seen = new Set<string>();
  yield { value: body, deviation: null, isCommon: true };
  const text = decodeUtf8(body);
  if (text === null) return;
  seen.add(text);
  const isFull = body.length <= FULL_SEARCH_BYTES;
  for (const [value, what, isCommon] of isFull ? listAll(text) : listLikely(text)) {
    if (seen.has(value)) continue;
    seen.add(value);
    const deviation = {
      part: 'body',
      phrase: `over ${what}, which is not what came`,
      remedy: AS_SENT,
    } as const;
    yield { value: utf8.encode(value), deviation, isCommon };
  }
}

type Written = readonly [text: string, what: string, isCommon: boolean];

function* listLikely(text: string): Generator<Written> {
  yield [text.trim(), 'the body without the white space around it', true];
  yield [`${text}\n`, 'the body and a line feed', true];
  const tree = readJsonTree(text);
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
  yield ['null', 'the word “null”', false];
  yield ['undefined', 'the word “undefined”', false];
  yield ['[object Object]', '“[object Object]”, a parsed object that became text', true];
  yield ['Array', '“Array”, a PHP array that became text', false];
  const bytes = utf8.encode(text);
  yield [writeBytesLiteral(bytes), "the body as Python prints bytes (b'…')", true];
  yield [readLatin1(bytes), 'the body read as Latin-1', true];
  yield [readLatin1(bytes).replace(/[^ -~\s]/g, '\ufffd'), 'the body read as ASCII', false];
  yield [JSON.stringify(text), 'the body as one JSON text, serialised twice', true];
  yield [encodeBase64(bytes), 'the body as Base64', false];
  yield [toHex(bytes), 'the body as hex', false];
  const tree = readJsonTree(text);
  if (tree === null) return;
  yield [printPython(tree), 'the body as Python prints a dict', true];
  for (const style of JSON_STYLES) {
    const written = writeJson(tree, style);
    yield [written, `the body written anew, ${style.name}`, style.isCommon];
    yield [`${written}\n`, `the body written anew, ${style.name}, and a line feed`, false];
  }
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

const readLatin1 = (bytes: Uint8Array): string =>
  [...bytes].map((byte) => String.fromCharCode(byte)).join('');

function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
