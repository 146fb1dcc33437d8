import { decodeBase64 } from '../../signing/base64';
import { AppError } from '../../errors';
import { addQuery } from '../auth';
import { nameFile, setMultipart, type FormPart } from '../form-bodies';
import {
  createRequest,
  hasHeader,
  noteCapitals,
  noteDots,
  type ImportedBody,
  type ImportedRequest,
} from '../imported';
import { userInfo } from '../layout/clean-request';
import type { OptionKind } from './curl-options';
import { INLINE_BYTES } from './shell-command';

/** A part of a body: a text, or what a file holds. */
export type Piece = string | { file: string; isEncoded?: boolean };

/** What the arguments of one request come to. */
export interface Gathered {
  method: string | null;
  urls: string[];
  headers: [string, string | null][];
  /** Go where no header of their own says otherwise. */
  defaults: [string, string][];
  cookies: string[];
  /** With what joins each to those before it. */
  data: { joint: '&' | ''; pieces: Piece[] }[];
  form: FormPart[];
  upload: { path: string; piece: Piece } | null;
  queries: string[];
  user: string | null;
  kinds: Set<OptionKind>;
  notes: string[];
  input: string | null;
}

/** Gives what no argument has added to yet. */
export const createGathered = (input: string | null): Gathered => ({
  method: null,
  urls: [],
  headers: [],
  defaults: [],
  cookies: [],
  data: [],
  form: [],
  upload: null,
  queries: [],
  user: null,
  kinds: new Set(),
  notes: [],
  input,
});

const MOST_PARTS = 1_000_000;
const formType = 'application/x-www-form-urlencoded';

/** Joins the data of several options, as curl does; `--json` puts nothing before it. */
function joinData({ data }: Gathered): Piece[] {
  const joined: Piece[] = [];
  for (const piece of data.flatMap(({ joint, pieces }, index) =>
    index === 0 || joint === '' ? pieces : [joint, ...pieces],
  )) {
    const last = joined.at(-1);
    if (typeof piece === 'string' && typeof last === 'string') joined[joined.length - 1] = last + piece;
    else joined.push(piece);
  }
  return joined;
}

/** Makes the requests of what was gathered: one an address. */
export function buildCurlRequests(gathered: Gathered): ImportedRequest[] {
  const { urls } = gathered;
  if (urls.length === 0 && gathered.kinds.size === 0) return [];
  const notes = [...new Set(gathered.notes)];
  requireRoom(gathered, notes.length);
  return (urls.length === 0 ? [''] : urls).map((url) => buildOne(gathered, url, notes));
}

/** Each address gets all that the command says: few of both come to millions. */
function requireRoom(gathered: Gathered, notes: number): void {
  const { urls, headers, defaults, data, form, queries, cookies } = gathered;
  const parts =
    notes + headers.length + defaults.length + data.length + form.length + queries.length + cookies.length;
  if (urls.length * parts <= MOST_PARTS) return;
  throw new AppError(
    'import.too_many',
    `One command gives ${parts} headers, parts and options to ${urls.length} addresses. Import it in parts.`,
  );
}

/** `[1-3]`, `{a,b}`. */
const hasAlternatives = (url: string): boolean =>
  /\[[\d a-z]+-[\d a-z:]+\]|\{[^{},]*,[^{}]*\}/i.test(url.replace(/\{\{[^{}]*\}\}/g, ''));

function noteAddress(request: ImportedRequest, kinds: ReadonlySet<OptionKind>): void {
  const { url, notes } = request;
  if (!kinds.has('globoff') && hasAlternatives(url)) {
    notes.push(
      'curl would make several addresses of its brackets or braces; here they are sent as they stand.',
    );
  }
  if (kinds.has('path-as-is')) noteDots(request, 'curl', ' (--path-as-is)');
}

/** Of the header that `-H 'Authorization:'` takes away, the address says nothing either. */
function dropUser(request: ImportedRequest, headers: Gathered['headers']): void {
  if (!headers.some(([name, value]) => value === null && name.toLowerCase() === 'authorization')) return;
  const url = request.url.replace(userInfo, '$1');
  if (url === request.url) return;
  request.url = url;
  request.notes.push(
    "The user name in its address is left out: curl sends none where `-H 'Authorization:'` stands.",
  );
}

