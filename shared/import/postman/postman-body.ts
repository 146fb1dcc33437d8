import { findHeader } from '../../find-header';
import { ownValue } from '../../own-value';
import { memberOf, type JsonNode } from '../../json/json-tree';
import { writeJson } from '../../json/write-json';
import {
  describeFile,
  guessFileType,
  nameFile,
  printForm,
  setMultipart,
  type FormPart,
} from '../form-bodies';
import { addContentType, textBody, type ImportedRequest } from '../imported';
import { isTrue, listItems, readText } from '../nodes';
import { noteComments, stripJsonComments } from '../strip-comments';
import { encodeFilledIn } from '../variables';

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

/** Its fields are listed, or stand in one text. */
function listForm(request: ImportedRequest, body: JsonNode): [string, string][] {
  const text = readText(body, 'urlencoded') ?? '';
  if (text === '')
    return listEnabled(request, body, 'urlencoded').map((pair) => [
      readText(pair, 'key') ?? '',
      readText(pair, 'value') ?? '',
    ]);
  return text.split('&').map((pair) => {
    const [name = '', ...rest] = pair.split('=');
    return [name, rest.join('=')];
  });
}

function readForm(request: ImportedRequest, body: JsonNode, addsType: boolean): void {
  const pairs = listForm(request, body);
  if (pairs.length === 0) return;
  request.body = textBody(printForm(pairs, (text) => encodeFilledIn(text)));
  const isOther = ([name, value]: readonly [string, string]): boolean =>
    name.toLowerCase() === 'content-type' && !/^application\/x-www-form-urlencoded\b/.test(value);
  if (!addsType) return;
  if (request.headers.some(isOther)) {
    request.headers = request.headers.filter((header) => !isOther(header));
    request.notes.push('Its header Content-Type is left out: Postman puts that of a form in its place.');
  }
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
  if (parts.length > 0) setMultipart(request, parts);
}

function readGraphql(request: ImportedRequest, body: JsonNode, addsType: boolean): void {
  const query = JSON.stringify(readText(body, 'graphql', 'query') ?? '');
  const operation = readText(body, 'graphql', 'operationName') ?? '';
  const given = memberOf(body, 'graphql', 'variables');
  const isTree = given?.kind === 'object' || given?.kind === 'array';
  const variables = isTree ? writeJson(given) : (readText(given) ?? '').trim();
  // The variables are JSON as typed: they go out as they stand.
  const more = [
    operation === '' ? '' : `,"operationName":${JSON.stringify(operation)}`,
    variables === '' ? '' : `,"variables":${variables}`,
  ];
  request.body = textBody(`{"query":${query}${more.join('')}}`);
  if (addsType) addContentType(request, 'application/json');
}

/** What is sent along with a body, or keeps it from being sent: Postman's protocol settings. */
export interface BodySettings {
  /** A GET or HEAD leaves with its body, too. */
  keepsBody: boolean;
  /** A body without a type is given one. */
  addsType: boolean;
}

/** Methods that Postman sends without their body, unless it is told otherwise. */
const withoutBody = /^(?:GET|HEAD|COPY|PURGE|UNLOCK)$/i;

/** Takes the body of a request over, byte for byte where it is a text. */
export function readPostmanBody(
  request: ImportedRequest,
  body: JsonNode | null,
  { keepsBody, addsType }: BodySettings,
): void {
  if (body === null) return;
  if (isTrue(body, 'disabled')) {
    request.notes.push('Its body is disabled, and left out.');
    return;
  }
  const { headers, notes } = request;
  const before = { headers: [...headers], notes: [...notes] };
  readBody(request, body, addsType);
  if (request.body === null || keepsBody || !withoutBody.test(request.method)) return;
  const what = `Its body is left out: Postman sends none with ${request.method.toUpperCase()}.`;
  Object.assign(request, { headers: before.headers, notes: [...before.notes, what], body: null });
}

function readBody(request: ImportedRequest, body: JsonNode, addsType: boolean): void {
  const mode = readText(body, 'mode');
  switch (mode) {
    case null:
    case 'none':
      return;
    case 'raw': {
      const language = readText(body, 'options', 'raw', 'language') ?? '';
      const written = readText(body, 'raw') ?? '';
      const text = isJson(language, request) ? stripJsonComments(written, { dropsLines: false }) : written;
      if (text !== written) request.notes.push(noteComments('Postman'));
      request.body = textBody(text);
      if (request.body !== null && addsType)
        addContentType(request, ownValue(languages, language) ?? 'text/plain');
      return;
    }
    case 'urlencoded':
      return readForm(request, body, addsType);
    case 'formdata':
      return readMultipart(request, body);
    case 'graphql':
      return readGraphql(request, body, addsType);
    case 'file': {
      const path = readText(body, 'file', 'src') ?? readText(memberOf(body, 'file'));
      if (path === null || path === '') {
        request.notes.push('Its body is a file, and none is chosen: it has no body here.');
        return;
      }
      request.body = { parts: [{ file: `./${nameFile(path)}` }] };
      request.notes.push(describeFile(path));
      if (addsType) addContentType(request, guessFileType(path));
      return;
    }
    default:
      request.notes.push(`Its body is left out: a kind '${mode.slice(0, 40)}' is not known.`);
  }
}

/** By the language that was chosen for it, else by the type that a header gives. */
function isJson(language: string, { headers }: ImportedRequest): boolean {
  if (language !== '') return language === 'json';
  return /^application\/(?:\S+\+)?json\b/i.test(findHeader(headers, 'content-type') ?? '');
}
