import { operations } from '../../payments/tables/operations';
import { describeOperation, describeSchemas } from '../../openapi/describe-operations';
import type { JsonSchema } from '../../payments/schemas/field-schemas';
import type { ExportNote, ExportResult, ExportSource } from '../export-source';
import { listExportVariables } from '../export-variables';
import { listPortableRequests, type PortableRequest } from '../portable-requests';
import { readAddress, type OperationAddress } from './read-address';
import { writeJsonDocument } from '../write-json';
import { countOf } from '../../count-of';
import { listSome } from '../../list-some';
import { noteLeftRows } from '../note-left';
import { createRecord } from '../../own-value';
import { splitQuery } from '../../http-file/edit-rows';

interface Operation {
  operationId: string;
  summary?: string;
  servers?: { url: string }[];
  parameters?: JsonSchema[];
  security?: Partial<Record<SchemeName, string[]>>[];
  requestBody?: {
    required: boolean;
    content: Record<string, { schema: JsonSchema; examples?: Record<string, object> }>;
  };
  [member: string]: unknown;
}

/** What a request proves itself with in its header Authorization. */
const schemes = {
  bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
  basic: { type: 'http', scheme: 'basic' },
  authorization: { type: 'apiKey', in: 'header', name: 'Authorization' },
} as const;
type SchemeName = keyof typeof schemes;

const methods = new Set(['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH', 'TRACE']);
/** A description has other places for these, or none. */
const describedElsewhere = new Set(['accept', 'authorization', 'content-type']);

/**
 * Describes the operations that the requests call: those of the service with all that the interface says of them, others by
 * what the requests hold. Bodies stand as examples.
 *
 * @source OpenAPI Specification 3.1.0
 */
export function writeOpenApi(source: ExportSource): ExportResult {
  const notes: ExportNote[] = [];
  const collection = listPortableRequests(source, notes);
  const values = new Map(listExportVariables(source, collection).map(({ name, value }) => [name, value]));
  const paths = createRecord<Record<string, Operation>>();
  const ids = new Set<string>();
  const used = new Set<SchemeName>(['bearer']);
  let isKnownUsed = false;
  let count = 0;
  for (const request of collection.requests) {
    if (!methods.has(request.method)) {
      notes.push({ where: request.where, what: `Left out: OpenAPI has no method ${request.method}.` });
      continue;
    }
    const address = readAddress(request.url, values, Object.keys(paths));
    const known = findKnown(request.method, address.path);
    isKnownUsed ||= known !== null;
    const verb = request.method.toLowerCase();
    const item = (paths[address.path] ??= {});
    const operation = (item[verb] ??= known ?? describeUnknown(request, ids));
    if (known === null) addSecurity(operation, request, used);
    addServer(operation, address);
    addParameters(operation, request, address, known !== null, notes);
    addExample(operation, request, notes);
    noteHeaders(request, notes);
    count += 1;
  }
  noteShared(source, count, paths, notes);
  noteAuthorization(source, collection.requests, notes);
  noteLeftRows(collection.requests, source.name, notes);
  const document = {
    openapi: '3.1.0',
    info: { title: source.name, version: '1.0.0' },
    servers: [{ url: values.get('base_url') }],
    paths,
    components: {
      securitySchemes: Object.fromEntries([...used].map((name) => [name, schemes[name]])),
      ...(isKnownUsed && { schemas: describeSchemas() }),
    },
  };
  const content = writeJsonDocument(document);
  return { files: [{ path: 'openapi.json', content }], requests: count, notes };
}

/** Says what becomes of requests of one method and path, which an import of the document makes one of. */
function noteShared(
  { name: where }: ExportSource,
  requests: number,
  paths: Readonly<Record<string, object>>,
  notes: ExportNote[],
): void {
  const count = Object.values(paths).reduce((sum, item) => sum + Object.keys(item).length, 0);
  if (count === requests) return;
  notes.push({
    where,
    what: `${requests} requests are ${countOf(count, 'operation')} here, one of each method and path: their bodies stand as its examples, and of a parameter that several have the first value.`,
  });
}

