import { memberOf, type JsonNode } from '../../json/json-tree';
import { hideVariables } from '../auth';
import type { CredentialBook } from '../credentials';
import {
  createImported,
  type Imported,
  type ImportedExample,
  type ImportedItem,
  type ImportedVariable,
} from '../imported';
import { isFalse, isStatus, isTrue, listItems, listMembers, readText } from '../nodes';
import { noteUnused, type ScopedVariable } from '../scoped-variables';
import { mapCommonExpression, mapExpressions } from '../variables';
import {
  createBrunoRequest,
  listOff,
  noDefaults,
  readFolderAuth,
  readScoped,
  type BrunoDefaults,
  type BrunoField,
  type BrunoRequest,
} from './bruno-request';
import type { BruPair } from './parse-bru';
import { describeOther, describeTimeout, noteQuery, tagsNote } from './read-bru-file';
import { buildItem, noteFetched } from './read-bru-folder';

/** Both forms of Bruno's documents have the same things under slightly different names. */

function isEnabled(node: JsonNode): boolean {
  return !isFalse(node, 'enabled') && !isTrue(node, 'disabled');
}

function readPair(node: JsonNode): BruPair {
  return {
    name: readText(node, 'name') ?? readText(node, 'key') ?? '',
    // A value of OpenCollection may say its type besides.
    value: readText(node, 'value') ?? readText(node, 'value', 'data') ?? '',
    isEnabled: isEnabled(node),
  };
}

function readPairs(node: JsonNode | null, ...path: string[]): BruPair[] {
  return listItems(node, ...path).map(readPair);
}

function readField(node: JsonNode): BrunoField {
  const isFile = readText(node, 'type') === 'file';
  const listed = [...listItems(node, 'value'), memberOf(node, 'value')].map((one) => readText(one) ?? '');
  const files = isFile ? listed.filter((file) => file !== '') : null;
  return { ...readPair(node), files, contentType: readText(node, 'contentType') || null };
}

/** Mode and values of an authentication: `{mode, basic: {…}}`, `{type, username, …}`, or the word `inherit`. */
function readAuth(node: JsonNode | null): { mode: string; values: Map<string, string> } {
  const mode = readText(node) ?? readText(node, 'mode') ?? readText(node, 'type') ?? 'none';
  const flat = listMembers(node).flatMap(([name, value]) => toEntry(name, value));
  const nested = listMembers(node, mode).flatMap(([name, value]) => toEntry(name, value));
  return { mode, values: new Map([...flat, ...nested]) };
}

function toEntry(name: string, value: JsonNode): [string, string][] {
  const text = readText(value);
  return text === null ? [] : [[name, text]];
}

/** Every field of what stands there, in use or not. */
const listAuthFields = (auth: JsonNode | null): [string, string][] => [
  ...listMembers(auth).flatMap(([name, value]) => toEntry(name, value)),
  ...listMembers(auth).flatMap(([, mode]) =>
    listMembers(mode).flatMap(([name, value]) => toEntry(name, value)),
  ),
];

function readBody(request: BrunoRequest, body: JsonNode | null): void {
  request.bodyMode = readText(body, 'mode') ?? readText(body, 'type') ?? 'none';
  const data = memberOf(body, 'data');
  if (data?.kind === 'string') request.texts.set(request.bodyMode, data.text);
  for (const mode of ['json', 'text', 'xml', 'sparql']) {
    const text = readText(body, mode);
    if (text !== null) request.texts.set(mode, text);
  }
  const graphql = memberOf(body, 'graphql') ?? data ?? body;
  const query = readText(graphql, 'query');
  if (query !== null) request.texts.set('graphql', query);
  request.graphqlVariables = readText(graphql, 'variables') ?? '';
  request.form = [
    ...readPairs(body, 'formUrlEncoded'),
    ...(/^form/i.test(request.bodyMode) ? readPairs(data) : []),
  ];
  const fields = [
    ...listItems(body, 'multipartForm'),
    ...(/^multipart/i.test(request.bodyMode) ? listItems(data) : []),
  ];
  request.fields = fields.map(readField);
  const files = [...listItems(body, 'file'), ...listItems(data)];
  const chosen = files.find((file) => isTrue(file, 'selected')) ?? files[0] ?? null;
  request.file = readText(chosen, 'filePath');
  request.fileType = readText(chosen, 'contentType') || null;
  request.otherFiles = files.filter((one) => one !== chosen).map((one) => readText(one, 'filePath') ?? '');
}

const scripts: readonly (readonly [path: readonly string[], note: string])[] = [
  [['script', 'req'], 'Its pre-request script is not taken over: scripts are not run here.'],
  [['script', 'res'], 'Its post-response script is not taken over: scripts are not run here.'],
  [['tests'], 'Its tests are not taken over: write what they check as `# @expect`.'],
  [['assertions'], 'Its assertions are not taken over: write them as `# @expect`.'],
  [['vars', 'res'], 'What it takes out of an answer is not taken over: write it as `# @capture`.'],
  [['scripts'], 'Its scripts are not taken over: scripts are not run here.'],
  [['actions'], 'What it takes out of an answer is not taken over: write it as `# @capture`.'],
];

