import { findHeader } from '../../find-header';
import { memberOf, type JsonNode } from '../../json/json-tree';
import { splitAddress } from '../../http-file/edit-rows';
import { decodeBase64 } from '../../signing/base64';
import { describeFile, nameFile, printForm, setMultipart } from '../form-bodies';
import {
  addContentType,
  createImported,
  createRequest,
  noteCapitals,
  hasHeader,
  type Imported,
  type ImportedBody,
  type ImportedExample,
  type ImportedItem,
  type ImportedRequest,
  type ImportSource,
} from '../imported';
import { isStatus, listItems, readText } from '../nodes';
import { readSourceDocument } from '../read-document';
import { nameByAddress } from '../layout/clean-request';
import { decodeFromForm } from '../../encode-for-url';

/** What a client adds by itself, or what HTTP/2 writes in place of the request line. */
const clientHeaders =
  /^(?::.*|host|content-length|connection|transfer-encoding|proxy-connection|keep-alive|te|upgrade)$/i;

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/**
 * Reads the requests of an HTTP Archive, as browsers and proxies save them, with the answers that are texts.
 *
 * @source HAR 1.2
 */
export function readHar(source: ImportSource): Imported {
  const root = readSourceDocument(source.files[0]);
  const imported: Imported = { ...createImported(null), isText: () => true };
  imported.items = listItems(root, 'log', 'entries').map(readEntry);
  return imported;
}

function readEntry(entry: JsonNode): ImportedItem {
  const method = readText(entry, 'request', 'method') ?? '';
  const url = readText(entry, 'request', 'url') ?? '';
  const name = nameByAddress(method, url);
  if (readText(entry, '_resourceType') === 'websocket') {
    return { kind: 'left out', name, why: 'It is a WebSocket, and Countersign sends HTTP.' };
  }
  const request = createRequest({ name, method, url });
  const sent = listItems(entry, 'request', 'headers').map((header): [string, string] => [
    readText(header, 'name') ?? '',
    readText(header, 'value') ?? '',
  ]);
  request.headers = sent.filter(([key]) => !clientHeaders.test(key));
  takeListed(request, memberOf(entry, 'request'));
  const known = request.notes.length;
  readBody(request, memberOf(entry, 'request', 'postData'));
  const sizeBytes = Number(readText(entry, 'request', 'bodySize') ?? 0);
  const isTextHeld = (readText(entry, 'request', 'postData', 'text') ?? '') !== '';
  if (request.notes.length === known) {
    if (request.body === null) request.notes.push(...listMissing(sent, sizeBytes));
    else noteSize(request, request.body, sizeBytes, isTextHeld);
  }
  noteCapitals(request);
  request.examples = readAnswer(memberOf(entry, 'response'), request);
  return request;
}

/** Says of a body that is not there that it was: beside a form with files browsers write a `bodySize` of 0 or -1. */
function listMissing(sent: readonly (readonly [string, string])[], sizeBytes: number): string[] {
  const size = [sizeBytes, Number(findHeader(sent, 'content-length'))].find((one) => one > 0);
  if (size !== undefined) return [`The archive does not hold its body of ${size} bytes.`];
  return /^multipart\//i.test(findHeader(sent, 'content-type') ?? '')
    ? ['The archive does not hold its body.']
    : [];
}

const packed = /^\s*(?:x-)?(?:gzip|deflate|br|zstd|compress)\b/i;

/** Says of a body that is not the one that left: an archive holds texts, and of what left compressed the plain one. */
function noteSize(
  request: ImportedRequest,
  body: ImportedBody,
  sizeBytes: number,
  isTextHeld: boolean,
): void {
  if (body.bytes !== undefined) return;
  const isPacked = ([name, value]: readonly [string, string]): boolean =>
    /^content-encoding$/i.test(name) && packed.test(value);
  if (request.headers.some(isPacked)) {
    request.headers = request.headers.filter((header) => !isPacked(header));
    request.notes.push('Its body left compressed, and is plain here: Content-Encoding is left out.');
  } else if (isTextHeld && sizeBytes > 0) {
    const text = body.parts.map((part) => (typeof part === 'string' ? part : '')).join('');
    const heldBytes = new TextEncoder().encode(text).length;
    if (heldBytes === sizeBytes) return;
    request.notes.push(
      `Its body had ${sizeBytes} bytes when it left, and has ${heldBytes} in the archive: it may be cut, or no text.`,
    );
  }
}

