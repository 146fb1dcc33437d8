import { AppError } from '../errors';
import { listSome } from '../list-some';
import type { Example } from '../http-file/example-file';
import { maxImportBytes } from './max-import-bytes';
import type { Renames } from './variables';

/** One file of what is imported; a collection that is a folder has several. */
export interface SourceFile {
  /** Relative to the folder, `/` between parts; of a single file its name. */
  path: string;
  text: string;
}

/** What is imported, as text. */
export interface ImportSource {
  /** Of the file or folder, for people; requests without a name of their own may take it. */
  name: string;
  /** Several where a folder is imported, sorted by path. */
  files: readonly SourceFile[];
}

/** What is not taken over as it stood, and of which request, folder or environment. */
export interface ImportNote {
  where: string;
  what: string;
}

/** A body: text as it is sent, with the bytes of files in between. */
export interface ImportedBody {
  parts: readonly (string | { file: string })[];
  /** Braces in it are text: nothing in it is a variable. */
  isVerbatim?: boolean;
  /** Bytes that are no text; `parts` is empty then. */
  bytes?: Uint8Array;
}

/** A header or parameter that is switched off, and how many that are on stand before it. */
export interface OffRow {
  readonly at: number;
  readonly name: string;
  readonly value: string;
}

/** An answer that somebody kept beside a request. */
export type ImportedExample = Omit<Example, 'receivedAt' | 'block'> & { readonly name: string };

/** One request, as every format is read into. */
export interface ImportedRequest {
  kind: 'request';
  name: string;
  method: string;
  /** Variables as `{{name}}`. */
  url: string;
  headers: [name: string, value: string][];
  body: ImportedBody | null;
  /** Kept in the file as comments, and not sent; values of parameters as people read them. */
  offHeaders: OffRow[];
  offParameters: OffRow[];
  examples: ImportedExample[];
  /** Hold in its file alone. */
  variables: [name: string, value: string][];
  /** Stands as comments above the request. */
  description: string;
  notes: string[];
  renames: Renames;
}

export interface ImportedFolder {
  kind: 'folder';
  name: string;
  items: ImportedItem[];
  notes: string[];
}

/** Something that is no request of ours, and why. */
export interface LeftOut {
  kind: 'left out';
  name: string;
  why: string;
}

export type ImportedItem = ImportedRequest | ImportedFolder | LeftOut;

export interface ImportedVariable {
  name: string;
  value: string;
  /** The format itself says so; names are looked at besides. */
  isSecret: boolean;
}

export interface ImportedEnvironment {
  name: string;
  variables: ImportedVariable[];
  /** Names whose values the other tool keeps to itself: what all environments have under them is none of this one's. */
  kept?: readonly string[];
}

/** What a format reads out of its text. */
export interface Imported {
  /** Of the collection; null: it has none. */
  name: string | null;
  /** Known again when the same document is imported once more; null: each import stands for itself. */
  document: string | null;
  items: ImportedItem[];
  /** Hold in every environment. */
  shared: ImportedVariable[];
  environments: ImportedEnvironment[];
  notes: ImportNote[];
  /** In values of variables. */
  renames: Renames;
  /** Of a format without variables in braces: whether `{{name}}` stood there as a text; without it none did. */
  isText?: (braces: string) => boolean;
}

/** Gives an empty result to add to. */
export function createImported(name: string | null): Imported {
  return { name, document: null, items: [], shared: [], environments: [], notes: [], renames: new Map() };
}

/** Gives a request with what most of them do not have left empty. */
export function createRequest(
  given: Pick<ImportedRequest, 'name' | 'method' | 'url'> & Partial<ImportedRequest>,
): ImportedRequest {
  return {
    kind: 'request',
    headers: [],
    body: null,
    offHeaders: [],
    offParameters: [],
    examples: [],
    variables: [],
    description: '',
    notes: [],
    renames: new Map(),
    ...given,
  };
}

/** Says of a tool that sends a method as it is written that none is here but in capitals. */
export function noteCapitals({ method, notes }: Pick<ImportedRequest, 'method' | 'notes'>): void {
  const sent = method.toUpperCase();
  if (method !== sent)
    notes.push(`Its method is sent in capitals here, as ${sent}; there it is '${method.slice(0, 40)}'.`);
}

