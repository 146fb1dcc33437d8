import { printHttpRequest } from '../../http-file/edit-http-file';
import { parseHttpFile } from '../../http-file/parse-http-file';
import { hasActingLine } from '../../http-file/script-braces';
import { resolveRequest } from '../../http-file/resolve-request';
import {
  readHeaderRows,
  readQuery,
  replaceHeaderRows,
  replaceQuery,
  type PairRow,
} from '../../http-file/edit-rows';
import type { HttpFile, HttpRequestBlock } from '../../http-file/http-file';
import type { ImportedBody, ImportedRequest, OffRow } from '../imported';

/** A request as the text of its file, with the file that its body had to be put into. */
export interface WrittenRequest {
  text: string;
  bodyFile: { name: string; content: string | Uint8Array } | null;
  notes: string[];
}

/** Line breaks at the ends of a body belong to the file; one more character that is none keeps them in the body. */
const EMPTY = 'empty';
const MAX_DESCRIPTION_LINES = 200;

const noValues = { get: () => null, renew: () => undefined, renewTimes: () => undefined };

/** A body as it may stand in a file. */
interface Candidate {
  body: string;
  usesEmpty: boolean;
}

/**
 * Writes a request as the text of a `.http` file that is read back as just this request, its body byte for byte.
 *
 * What our format takes for something else (a line `###`, line ends in a form, a line that begins with `< `) goes into a
 * file beside it, whose bytes are sent as they are.
 * @param fileName - of the request's file, without its extension; the body's file is called after it
 * @returns null: no file can say this request
 */
export function writeRequest(request: ImportedRequest, fileName: string): WrittenRequest | null {
  const { offHeaders, offParameters } = request;
  const off = [
    ...offHeaders.map(({ name }) => `Its header ${name} is disabled, and left out.`),
    ...offParameters.map(({ name }) => `Its query parameter ${name} is disabled, and left out.`),
  ];
  const whole = writeWhole(request, fileName);
  if (whole !== null || off.length === 0) return whole;
  const written = writeWhole({ ...request, offHeaders: [], offParameters: [] }, fileName);
  return written && { ...written, notes: [...written.notes, ...off] };
}

function writeWhole(request: ImportedRequest, fileName: string): WrittenRequest | null {
  const { body } = request;
  const content = body?.bytes ?? joinTexts(body);
  // Who opens the file in httpYac would run what is no more than a text of a stranger.
  const isActedOn = typeof content === 'string' && hasActingLine(content);
  for (const candidate of isActedOn ? [] : listCandidates(request)) {
    const text = print(request, candidate);
    if (isFaithful(text, request, candidate)) return { text, bodyFile: null, notes: [] };
  }
  const ended = body === null ? null : endAtBoundary(request, body);
  if (ended !== null) return writeWhole(ended, fileName);
  if (content === null) return writeWithFormLines(request, fileName);
  const name = `${fileName}.body.${chooseExtension(request)}`;
  const text = print(request, { body: `< ./${name}`, usesEmpty: false });
  const inFile = { ...request, body: { parts: [{ file: `./${name}` }] } };
  if (!isFaithful(text, inFile, { body: '', usesEmpty: false })) return null;
  const note = 'Its body stands in a file beside it, so that every byte is kept.';
  const hasVariables = typeof content === 'string' && content.includes('{{') && body?.isVerbatim !== true;
  const notes = hasVariables ? [note, 'Variables in that file are not filled in.'] : [note];
  return { text, bodyFile: { name, content }, notes };
}

/** A form of a request that has an `{{empty}}` of its own: nothing here can keep the line end behind its last boundary, which none needs. */
function endAtBoundary(request: ImportedRequest, body: ImportedBody): ImportedRequest | null {
  const last = body.parts.at(-1);
  const isForm = typeof last === 'string' && /(?:^|\r\n)--\S{1,200}--\r\n$/.test(last.slice(-210));
  const texts = body.parts.filter((part) => typeof part === 'string');
  if (!isForm || !hasOwnEmpty(request, texts.join(''))) return null;
  return { ...request, body: { ...body, parts: [...body.parts.slice(0, -1), last.slice(0, -2)] } };
}

/** Between the files of a form every line ends in CR and LF; one that does not would cost the whole request. */
function writeWithFormLines(request: ImportedRequest, fileName: string): WrittenRequest | null {
  const { body } = request;
  if (body === null) return null;
  const parts = body.parts.map((part) =>
    typeof part === 'string' ? part.replace(/(?<!\r)\n/g, '\r\n') : part,
  );
  if (parts.every((part, index) => part === body.parts[index])) return null;
  const written = writeWhole({ ...request, body: { ...body, parts } }, fileName);
  const note = 'Lines within its form end in CR and LF here.';
  return written === null ? null : { ...written, notes: [...written.notes, note] };
}

/** Whether `{{empty}}` means something in a request already: a variable of its file would go before that. */
function hasOwnEmpty(
  { url, headers, variables, offHeaders, offParameters }: ImportedRequest,
  text: string,
): boolean {
  const off = [...offHeaders, ...offParameters].map(({ value }) => value);
  return (
    variables.some(([name]) => name === EMPTY) ||
    [text, url, ...headers.flat(), ...variables.flat(), ...off].some((one) => /\{\{\s*empty\s*\}\}/.test(one))
  );
}

function listCandidates(request: ImportedRequest): Candidate[] {
  const { body } = request;
  if (body === null) return [{ body: '', usesEmpty: false }];
  if (body.bytes !== undefined) return [];
  const text = body.parts.map((part) => (typeof part === 'string' ? part : `< ${part.file}`)).join('');
  const empty = `{{${EMPTY}}}`;
  const isTaken = hasOwnEmpty(request, text);
  const texts = text.includes('\r\n') ? [text, text.replaceAll('\r\n', '\n')] : [text];
  return texts.flatMap((one) => [
    { body: one, usesEmpty: false },
    ...(isTaken
      ? []
      : [one + empty, empty + one, empty + one + empty].map((with_) => ({ body: with_, usesEmpty: true }))),
  ]);
}

