import { AppError } from '../../errors';
import { memberOf, type JsonNode } from '../../json/json-tree';
import type { CredentialBook } from '../credentials';
import {
  createImported,
  createRequest,
  requireRoomForItems,
  requireRoomForText,
  type Imported,
  type ImportedEnvironment,
  type ImportedFolder,
  type ImportedItem,
  type ImportedRequest,
  type ImportSource,
} from '../imported';
import { isTrue, listItems, listMembers, readText } from '../nodes';
import { listBraces, trimSlashes } from '../variables';
import { readSourceDocument } from '../read-document';
import { addOpenapiBody } from './openapi-body';
import { addOpenapiParameters } from './openapi-parameters';
import { addOpenapiSecurity } from './openapi-security';
import { createReferences, type References } from './references';
import { listSome } from '../../list-some';

const methods = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'trace'];

/**
 * Reads an OpenAPI document: one request an operation, in folders by their first tag.
 *
 * @source OpenAPI 3.0.4 and 3.1.1
 */
export function readOpenapi(source: ImportSource, book: CredentialBook): Imported {
  const [file] = source.files;
  requireRoomForItems(countBlockOperations(file?.text ?? ''));
  const root = readSourceDocument(file);
  const version = readText(root, 'openapi') ?? '';
  if (!/^3\.[01](?:\.|$)/.test(version)) {
    throw new AppError(
      'import.unsupported',
      memberOf(root, 'swagger') === null
        ? refuseVersion(version)
        : 'This is Swagger 2.0. Convert it to OpenAPI 3 (converter.swagger.io), and import that.',
    );
  }
  const name = readText(root, 'info', 'title') ?? source.name;
  // A description may speak of the address that we put in its place.
  const braces = listBraces(file?.text ?? '');
  const imported: Imported = {
    ...createImported(name),
    isText: (one) => one !== '{{base_url}}' && braces.has(one),
  };
  imported.document = `openapi ${name}`;
  const references = createReferences(root);
  const folders = new Map<string, ImportedFolder>();
  let count = 0;
  let characters = 0;
  for (const [path, given] of listMembers(root, 'paths')) {
    const item = followPath(given, references);
    for (const method of methods) {
      const operation = memberOf(item, method);
      if (item === null || operation?.kind !== 'object') continue;
      requireRoomForItems((count += 1));
      const request = readOperation({ root, path, item, method, operation, references, book });
      const written = [request.url, ...request.headers.flat(), ...(request.body?.parts ?? [])];
      for (const one of written) if (typeof one === 'string') characters += one.length;
      requireRoomForText(characters);
      place(imported.items, folders, readText(listItems(operation, 'tags')[0] ?? null), request);
    }
  }
  imported.environments = readServers(listItems(root, 'servers'), name);
  noteRest(imported, root, name, references);
  return imported;
}

/** What stands beside a path's reference goes before what that leads to. @source OpenAPI 3.0 and 3.1, Path Item Object */
function followPath(given: JsonNode, references: References): JsonNode | null {
  const found = references.follow(given);
  if (found === given || given.kind !== 'object') return found;
  const referred = found?.kind === 'object' ? found.members : [];
  return { kind: 'object', members: new Map([...referred, ...given.members]) };
}

/**
 * Counts the operations of a YAML document by the indentation of its lines: YAML is slow to read, and what holds too many
 * is refused before. What is written otherwise (JSON, on one line) has none here, and is counted once it is read.
 */