function noteScripts(node: JsonNode | null): string[] {
  return scripts.flatMap(([path, note]) => {
    const found = memberOf(node, ...path);
    const isThere = found?.kind === 'array' ? found.items.length > 0 : (readText(found) ?? '').trim() !== '';
    return isThere ? [note] : [];
  });
}

/** Says which parts that only Bruno knows are left out; how it was exported, and which files it does not show, are none. */
function noteOthers(node: JsonNode): string[] {
  const extensions = listMembers(node, 'extensions').flatMap(([owner, value]) =>
    listMembers(value).flatMap(([name]) =>
      /^(?:ignore|exported\w*)$/.test(name) ? [] : [`extensions.${owner}.${name}`],
    ),
  );
  const code = (readText(node, 'app', 'code') ?? '').trim();
  return [...(code === '' ? [] : ['app']), ...extensions].map(describeOther);
}

/** Reads a request of the JSON export (`{type, request: {…}}`) or of OpenCollection (`{info, http: {…}}`). */
function readRequest(item: JsonNode): BrunoRequest {
  const http = memberOf(item, 'http') ?? memberOf(item, 'graphql') ?? memberOf(item, 'request');
  const request = createBrunoRequest(readText(item, 'info', 'name') ?? readText(item, 'name') ?? '');
  request.type = readText(item, 'info', 'type') ?? readText(item, 'type') ?? 'http';
  request.method = readText(http, 'method') ?? 'GET';
  request.url = readText(http, 'url') ?? '';
  request.isEncoded = isTrue(item, 'settings', 'encodeUrl');
  const params = [...listItems(http, 'params'), ...listItems(http, 'params', 'query')];
  request.pathValues = [
    ...params.filter((one) => readText(one, 'type') === 'path').map(readPair),
    ...readPairs(http, 'params', 'path'),
  ];
  request.headers = readPairs(http, 'headers');
  readBody(request, memberOf(http, 'body'));
  if (memberOf(item, 'graphql') !== null) request.bodyMode = 'graphql';
  const auth = memberOf(http, 'auth') ?? memberOf(item, 'runtime', 'auth');
  const { mode, values } = readAuth(auth);
  request.authMode = mode;
  request.auth = values;
  request.authFields = listAuthFields(auth);
  request.docs = readText(item, 'docs') ?? readText(item, 'docs', 'content') ?? readText(http, 'docs') ?? '';
  request.variables = [...readOwnVariables(http), ...readOwnVariables(memberOf(item, 'runtime'))];
  const query = params.filter((one) => readText(one, 'type') !== 'path').map(readPair);
  request.offParameters = listOff(query);
  const examples = listItems(item, 'examples');
  request.examples = examples.flatMap(readExample);
  request.notes = [
    ...noteQuery(query, request.url),
    ...noteScripts(http),
    ...noteScripts(memberOf(item, 'runtime')),
    ...noteOthers(item),
    ...describeTimeout(readText(item, 'settings', 'timeout')),
    ...(listItems(item, 'info', 'tags').length + listItems(item, 'tags').length > 0 ? [tagsNote] : []),
    ...(request.examples.length < examples.length
      ? ['Saved examples of it that have no status are not taken over.']
      : []),
  ];
  return request;
}

/** An answer that was saved with its request; none without a status. */
function readExample(node: JsonNode): ImportedExample[] {
  const answer = memberOf(node, 'response');
  const httpStatus = Number(readText(answer, 'status') ?? Number.NaN);
  if (!isStatus(httpStatus)) return [];
  const body = memberOf(answer, 'body');
  const url = readText(node, 'request', 'url') ?? '';
  return [
    {
      name: readText(node, 'name') ?? '',
      request: url === '' ? null : `${readText(node, 'request', 'method') ?? 'GET'} ${url}`,
      httpStatus,
      reason: readText(answer, 'statusText') ?? '',
      headers: readPairs(answer, 'headers').map(({ name, value }) => [name, value]),
      body: readText(body) ?? readText(body, 'content') ?? readText(body, 'data') ?? '',
    },
  ];
}

/** Those of a request, a folder or a collection: `vars.req` in the export, `variables` in OpenCollection. */
const readOwnVariables = (node: JsonNode | null): BruPair[] => [
  ...readPairs(node, 'vars', 'req'),
  ...readPairs(node, 'variables'),
];

