import { readBasic } from '../../http-file/basic-header';
import type { HttpFile, HttpRequestBlock } from '../../http-file/http-file';
import {
  createCredentialBook,
  createRepeatHiding,
  hideInHeader,
  hideInText,
  nameSecret,
  type CredentialBook,
} from '../../import/credentials';
import { findProvingIn } from '../../import/layout/find-proving-in';
import { parseHttpFile } from '../../http-file/parse-http-file';
import { isSecretName } from '../../secrets';
import type { ExportedFile, ExportNote, ExportSource } from '../export-source';
import { isBackEndValue } from '../../http-file/back-end-value';
import { listExpressions, mapExpressions } from '../map-expressions';
import { noteForHttpyac } from '../note-annotations';
import { listSecretVariables, listTakenNames } from '../portable-requests';
import { escapeScripts } from './escape-scripts';
import type { TextEdit } from '../../body/edit-body';

/** The files as httpYac reads them; everything that it reads as we do stays byte for byte. */
export interface RewrittenFiles {
  files: ExportedFile[];
  requests: number;
  secretNames: string[];
}

const escapedNote =
  'Braces that hold no variable are written \\{\\{…\\}\\}: httpYac does not run them as JavaScript, and sends them as text (with the backslashes where braces stand within them).';

/** Rewrites the request files: secrets become variables, names become what JavaScript takes. */
export function rewriteForHttpyac(source: ExportSource, notes: ExportNote[]): RewrittenFiles {
  const book = createCredentialBook(listTakenNames(source));
  const secretNames = new Set<string>();
  const files: ExportedFile[] = [];
  const blocks: HttpRequestBlock[] = [];
  for (const { path, text } of source.files) {
    const file = parseHttpFile(text);
    const [fault] = file.faults;
    if (fault !== undefined) {
      notes.push({ where: path, what: `Left out: line ${fault.line}: ${fault.message}` });
      continue;
    }
    for (const block of file.requests) blocks.push(block);
    const named = writeEmpty(rewriteText(file, book, secretNames), '=');
    const escaped = escapeScripts(named);
    if (escaped !== named) notes.push({ where: path, what: escapedNote });
    const drawn = listExpressions(text).find((name) => name.startsWith('%$'));
    if (drawn !== undefined)
      notes.push({
        where: path,
        what: `{{${drawn}}} is written without %: httpYac does not encode what it draws.`,
      });
    files.push({ path, content: writeEmpty(escaped, "= {{''}}") });
  }
  const found = [...book.list(), ...blocks.flatMap(listSecretVariables)];
  const hide = createRepeatHiding(found, (name) => `{{${nameInScript(name)}}}`);
  for (const one of files) one.content = hide(String(one.content));
  noteForHttpyac(blocks, source.name, notes);
  const requests = blocks.filter(({ isDisabled }) => !isDisabled).length;
  return { files, requests, secretNames: [...secretNames, ...book.list().map(({ name }) => name)] };
}

/** Writes the variables without a value, which httpYac would take for an address. */
function writeEmpty(text: string, nothing: string): string {
  const all = parseHttpFile(text).requests.flatMap(({ fileVariables }) => fileVariables);
  const lines = new Set(all.flatMap(({ value, line }) => (value === '' ? [line] : [])));
  if (lines.size === 0) return text;
  return text
    .split('\n')
    .map((one, at) => (lines.has(at + 1) ? one.replace(/=[^\r]*/, nothing) : one))
    .join('\n');
}

function rewriteText(file: HttpFile, book: CredentialBook, secretNames: Set<string>): string {
  const replacements = [
    ...file.requests.flatMap((block) => listReplacements(file.text, block, book)),
    ...listComments(file, book),
    ...listScripts(file.text, book),
    ...listWorkedOut(file, book),
  ];
  let text = '';
  let at = 0;
  for (const one of replacements.toSorted((a, b) => a.start - b.start)) {
    // A comment within a script is done with.
    if (one.start < at) continue;
    text += file.text.slice(at, one.start) + one.text;
    at = one.end;
  }
  text += file.text.slice(at);
  const named = renameExpressions(text);
  const proving = new Set([...book.listVariables(), ...findProvingIn(file)]);
  return named.replace(
    /^([ \t]*@)([\p{L}_$][\p{L}\p{M}\p{N}_.-]*)(\s*=\s*)(.*)/gmu,
    (whole, before: string, name: string, equals: string, value: string) => {
      if (!isSecretName(name)) {
        const meant = proving.has(name) ? nameSecret(name) : name;
        return `${before}${nameInScript(name)}${equals}${hideInHeader(meant, value, book)}`;
      }
      secretNames.add(name);
      return whole.startsWith('#') ? whole : `# ${name}: a secret, of the environment`;
    },
  );
}