function countBlockOperations(text: string): number {
  const start = /^paths:[ \t]*(?:#.*)?\r?\n/m.exec(text);
  if (start === null) return 0;
  let count = 0;
  let ofPaths: number | null = null;
  let ofMethods: number | null = null;
  const line = /^( *)(?![ #\r\n])([a-z]{3,7}:)?.*$/gm;
  line.lastIndex = start.index + start[0].length;
  for (let found = line.exec(text); found !== null; found = line.exec(text)) {
    const depth = found[1]!.length;
    if (depth === 0) break;
    ofPaths ??= depth;
    if (depth > ofPaths) ofMethods ??= depth;
    if (depth === ofMethods && methods.includes(found[2]?.slice(0, -1) ?? '')) count += 1;
  }
  return count;
}

function place(
  items: ImportedItem[],
  folders: Map<string, ImportedFolder>,
  tag: string | null,
  request: ImportedRequest,
): void {
  if (tag === null || tag.trim() === '') {
    items.push(request);
    return;
  }
  const known = folders.get(tag);
  if (known !== undefined) {
    known.items.push(request);
    return;
  }
  const folder: ImportedFolder = { kind: 'folder', name: tag, items: [request], notes: [] };
  folders.set(tag, folder);
  items.push(folder);
}

interface Operation {
  root: JsonNode;
  path: string;
  item: JsonNode;
  method: string;
  operation: JsonNode;
  references: References;
  book: CredentialBook;
}

function readOperation({
  root,
  path,
  item,
  method,
  operation,
  references,
  book,
}: Operation): ImportedRequest {
  const own = [...listItems(operation, 'servers'), ...listItems(item, 'servers')][0];
  const summary = readText(operation, 'summary') ?? readText(operation, 'operationId');
  const request = createRequest({
    name: summary === null || summary.trim() === '' ? `${method.toUpperCase()} ${path}` : summary,
    method: method.toUpperCase(),
    url: `${own === undefined ? '{{base_url}}' : fillServer(own)}${path}`,
    description: readText(operation, 'description') ?? '',
  });
  if (isTrue(operation, 'deprecated')) request.notes.push('The document calls it deprecated.');
  addOpenapiParameters(request, item, operation, references);
  addOpenapiBody(request, operation, references);
  addOpenapiSecurity(request, root, operation, references, book);
  for (const [name] of listMembers(operation, 'callbacks')) {
    request.notes.push(
      `Its callback '${name}' is left out: it is a request to you, which the inbox receives.`,
    );
  }
  return request;
}

/** Gives the address of a server, its variables filled in with their defaults. */
function fillServer(server: JsonNode): string {
  const url = (readText(server, 'url') ?? '').replace(/\{([^{}]+)\}/g, (_whole, name: string) => {
    return readText(server, 'variables', name, 'default') ?? `{{${name}}}`;
  });
  return trimSlashes(url);
}

function readServers(servers: readonly JsonNode[], title: string): ImportedEnvironment[] {
  return servers.map((server): ImportedEnvironment => {
    const url = fillServer(server);
    const description = readText(server, 'description')
      ?.split(/[\r\n]/)[0]
      ?.trim()
      .slice(0, 60);
    const name = description || /^https?:\/\/([^/]+)/i.exec(url)?.[1] || title;
    return { name, variables: [{ name: 'base_url', value: url, isSecret: false }] };
  });
}

/** The variables of servers have their defaults: what else they may be is said. */
function noteServers(imported: Imported, servers: readonly JsonNode[], title: string): void {
  for (const server of servers) {
    const chosen = listMembers(server, 'variables').flatMap(([name, variable]) => {
      const others = listItems(variable, 'enum').filter(
        (one) => readText(one) !== readText(variable, 'default'),
      );
      const names = listSome(others.map((one) => readText(one) ?? ''));
      return others.length === 0 ? [] : [`${name} = ${readText(variable, 'default') ?? ''} (not ${names})`];
    });
    if (chosen.length === 0) continue;
    const what = `The address of its server is that of ${listSome(chosen)}.`;
    imported.notes.push({ where: title, what });
  }
}

/** Says what of a document has a description that has no place here. */
function listDescribed(root: JsonNode, references: References): string[] {
  const isDescribed = (node: JsonNode | null): boolean => (readText(node, 'description') ?? '').trim() !== '';
  const parts = listMembers(root, 'paths').flatMap(([, given]) => {
    const item = followPath(given, references);
    return item === null ? [] : [item, ...methods.map((method) => memberOf(item, method))];
  });
  const parameters = parts.flatMap((part) => listItems(part, 'parameters'));
  return [
    ...(isDescribed(memberOf(root, 'info')) ? ['the document'] : []),
    ...(listItems(root, 'tags').some(isDescribed) ? ['tags'] : []),
    ...(parameters.some((one) => isDescribed(references.follow(one))) ? ['parameters'] : []),
    ...(parts.some((part) => isDescribed(references.follow(memberOf(part, 'requestBody'))))
      ? ['bodies']
      : []),
  ];
}

function noteRest(imported: Imported, root: JsonNode, title: string, references: References): void {
  const { foreign, dangling } = references;
  for (const [name] of listMembers(root, 'webhooks')) {
    imported.notes.push({
      where: name,
      what: 'Left out: it is a webhook, a request to you, which the inbox receives.',
    });
  }
  if (imported.environments.length === 0 && imported.items.length > 0) {
    imported.notes.push({
      where: title,
      what: 'The document names no server: give {{base_url}} in an environment.',
    });
  }
  const described = listDescribed(root, references);
  if (described.length > 0) {
    const what = `What describes ${described.join(', ')} is left out; what describes an operation stands at its request.`;
    imported.notes.push({ where: title, what });
  }
  noteServers(imported, listItems(root, 'servers'), title);
  const relative = imported.environments.find(
    ({ variables }) => !/^(?:https?:\/\/|\{\{)/i.test(variables[0]?.value ?? ''),
  );
  if (relative !== undefined) {
    imported.notes.push({
      where: relative.name,
      what: 'The address of this server is not whole: put the host before it in http-client.env.json.',
    });
  }
  for (const [listed, why] of [
    [foreign, 'leads out of the document, and is not fetched'],
    [dangling, 'leads to nothing in the document'],
  ] as const) {
    for (const reference of [...listed].slice(0, 50))
      imported.notes.push({ where: title, what: `The reference ${reference.slice(0, 200)} ${why}.` });
  }
}

function refuseVersion(version: string): string {
  return /^3\.[2-9](?:\.|$)/.test(version)
    ? `This is OpenAPI ${version.slice(0, 20)}, and 3.0 and 3.1 are read: where it uses nothing newer, write 3.1.0 for it.`
    : 'This is no OpenAPI document of version 3.0 or 3.1: convert it to one, and import that.';
}
