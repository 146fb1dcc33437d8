import { countOf } from '../../count-of';
import { memberOf, type JsonNode } from '../../json/json-tree';
import { printJsonLine, printJsonTree } from '../../json/print-json-tree';
import { describeFile, printForm, printMultipart, type FormPart } from '../form-bodies';
import { addContentType, textBody, type ImportedRequest } from '../imported';
import { listMembers, readText } from '../nodes';
import type { References } from './references';
import { MAX_DEPTH, MAX_NODES, sampleSchema } from './sample-schema';
import { listSome } from '../../list-some';

/** The first that an operation takes is the one that is written. */
const preferred: readonly RegExp[] = [
  /application\/json\b/i,
  /\+json\b/i,
  /json/i,
  /form-urlencoded/i,
  /multipart\//i,
  /./,
];

/** Gives the example of a media type, or a value that its schema describes. */
function findValue(media: JsonNode, references: References, onCut: () => void): JsonNode {
  const example = memberOf(media, 'example');
  if (example !== null) return example;
  const [, first] = listMembers(media, 'examples')[0] ?? [];
  const named = memberOf(references.follow(first ?? null), 'value');
  return named ?? sampleSchema(memberOf(media, 'schema'), references, onCut);
}

function asText(node: JsonNode): string {
  return node.kind === 'string' ? node.text : printJsonLine(node);
}

/** A list is a field for each of its elements. @source OpenAPI 3.0.4 and 3.1.1, Encoding Object */
function spreadField([name, value]: [string, JsonNode]): [string, string][] {
  const items = value.kind === 'array' ? value.items : [value];
  return items.map((one) => [name, asText(one)]);
}

/** Writes the body that an operation asks for. */
export function addOpenapiBody(request: ImportedRequest, operation: JsonNode, references: References): void {
  const body = references.follow(memberOf(operation, 'requestBody'));
  const types = listMembers(body, 'content');
  const found = preferred
    .map((pattern) => types.find(([type]) => pattern.test(type)))
    .find((one) => one !== undefined);
  if (found === undefined) return;
  const [type, media] = found;
  const others = types.map(([one]) => one).filter((one) => one !== type);
  if (others.length > 0) request.notes.push(`It takes ${listSome(others)} as well; its body is ${type}.`);
  const examples = listMembers(media, 'examples').slice(memberOf(media, 'example') === null ? 1 : 0);
  if (examples.length > 0)
    request.notes.push(`Its other examples are left out: ${listSome(examples.map(([name]) => name))}.`);
  const value = findValue(media, references, () =>
    request.notes.push(
      `Its body is not whole: of its schema the first ${countOf(MAX_NODES, 'value')}, up to ${MAX_DEPTH} levels deep, are written. Add what is missing.`,
    ),
  );
  if (value.kind === 'string' && addWrittenForm(request, type, value.text)) return;
  if (/multipart\//i.test(type)) return addMultipart(request, media, value, references);
  if (/form-urlencoded/i.test(type)) {
    request.body = textBody(printForm(listMembers(value).flatMap(spreadField)));
  } else if (/json/i.test(type)) {
    // Of the types of JSON lines, as of `application/x-ndjson`, a value is one line.
    const print = /\bjson\b(?!-)/i.test(type) ? printJsonTree : printJsonLine;
    // An example that is a text is the body as it goes out.
    request.body = textBody(
      value.kind === 'string' && /^\s*[[{"]/.test(value.text) ? value.text : print(value),
    );
  } else if (value.kind === 'string' && value.text !== 'string') {
    request.body = textBody(value.text);
  } else request.notes.push(`Its body (${type}) has no example: write it.`);
  addContentType(request, /[*]/.test(type) ? 'application/octet-stream' : type);
}

/** An example of a form that is a text is the body as it goes out. @returns whether it is one */
function addWrittenForm(request: ImportedRequest, type: string, text: string): boolean {
  const isMultipart = /multipart\//i.test(type);
  const [, boundary] = /^--([^\r\n]{1,70})\r?\n/.exec(text) ?? [];
  if (isMultipart ? boundary === undefined : !/form-urlencoded/i.test(type) || text === 'string')
    return false;
  request.body = textBody(text);
  const named = boundary !== undefined && /[^\w'+.-]/.test(boundary) ? `"${boundary}"` : boundary;
  addContentType(request, isMultipart ? `${type}; boundary=${named}` : type);
  return true;
}

function addMultipart(
  request: ImportedRequest,
  media: JsonNode,
  value: JsonNode,
  references: References,
): void {
  const schema = references.follow(memberOf(media, 'schema'));
  const parts = listMembers(value).flatMap(([name, one]): FormPart[] => {
    const property = references.follow(memberOf(schema, 'properties', name));
    const isList = one.kind === 'array';
    const single = isList ? references.follow(memberOf(property, 'items')) : property;
    const isFile = readText(single, 'format') === 'binary' || memberOf(single, 'contentMediaType') !== null;
    const given = readText(media, 'encoding', name, 'contentType')?.split(',', 1)[0]?.trim() || null;
    if (isFile) {
      request.notes.push(describeFile(name));
      return [{ name, value: { file: name }, contentType: given }];
    }
    return (isList ? one.items : [one]).map((item) => ({
      name,
      value: asText(item),
      contentType: given ?? (item.kind === 'object' ? 'application/json' : null),
    }));
  });
  if (parts.length === 0) return;
  const { contentType, body } = printMultipart(parts);
  request.body = body;
  addContentType(request, contentType);
}