function listReplacements(text: string, block: HttpRequestBlock, book: CredentialBook): TextEdit[] {
  const { methodEnd, method, requestLineStart, urlStart, urlEnd, bodyStart, bodyEnd, body } = block;
  const part = (start: number, end: number, write: (old: string) => string): TextEdit[] => {
    const old = text.slice(start, end);
    const next = write(old);
    return next === old ? [] : [{ start, end, text: next }];
  };
  return [
    ...(methodEnd === null ? [] : part(requestLineStart, methodEnd, () => method.toUpperCase())),
    // A URL over several lines is joined: not every client does that.
    ...part(urlStart, urlEnd, () => hideInText(block.url, book)),
    ...block.headers.flatMap(({ name, valueStart, valueEnd }) =>
      part(valueStart, valueEnd, (old) => joinBasic(name, hideInHeader(name, old, book))),
    ),
    ...(body === null ? [] : part(bodyStart, bodyEnd, (old) => hideInText(old, book))),
  ];
}

/** Where a blank divides user and password, httpYac takes a colon in the password's value for what divides them. */
function joinBasic(name: string, value: string): string {
  const found = /^authorization$/i.test(name) && value.includes('{{') ? readBasic(value) : null;
  if (found === null || found.between.trim() !== '') return value;
  return `${found.scheme}${found.user}:${found.password}`;
}

const comment = /^([ \t]*(?:#|\/\/)[ \t]*(?:([!#$%&'*+.^_`|~\w-]+):[ \t]+)?)(.*)/gm;

/** What is switched off is a comment, and may hold a secret all the same; so may any other. */
function listComments({ text, requests }: HttpFile, book: CredentialBook): TextEdit[] {
  const isElsewhere = (at: number): boolean =>
    requests.every(({ urlStart, urlEnd, body, bodyStart, bodyEnd }) => {
      const isInBody = body !== null && at >= bodyStart && at < bodyEnd;
      return !isInBody && (at < urlStart || at >= urlEnd);
    });
  return [...text.matchAll(comment)].flatMap(({ index, 1: before = '', 2: name = '', 3: old = '' }) => {
    const start = index + before.length;
    const next = hideInHeader(name, old, book);
    return next === old || !isElsewhere(index) ? [] : [{ start, end: start + old.length, text: next }];
  });
}

/** A script before or behind a request holds what it is compared with, and what it gives to others. */
function listScripts(text: string, book: CredentialBook): TextEdit[] {
  const edits: TextEdit[] = [];
  let end = 0;
  for (const { index: start } of text.matchAll(/^[<>][ \t]*\{%/gm)) {
    if (start < end) continue;
    const closing = text.indexOf('%}', start);
    end = closing === -1 ? text.length : closing;
    const old = text.slice(start, end);
    const hideComment = (_all: string, before: string, name = '', rest = ''): string =>
      before + hideInHeader(name, rest, book);
    const next = hideInText(old.replace(comment, hideComment), book);
    if (next !== old) edits.push({ start, end, text: next });
  }
  return edits;
}

/** A header that httpYac works out, and Countersign does not send: a user or a key, what proves it, and where that counts. */
const workedOut =
  /^([ \t]*authorization[ \t]*:[ \t]*(?:digest|ntlm|aws|cognito)[ \t]+[^\s=]+[ \t]+)([^\s=]+)((?:[ \t][^\r\n]*)?)$/gim;

function listWorkedOut({ text, requests }: HttpFile, book: CredentialBook): TextEdit[] {
  const isElsewhere = (at: number): boolean =>
    requests.every(({ body, bodyStart, bodyEnd, headers }) => {
      const isSent = headers.some(({ valueStart, valueEnd }) => at >= valueStart && at < valueEnd);
      return !isSent && !(body !== null && at >= bodyStart && at < bodyEnd);
    });
  return [...text.matchAll(workedOut)].flatMap(
    ({ 0: whole, index, 1: before = '', 2: proof = '', 3: rest = '' }) => {
      const start = index + before.length;
      const named = rest.replace(/(?<=[ \t]token:)\S+/gi, (token) => book.hide('token', token));
      const written = book.hide('password', proof) + named;
      return isElsewhere(start) ? [{ start, end: index + whole.length, text: written }] : [];
    },
  );
}

/** Gives the variables of a text the names that they have in httpYac. */
export function renameExpressions(text: string): string {
  return mapExpressions(text, (name) => `{{${writeExpression(name)}}}`);
}

/** Writes an expression as JavaScript; what httpYac draws itself stays. */
function writeExpression(name: string): string {
  if (name.startsWith('%$')) return writeExpression(name.slice(1));
  if (name.startsWith('%')) return `encodeURIComponent(${writeExpression(name.slice(1))})`;
  const shifted = /^\$isoTimestamp\s+(\S.*)$/.exec(name);
  // By itself httpYac counts it in milliseconds.
  if (name === '$timestamp') return '$timestamp 0 s';
  if (shifted !== null) return `$datetime iso8601 ${shifted[1]}`;
  if (name.startsWith('$') || isBackEndValue(name)) return name;
  if (name.startsWith('vault.')) return `vault.${nameInScript(name.slice('vault.'.length))}`;
  return nameInScript(name);
}

/** Gives the identifier of JavaScript that a variable is in httpYac; letters of any script may stand in one. */
export const nameInScript = (name: string): string => name.replace(/[^\p{L}\p{M}\p{N}_]/gu, '_');
