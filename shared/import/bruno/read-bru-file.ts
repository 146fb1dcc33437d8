import { listOff, createBrunoRequest, type BrunoField, type BrunoRequest } from './bruno-request';
import { parseBru, type BruBlock, type BruPair } from './parse-bru';
import { splitAddress } from '../../http-file/edit-rows';

const methods = ['get', 'post', 'put', 'delete', 'patch', 'options', 'head', 'connect', 'trace', 'http'];

/** Blocks that are not taken over, and what is said of them. */
const notTaken: ReadonlyMap<string, string> = new Map([
  ['script:pre-request', 'Its pre-request script is not taken over: scripts are not run here.'],
  ['script:post-response', 'Its post-response script is not taken over: scripts are not run here.'],
  ['tests', 'Its tests are not taken over: write what they check as `# @expect`.'],
  ['assert', 'Its assertions are not taken over: write them as `# @expect`.'],
  ['vars:post-response', 'What it takes out of an answer is not taken over: write it as `# @capture`.'],
  ['example', 'Its saved example is not taken over.'],
]);

/** Blocks that are read; any other is said to be left out. */
const taken =
  /^(?:meta|auth(?::[\w-]+)?|headers|query|params:(?:query|path)|vars:pre-request|body(?::[\w:-]+)?|docs|settings|grpc|ws)$/;

/** What is said of how long Bruno waits for an answer. */
export const describeTimeout = (timeoutMs: string | null): string[] =>
  Number(timeoutMs) > 0 ? [`Its time limit of ${Number(timeoutMs)} ms is not taken over.`] : [];

/** What is said of tags, whichever format has them. */
export const tagsNote = 'Its tags are not taken over: write them as `# @tag`.';

const find = (blocks: readonly BruBlock[], name: string): BruBlock | undefined =>
  blocks.find((block) => block.name === name);

/** Gives the value of a pair; null: there is none. */
export function valueOf(block: BruBlock | undefined, name: string): string | null {
  return block?.pairs.find((pair) => pair.name === name)?.value ?? null;
}

/** Says what of a file is not taken over. */
export function noteBlocks(blocks: readonly BruBlock[]): string[] {
  return blocks.flatMap(({ name, text, pairs, names }) => {
    if (text.trim() === '' && pairs.length === 0 && names.length === 0) return [];
    const note = notTaken.get(name);
    if (note !== undefined) return [note];
    return taken.test(name) || methods.includes(name) ? [] : [describeOther(name)];
  });
}

/** What is said of a part that nobody here knows. */
export const describeOther = (name: string): string => `Its part '${name.slice(0, 100)}' is not taken over.`;

function splitContentType({ name, value, isEnabled }: BruPair): BrunoField {
  const at = value.endsWith(')') ? value.lastIndexOf('@contentType(') : -1;
  const plain = at === -1 ? value : value.slice(0, at).trimEnd();
  const contentType = at === -1 ? null : value.slice(at + '@contentType('.length, -1);
  const listed = /^@file\((.*)\)$/s.exec(plain)?.[1];
  const files = listed?.split('|').filter((file) => file !== '') ?? null;
  return { name, value: plain, isEnabled, contentType, files };
}

function toMap(block: BruBlock | undefined): Map<string, string> {
  return new Map(block?.pairs.map(({ name, value }) => [name, value]) ?? []);
}

/** Reads mode and values of an authentication: of a request, a folder or a collection. */
export function readBruAuth(blocks: readonly BruBlock[], mode: string): Map<string, string> {
  return toMap(find(blocks, `auth:${mode}`));
}

/** Every field of what stands there, in use or not. */
export const listAuthFields = (blocks: readonly BruBlock[]): BrunoRequest['authFields'] =>
  blocks.flatMap(({ name, pairs }) =>
    name.startsWith('auth:') ? pairs.map((pair) => [pair.name, pair.value] as const) : [],
  );

const pairsOf = (blocks: readonly BruBlock[], name: string): BruPair[] => find(blocks, name)?.pairs ?? [];

/** Gives what a file without a name of its own is called. */
export function nameByPath(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.bru$/i, '');
}

