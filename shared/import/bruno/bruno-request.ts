import { encodeForUrl } from '../../encode-for-url';
import { ownValue } from '../../own-value';
import { applyAuth, dropReplaced, hideVariables, type ImportedAuth } from '../auth';
import type { CredentialBook } from '../credentials';
import { describeFile, nameFile, setMultipart, type FormPart } from '../form-bodies';
import {
  addContentType,
  createRequest,
  hasHeader,
  mapOffRows,
  noteUtf8,
  textBody,
  type ImportedExample,
  type ImportedRequest,
  type OffRow,
} from '../imported';
import { noteComments, stripJsonComments } from '../strip-comments';
import { replacePathVariables } from '../postman/postman-url';
import { addScopedVariables, noteUnused, toScoped, type ScopedVariable } from '../scoped-variables';
import { encodeFilledIn, mapCommonExpression, mapExpressions, type Renames } from '../variables';
import { noteAmpersands } from './note-ampersands';
import type { BruPair } from './parse-bru';
import { listSome } from '../../list-some';

/** One field of a multipart form. */
export interface BrunoField extends BruPair {
  /** Files in place of a text; null: it is a text. */
  files: readonly string[] | null;
  contentType: string | null;
}

/** A request of Bruno, whichever of its formats it comes in. */
export interface BrunoRequest {
  name: string;
  /** `http` or `graphql`; anything else is left out. */
  type: string;
  seq: number;
  method: string;
  url: string;
  /** Bruno encodes names and values of the query as it sends them, whether they are encoded already or not. */
  isEncoded: boolean;
  pathValues: BruPair[];
  headers: BruPair[];
  offParameters: OffRow[];
  examples: ImportedExample[];
  bodyMode: string;
  /** Bodies that are a text, by mode. */
  texts: Map<string, string>;
  graphqlVariables: string;
  form: BruPair[];
  fields: BrunoField[];
  file: string | null;
  /** What it is sent as. */
  fileType: string | null;
  /** Others that stand in it, and are not chosen. */
  otherFiles: readonly string[];
  /** `inherit`: that of the folder above. */
  authMode: string;
  auth: Map<string, string>;
  /** Of every authentication that stands in it, in use or not. */
  authFields: readonly (readonly [name: string, value: string])[];
  docs: string;
  /** Of the request itself. */
  variables: BruPair[];
  notes: string[];
}

/** What a collection or folder gives the requests in it. */
export interface BrunoDefaults {
  headers: BruPair[];
  auth: ImportedAuth;
  /** Of the folders, the innermost first. */
  variables: readonly ScopedVariable[];
}

/** Before anything is handed down. */
export const noDefaults: BrunoDefaults = { headers: [], auth: { kind: 'none' }, variables: [] };

export function createBrunoRequest(name: string): BrunoRequest {
  return {
    name,
    type: 'http',
    seq: Number.MAX_SAFE_INTEGER,
    method: 'GET',
    url: '',
    isEncoded: false,
    pathValues: [],
    headers: [],
    offParameters: [],
    examples: [],
    bodyMode: 'none',
    texts: new Map(),
    graphqlVariables: '',
    form: [],
    fields: [],
    file: null,
    fileType: null,
    otherFiles: [],
    authMode: 'none',
    auth: new Map(),
    authFields: [],
    docs: '',
    variables: [],
    notes: [],
  };
}

const types: Readonly<Record<string, string>> = {
  json: 'application/json',
  text: 'text/plain',
  xml: 'application/xml',
  sparql: 'application/sparql-query',
};

/** Reads how Bruno authenticates; null: as the folder above does. */
export function readBrunoAuth(mode: string, values: ReadonlyMap<string, string>): ImportedAuth | null {
  const get = (...names: string[]): string =>
    names.map((name) => values.get(name)).find((one) => one !== undefined) ?? '';
  switch (mode) {
    case 'inherit':
      return null;
    case 'none':
    case '':
      return { kind: 'none' };
    case 'basic':
      return { kind: 'basic', user: get('username'), password: get('password') };
    case 'bearer':
      return { kind: 'bearer', token: get('token') };
    case 'apikey':
      return {
        kind: 'key',
        name: get('key'),
        value: get('value'),
        place: /query/i.test(get('placement')) ? 'query' : 'header',
      };
    case 'oauth2':
      return { kind: 'bearer', token: get('access_token', 'accessToken'), isFetched: true };
    default:
      return { kind: 'other', title: mode.slice(0, 40) };
  }
}