/** Says what of the headers Authorization has no place in a description. */
function noteAuthorization(
  { name: where }: ExportSource,
  requests: readonly PortableRequest[],
  notes: ExportNote[],
): void {
  const values = requests.flatMap(({ headers }) =>
    headers.flatMap(([name, value]) =>
      /^authorization$/i.test(name) && value !== '' ? [`'${value.slice(0, 100)}'`] : [],
    ),
  );
  if (values.length === 0) return;
  const what = `Of a header Authorization OpenAPI has the words Bearer and Basic alone: what else stands in ${listSome([...new Set(values)])} is left out.`;
  notes.push({ where, what });
}

function findKnown(method: string, path: string): Operation | null {
  for (const row of Object.values(operations)) {
    const index = row.paths.indexOf(path);
    if (row.method === method && index !== -1) {
      return structuredCopy(describeOperation(row, index)) as Operation;
    }
  }
  return null;
}

/** Tables are shared; what is added to an operation is the document's own. */
function structuredCopy(value: JsonSchema): unknown {
  return JSON.parse(JSON.stringify(value));
}

function describeUnknown({ name }: PortableRequest, ids: Set<string>): Operation {
  const wanted =
    name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '_')
      .replace(/^_|_$/g, '') || 'request';
  // Those of the service have the names of its operations.
  const isTaken = (id: string): boolean =>
    ids.has(id) || Object.hasOwn(operations, id.replace(/_second_path$/, ''));
  let operationId = wanted;
  for (let count = 2; isTaken(operationId); count++) operationId = `${wanted}_${count}`;
  ids.add(operationId);
  return {
    operationId,
    summary: name,
    security: [],
    responses: { default: { description: 'Not described' } },
  };
}

/** What one of its requests proves itself with is one choice of an operation. */
function addSecurity(operation: Operation, { headers }: PortableRequest, used: Set<SchemeName>): void {
  const security = (operation.security ??= []);
  const value = headers.find(([name]) => /^authorization$/i.test(name))?.[1] ?? '';
  const [, scheme = 'authorization'] = /^(bearer|basic) /i.exec(value) ?? [];
  const name = scheme.toLowerCase() as SchemeName;
  if (value === '' || security.some((one) => Object.hasOwn(one, name))) return;
  security.push({ [name]: [] });
  used.add(name);
}

function addServer(operation: Operation, { server }: OperationAddress): void {
  if (server === null || operation.servers?.some(({ url }) => url === server)) return;
  operation.servers = [...(operation.servers ?? []), { url: server }];
}