/** Reads one request; its type tells where it is none of HTTP. */
export function readBruFile(text: string, path: string): BrunoRequest {
  const blocks = parseBru(text, path);
  const request = createBrunoRequest(valueOf(find(blocks, 'meta'), 'name') || nameByPath(path));
  readHead(request, blocks);
  request.headers = pairsOf(blocks, 'headers');
  request.pathValues = pairsOf(blocks, 'params:path');
  request.variables = pairsOf(blocks, 'vars:pre-request');
  readBodies(request, blocks);
  const query = [...pairsOf(blocks, 'params:query'), ...pairsOf(blocks, 'query')];
  request.offParameters = listOff(query);
  request.docs = find(blocks, 'docs')?.text ?? '';
  request.notes = [
    ...noteBlocks(blocks),
    ...describeTimeout(valueOf(find(blocks, 'settings'), 'timeout')),
    ...noteUnused(blocks, request),
    ...noteQuery(query, request.url),
  ];
  return request;
}

function readHead(request: BrunoRequest, blocks: readonly BruBlock[]): void {
  const meta = find(blocks, 'meta');
  const http = blocks.find(({ name }) => methods.includes(name));
  const other = blocks.find(({ name }) => ['grpc', 'ws'].includes(name));
  const seq = Number(valueOf(meta, 'seq') ?? Number.NaN);
  if (!Number.isNaN(seq)) request.seq = seq;
  request.type = other?.name ?? (valueOf(meta, 'type') || 'http');
  request.method = (http?.name === 'http' ? valueOf(http, 'method') : http?.name) ?? 'GET';
  request.url = valueOf(http, 'url') ?? '';
  request.isEncoded = valueOf(find(blocks, 'settings'), 'encodeUrl') === 'true';
  request.bodyMode = valueOf(http, 'body') ?? 'none';
  request.authMode = valueOf(http, 'auth') ?? 'none';
  request.auth = readBruAuth(blocks, request.authMode);
  request.authFields = listAuthFields(blocks);
}

function readBodies(request: BrunoRequest, blocks: readonly BruBlock[]): void {
  for (const { name, text } of blocks) {
    const mode = /^body(?::(json|text|xml|sparql|graphql))?$/.exec(name);
    if (mode !== null) request.texts.set(mode[1] ?? 'json', text);
  }
  request.graphqlVariables = find(blocks, 'body:graphql:vars')?.text ?? '';
  request.form = pairsOf(blocks, 'body:form-urlencoded');
  request.fields = pairsOf(blocks, 'body:multipart-form').map(splitContentType);
  const files = pairsOf(blocks, 'body:file').map(splitContentType);
  const chosen = files.find(({ isEnabled }) => isEnabled) ?? files[0];
  request.file = chosen?.files?.[0] ?? null;
  request.fileType = chosen?.contentType || null;
  request.otherFiles = files.filter((one) => one !== chosen).flatMap((one) => one.files ?? []);
}

/** Says what stands in it that Bruno itself does not use in sending it. */
function noteUnused(blocks: readonly BruBlock[], { authMode }: BrunoRequest): string[] {
  const others = blocks.flatMap(({ name, pairs }) =>
    name.startsWith('auth:') && name !== `auth:${authMode}` && pairs.length > 0
      ? [`Its other authentication (${name.slice('auth:'.length)}) is not the one in use, and left out.`]
      : [],
  );
  const hasTags = valueOf(find(blocks, 'meta'), 'tags') !== null;
  return hasTags ? [...others, tagsNote] : others;
}

/** The address has the query already, and is what Bruno sends: what is missing in it stands here alone. */
export function noteQuery(pairs: readonly BruPair[], url: string): string[] {
  const there = new Set(
    splitAddress(url).rows.flatMap(({ name, raw = '' }) => [name, raw.split('=', 1)[0]!]),
  );
  return pairs.flatMap(({ name, isEnabled }) =>
    name === '' || there.has(name) || !isEnabled
      ? []
      : [`Its query parameter ${name} is not in its address, and left out.`],
  );
}
