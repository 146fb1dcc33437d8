import { memberOf, type JsonNode } from '../../json/json-tree';
import { splitAddress } from '../../http-file/edit-rows';
import { addQuery, applyAuth, hideVariables, type ImportedAuth } from '../auth';
import type { CredentialBook } from '../credentials';
import { describeFile, nameFile, setMultipart, type FormPart } from '../form-bodies';
import {
  addContentType,
  createRequest,
  mapOffRows,
  textBody,
  type ImportedRequest,
  type OffRow,
} from '../imported';
import { isFalse, isTrue, listItems, listMembers, readText } from '../nodes';
import { replacePathVariables } from '../postman/postman-url';
import { addScopedVariables, type ScopedVariable } from '../scoped-variables';
import type { Renames } from '../variables';
import { encodeInsomniaName, encodeInsomniaValue, encodeStep, keepRaw } from './insomnia-encoding';
import { mapInsomniaText } from './insomnia-expressions';

/** What a folder gives the requests in it. */
export interface InsomniaDefaults {
  headers: [string, string][];
  auth: ImportedAuth;
  /** Of the folders, the innermost first. */
  variables: readonly ScopedVariable[];
}

/** Reads how Insomnia authenticates; null: as the folder above does. */
export function readInsomniaAuth(node: JsonNode | null): ImportedAuth | null {
  const type = readText(node, 'type') ?? '';
  const get = (name: string): string => readText(node, name) ?? '';
  // One that is off leaves its place to that of the folder.
  if (type === '' || type === 'inherit' || isTrue(node, 'disabled')) return null;
  if (type === 'none') return { kind: 'none' };
  switch (type) {
    case 'basic':
      return { kind: 'basic', user: get('username'), password: get('password') };
    case 'bearer':
      return { kind: 'bearer', token: get('token'), ...(get('prefix') !== '' && { prefix: get('prefix') }) };
    case 'apikey': {
      const to = get('addTo');
      const place = to === 'queryParams' ? 'query' : to === 'cookie' ? 'cookie' : 'header';
      return { kind: 'key', name: get('key'), value: get('value'), place };
    }
    case 'singleToken':
      return { kind: 'bearer', token: get('token'), prefix: '' };
    case 'oauth2':
      return {
        kind: 'bearer',
        token: get('accessToken'),
        isFetched: true,
        // Insomnia's own word for a token that stands alone.
        ...(get('tokenPrefix') !== '' && { prefix: get('tokenPrefix').replace(/^NO_PREFIX$/, '') }),
      };
    default:
      return { kind: 'other', title: type.slice(0, 40) };
  }
}

/** Has the variables of what authenticates a request or a folder taken for secrets, in use or not. */
export function hideInsomniaAuth(node: JsonNode, book: CredentialBook): void {
  const map = (text: string): string => mapInsomniaText(text, () => undefined, new Map());
  const fields = listMembers(node, 'authentication');
  hideVariables(
    fields.map(([name, value]) => [name, map(readText(value) ?? '')]),
    book,
  );
}

/** Reads headers; `off` takes those that are switched off. */
export function readInsomniaHeaders(node: JsonNode | null, off: OffRow[]): [string, string][] {
  const headers: [string, string][] = [];
  for (const header of listItems(node, 'headers')) {
    const name = readText(header, 'name') ?? '';
    const value = readText(header, 'value') ?? '';
    if (name === '') continue;
    if (isTrue(header, 'disabled')) off.push({ at: headers.length, name, value });
    else headers.push([name, value]);
  }
  return headers;
}

/** @source Insomnia, SINGLE_VALUE_HEADERS: the last of these counts */
const singleHeaders =
  /^(?:proxy-authorization|content-(?:length|type|encoding|location)|connection|host|upgrade|range|trailer)$/;

/** Gives headers of a folder and those below it: Insomnia joins the values of one name. */
export function joinHeaders(
  outer: InsomniaDefaults['headers'],
  own: readonly [string, string][],
): [string, string][] {
  const joined = new Map(own.map(([name]) => [name.toLowerCase(), [name, ''] as [string, string]]));
  const begun = new Set<string>();
  for (const [name, value] of [...outer, ...own]) {
    const key = name.toLowerCase();
    const isMore = begun.has(key) && !singleHeaders.test(key);
    joined.set(key, [name, isMore ? `${joined.get(key)![1]}, ${value}` : value]);
    begun.add(key);
  }
  return [...joined.values()];
}

