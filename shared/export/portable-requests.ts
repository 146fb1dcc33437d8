import type { Operation } from '../contract/common';
import {
  createCredentialBook,
  createRepeatHiding,
  hideInHeader,
  hideInText,
  looksLikeCredential,
  type CredentialBook,
  type FoundCredential,
  type ProvingParts,
} from '../import/credentials';
import type { OffRow } from '../import/imported';
import { findProving } from '../import/layout/secret-variables';
import { assembleBody } from '../http-file/assemble-body';
import type { DynamicValues } from '../http-file/dynamic-values';
import { fillVariables, resolveRequest, type ResolvedRequest } from '../http-file/resolve-request';
import { listLooseFaults, parseHttpFile } from '../http-file/parse-http-file';
import type { HttpFile, HttpRequestBlock } from '../http-file/http-file';
import { readHeaderRows, readQuery, type PairRow } from '../http-file/edit-rows';
import { parseExample, requestExtension, type Example } from '../http-file/example-file';
import { isSecretName } from '../secrets';
import type { ExportNote, ExportSource } from './export-source';
import { listExpressions, mapExpressions } from './map-expressions';
import { noteAnnotations } from './note-annotations';
import { usualValues } from './usual-values';

/** A body of text, or of bytes that no text can hold. `path`: the one file that all of it is. */
export type PortableBody =
  | { text: string }
  | { bytes: Uint8Array; path: string | null; hasVariables: boolean };

/**
 * A request that needs no file beside it: variables of its file are filled in, secrets are variables, other `{{…}}` stand.
 */
export interface PortableRequest {
  /** What notes call it. */
  where: string;
  folders: readonly string[];
  name: string;
  operation: Operation;
  method: string;
  url: string;
  headers: readonly (readonly [string, string])[];
  body: PortableBody | null;
  /** What is switched off: comments in our files. */
  off: { readonly headers: readonly OffRow[]; readonly parameters: readonly OffRow[] };
  /** Of the file that it is alone in. */
  examples: readonly { readonly name: string; readonly example: Example }[];
}

export interface PortableCollection {
  requests: PortableRequest[];
  /** Variables that stand for secrets. */
  secretNames: string[];
  /** Variables of any name that requests prove themselves with: `Authorization: Bearer {{mine}}`. */
  provingNames: string[];
}

/** A user, where a password follows: that user is no secret. One that stands alone is both in one, or a key. */
export const basicUser = /^basic +\{\{%?([^{}]+)\}\}(?=[ :]+[^ :])/i;

/** Leaves `{{$…}}` as it stands: who reads the export draws it. */
const kept: DynamicValues = {
  get: (expression) => `{{${expression}}}`,
  renew: () => undefined,
  renewTimes: () => undefined,
};

interface Place {
  path: string;
  where: string;
  folders: string[];
  name: string;
}

/** Reads the requests of a collection; what cannot be taken along is noted. */
export function listPortableRequests(source: ExportSource, notes: ExportNote[]): PortableCollection {
  const requests: PortableRequest[] = [];
  const secretNames = new Set<string>();
  const book = createCredentialBook(listTakenNames(source));
  const blocks: HttpRequestBlock[] = [];
  for (const { path, text } of source.files) {
    const file = parseHttpFile(text);
    for (const block of file.requests) blocks.push(block);
    for (const fault of listLooseFaults(file)) {
      notes.push({ where: path, what: `Left out: line ${fault.line}: ${fault.message}` });
    }
    for (const [index, block] of file.requests.entries()) {
      const place = findPlace(path, file.requests, index);
      const left = findObstacle(block);
      const given = { ...place, file, isAlone: file.requests.length === 1 };
      if (left === null) requests.push(readRequest(source, block, given, book, secretNames, notes));
      else notes.push({ where: place.where, what: `Left out: ${left}` });
    }
  }
  const hide = createRepeatHiding([...book.list(), ...blocks.flatMap(listSecretVariables)]);
  for (const [at, request] of requests.entries()) {
    const folders = request.folders.map(hide);
    requests[at] = { ...mapTexts(request, hide), name: hide(request.name), folders };
  }
  noteAnnotations(blocks, source.name, 'are not taken along', notes);
  for (const { name } of book.list()) secretNames.add(name);
  const users = requests.flatMap(({ headers }) =>
    headers.map(([, value]) => basicUser.exec(value)?.[1]?.trim()),
  );
  const open = [...book.listVariables()].filter((name) => !users.includes(name));
  return {
    requests,
    secretNames: [...secretNames],
    // The user of one request may be the key of another.
    provingNames: [...open, ...findProving(requests.map(toProvingParts), [])],
  };
}

