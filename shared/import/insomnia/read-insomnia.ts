import { ownValue } from '../../own-value';
import { AppError } from '../../errors';
import { memberOf, type JsonNode } from '../../json/json-tree';
import type { CredentialBook } from '../credentials';
import {
  createImported,
  requireRoomForItems,
  type Imported,
  type ImportedFolder,
  type ImportedItem,
  type ImportSource,
  type OffRow,
} from '../imported';
import { countBlockItems } from '../count-block-items';
import { listItems, readText } from '../nodes';
import { writeJson } from '../../json/write-json';
import { readOpenapi } from '../openapi/read-openapi';
import { readSourceDocument } from '../read-document';
import { keepEncodedVariables } from './encoded-variables';
import { readInsomniaVariables } from './insomnia-environments';
import {
  noteInsomniaScripts,
  joinHeaders,
  noteLatinUser,
  hideInsomniaAuth,
  readInsomniaAuth,
  readInsomniaHeaders,
  readInsomniaRequest,
  type InsomniaDefaults,
} from './insomnia-request';
import { readWorkspaceEnvironments } from './workspace-environments';
import { noteUnused, toScoped } from '../scoped-variables';

/** Lists of requests and folders, in version 5. */
const itemLists: ReadonlySet<string> = new Set(['collection', 'children']);

const noDefaults: InsomniaDefaults = { headers: [], auth: { kind: 'none' }, variables: [] };

/** What stands in the list of an export of version 4 and is no request. */
const otherRequests: Readonly<Record<string, string>> = {
  grpc_request: 'It is a call of gRPC, and Countersign sends HTTP.',
  websocket_request: 'It is a WebSocket, and Countersign sends HTTP.',
  socketio_request: 'It is a socket of Socket.IO, and Countersign sends HTTP.',
  mcp_request: 'It is a call of MCP, and Countersign sends HTTP.',
};

/**
 * Reads an export of Insomnia: version 4 (JSON or YAML) and version 5.
 *
 * @source docs.insomnia.rest, import and export
 */
export function readInsomnia(source: ImportSource, book: CredentialBook): Imported {
  requireRoomForItems(countBlockItems(source.files[0]?.text ?? '', itemLists));
  const root = readSourceDocument(source.files[0]);
  const type = /^(\w+)\.insomnia\.rest\/5/.exec(readText(root, 'type') ?? '')?.[1];
  if (type !== undefined) return keepEncodedVariables(readVersion5(root, type, source.name, book));
  if (readText(root, '__export_format') === '4')
    return keepEncodedVariables(readVersion4(root, source.name, book));
  throw new AppError(
    'import.unsupported',
    'This is no export of Insomnia of version 4 or 5. Export it from a newer Insomnia.',
  );
}

function readVersion5(root: JsonNode, type: string, fallback: string, book: CredentialBook): Imported {
  const name = readText(root, 'name') ?? fallback;
  const design = readDesign(memberOf(root, 'spec', 'contents'));
  if (design !== null && type === 'spec' && listItems(root, 'collection').length === 0)
    return readOpenapi({ name, files: [design] }, book);
  const imported = createImported(name);
  if (design !== null) imported.notes.push({ where: name, what: documentLeft });
  imported.items = inOrder(listItems(root, 'collection')).map((item) => readItem(item, noDefaults, book));
  const base = memberOf(root, 'environments');
  imported.shared = readInsomniaVariables(base, 'data', name, imported);
  imported.environments = listItems(base, 'subEnvironments').map((one) => {
    const environment = readText(one, 'name') ?? 'environment';
    return {
      name: environment,
      variables: readInsomniaVariables(one, 'data', environment, imported),
    };
  });
  for (const what of noteDescription(root)) imported.notes.push({ where: name, what });
  if (listItems(root, 'cookieJar', 'cookies').length > 0) {
    imported.notes.push({ where: name, what: 'Its cookies are not taken over.' });
  }
  if (listItems(root, 'testSuites').length > 0) {
    imported.notes.push({
      where: name,
      what: 'Its tests are not taken over: write what they check as `# @expect`.',
    });
  }
  return imported;
}