/** Says of a user and password that Insomnia was told to write in Latin-1 that they are UTF-8 here. */
export function noteLatinUser(node: JsonNode): string[] {
  const auth = memberOf(node, 'authentication');
  const pair = `${readText(auth, 'username') ?? ''}${readText(auth, 'password') ?? ''}`;
  return isTrue(auth, 'useISO88591') && /[^\0-\x7f]|\{[{%]/.test(pair)
    ? [
        'Insomnia writes its user and password in ISO 8859-1; here they are UTF-8, which differs for letters beyond ASCII.',
      ]
    : [];
}

const scriptFields: readonly (readonly [path: readonly string[], note: string])[] = [
  [['preRequestScript'], 'Its pre-request script is not taken over: scripts are not run here.'],
  [['afterResponseScript'], 'Its after-response script is not taken over: scripts are not run here.'],
  [['scripts', 'preRequest'], 'Its pre-request script is not taken over: scripts are not run here.'],
  [['scripts', 'afterResponse'], 'Its after-response script is not taken over: scripts are not run here.'],
];

/** Says which scripts of a request or folder are not taken over. */
export function noteInsomniaScripts(node: JsonNode): string[] {
  return scriptFields.flatMap(([path, note]) =>
    (readText(node, ...path) ?? '').trim() === '' ? [] : [note],
  );
}

/** Reads one request; the forms of versions 4 and 5 have the same fields. */
export function readInsomniaRequest(
  node: JsonNode,
  defaults: InsomniaDefaults,
  book: CredentialBook,
): ImportedRequest {
  const notes = [...noteInsomniaScripts(node), ...noteLatinUser(node)];
  const note = (what: string): void => void notes.push(what);
  const renames: Renames = new Map();
  const map = (text: string): string => mapInsomniaText(text, note, renames);
  const values = new Map(
    listItems(node, 'pathParameters').map((one) => [
      readText(one, 'name') ?? '',
      encodeStep(map(readText(one, 'value') ?? '')),
    ]),
  );
  const { url, variables } = replacePathVariables(map(readText(node, 'url') ?? ''), values);
  const request = createRequest({
    name: readText(node, 'name') ?? '',
    method: readText(node, 'method') ?? 'GET',
    url: addParameters(url, node, map),
    variables,
    renames,
    description: readText(node, 'description') ?? readText(node, 'meta', 'description') ?? '',
  });
  request.headers = joinHeaders(defaults.headers, readInsomniaHeaders(node, request.offHeaders)).map(
    ([name, value]) => [name, map(value)],
  );
  request.offParameters = readOffParameters(url, node);
  Object.assign(request, mapOffRows(request, map));
  const isFilledIn = !(
    isTrue(node, 'settingDisableRenderRequestBody') ||
    isFalse(memberOf(node, 'settings'), 'renderRequestBody')
  );
  readBody(request, memberOf(node, 'body'), notes, isFilledIn ? map : (text) => text);
  if (!isFilledIn && request.body?.parts.every((part) => typeof part === 'string') === true)
    request.body.isVerbatim = true;
  const auth = readInsomniaAuth(memberOf(node, 'authentication')) ?? defaults.auth;
  hideInsomniaAuth(node, book);
  applyAuth(request, mapAuth(auth, map), book);
  notes.push(...noteOff(node));
  request.notes.unshift(...notes);
  addScopedVariables(request, defaults.variables, book);
  return request;
}

/** Says what of a request is switched off, or has no place here. */
function noteOff(node: JsonNode): string[] {
  const off = memberOf(node, 'authentication');
  const rows = ['headers', 'parameters', 'pathParameters'].flatMap((name) => listItems(node, name));
  const fields = listItems(node, 'body', 'params');
  const isDescribed = [...rows, ...fields].some((row) => (readText(row, 'description') ?? '') !== '');
  return [
    ...(isTrue(off, 'disabled') && readText(off, 'type') !== 'none'
      ? [`Its authentication (${readText(off, 'type') ?? ''}) is disabled, and left out.`]
      : []),
    ...(isDescribed ? ['Descriptions of its headers, parameters or fields are left out.'] : []),
  ];
}

function mapAuth(auth: ImportedAuth, map: (text: string) => string): ImportedAuth {
  if (auth.kind === 'basic') return { ...auth, user: map(auth.user), password: map(auth.password) };
  if (auth.kind === 'bearer') return { ...auth, token: map(auth.token) };
  return auth.kind === 'key' ? { ...auth, value: map(auth.value) } : auth;
}

function addParameters(url: string, node: JsonNode, map: (text: string) => string): string {
  const isRaw = isFalse(node, 'settingEncodeUrl') || isFalse(memberOf(node, 'settings'), 'encodeUrl');
  const [encodeName, encodeValue] = isRaw ? [keepRaw, keepRaw] : [encodeInsomniaName, encodeInsomniaValue];
  return listItems(node, 'parameters').reduce(
    (address, one) => {
      const name = readText(one, 'name') ?? '';
      if (name === '' || isTrue(one, 'disabled')) return address;
      const value = map(readText(one, 'value') ?? '');
      return addQuery(address, `${encodeName(map(name))}=${encodeValue(value)}`);
    },
    isRaw ? url : encodeOwnQuery(url),
  );
}

/** Encodes what an address has of a query by itself, as Insomnia does: `+` is a plus sign. */
function encodeOwnQuery(url: string): string {
  const { base, rows, fragment } = splitAddress(url);
  const pairs = rows.map(({ raw = '' }) => {
    const [name = '', ...rest] = raw.split('=');
    // A variable by itself may hold all of a query.
    if (rest.length === 0) return raw.startsWith('{{') ? raw : encodeInsomniaName(name);
    return `${encodeInsomniaName(name)}=${encodeInsomniaValue(rest.join('='))}`;
  });
  return pairs.length === 0 ? url : `${base}?${pairs.join('&')}${fragment}`;
}

/** Those that are off; what its address has by itself stands before them. */
function readOffParameters(url: string, node: JsonNode): OffRow[] {
  let at = splitAddress(url).rows.length;
  return listItems(node, 'parameters').flatMap((one): OffRow[] => {
    const name = readText(one, 'name') ?? '';
    if (name === '') return [];
    if (isTrue(one, 'disabled')) return [{ at, name, value: readText(one, 'value') ?? '' }];
    at += 1;
    return [];
  });
}

function readBody(
  request: ImportedRequest,
  body: JsonNode | null,
  notes: string[],
  map: (text: string) => string,
): void {
  const type = readText(body, 'mimeType');
  const text = readText(body, 'text');
  const parameters = listItems(body, 'params').filter((one) => {
    if (isTrue(one, 'disabled'))
      notes.push(`The field ${readText(one, 'name') ?? ''} of its form is disabled, and left out.`);
    return !isTrue(one, 'disabled');
  });
  if (type === 'multipart/form-data') {
    const parts = parameters.map((one) => readPart(one, notes, map));
    if (parts.length > 0) setMultipart(request, parts);
    return;
  }
  const file = readText(body, 'fileName');
  if (parameters.length > 0) {
    const pairs = parameters.map((one): [string, string] => [
      encodeInsomniaName(map(readText(one, 'name') ?? '')),
      encodeInsomniaValue(map(readText(one, 'value') ?? '')),
    ]);
    request.body = textBody(pairs.map((pair) => pair.join('=')).join('&'));
  } else if (file !== null && file !== '') {
    request.body = { parts: [{ file: `./${nameFile(file)}` }] };
    notes.push(describeFile(file));
  } else if (text !== null) {
    request.body = textBody(map(text));
  }
  // Of a GraphQL request the text is the JSON that is sent.
  if (request.body !== null)
    addContentType(request, type === 'application/graphql' ? 'application/json' : type || null);
}

function readPart(node: JsonNode, notes: string[], map: (text: string) => string): FormPart {
  const name = readText(node, 'name') ?? '';
  const file = readText(node, 'fileName');
  if (readText(node, 'type') !== 'file' || file === null)
    // Of a text over several lines it says what that is; else it only says that there are some.
    return {
      name,
      value: map(readText(node, 'value') ?? ''),
      contentType: memberOf(node, 'multiline')?.kind === 'string' ? readText(node, 'multiline') : null,
    };
  notes.push(describeFile(file));
  return { name, value: { file } };
}