function toProvingParts({ url, headers, body, off }: PortableRequest): ProvingParts {
  return {
    url,
    headers: headers.map(([name, value]) => [name, value.replace(basicUser, 'Basic user')]),
    offHeaders: [...off.headers],
    offParameters: [...off.parameters],
    body: body !== null && 'text' in body ? { parts: [body.text] } : null,
    variables: [],
    description: '',
  };
}

/** Names that mean something already: none of them can stand for a secret that was typed. */
export function listTakenNames({ files, environment }: ExportSource): Set<string> {
  const names = new Set([...Object.keys(usualValues), ...Object.keys(environment?.variables ?? {})]);
  for (const { text } of files) {
    for (const name of listExpressions(text)) names.add(name.replace(/^%\s*/, ''));
    for (const [, name = ''] of text.matchAll(/^[ \t]*@([\p{L}_$][\p{L}\p{M}\p{N}_.-]*)\s*=/gmu))
      names.add(name);
  }
  return names;
}

/** Several requests of a file stand in a folder of its name. */
function findPlace(path: string, requests: readonly HttpRequestBlock[], index: number): Place {
  const parts = path.split('/');
  const title = (parts.pop() ?? '').replace(requestExtension, '');
  const isAlone = requests.length === 1;
  const name = requests[index]?.name ?? (isAlone ? title : `${title} ${index + 1}`);
  return {
    path,
    where: isAlone ? path : `${path}: ${name}`,
    folders: isAlone ? parts : [...parts, title],
    name,
  };
}

function findObstacle({ isDisabled, faults }: HttpRequestBlock): string | null {
  if (isDisabled) return 'it is disabled.';
  const [fault] = faults;
  return fault === undefined ? null : `line ${fault.line}: ${fault.message}`;
}

function readRequest(
  source: ExportSource,
  block: HttpRequestBlock,
  place: Place & { file: HttpFile; isAlone: boolean },
  book: CredentialBook,
  secretNames: Set<string>,
  notes: ExportNote[],
): PortableRequest {
  noteAsides(block, place, notes);
  const secretVariables = block.fileVariables.filter(({ name }) => isSecretName(name));
  for (const { name } of secretVariables) secretNames.add(name);
  // What looks like a credential goes wherever its variable does.
  const given = Object.fromEntries(
    block.fileVariables.flatMap(({ name, value }) => {
      if (isSecretName(name)) return [[name, `{{${name}}}`]];
      return looksLikeCredential(value) ? [[name, hideInHeader(name, value, book)]] : [];
    }),
  );
  const resolved = resolveRequest(block, { variables: {}, given, dynamic: kept });
  const trim = (text: string): string => mapExpressions(text, (name) => `{{${name}}}`);
  return {
    where: place.where,
    folders: place.folders,
    name: place.name,
    operation: block.operation,
    method: resolved.method,
    url: hideInText(trim(resolved.url), book),
    headers: resolved.headers.map(([name, value]) => [name, hideInHeader(name, trim(value), book)] as const),
    body: readBody(source, resolved, place, (text) => hideInText(trim(text), book), notes),
    off: readOff(place.file, block, book, (text) =>
      trim(fillVariables(text, block.fileVariables, { variables: {}, given }).filled),
    ),
    examples: place.isAlone ? readExamples(source, place.path) : [],
  };
}

