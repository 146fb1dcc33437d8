import { ownValue } from '../../own-value';
import { AppError } from '../../errors';
import { memberOf, type JsonNode } from '../../json/json-tree';
import { DRAWN_MARK } from '../../export/postman/drawn-mark';
import { applyAuth, dropReplaced, hideVariables, type ImportedAuth } from '../auth';
import type { CredentialBook } from '../credentials';
import {
  createImported,
  createRequest,
  mapOffRows,
  noteDots,
  noteUtf8,
  type Imported,
  type ImportedExample,
  type ImportedFolder,
  type ImportedItem,
  type ImportedRequest,
  type ImportedVariable,
  type ImportSource,
} from '../imported';
import { isFalse, isStatus, isTrue, listItems, listMembers, readText } from '../nodes';
import { readSourceDocument } from '../read-document';
import { mapCommonExpression, mapExpressions } from '../variables';
import { listAuthFields, readPostmanAuth } from './postman-auth';
import { readPostmanBody, type BodySettings } from './postman-body';
import { readPostmanUrl } from './postman-url';
import { listSome } from '../../list-some';

/** What a folder hands down to the requests in it. */
interface Inherited {
  auth: ImportedAuth;
  settings: BodySettings;
  /** Of a collection that we exported: what its script draws, by the variable that stands for it. */
  drawn: ReadonlyMap<string, string>;
}

/**
 * Reads a collection of Postman (2.0 or 2.1) or an environment of its.
 *
 * @source schema.getpostman.com, collection 2.0.0 and 2.1.0
 */
export function readPostman(source: ImportSource, book: CredentialBook): Imported {
  const [file] = source.files;
  const given = readSourceDocument(file);
  const root = memberOf(given, 'collection', 'info') === null ? given : memberOf(given, 'collection')!;
  if (memberOf(root, 'values')?.kind === 'array') return readEnvironment(root, source.name);
  if (memberOf(root, 'item')?.kind !== 'array') {
    const isOld = memberOf(root, 'requests') !== null;
    throw new AppError(
      'import.unsupported',
      isOld
        ? 'This is a collection of Postman 1.0. Export it as Collection v2.1, and import that.'
        : 'This is neither a collection (2.0, 2.1) nor an environment of Postman.',
    );
  }
  const name = readText(root, 'info', 'name') ?? source.name;
  const imported = createImported(name);
  const drawn = readDrawn(root);
  imported.items = readItems(
    root,
    { auth: { kind: 'none' }, settings: { keepsBody: false, addsType: true }, drawn },
    book,
  );
  imported.shared = listItems(root, 'variable')
    .filter((one) => !drawn.has(readText(one, 'key') ?? ''))
    .flatMap((one) => readVariable(one, imported, name));
  for (const what of noteAround(root)) imported.notes.push({ where: name, what });
  return imported;
}

function readEnvironment(root: JsonNode, fallback: string): Imported {
  const imported = createImported(null);
  const isGlobal = readText(root, '_postman_variable_scope') === 'globals';
  const name = readText(root, 'name') ?? (isGlobal ? 'globals' : fallback);
  const variables = listItems(root, 'values').flatMap((one) => readVariable(one, imported, name));
  imported.environments = [{ name, variables }];
  return imported;
}

function readVariable(node: JsonNode, imported: Imported, where: string): ImportedVariable[] {
  const name = readText(node, 'key') ?? readText(node, 'id') ?? '';
  if (name === '') return [];
  if (isFalse(node, 'enabled') || isTrue(node, 'disabled')) {
    imported.notes.push({ where, what: `Its variable ${name} is disabled, and left out.` });
    return [];
  }
  const value = mapExpressions(readText(node, 'value') ?? '', mapCommonExpression, imported.renames);
  return [{ name, value, isSecret: readText(node, 'type') === 'secret' }];
}

function readDrawn(root: JsonNode): Map<string, string> {
  return new Map(
    listItems(root, 'variable').flatMap((one): [string, string][] => {
      const description = readText(one, 'description') ?? '';
      const meaning = /^\{\{(.+)\}\}$/.exec(description.slice(DRAWN_MARK.length))?.[1];
      return meaning === undefined || !description.startsWith(DRAWN_MARK)
        ? []
        : [[readText(one, 'key') ?? '', meaning]];
    }),
  );
}