function addParameters(
  operation: Operation,
  { url, headers, where, name: title }: PortableRequest,
  address: OperationAddress,
  isKnown: boolean,
  notes: ExportNote[],
): void {
  const parameters = [...(operation.parameters ?? [])];
  const bare = new Set(
    splitQuery(/\?([^#]*)/.exec(url)?.[1] ?? '').flatMap(({ raw, name }) =>
      raw?.includes('=') === false ? [name] : [],
    ),
  );
  const add = (place: 'path' | 'query' | 'header', name: string, values: readonly string[]): void => {
    const isSame = (one: JsonSchema): boolean =>
      one['in'] === place && String(one['name']).toLowerCase() === name.toLowerCase();
    if (name === '' || parameters.some(isSame)) return;
    const text = { type: 'string' };
    const [example] = values;
    const given =
      values.length > 1 ? { schema: { type: 'array', items: text }, example: values } : { schema: text };
    const isBare = place === 'query' && bare.has(name) && values.includes('');
    const one = {
      name,
      in: place,
      required: place === 'path',
      ...(isBare && { allowEmptyValue: true }),
      ...given,
    };
    parameters.push(values.length > 1 || example === undefined ? one : { ...one, example });
  };
  for (const [name, example] of address.variables) add('path', name, example === null ? [] : [example]);
  for (const [name, values] of gather(address.query)) add('query', name, values);
  const isElsewhere = (name: string): boolean =>
    describedElsewhere.has(name) || (isKnown && name === 'x-custom-signature');
  const own = headers.filter(([name]) => !isElsewhere(name.toLowerCase()));
  for (const [name, values] of gather(own, (one) => one.toLowerCase())) {
    add('header', name, values.slice(0, 1));
    if (values.length > 1)
      notes.push({
        where,
        what: `${title}: of its ${values.length} headers ${name} the first is taken: OpenAPI has one of a name.`,
      });
  }
  if (parameters.length > 0) operation.parameters = parameters;
}

/** The values of each name, in the order of the first. */
function gather(
  pairs: readonly (readonly [name: string, value: string])[],
  keyOf = (name: string): string => name,
): Iterable<[name: string, values: string[]]> {
  const found = new Map<string, [string, string[]]>();
  for (const [name, value] of pairs) {
    const known = found.get(keyOf(name));
    if (known === undefined) found.set(keyOf(name), [name, [value]]);
    else known[1].push(value);
  }
  return found.values();
}

/** Says which headers have no place in a description, or another value when it is imported. */
function noteHeaders({ headers, body, where, name: title }: PortableRequest, notes: ExportNote[]): void {
  const say = (what: string): void => void notes.push({ where, what: `${title}: ${what}` });
  const count = (wanted: string): number => headers.filter(([name]) => name.toLowerCase() === wanted).length;
  const has = (wanted: string): boolean => count(wanted) > 0;
  if (has('accept')) say('its header Accept is left out: OpenAPI ignores a parameter of that name.');
  for (const [name, which] of [
    ['Content-Type', 'last'],
    ['Authorization', 'first'],
  ] as const) {
    const times = count(name.toLowerCase());
    if (times > 1) say(`of its ${times} headers ${name} the ${which} is taken: OpenAPI has one of a name.`);
  }
  const typed = readContentType(headers);
  if (body === null && has('content-type')) say('its header Content-Type is left out: it has no body.');
  else if (body !== null && typed === '') say('its body has no type: text/plain stands there for it.');
  else if (body !== null && /;(?!\s*boundary=[^;]*$)/i.test(typed))
    say(`of its Content-Type '${typed.slice(0, 100)}' what follows the type is left out.`);
}

const readContentType = (headers: PortableRequest['headers']): string =>
  headers.findLast(([header]) => header.toLowerCase() === 'content-type')?.[1] ?? '';

function addExample(
  operation: Operation,
  { name, headers, body, where }: PortableRequest,
  notes: ExportNote[],
): void {
  if (body === null) return;
  const type = readContentType(headers).replace(/;.*/s, '').trim().toLowerCase() || 'text/plain';
  const isJson = /json/.test(type);
  const requestBody = (operation.requestBody ??= { required: true, content: {} });
  const isText = 'text' in body;
  const content = (requestBody.content[type] ??= {
    schema: isText && isJson ? {} : { type: 'string', ...(!isText && { format: 'binary' }) },
  });
  if (!isText) {
    notes.push({
      where,
      what: `${name}: its body is left out: it is of files that are no text, or that hold braces.`,
    });
    return;
  }
  const examples = (content.examples ??= {});
  const key = name.replace(/[^A-Za-z0-9._-]+/g, '_') || 'example';
  let free = key;
  for (let count = 2; Object.hasOwn(examples, free); count++) free = `${key}_${count}`;
  // Of the types of JSON lines, as of `application/x-ndjson`, a line is a value: indented, it would be none.
  const value = /\bjson$/.test(type) ? readExample(body.text) : body.text;
  if (isJson && typeof value === 'string' && !/^\s*[[{"]/.test(value)) {
    const what = `${name}: its body is no JSON object, list or text: it stands there as a text of JSON.`;
    notes.push({ where, what });
  }
  examples[free] = { summary: name, value };
}

/** As deep as readers of such documents follow. */
const maxDepth = 100;

function isTooDeep(text: string): boolean {
  let depth = 0;
  for (const [bracket] of text.matchAll(/[[{\]}]/g)) {
    depth += bracket === '[' || bracket === '{' ? 1 : -1;
    if (depth > maxDepth) return true;
  }
  return false;
}

/** JSON stands as such, unless it would not be the same then: a number's digits, a name that stands twice. Then the body stands as its text. */
function readExample(text: string): unknown {
  if (isTooDeep(text)) return text;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return text;
  }
  // Of JSON alone: in another text the end of each quote may be looked for in all the rest.
  const bare = text.replace(/("[^"\\]*(?:\\.[^"\\]*)*")|\s+/g, '$1');
  return typeof value !== 'string' && JSON.stringify(value) === bare ? value : text;
}