/** Says of a tool on Node.js that it writes headers in Latin-1, which are UTF-8 here. */
export function noteUtf8({ headers, notes }: Pick<ImportedRequest, 'headers' | 'notes'>, tool: string): void {
  const names = headers.flatMap(([name, value]) => (/[^\0-\x7f]/.test(value) ? [name] : []));
  const which = names.length === 1 ? `header ${names[0]} is` : `headers ${listSome([...new Set(names)])} are`;
  if (names.length > 0)
    notes.push(`Its ${which} sent in UTF-8 here, and by ${tool} in Latin-1, or not at all.`);
}

/** Says of `/a/../b` and `/a/%2e/b` that an address is sent without them. */
export function noteDots(
  { url, notes }: Pick<ImportedRequest, 'url' | 'notes'>,
  tool: string,
  why = '',
): void {
  const hasDots = /\/(?:\.|%2e){1,2}(?:\/|$)/i.test(url.replace(/[?#].*/s, ''));
  if (hasDots)
    notes.push(
      `${tool} would send the dots of its path as they stand${why}; here its path is sent without them.`,
    );
}

/** Makes a body of text; null where there is none. */
export function textBody(text: string | null): ImportedBody | null {
  return text === null || text === '' ? null : { parts: [text] };
}

/** Tells whether a request has a header of this name. */
export function hasHeader(
  { headers }: { readonly headers: readonly (readonly [string, string])[] },
  name: string,
): boolean {
  return headers.some(([one]) => one.toLowerCase() === name.toLowerCase());
}

/** Says what a body is, where the request does not say so itself. */
export function addContentType(request: ImportedRequest, type: string | null): void {
  if (type !== null && !hasHeader(request, 'content-type')) request.headers.push(['Content-Type', type]);
}

/** What a note calls a piece of its source: the first word and no more. What follows may be a password. */
export function quoteFirstWord(written: string): string {
  const [word = ''] = /^[$<]?\(?[^\s'"=(]{0,40}/.exec(written.trim()) ?? [];
  return word.length < written.trim().length ? `${word}…` : word;
}

/** Changes the values of all rows that are off. */
export function mapOffRows(
  { offHeaders, offParameters }: Pick<ImportedRequest, 'offHeaders' | 'offParameters'>,
  map: (text: string, row: OffRow) => string,
): Pick<ImportedRequest, 'offHeaders' | 'offParameters'> {
  const mapAll = (rows: readonly OffRow[]): OffRow[] =>
    rows.map((row) => ({ ...row, value: map(row.value, row) }));
  return { offHeaders: mapAll(offHeaders), offParameters: mapAll(offParameters) };
}

/** As deep as a collection is laid out, and so as deep as one is read. */
const MAX_FOLDERS = 30;

/** @param levels - of folders, one within the other @throws {AppError} `import.too_deep` */
export function refuseDeepFolders(levels: number): void {
  if (levels <= MAX_FOLDERS) return;
  throw new AppError(
    'import.too_deep',
    `Its folders are nested deeper than ${MAX_FOLDERS} levels. Import it in parts.`,
  );
}

/** Requests and folders of one import. */
const MAX_ITEMS = 20_000;

/** What is refused for its number. */
export function refuseMany(most: number, what: string): AppError {
  return new AppError('import.too_many', `It holds more than ${most} ${what}. Import it in parts.`);
}

/** Characters of the files that one import becomes. */
const MAX_WRITTEN = 2 * maxImportBytes;

/** @throws {AppError} `import.too_large`; what many requests refer to is written into each of them */
export function requireRoomForText(characters: number): void {
  if (characters <= MAX_WRITTEN) return;
  throw new AppError(
    'import.too_large',
    `It would become files of more than ${MAX_WRITTEN / 1024 / 1024} MiB. Import it in parts.`,
  );
}

/** @throws {AppError} `import.too_many`; to be asked before many are read whole */
export function requireRoomForItems(count: number): void {
  if (count > MAX_ITEMS) throw refuseMany(MAX_ITEMS, 'requests and folders');
}

/** Commands of one script, of which each is held until all are read. */
const MAX_COMMANDS = 200_000;

/** @throws {AppError} `import.too_many`; to be asked while a script is split */
export function requireRoomForCommands(count: number): void {
  if (count > MAX_COMMANDS) throw refuseMany(MAX_COMMANDS, 'commands');
}