/** An OpenAPI document as a text, or as it is when that is read; null: there is none. */
function readDesign(contents: JsonNode | null): { path: string; text: string } | null {
  if (contents?.kind === 'object') return { path: 'openapi.json', text: writeJson(contents) };
  const text = contents === null ? '' : (readText(contents) ?? '');
  return text.trim() === '' ? null : { path: 'openapi.yaml', text };
}

/** As Insomnia shows them; those without a key keep the order of the file. */
function inOrder(items: readonly JsonNode[]): JsonNode[] {
  return items.toSorted(
    (a, b) => toNumber(readText(a, 'meta', 'sortKey')) - toNumber(readText(b, 'meta', 'sortKey')),
  );
}

const documentLeft = 'Its API document (OpenAPI) is left out: save it as a file, and import that.';

/** A folder has children; what a request is none of tells its mark. */
function readItem(item: JsonNode, defaults: InsomniaDefaults, book: CredentialBook): ImportedItem {
  const name = readText(item, 'name') ?? '';
  if (memberOf(item, 'children')?.kind === 'array') {
    return readFolder(item, inOrder(listItems(item, 'children')), defaults, book);
  }
  const id = readText(item, 'meta', 'id') ?? '';
  const found = /^(greq|ws-req|socketio-req|mcp-req)_/.exec(id)?.[1];
  const kind = {
    greq: 'grpc_request',
    'ws-req': 'websocket_request',
    'socketio-req': 'socketio_request',
    'mcp-req': 'mcp_request',
  }[found ?? ''];
  const isGrpc = memberOf(item, 'protoMethodName') !== null || memberOf(item, 'protoFileId') !== null;
  const other = isGrpc ? 'grpc_request' : kind;
  if (other !== undefined)
    return { kind: 'left out', name, why: otherRequests[other] ?? 'It is no request of HTTP.' };
  return readInsomniaRequest(item, defaults, book);
}

/** A request's own stands above it; a folder and a collection have no place for theirs. */
function noteDescription(node: JsonNode): string[] {
  const text = readText(node, 'description') ?? readText(node, 'meta', 'description') ?? '';
  return text.trim() === '' ? [] : ['Its description is left out.'];
}

function readFolder(
  node: JsonNode,
  children: readonly JsonNode[],
  defaults: InsomniaDefaults,
  book: CredentialBook,
  read = readItem,
): ImportedFolder {
  const notes = [...noteInsomniaScripts(node), ...noteLatinUser(node), ...noteDescription(node)];
  const off: OffRow[] = [];
  const headers = readInsomniaHeaders(node, off);
  notes.push(...off.map(({ name }) => `Its header ${name} is disabled, and left out.`));
  const told = createImported(null);
  const variables = readInsomniaVariables(node, 'environment', '', told).map(toScoped);
  notes.push(...told.notes.map(({ what }) => what));
  hideInsomniaAuth(node, book);
  const inner: InsomniaDefaults = {
    headers: joinHeaders(defaults.headers, headers),
    auth: readInsomniaAuth(memberOf(node, 'authentication')) ?? defaults.auth,
    variables: [...variables, ...defaults.variables],
  };
  const items = children.map((child) => read(child, inner, book));
  return {
    kind: 'folder',
    name: readText(node, 'name') ?? '',
    items,
    notes: [...notes, ...noteUnused(variables)],
  };
}