/** Makes a request of ours out of one of Bruno's. */
export function buildBrunoRequest(
  bruno: BrunoRequest,
  defaults: BrunoDefaults,
  book: CredentialBook,
): ImportedRequest {
  const values = new Map(bruno.pathValues.map(({ name, value }) => [name, value]));
  const address = bruno.isEncoded ? encodeQuery(bruno.url) : bruno.url;
  const { url, variables } = replacePathVariables(fillBrackets(address, values), values);
  const request = createRequest({
    name: bruno.name,
    method: bruno.method,
    url,
    variables,
    description: bruno.docs,
    offParameters: bruno.offParameters,
    examples: bruno.examples,
    notes: [...bruno.notes, ...(bruno.isEncoded ? noteAmpersands(address) : [])],
  });
  addHeaders(request, bruno.headers, defaults.headers);
  noteUtf8(request, 'Bruno');
  addBody(request, bruno);
  const auth = readBrunoAuth(bruno.authMode, bruno.auth) ?? defaults.auth;
  hideVariables(bruno.authFields, book);
  dropReplaced(request, auth, 'Bruno');
  applyAuth(request, auth, book);
  const mapped = mapRequest(request);
  const own = readScoped(bruno.variables, mapped.notes, mapped.renames);
  addScopedVariables(mapped, [...own, ...defaults.variables], book);
  mapped.notes.push(...noteUnused(own));
  return mapped;
}

/** Reads the variables of a request or a folder. @param notes - takes what is said of those that are off */
export function readScoped(pairs: readonly BruPair[], notes: string[], renames: Renames): ScopedVariable[] {
  return pairs.flatMap(({ name: written, value, isEnabled }) => {
    // `@` marks one that scripts do not share.
    const name = written.replace(/^@/, '');
    if (name === '') return [];
    if (isEnabled)
      return [
        toScoped({ name, value: mapExpressions(value, mapCommonExpression, renames), isSecret: false }),
      ];
    notes.push(`Its variable ${name} is disabled, and left out.`);
    return [];
  });
}

/** Bruno goes on to the folder above where a folder says `none`. */
export function readFolderAuth(
  mode: string,
  values: ReadonlyMap<string, string>,
  above: ImportedAuth,
): ImportedAuth {
  const own = readBrunoAuth(mode, values);
  return own === null || own.kind === 'none' ? above : own;
}