/** What some archives list beside an address and headers that do not have it. */
function takeListed(request: ImportedRequest, node: JsonNode | null): void {
  const there = new Set(
    splitAddress(request.url).rows.flatMap(({ name, raw = '' }) => [name, raw.split('=', 1)[0]!]),
  );
  for (const one of listItems(node, 'queryString')) {
    const name = readText(one, 'name') ?? '';
    if (name !== '' && !there.has(name) && !there.has(decodeFromForm(name)))
      request.notes.push(`Its query parameter ${name} is not in its address, and left out.`);
  }
  const cookies = listItems(node, 'cookies').map(
    (one) => `${readText(one, 'name') ?? ''}=${readText(one, 'value') ?? ''}`,
  );
  if (cookies.length > 0 && !hasHeader(request, 'cookie'))
    request.headers.push(['Cookie', cookies.join('; ')]);
}

/** A text that came, without what hops said to each other; bytes are none. */
function readAnswer(answer: JsonNode | null, request: ImportedRequest): ImportedExample[] {
  const httpStatus = Number(readText(answer, 'status') ?? Number.NaN);
  const written = readText(answer, 'content', 'text') ?? '';
  const isEncoded = readText(answer, 'content', 'encoding') !== null;
  const body = isEncoded ? readEncodedText(written) : written;
  if (body === null) request.notes.push('Its answer is no text, and left out.');
  if (!isStatus(httpStatus) || body === null || body === '') return [];
  const reason = readText(answer, 'statusText') ?? '';
  const headers = listItems(answer, 'headers')
    .map((header): [string, string] => [readText(header, 'name') ?? '', readText(header, 'value') ?? ''])
    .filter(([name]) => !clientHeaders.test(name) && !/^content-encoding$/i.test(name));
  return [{ name: '', request: null, httpStatus, reason, headers, body }];
}

/** Browsers save some texts as Base64, too. @returns null: it is none */
function readEncodedText(encoded: string): string | null {
  const plain = encoded.replace(/\s+/g, '');
  if (!BASE64.test(plain)) return null;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(decodeBase64(plain));
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}

function readBody(request: ImportedRequest, data: JsonNode | null): void {
  if (data === null) return;
  const type = readText(data, 'mimeType');
  const text = readText(data, 'text') ?? '';
  const encoded = readText(data, '_base64') ?? (readText(data, 'encoding') === 'base64' ? text : null);
  if (encoded !== null) request.body = readBytes(encoded, request);
  else if (text !== '') request.body = { parts: [text], isVerbatim: true };
  else readParameters(request, data, type ?? '');
  if (request.body !== null) addContentType(request, type === '' ? null : type);
}

function readBytes(encoded: string, request: ImportedRequest): ImportedRequest['body'] {
  const plain = encoded.replace(/\s+/g, '');
  const bytes = decodeBase64(plain);
  if (!BASE64.test(plain)) {
    request.notes.push('Its body cannot be read as Base64, and is left out.');
    return null;
  }
  if (bytes.length === 0) return null;
  try {
    return {
      parts: [new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)],
      isVerbatim: true,
    };
  } catch {
    return { parts: [], bytes };
  }
}

/** A form whose text was not saved: what it was made of. */
function readParameters(request: ImportedRequest, data: JsonNode, type: string): void {
  const parameters = listItems(data, 'params');
  if (parameters.length === 0) return;
  const read = (node: JsonNode): [string, string] => [
    readText(node, 'name') ?? '',
    readText(node, 'value') ?? '',
  ];
  if (!type.startsWith('multipart/')) {
    request.body = { parts: [printForm(parameters.map(read))] };
    return;
  }
  const parts = parameters.map((node) => {
    const [name, value] = read(node);
    const file = readText(node, 'fileName');
    const contentType = readText(node, 'contentType');
    if (file === null) return { name, value, contentType };
    // Some archives hold the text of a file, too.
    if (value !== '') return { name, value, fileName: nameFile(file), contentType };
    request.notes.push(describeFile(file));
    return { name, value: { file }, contentType };
  });
  setMultipart(request, parts);
}