function readItems(parent: JsonNode, inherited: Inherited, book: CredentialBook): ImportedItem[] {
  hideVariables(listAuthFields(memberOf(parent, 'auth')), book);
  const handed: Inherited = {
    ...inherited,
    auth: readPostmanAuth(memberOf(parent, 'auth')) ?? inherited.auth,
    settings: readSettings(parent, inherited.settings),
  };
  return listItems(parent, 'item').map((item) => {
    const name = readText(item, 'name') ?? '';
    if (memberOf(item, 'item')?.kind === 'array') return readFolder(item, name, handed, book);
    const request = memberOf(item, 'request');
    if (request === null) return { kind: 'left out', name, why: 'It is no request.' };
    return readRequest(item, request, name, handed, book);
  });
}

/** Each of the settings holds below until it is said otherwise. */
function readSettings(node: JsonNode, above: BodySettings): BodySettings {
  const given = memberOf(node, 'protocolProfileBehavior');
  const off = memberOf(given, 'disabledSystemHeaders');
  return {
    keepsBody:
      memberOf(given, 'disableBodyPruning') === null ? above.keepsBody : isTrue(given, 'disableBodyPruning'),
    addsType: off === null ? above.addsType : !isTrue(off, 'content-type'),
  };
}

function readFolder(
  item: JsonNode,
  name: string,
  inherited: Inherited,
  book: CredentialBook,
): ImportedFolder {
  const variables = listItems(item, 'variable').length > 0 ? ['Variables of the folder are left out.'] : [];
  return {
    kind: 'folder',
    name,
    items: readItems(item, inherited, book),
    notes: [...noteAround(item), ...variables],
  };
}

function readRequest(
  item: JsonNode,
  node: JsonNode,
  name: string,
  inherited: Inherited,
  book: CredentialBook,
): ImportedRequest {
  const isText = node.kind === 'string';
  const { url, variables, offParameters } = readPostmanUrl(isText ? node : memberOf(node, 'url'));
  const request = createRequest({
    name,
    method: readText(node, 'method') ?? 'GET',
    url,
    variables,
    offParameters,
    examples: listItems(item, 'response').flatMap(readExample),
    description: readDescription(node) || readDescription(item),
    notes: [...noteAround(item), ...noteRequest(item, node)],
  });
  addHeaders(request, readHeaders(node));
  noteUtf8(request, 'Postman');
  noteDots(request, 'Postman');
  readPostmanBody(request, memberOf(node, 'body'), readSettings(item, inherited.settings));
  const auth = readPostmanAuth(memberOf(node, 'auth')) ?? inherited.auth;
  hideVariables(listAuthFields(memberOf(node, 'auth')), book);
  dropReplaced(request, auth, 'Postman');
  applyAuth(request, auth, book);
  return mapRequest(request, inherited.drawn);
}

interface HeaderRow {
  readonly name: string;
  readonly value: string;
  readonly isOn: boolean;
}

/** 2.0 takes the headers as one text, too. */
function readHeaders(node: JsonNode): HeaderRow[] {
  const text = memberOf(node, 'header')?.kind === 'string' ? (readText(node, 'header') ?? '') : '';
  const lines = text.split(/\r?\n/).flatMap((line) => {
    const at = line.indexOf(':');
    return at > 0 ? [{ name: line.slice(0, at), value: line.slice(at + 1).trim(), isOn: true }] : [];
  });
  const listed = listItems(node, 'header').map((header) => ({
    name: readText(header, 'key') ?? '',
    value: readText(header, 'value') ?? '',
    isOn: !isTrue(header, 'disabled'),
  }));
  return [...listed, ...lines].filter(({ name }) => name !== '');
}

/** Of names that differ in their case alone Postman sends the one that is begun last, with all values of it. */
function addHeaders(request: ImportedRequest, rows: readonly HeaderRow[]): void {
  const spellings = new Map<string, Set<string>>();
  for (const { name, isOn } of rows)
    if (isOn) spellings.set(name.toLowerCase(), (spellings.get(name.toLowerCase()) ?? new Set()).add(name));
  for (const { name, value, isOn } of rows) {
    if (isOn && [...spellings.get(name.toLowerCase())!].at(-1) === name) request.headers.push([name, value]);
    else request.offHeaders.push({ at: request.headers.length, name, value });
  }
  for (const names of spellings.values())
    if (names.size > 1)
      request.notes.push(
        `Of its headers ${[...names].join(', ').slice(0, 200)} Postman sends the last: the others are switched off.`,
      );
}