function joinTexts(body: ImportedBody | null): string | null {
  const isText = body !== null && body.parts.every((part) => typeof part === 'string');
  return isText ? body.parts.join('') : null;
}

function print(request: ImportedRequest, { body, usesEmpty }: Candidate): string {
  // What stands before the first line that says something is left out, and not that line's own blanks.
  const description = request.description
    .replace(/^(?:[^\S\n\r\u2028\u2029]*[\n\r\u2028\u2029])+/, '')
    .trimEnd();
  const lines = description === '' ? [] : description.split(/\r\n|[\n\r\u2028\u2029]/);
  const comments = lines.slice(0, MAX_DESCRIPTION_LINES).map(printComment);
  const variables = [...request.variables, ...(usesEmpty ? [[EMPTY, ''] as const] : [])];
  const head = [...comments, ...variables.map(([name, value]) => `@${name} = ${value}`.trimEnd())];
  const { name, method, url, headers } = request;
  const printed = head.map((line) => `${line}\n`).join('');
  return addOffRows(printed + printHttpRequest({ name, method, url, headers, body }), request);
}

/** Puts rows that are off among those that are on, as comments. */
function addOffRows(text: string, { offHeaders, offParameters }: ImportedRequest): string {
  const change = (
    from: string,
    off: readonly OffRow[],
    edit: (file: HttpFile, block: HttpRequestBlock) => string,
  ): string => {
    const file = parseHttpFile(from);
    const [block] = file.requests;
    return off.length === 0 || block === undefined ? from : edit(file, block);
  };
  const withQuery = change(text, offParameters, (file, block) =>
    replaceQuery(file, block, mix(readQuery(file, block).rows, offParameters)),
  );
  return change(withQuery, offHeaders, (file, block) =>
    replaceHeaderRows(file, block, mix(readHeaderRows(file, block), offHeaders)),
  );
}

function mix(on: readonly PairRow[], off: readonly OffRow[]): PairRow[] {
  const rows = [...on];
  off.forEach(({ at, name, value }, index) =>
    rows.splice(Math.min(at, on.length) + index, 0, { name, value, isEnabled: false }),
  );
  return rows;
}

/** Whether the rows that are off are read back as they were. */
function isOffSame(file: HttpFile, block: HttpRequestBlock, request: ImportedRequest): boolean {
  const listOff = (rows: readonly PairRow[]): string[][] =>
    rows.filter(({ isEnabled }) => !isEnabled).map(({ name, value }) => [name, value]);
  const wanted = (rows: readonly OffRow[]): string[][] => rows.map(({ name, value }) => [name, value]);
  return (
    isSame(listOff(readHeaderRows(file, block)), wanted(request.offHeaders)) &&
    isSame(listOff(readQuery(file, block).rows), wanted(request.offParameters))
  );
}

/** Blanks in front stay: they are what Markdown and code mean by them. A comment that begins with `@` would be one of ours. */
function printComment(line: string): string {
  return `# ${line.replace(/^(\s*)@/, '$1(@')}`.trimEnd();
}

function isFaithful(text: string, request: ImportedRequest, { usesEmpty }: Candidate): boolean {
  const file = parseHttpFile(text);
  const [block] = file.requests;
  if (block === undefined || file.requests.length > 1 || file.faults.length > 0 || block.isDisabled)
    return false;
  const own = block.fileVariables.map(({ name, value }) => [name, value]);
  const variables = [...request.variables, ...(usesEmpty ? [[EMPTY, '']] : [])];
  const isHeadSame =
    block.method === request.method &&
    block.url === request.url &&
    isSame(own, variables) &&
    isSame(
      block.headers.map(({ name, value }) => [name, value]),
      request.headers,
    );
  if (!isHeadSame || !isOffSame(file, block, request)) return false;
  const fileVariables = block.fileVariables.filter(({ name }) => usesEmpty && name === EMPTY);
  const resolved = resolveRequest({ ...block, fileVariables }, { variables: {}, dynamic: noValues });
  const isFilledIn = resolved.unresolved.some(({ where }) => where === 'body');
  if (request.body?.isVerbatim === true && isFilledIn) return false;
  return isBodySame(resolved, request.body);
}

function isSame(a: readonly (readonly string[])[], b: readonly (readonly string[])[]): boolean {
  return (
    a.length === b.length && a.every((one, index) => one[0] === b[index]?.[0] && one[1] === b[index]?.[1])
  );
}

function isBodySame(
  resolved: { body: string | null; files: readonly { at: number; path: string }[] },
  wanted: ImportedBody | null,
): boolean {
  let text = '';
  const files: { at: number; path: string }[] = [];
  for (const part of wanted?.parts ?? []) {
    if (typeof part === 'string') text += part;
    else files.push({ at: text.length, path: part.file });
  }
  return (
    (resolved.body ?? '') === text &&
    resolved.files.length === files.length &&
    resolved.files.every(({ at, path }, index) => at === files[index]?.at && path === files[index].path)
  );
}

const extensions: readonly (readonly [type: RegExp, extension: string])[] = [
  [/json/i, 'json'],
  [/xml/i, 'xml'],
  [/^text\/|urlencoded|graphql/i, 'txt'],
];

function chooseExtension({ headers, body }: ImportedRequest): string {
  const type = headers.findLast(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  const fallback = body?.bytes === undefined ? 'txt' : 'bin';
  return extensions.find(([pattern]) => pattern.test(type))?.[1] ?? fallback;
}