/** Everything of version 4 stands in one list, and names its parent. */
function readVersion4(root: JsonNode, fallback: string, book: CredentialBook): Imported {
  const resources = listItems(root, 'resources');
  const ofType = (type: string): JsonNode[] => resources.filter((one) => readText(one, '_type') === type);
  const workspaces = ofType('workspace');
  const name = readText(workspaces[0] ?? null, 'name') ?? fallback;
  const imported = createImported(name);
  const children = new Map<string, JsonNode[]>();
  for (const one of resources) {
    const parent = readText(one, 'parentId') ?? '';
    const known = children.get(parent) ?? [];
    known.push(one);
    children.set(parent, known);
  }
  const ids = new Set(resources.map((one) => readText(one, '_id')));
  const items = new Items(children, book);
  // A part that was exported alone names a parent that is not there.
  const orphans = resources.filter((one) => isItem(one) && !ids.has(readText(one, 'parentId')));
  const tops = workspaces.map((workspace) => items.list(readText(workspace, '_id') ?? '', noDefaults));
  const lone = orphans.map((one) => items.read(one, noDefaults));
  imported.items =
    workspaces.length < 2
      ? [...tops.flat(), ...lone]
      : [
          ...workspaces.map((one, index) => ({
            kind: 'folder' as const,
            name: readText(one, 'name') ?? '',
            items: tops[index]!,
            notes: [],
          })),
          ...lone,
        ];
  for (const one of resources) {
    if (!isItem(one) || items.has(one)) continue;
    const where = readText(one, 'name') ?? name;
    imported.notes.push({ where, what: 'Left out: the folders around it are within each other.' });
  }
  readWorkspaceEnvironments(imported, ofType('environment'), workspaces);
  if (ofType('cookie_jar').some((jar) => listItems(jar, 'cookies').length > 0)) {
    imported.notes.push({ where: name, what: 'Its cookies are not taken over.' });
  }
  if (ofType('unit_test').length > 0) {
    imported.notes.push({
      where: name,
      what: 'Its tests are not taken over: write what they check as `# @expect`.',
    });
  }
  noteRest(imported, name, workspaces, ofType);
  return imported;
}

/** What stands in the list of version 4 besides, and has no place here. */
function noteRest(
  { notes }: Imported,
  name: string,
  workspaces: readonly JsonNode[],
  ofType: (type: string) => JsonNode[],
): void {
  for (const one of workspaces) {
    const where = readText(one, 'name') ?? name;
    notes.push(...noteDescription(one).map((what) => ({ where, what })));
  }
  if (ofType('api_spec').some((one) => (readText(one, 'contents') ?? '').trim() !== ''))
    notes.push({ where: name, what: documentLeft });
  if (ofType('mock_route').length > 0)
    notes.push({ where: name, what: 'Its routes of a mock server are not taken over.' });
}

const isItem = (node: JsonNode): boolean => /(?:^|_)request(?:_group)?$/.test(readText(node, '_type') ?? '');

/** Finds what belongs into a folder; a parent that is its own child ends there. */
class Items {
  private readonly seen = new Set<JsonNode>();

  constructor(
    private readonly children: ReadonlyMap<string, JsonNode[]>,
    private readonly book: CredentialBook,
  ) {}

  /** Tells whether it was reached from a workspace. */
  has(node: JsonNode): boolean {
    return this.seen.has(node);
  }

  list(parent: string, defaults: InsomniaDefaults): ImportedItem[] {
    return this.childrenOf(parent).map((one) => this.read(one, defaults));
  }

  private childrenOf(parent: string): JsonNode[] {
    return (this.children.get(parent) ?? [])
      .filter((one) => isItem(one) && !this.seen.has(one))
      .toSorted((a, b) => sortKey(a) - sortKey(b));
  }

  read(node: JsonNode, defaults: InsomniaDefaults): ImportedItem {
    this.seen.add(node);
    const type = readText(node, '_type') ?? '';
    if (type === 'request_group') {
      const inner = this.childrenOf(readText(node, '_id') ?? '');
      return readFolder(node, inner, defaults, this.book, (child, below) => this.read(child, below));
    }
    const name = readText(node, 'name') ?? '';
    if (type !== 'request')
      return { kind: 'left out', name, why: ownValue(otherRequests, type) ?? 'It is no request of HTTP.' };
    return readInsomniaRequest(node, defaults, this.book);
  }
}

const sortKey = (node: JsonNode): number => toNumber(readText(node, 'metaSortKey'));

function toNumber(text: string | null): number {
  const key = Number(text ?? 0);
  return Number.isNaN(key) ? 0 : key;
}