/** An answer that was saved with its request; none without a status. */
function readExample(node: JsonNode): ImportedExample[] {
  const httpStatus = Number(readText(node, 'code') ?? Number.NaN);
  if (!isStatus(httpStatus)) return [];
  const asked = memberOf(node, 'originalRequest');
  const url = asked === null ? '' : readPostmanUrl(memberOf(asked, 'url')).url;
  const headers = listItems(node, 'header').map((header): [string, string] => [
    readText(header, 'key') ?? '',
    readText(header, 'value') ?? '',
  ]);
  return [
    {
      name: readText(node, 'name') ?? '',
      request: url === '' ? null : `${readText(asked, 'method') ?? 'GET'} ${url}`,
      httpStatus,
      reason: readText(node, 'status') ?? '',
      headers,
      body: readText(node, 'body') ?? '',
    },
  ];
}

/** Puts our names in the place of Postman's, wherever variables stand. */
function mapRequest(request: ImportedRequest, drawn: Inherited['drawn']): ImportedRequest {
  // What our own export had to draw gets its name back: nothing is renamed by that.
  const known = (inner: string): string | undefined => drawn.get(inner.trim());
  const rename = (inner: string): string => known(inner) ?? mapCommonExpression(inner);
  const map = (text: string): string => {
    mapExpressions(text, (inner) => (known(inner) === undefined ? rename(inner) : inner), request.renames);
    return mapExpressions(text, rename);
  };
  const { body } = request;
  return {
    ...request,
    url: map(request.url),
    headers: request.headers.map(([name, value]) => [map(name), map(value)]),
    ...mapOffRows(request, map),
    variables: request.variables.map(([name, value]) => [name, map(value)]),
    body: body && { ...body, parts: body.parts.map((part) => (typeof part === 'string' ? map(part) : part)) },
  };
}

function readDescription(node: JsonNode): string {
  return readText(node, 'description') ?? readText(node, 'description', 'content') ?? '';
}

const scriptNames: Readonly<Record<string, string>> = {
  prerequest: 'Its pre-request script is not taken over: scripts are not run here.',
  test: 'Its test script is not taken over: write what it checks as `# @expect`.',
};

/** What stands around a request, a folder or a collection and is not taken over. */
function noteAround(node: JsonNode): string[] {
  const scripts = listItems(node, 'event').filter((event) => {
    const lines = [
      readText(event, 'script', 'exec') ?? '',
      ...listItems(event, 'script', 'exec').map((one) => readText(one) ?? ''),
    ];
    return !isTrue(event, 'disabled') && lines.some((line) => line.trim() !== '');
  });
  return [
    ...scripts.map(
      (event) => ownValue(scriptNames, readText(event, 'listen') ?? '') ?? 'A script is not taken over.',
    ),
    ...noteDescription(node),
    ...noteSettings(node),
  ];
}

function noteSettings(node: JsonNode): string[] {
  const names = listMembers(node, 'protocolProfileBehavior')
    .map(([name]) => name)
    .filter((name) => name !== 'disableBodyPruning' && name !== 'disabledSystemHeaders')
    // Nothing is followed here.
    .filter((name) => name !== 'followRedirects' || isTrue(node, 'protocolProfileBehavior', name));
  return names.length === 0 ? [] : [`Its protocol settings are not taken over: ${listSome(names)}.`];
}

/** A request's own stands above it; a folder and a collection have no place for theirs. */
function noteDescription(node: JsonNode): string[] {
  const text = memberOf(node, 'request') === null ? readDescription(node) : '';
  const ofCollection =
    readText(node, 'info', 'description') ?? readText(node, 'info', 'description', 'content');
  return text !== '' || (ofCollection ?? '') !== '' ? ['Its description is left out.'] : [];
}

/** Tells whether rows of a request are described. */
function hasDescribedRows(node: JsonNode): boolean {
  const lists: (readonly JsonNode[])[] = [
    listItems(node, 'header'),
    ...['query', 'variable'].map((name) => listItems(node, 'url', name)),
    ...['urlencoded', 'formdata'].map((name) => listItems(node, 'body', name)),
  ];
  return lists.flat().some((row) => readDescription(row) !== '');
}

function noteRequest(item: JsonNode, node: JsonNode): string[] {
  const unread = listItems(item, 'response').filter((one) => readExample(one).length === 0).length;
  return [
    ...(hasDescribedRows(node) ? ['Descriptions of its headers, parameters or fields are left out.'] : []),
    ...(unread > 0
      ? [
          `${unread} of its saved examples ${unread === 1 ? 'has no status, and is' : 'have no status, and are'} not taken over.`,
        ]
      : []),
    ...(memberOf(node, 'proxy')?.kind === 'object' ? ['Its proxy is not taken over.'] : []),
    ...(memberOf(node, 'certificate')?.kind === 'object'
      ? ['Its client certificate is not taken over.']
      : []),
  ];
}