function readOff(
  file: HttpFile,
  block: HttpRequestBlock,
  book: CredentialBook,
  fill: (text: string) => string,
): PortableRequest['off'] {
  const list = (rows: readonly PairRow[], hide: (name: string, value: string) => string): OffRow[] => {
    let at = 0;
    return rows.flatMap(({ name, value, isEnabled }) => {
      if (!isEnabled) return [{ at, name, value: hide(name, fill(value)) }];
      at += 1;
      return [];
    });
  };
  return {
    headers: list(readHeaderRows(file, block), (name, value) => hideInHeader(name, value, book)),
    parameters: list(readQuery(file, block).rows, (name, value) =>
      isSecretName(name) ? book.hide(name, value) : hideInText(value, book),
    ),
  };
}

/** Those that lie beside a request's file. */
function readExamples({ examples = [] }: ExportSource, path: string): PortableRequest['examples'] {
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  return examples.flatMap(({ path: at, owner, name, text }) => {
    const example = owner === path && at.startsWith(folder) ? parseExample(text) : null;
    return example === null ? [] : [{ name, example }];
  });
}

function noteAsides({ notes: asides }: HttpRequestBlock, place: Place, notes: ExportNote[]): void {
  for (const { line, message } of asides)
    notes.push({ where: place.where, what: `Line ${line}: ${message}` });
}

function readBody(
  source: ExportSource,
  resolved: ResolvedRequest,
  { path, where }: Place,
  hide: (text: string) => string,
  notes: ExportNote[],
): PortableBody | null {
  const { body, files } = resolved;
  if (body === null) return null;
  if (files.length === 0) return { text: hide(body) };
  const read = new Map(files.map((one) => [one.path, source.readFile(path, one.path)] as const));
  const missing = [...read].find(([, bytes]) => bytes === null);
  if (missing !== undefined) {
    notes.push({ where, what: `Its body is left out: the file '${missing[0]}' cannot be read.` });
    return null;
  }
  const bytes =
    assembleBody(resolved, (name) => read.get(name) ?? new Uint8Array())?.bytes ?? new Uint8Array();
  const text = decode(bytes);
  // What stands in braces inside a file is text, and nobody else knows that.
  const isPlain = [...read.values()].every(
    (one) => listExpressions(decode(one!) ?? '{{binary}}').length === 0,
  );
  if (text !== null && isPlain) return { text: hide(text) };
  const secret = [...read].find(([, one]) => holdsCredential(one!));
  if (secret !== undefined) {
    notes.push({ where, what: `Its body is left out: the file '${secret[0]}' holds a credential.` });
    return null;
  }
  const only = files.length === 1 && body === '' ? files[0]!.path : null;
  return { bytes, path: only, hasVariables: listExpressions(body).length > 0 };
}

/** Tells whether a file that goes along as it is would take a secret along; what has a NUL in it is no text of any kind. */
export function holdsCredential(bytes: Uint8Array): boolean {
  if (bytes.includes(0)) return false;
  const text = decode(bytes) ?? new TextDecoder('latin1').decode(bytes);
  return hideInText(text, createCredentialBook([])) !== text;
}

function decode(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}

/** All texts of a request that variables stand in. */
export function listTexts({ url, headers, body, off }: PortableRequest): string[] {
  const rowsOff = [...off.headers, ...off.parameters].map(({ value }) => value);
  const texts = body !== null && 'text' in body ? [body.text] : [];
  return [url, ...headers.map(([, value]) => value), ...texts, ...rowsOff];
}

/** Rewrites every variable of a request; of a body of bytes there are none. */
export function mapRequest(request: PortableRequest, write: (name: string) => string): PortableRequest {
  return mapTexts(request, (text) => mapExpressions(text, write));
}

/** Those that a file gives a value to, under a secret's name. */
export const listSecretVariables = ({ fileVariables }: HttpRequestBlock): FoundCredential[] =>
  fileVariables.filter(({ name, value }) => isSecretName(name) && !value.includes('{{'));

function mapTexts(request: PortableRequest, map: (text: string) => string): PortableRequest {
  const mapRows = (rows: readonly OffRow[]): OffRow[] =>
    rows.map((row) => ({ ...row, value: map(row.value) }));
  return {
    ...request,
    url: map(request.url),
    headers: request.headers.map(([name, value]) => [name, map(value)] as const),
    body: request.body !== null && 'text' in request.body ? { text: map(request.body.text) } : request.body,
    off: { headers: mapRows(request.off.headers), parameters: mapRows(request.off.parameters) },
  };
}
