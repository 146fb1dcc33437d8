import { ownValue } from '../../own-value';
import { memberOf, type JsonNode } from '../../json/json-tree';
import { describeFile, nameFile, printForm, printMultipart, type FormPart } from '../form-bodies';
import { addContentType, textBody, type ImportedRequest } from '../imported';
import { isTrue, listItems, readText } from '../nodes';

/** What Postman sends a raw body as. */
const languages: Readonly<Record<string, string>> = {
  json: 'application/json',
  xml: 'application/xml',
  html: 'text/html',
  javascript: 'application/javascript',
  text: 'text/plain',
};

function listEnabled(request: ImportedRequest, body: JsonNode, mode: string): JsonNode[] {
  return listItems(body, mode).filter((pair) => {
    if (!isTrue(pair, 'disabled')) return true;
    request.notes.push(`The field ${readText(pair, 'key') ?? ''} of its form is disabled, and left out.`);
    return false;
  });
}

function readForm(request: ImportedRequest, body: JsonNode): void {
  const pairs = listEnabled(request, body, 'urlencoded');
  request.body = textBody(
    printForm(pairs.map((pair) => [readText(pair, 'key') ?? '', readText(pair, 'value') ?? ''])),
  );
  addContentType(request, 'application/x-www-form-urlencoded');
}

function readMultipart(request: ImportedRequest, body: JsonNode): void {
  const parts = listEnabled(request, body, 'formdata').flatMap((pair): FormPart[] => {
    const name = readText(pair, 'key') ?? '';
    const contentType = readText(pair, 'contentType');
    if (readText(pair, 'type') !== 'file')
      return [{ name, value: readText(pair, 'value') ?? '', contentType }];
    const listed = listItems(pair, 'src').map((one) => readText(one) ?? '');
    const files = listed.length > 0 ? listed : [readText(pair, 'src') ?? ''];
    if (files.every((file) => file === '')) {
      request.notes.push(`The field ${name} of its form has no file chosen, and is left out.`);
      return [];
    }
    request.notes.push(...files.map(describeFile));
    return files.map((file) => ({ name, value: { file }, contentType }));
  });
  if (parts.length === 0) return;
  const { contentType, body: printed } = printMultipart(parts);
  request.headers = request.headers.filter(([name]) => name.toLowerCase() !== 'content-type');
  request.headers.push(['Content-Type', contentType]);
  request.body = printed;
}

function readGraphql(request: ImportedRequest, body: JsonNode): void {
  const query = JSON.stringify(readText(body, 'graphql', 'query') ?? '');
  const variables = (readText(body, 'graphql', 'variables') ?? '').trim();
  // The variables are JSON as typed: they go out as they stand.
  request.body = textBody(`{"query":${query}${variables === '' ? '' : `,"variables":${variables}`}}`);
  addContentType(request, 'application/json');
}

/** Takes the body of a request over, byte for byte where it is a text. */
export function readPostmanBody(request: ImportedRequest, body: JsonNode | null): void {
  if (body === null || isTrue(body, 'disabled')) {
    if (body !== null) request.notes.push('Its body is disabled, and left out.');
    return;
  }
  switch (readText(body, 'mode')) {
    case 'raw':
      request.body = textBody(readText(body, 'raw'));
      if (request.body !== null) {
        addContentType(
          request,
          ownValue(languages, readText(body, 'options', 'raw', 'language') ?? '') ?? null,
        );
      }
      return;
    case 'urlencoded':
      return readForm(request, body);
    case 'formdata':
      return readMultipart(request, body);
    case 'graphql':
      return readGraphql(request, body);
    case 'file': {
      const path = readText(body, 'file', 'src') ?? readText(memberOf(body, 'file'));
      if (path === null || path === '') {
        request.notes.push('Its body is a file, and none is chosen: it has no body here.');
        return;
      }
      request.body = { parts: [{ file: `./${nameFile(path)}` }] };
      request.notes.push(describeFile(path));
    }
  }
}
