import { oneLine } from './example-file';
import type { HttpFile, HttpRequestBlock } from './http-file';
import { parseHttpFile } from './parse-http-file';
import type { TextEdit } from '../body/edit-body';

/** Puts texts in the place of others; places are of the text as it was. */
export function applyReplacements(text: string, replacements: TextEdit[]): string {
  const ordered = replacements.toSorted((a, b) => a.start - b.start);
  let result = '';
  let at = 0;
  for (const one of ordered) {
    result += text.slice(at, one.start) + one.text;
    at = one.end;
  }
  return result + text.slice(at);
}

/** End of the line that holds `offset`, its line end included. */
function findLineEnd(text: string, offset: number): number {
  const feed = text.indexOf('\n', offset);
  return feed === -1 ? text.length : feed + 1;
}

/**
 * Gives the file's text with another body for one request; everything else stays byte for byte.
 *
 * Line breaks at the very end of a body belong to the file and cannot be part of it.
 * @param request - a block of this very `file`
 * @param body - as it shall be sent, line ends included; null or empty takes the body away
 */
export function replaceBody(file: HttpFile, request: HttpRequestBlock, body: string | null): string {
  const { text, lineEnd } = file;
  const { bodyStart, headEnd } = request;
  const next = body ?? '';
  if (request.body !== null) {
    return applyReplacements(text, [{ start: bodyStart, end: request.bodyEnd, text: next }]);
  }
  if (next === '') return text;
  const gap = text.slice(headEnd, bodyStart);
  const hasBlankLine = /\n[ \t]*\r?\n$/.test(gap);
  const before = hasBlankLine ? '' : gap.endsWith('\n') ? lineEnd : lineEnd + lineEnd;
  const after = /^\r?\n/.test(text.slice(bodyStart, bodyStart + 2)) ? '' : lineEnd;
  return applyReplacements(text, [{ start: bodyStart, end: bodyStart, text: before + next + after }]);
}

/**
 * Gives the file's text with another method, URL or both. Continuation lines go only when the URL changes.
 */
export function replaceRequestLine(
  file: HttpFile,
  request: HttpRequestBlock,
  change: { method?: string; url?: string },
): string {
  const replacements: TextEdit[] = [];
  if (change.method !== undefined && change.method !== request.method) {
    const { methodEnd, requestLineStart } = request;
    replacements.push(
      methodEnd === null
        ? { start: requestLineStart, end: requestLineStart, text: `${change.method} ` }
        : { start: requestLineStart, end: methodEnd, text: change.method },
    );
  }
  if (change.url !== undefined && change.url !== request.url) {
    const version = request.httpVersion === null ? '' : ` ${request.httpVersion}`;
    replacements.push({
      start: request.urlStart,
      end: request.requestLineEnd,
      text: change.url.replace(/[\r\n]+/g, '') + version,
    });
  }
  return applyReplacements(file.text, replacements);
}

/**
 * Gives the file's text with exactly these values for one annotation (`# @expect …`), matched by place.
 *
 * New ones go after the last of their name, else right before the request line.
 * @param values - one line each; none takes the annotation away
 */
export function setAnnotations(
  file: HttpFile,
  request: HttpRequestBlock,
  name: string,
  values: readonly string[],
): string {
  const { text, lineEnd } = file;
  const olds = request.annotations.filter((one) => one.name === name);
  const replacements: TextEdit[] = [];
  const print = (value: string) => `# @${name} ${oneLine(value)}`.trimEnd();
  olds.forEach((old, index) => {
    const wanted = values[index];
    if (wanted === undefined) {
      replacements.push({ start: old.start, end: findLineEnd(text, old.end), text: '' });
    } else if (wanted !== old.value) {
      replacements.push({ start: old.start, end: old.end, text: print(wanted) });
    }
  });
  const added = values.slice(olds.length).map((value) => print(value) + lineEnd);
  if (added.length > 0) {
    const last = olds.at(-1);
    const at = last === undefined ? request.requestLineStart : findLineEnd(text, last.end);
    replacements.push({ start: at, end: at, text: added.join('') });
  }
  return applyReplacements(text, replacements);
}

/** Gives the file's text with another `# @name` for one request; null takes it away. */
export function setName(file: HttpFile, request: HttpRequestBlock, name: string | null): string {
  return setAnnotations(file, request, 'name', name === null ? [] : [name]);
}

/**
 * Gives a file's text with `# @name` in step with the name that the file has got.
 *
 * @returns null: it has not one request alone, or that annotation does not stand in it
 */
export function followFileName(text: string, name: string): string | null {
  const file = parseHttpFile(text);
  const [request] = file.requests;
  if (file.requests.length !== 1 || !request?.annotations.some((one) => one.name === 'name')) return null;
  return setName(file, request, name);
}

/** Prints a new file of one request, as Countersign writes them: `\n` line ends, one at the end. */
export function printHttpRequest(request: {
  name?: string;
  operation?: string;
  method: string;
  url: string;
  headers: readonly (readonly [string, string])[];
  body?: string | null;
}): string {
  const lines = [
    ...(request.name === undefined ? [] : [`# @name ${request.name}`]),
    ...(request.operation === undefined ? [] : [`# @operation ${request.operation}`]),
    `${request.method} ${request.url}`,
    ...request.headers.map(([name, value]) => `${name}: ${value}`),
  ];
  const body = request.body ?? '';
  return `${lines.join('\n')}\n${body === '' ? '' : `\n${body}\n`}`;
}