function implyMethod({ kinds, upload, form }: Gathered, isSent: boolean): string {
  if (kinds.has('head')) return 'HEAD';
  if (upload !== null) return 'PUT';
  return isSent || form.length > 0 ? 'POST' : 'GET';
}

function buildOne(gathered: Gathered, given: string, notes: readonly string[]): ImportedRequest {
  const { kinds, headers, form, upload, user } = gathered;
  const data = joinData(gathered);
  const isQuery = kinds.has('get') && data.length > 0;
  const address = upload === null || !given.endsWith('/') ? given : given + nameFile(upload.path);
  const isSent = data.length > 0 && !isQuery;
  const method = gathered.method ?? implyMethod(gathered, isSent);
  const request = createRequest({ name: '', method, url: address, notes: [...notes] });
  const added = isQuery ? [...gathered.queries, joinTexts(data, request, 'address')] : gathered.queries;
  const url = added.filter((one) => one !== '').reduce(addQuery, address);
  request.url = url;
  request.headers = headers.filter((one): one is [string, string] => one[1] !== null);
  noteCapitals(request);
  noteAddress(request, kinds);
  dropUser(request, headers);
  const addDefault = (name: string, value: string): void => {
    const isSaid = headers.some(([one]) => one.toLowerCase() === name.toLowerCase());
    if (!isSaid && !hasHeader(request, name)) request.headers.push([name, value]);
  };
  for (const [name, value] of gathered.defaults) addDefault(name, value);
  if (gathered.cookies.length > 0) addDefault('Cookie', gathered.cookies.join(';'));
  if (user !== null && !kinds.has('other-auth')) {
    addDefault('Authorization', `Basic ${user.includes(':') ? user : `${user}:{{password}}`}`);
  }
  // Also where `-G` takes its data to the address.
  if (kinds.has('json')) {
    addDefault('Content-Type', 'application/json');
    addDefault('Accept', 'application/json');
  }
  if (form.length > 0) {
    if (isSent) request.notes.push('Its data (-d) is left out: curl sends either a form (-F) or data.');
    setMultipart(request, form);
  } else if (upload !== null) {
    request.body = makeBody([upload.piece], request);
  } else if (isSent) {
    if (!kinds.has('json')) addDefault('Content-Type', formType);
    request.body = makeBody(data, request);
  }
  return request;
}

function makeBody(parts: readonly Piece[], request: ImportedRequest): ImportedBody | null {
  const [first] = parts;
  if (typeof first === 'object' && first.file.startsWith(INLINE_BYTES)) {
    return { parts: [], bytes: decodeBase64(first.file.slice(INLINE_BYTES.length)) };
  }
  const filled = parts.filter((part) => part !== '');
  const isPlain = typeof filled[0] !== 'object' || filled[0].isEncoded !== true;
  if (filled.length < 2 && isPlain) return filled.length === 0 ? null : { parts: filled };
  return { parts: [joinTexts(filled, request, 'body')] };
}

type Place = 'body' | 'address';

const joinTexts = (parts: readonly Piece[], request: ImportedRequest, place: Place): string =>
  parts.map((part) => (typeof part === 'string' ? part : fillIn(part, request, place))).join('');

/** A file within a text: no request file can say so, and a copy beside it would be of no use. */
function fillIn(
  { file: path, isEncoded = false }: Exclude<Piece, string>,
  request: ImportedRequest,
  place: Place,
): string {
  const file = nameFile(path);
  const name = `content_of_${file.replace(/[^\w.-]+/g, '_')}`;
  const isCopying = (note: string): boolean =>
    note.startsWith("Its body holds the file '") &&
    note.includes(`${file.slice(0, 150)}', which was not imported`);
  request.notes = request.notes.filter((note) => !isCopying(note));
  const where = place === 'body' && !isEncoded ? ' in the middle' : '';
  // `--data-urlencode` encodes what the file holds.
  const how = isEncoded ? ' as it is; it is encoded where it leaves' : '';
  request.notes.push(
    `Its ${place} has what '${file.slice(0, 200)}' holds${where}: give {{${name}}} that value${how}.`,
  );
  return isEncoded ? `{{%${name}}}` : `{{${name}}}`;
}