/** Values of a path stand within brackets, too: `/Products(':key')`. */
function fillBrackets(address: string, values: ReadonlyMap<string, string>): string {
  const end = address.search(/[?#]|$/);
  const filled = address
    .slice(0, end)
    .replace(/(?<=\/)[\w.-]+\([^()/]*\)(?=\/|$)/g, (step) =>
      step.replace(/:([A-Za-z_]\w*)/g, (whole, name: string) => values.get(name)?.trim() || whole),
    );
  return filled + address.slice(end);
}

/** A parameter without a value has none afterwards. */
function encodeQuery(url: string): string {
  const at = url.indexOf('?');
  if (at === -1) return url;
  const pairs = url.slice(at + 1).split('&');
  const encode = (text: string): string => encodeFilledIn(text, encodeForUrl);
  const encoded = pairs.flatMap((pair) => {
    const [name = '', ...rest] = pair.split('=');
    if (name.trim() === '') return [];
    // What stands for several pairs brings the signs between them along.
    if (rest.length === 0 && /^\{\{[^{}]{1,300}\}\}$/.test(name)) return [name];
    return [rest.length === 0 ? encode(name) : `${encode(name)}=${encode(rest.join('='))}`];
  });
  return `${url.slice(0, at)}?${encoded.join('&')}`;
}

/** Of several headers of one name Bruno sends the last: the others are kept as they are, and off. */
function addHeaders(request: ImportedRequest, own: readonly BruPair[], inherited: readonly BruPair[]): void {
  const lastOf = new Map<string, BruPair>();
  for (const one of own) if (one.isEnabled) lastOf.set(one.name.toLowerCase(), one);
  const repeated = new Map<string, string>();
  for (const one of own) {
    const { name, value, isEnabled } = one;
    if (name === '') continue;
    const isSent = isEnabled && lastOf.get(name.toLowerCase()) === one;
    if (isEnabled && !isSent) repeated.set(name.toLowerCase(), lastOf.get(name.toLowerCase())!.name);
    if (isSent) request.headers.push([name, value]);
    else request.offHeaders.push({ at: request.headers.length, name, value });
  }
  for (const name of repeated.values())
    request.notes.push(
      `Of several headers ${name.slice(0, 100)} Bruno sends the last: the others are switched off.`,
    );
  for (const { name, value, isEnabled } of inherited) {
    if (name !== '' && isEnabled && !hasHeader(request, name)) request.headers.push([name, value]);
  }
}

function addBody(request: ImportedRequest, bruno: BrunoRequest): void {
  const { bodyMode: mode, texts } = bruno;
  if (Object.hasOwn(types, mode)) {
    const written = texts.get(mode) ?? '';
    request.body = textBody(mode === 'json' ? stripComments(request, written) : written);
    if (request.body !== null) addContentType(request, ownValue(types, mode) ?? null);
  } else if (mode === 'graphql') {
    const query = JSON.stringify(texts.get('graphql') ?? '');
    const variables = stripComments(request, bruno.graphqlVariables).trim();
    request.body = textBody(`{"query":${query},"variables":${variables === '' ? '{}' : variables}}`);
    addContentType(request, 'application/json');
  } else if (mode === 'form-urlencoded' || mode === 'formUrlEncoded') {
    const pairs = keepEnabled(request, bruno.form).map(({ name, value }): [string, string] => [name, value]);
    request.body = textBody(
      pairs.map(([one, value]) => `${encodeInForm(one)}=${encodeFilledIn(value, encodeInForm)}`).join('&'),
    );
    addContentType(request, 'application/x-www-form-urlencoded');
  } else if (mode === 'multipart-form' || mode === 'multipartForm') addMultipart(request, bruno);
  else if (mode === 'file' && bruno.file !== null) {
    request.body = { parts: [{ file: `./${nameFile(bruno.file)}` }] };
    request.notes.push(describeFile(bruno.file));
    if (bruno.otherFiles.length > 0)
      request.notes.push(`Files that are not the one in use are left out: ${listSome(bruno.otherFiles)}.`);
    addContentType(request, bruno.fileType);
  }
  const forms = [
    ['form-urlencoded', bruno.form.length],
    ['multipart-form', bruno.fields.length],
    ['file', bruno.file === null ? 0 : 1],
  ] as const;
  const others = [
    ...[...texts].map(([name, text]) => [name, text.trim().length] as const),
    // As one format calls them, and the other.
    ...forms.filter(([name]) => name.replace('-', '').toLowerCase() !== mode.replace('-', '').toLowerCase()),
  ];
  for (const [other, size] of others) {
    if (other !== mode && size > 0)
      request.notes.push(`Its other body (${other}) is not the one that is sent, and left out.`);
  }
}

function stripComments(request: ImportedRequest, written: string): string {
  const text = stripJsonComments(written, { dropsLines: true });
  if (text !== written) request.notes.push(noteComments('Bruno'));
  return text;
}

/** Blanks as `+`. A variable in the name of a field is none to Bruno. @source URL Standard, application/x-www-form-urlencoded */
const encodeInForm = (text: string): string =>
  encodeForUrl(text)
    .replace(/[!'()~]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');

function keepEnabled<T extends BruPair>(request: ImportedRequest, pairs: readonly T[]): T[] {
  return pairs.filter(({ name, isEnabled }) => {
    if (!isEnabled) request.notes.push(`The field ${name} of its form is disabled, and left out.`);
    return isEnabled;
  });
}

function addMultipart(request: ImportedRequest, bruno: BrunoRequest): void {
  const parts = keepEnabled(request, bruno.fields).flatMap(
    ({ name, value, files, contentType }): FormPart[] => {
      if (files === null) return [{ name, value, contentType }];
      if (files.length === 0)
        request.notes.push(`The field ${name} of its form has no file, and is left out.`);
      request.notes.push(...files.map(describeFile));
      return files.map((file) => ({ name, value: { file }, contentType }));
    },
  );
  if (parts.length > 0) setMultipart(request, parts);
}

function mapRequest(request: ImportedRequest): ImportedRequest {
  const map = (text: string): string => mapExpressions(text, mapCommonExpression, request.renames);
  return {
    ...request,
    url: map(request.url),
    headers: request.headers.map(([name, value]) => [name, map(value)]),
    ...mapOffRows(request, map),
    variables: request.variables.map(([name, value]) => [name, map(value)]),
    body: request.body && {
      ...request.body,
      parts: request.body.parts.map((part) => (typeof part === 'string' ? map(part) : part)),
    },
  };
}

/** Those of a query that are off, each with how many that are on stand before it. */
export function listOff(pairs: readonly BruPair[]): OffRow[] {
  let at = 0;
  return pairs.flatMap(({ name, value, isEnabled }): OffRow[] => {
    if (isEnabled) at += 1;
    return isEnabled || name === '' ? [] : [{ at, name, value }];
  });
}
