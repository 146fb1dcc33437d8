import { ownValue } from '../own-value';
import type { ImportedBody, ImportedRequest } from './imported';
import { encodeAroundVariables } from './variables';

/** One part of a multipart form: a text, or the bytes of a file. */
export interface FormPart {
  /** Null: it has none. */
  name: string | null;
  value: string | { file: string };
  /** Empty: it has none; null: what its file's name tells. */
  contentType?: string | null;
  /** As the service is told; the file's own name where left out. */
  fileName?: string;
  /** Of a file: what it holds goes as a text would. */
  isField?: boolean;
  /** More lines of its head, as `Name: value`. */
  headers?: readonly string[];
}

/**
 * Writes pairs as a form, `name=value&…`.
 *
 * @param encode - of a source that knows variables, what encodes them where they are filled in
 */
export function printForm(
  pairs: readonly (readonly [string, string])[],
  encode: (text: string) => string = (text) => encodeAroundVariables(text),
): string {
  return pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
}

/** Gives the name of a file without the folders before it, which are those of another machine. */
export function nameFile(path: string): string {
  return (
    path
      .split(/[\\/]/)
      .at(-1)
      ?.replace(/[\r\n]/g, '') || 'file'
  );
}

/** @source curl, lib/mime.c: what it takes a file for by its name */
const curlTypes: Readonly<Record<string, string>> = {
  gif: 'image/gif',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  svg: 'image/svg+xml',
  txt: 'text/plain',
  htm: 'text/html',
  html: 'text/html',
  pdf: 'application/pdf',
  xml: 'application/xml',
};
/** The two that payments come in, for all others. */
const fileTypes = { ...curlTypes, json: 'application/json', csv: 'text/csv' };

/** Tells what a file is by the end of its name; null: nobody can say. */
export function guessFileType(
  path: string,
  types: Readonly<Record<string, string>> = fileTypes,
): string | null {
  return ownValue(types, /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '') ?? null;
}

/** Gives the type that curl sends of a part without `;type=`; empty: none. */
export function guessTypeByCurl({ value, fileName, isField = false }: FormPart): string {
  const path = typeof value === 'string' ? '' : value.file;
  // An empty one is one, too.
  const name = fileName ?? (isField || path === '' ? null : path);
  const type = guessFileType(name ?? '', curlTypes) ?? guessFileType(path, curlTypes);
  if (type === null) return path !== '' && name !== null ? 'application/octet-stream' : '';
  return name === null && type === 'text/plain' ? '' : type;
}

/** Writes a multipart form. @returns the value of `Content-Type` and the body */
export function printMultipart(
  parts: readonly FormPart[],
  kind = 'multipart/form-data',
): { contentType: string; body: ImportedBody } {
  const texts = parts.flatMap(({ value }) => (typeof value === 'string' ? [value] : []));
  let boundary = 'countersign-boundary';
  while (texts.some((text) => text.includes(boundary))) boundary += '-x';
  const written: (string | { file: string })[] = [];
  let text = '';
  for (const { name, value, contentType, fileName, isField = false, headers = [] } of parts) {
    const isFile = typeof value !== 'string' && !isField;
    const file = isFile ? (fileName ?? nameFile(value.file)) : fileName;
    text += `--${boundary}\r\nContent-Disposition: form-data`;
    text += name === null ? '' : `; name="${quote(name)}"`;
    text += file === undefined ? '' : `; filename="${quote(file)}"`;
    const type = contentType ?? guessFileType(file ?? '') ?? (isFile ? 'application/octet-stream' : null);
    const head = (type ?? '') === '' ? headers : [`Content-Type: ${type}`, ...headers];
    text += `${head.map((line) => `\r\n${line}`).join('')}\r\n\r\n`;
    if (typeof value === 'string') text += value;
    else {
      written.push(text, { file: `./${nameFile(value.file)}` });
      text = '';
    }
    text += '\r\n';
  }
  written.push(`${text}--${boundary}--\r\n`);
  return { contentType: `${kind}; boundary=${boundary}`, body: { parts: written } };
}

const isContentType = ([name]: readonly [string, string]): boolean => name.toLowerCase() === 'content-type';

/**
 * Gives a request a multipart form as its body; a `Content-Type` that it had names another boundary.
 *
 * Another kind of multipart stays; a type that is none, with which nobody could read the form, is said.
 */
export function setMultipart(request: ImportedRequest, parts: readonly FormPart[]): void {
  const given = /^[^;]{0,100}/.exec(request.headers.findLast(isContentType)?.[1] ?? '')![0].trim();
  const isKind = /^multipart\/[\w.+-]+$/i.test(given);
  if (given !== '' && !isKind)
    request.notes.push(
      `Its Content-Type '${given}' is none of a form: multipart/form-data stands in its place.`,
    );
  request.headers = request.headers.filter((header) => !isContentType(header));
  const { contentType, body } = printMultipart(parts, isKind ? given : undefined);
  request.headers.push(['Content-Type', contentType]);
  request.body = body;
}

/** As browsers do (HTML, multipart form data): nothing in a name ends it early. */
function quote(name: string): string {
  return name.replace(/\r?\n/g, '%0A').replaceAll('"', '%22');
}

/** Says that a file of the body must be brought along. */
export function describeFile(path: string): string {
  return `Its body holds the file '${path.slice(0, 200)}', which was not imported: copy it beside the request.`;
}