/** What a folder or collection gives: `root.request` in the export, `request` in OpenCollection. */
function readDefaults(
  node: JsonNode,
  above: BrunoDefaults,
  book: CredentialBook,
  variables: readonly ScopedVariable[] = [],
): BrunoDefaults {
  const request = requestOf(node);
  const { mode, values } = readAuth(memberOf(request, 'auth'));
  hideVariables(listAuthFields(memberOf(request, 'auth')), book);
  return {
    headers: [...readPairs(request, 'headers'), ...above.headers],
    auth: readFolderAuth(mode, values, above.auth),
    variables: [...variables, ...above.variables],
  };
}

const requestOf = (node: JsonNode): JsonNode | null =>
  memberOf(node, 'root', 'request') ?? memberOf(node, 'request');

function isFolder(item: JsonNode): boolean {
  const type = readText(item, 'info', 'type') ?? readText(item, 'type');
  return (
    type === 'folder' ||
    (memberOf(item, 'items')?.kind === 'array' && memberOf(item, 'request', 'url') === null)
  );
}

/** Says what of a folder or collection is not taken over. */
function noteAround(node: JsonNode): string[] {
  const root = memberOf(node, 'root') ?? node;
  const request = memberOf(root, 'request');
  const off = readPairs(request, 'headers').filter((header) => !header.isEnabled);
  const docs = readText(root, 'docs') ?? readText(root, 'docs', 'content') ?? '';
  return [
    ...noteScripts(request),
    ...noteOthers(node),
    ...off.map(({ name }) => `Its header ${name} is disabled, and left out.`),
    ...(docs.trim() === '' ? [] : ['Its description is left out.']),
  ];
}

/** As Bruno shows them: folders before requests, each in its order; the order of a document is that of its files. */
function sortItems(items: readonly JsonNode[]): JsonNode[] {
  const placeOf = (item: JsonNode): number =>
    Number(readText(item, 'info', 'seq') ?? readText(item, 'seq') ?? Number.MAX_SAFE_INTEGER);
  const sorted = items.toSorted((left, right) => placeOf(left) - placeOf(right));
  return [...sorted.filter(isFolder), ...sorted.filter((item) => !isFolder(item))];
}

function readBrunoItems(
  items: readonly JsonNode[],
  defaults: BrunoDefaults,
  book: CredentialBook,
): ImportedItem[] {
  return sortItems(items).map((item): ImportedItem => {
    if (!isFolder(item)) return buildItem(readRequest(item), defaults, book);
    const off: string[] = [];
    const own = readScoped(readOwnVariables(requestOf(item)), off, new Map());
    const items = readBrunoItems(listItems(item, 'items'), readDefaults(item, defaults, book, own), book);
    return {
      kind: 'folder',
      name: readText(item, 'info', 'name') ?? readText(item, 'name') ?? '',
      items,
      notes: [...noteAround(item), ...off, ...noteUnused(own)],
    };
  });
}

/** Of a secret Bruno writes the name alone. */
const isKept = (node: JsonNode): boolean =>
  isTrue(node, 'secret') && isEnabled(node) && readPair(node).value === '';

function readBrunoVariables(
  nodes: readonly JsonNode[],
  imported: Imported,
  where: string,
): ImportedVariable[] {
  return nodes.flatMap((node) => {
    const { name, value, isEnabled: isOn } = readPair(node);
    if (name === '') return [];
    if (!isOn) {
      imported.notes.push({ where, what: `Its variable ${name} is disabled, and left out.` });
      return [];
    }
    if (isKept(node)) {
      imported.notes.push({ where, what: `Bruno keeps the value of ${name} to itself: enter it here.` });
      return [];
    }
    return [
      {
        name,
        value: mapExpressions(value, mapCommonExpression, imported.renames),
        isSecret: isTrue(node, 'secret'),
      },
    ];
  });
}

/** Reads a collection that is one document: the JSON export, or OpenCollection as one YAML file. */
export function readBrunoDocument(root: JsonNode, fallback: string, book: CredentialBook): Imported {
  const name = readText(root, 'info', 'name') ?? readText(root, 'name') ?? fallback;
  const imported = createImported(name);
  const request = requestOf(root);
  const defaults = readDefaults(root, noDefaults, book);
  imported.shared = [
    ...readBrunoVariables(listItems(request, 'vars', 'req'), imported, name),
    ...readBrunoVariables(listItems(request, 'variables'), imported, name),
  ];
  imported.notes.push(...noteAround(root).map((what) => ({ where: name, what })));
  const items = memberOf(root, 'http') === null ? listItems(root, 'items') : [root];
  imported.items = readBrunoItems(items, defaults, book);
  const environments = [...listItems(root, 'environments'), ...listItems(root, 'config', 'environments')];
  imported.environments = environments.map((one) => {
    const environment = readText(one, 'name') ?? readText(one, 'info', 'name') ?? 'environment';
    noteFetched(readPairs(one, 'externalSecrets', 'variables'), environment, imported);
    const nodes = listItems(one, 'variables');
    return {
      name: environment,
      variables: readBrunoVariables(nodes, imported, environment),
      kept: nodes.filter(isKept).map((node) => readPair(node).name),
    };
  });
  return imported;
}
