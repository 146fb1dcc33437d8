import { ownValue } from '../../own-value';
import { describeFile, nameFile, printMultipart, type FormPart } from '../form-bodies';
import { decodeBase64 } from '../../signing/base64';
import { createRequest, hasHeader, type ImportedBody, type ImportedRequest } from '../imported';
import { addQuery } from '../auth';
import { encodeAroundVariables } from '../variables';
import { INLINE_BYTES } from './shell-command';
import { findCurlOption, type CurlOption, type OptionKind } from './curl-options';

type Piece = string | { file: string };

/** What the arguments of one request come to. */
interface Gathered {
  method: string | null;
  urls: string[];
  headers: [string, string | null][];
  data: Piece[][];
  form: FormPart[];
  upload: string | null;
  queries: string[];
  user: string | null;
  kinds: Set<OptionKind>;
  notes: string[];
  input: string | null;
}

const createGathered = (input: string | null): Gathered => ({
  method: null,
  urls: [],
  headers: [],
  data: [],
  form: [],
  upload: null,
  queries: [],
  user: null,
  kinds: new Set(),
  notes: [],
  input,
});

const formType = 'application/x-www-form-urlencoded';

/**
 * Reads the arguments of curl: one request a URL, as curl would send it.
 *
 * @param input - what comes on its standard input, for `@-`
 */
export function readCurlArguments(words: readonly string[], input: string | null): ImportedRequest[] {
  const requests: ImportedRequest[] = [];
  let gathered = createGathered(input);
  const finish = (): void => void requests.push(...build(gathered));
  for (const [option, value] of listOptions(words)) {
    if (option === null) gathered.urls.push(value);
    else if (option.kind === 'next') {
      finish();
      gathered = createGathered(input);
    } else take(gathered, option, value);
  }
  finish();
  return requests;
}

/** Gives options with their values, and what is none (null): addresses. */
function* listOptions(words: readonly string[]): Generator<[CurlOption | null, string]> {
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    if (!word.startsWith('-') || word === '-') yield [null, word];
    else if (word === '--') continue;
    else if (word.startsWith('--')) {
      const option = findCurlOption(word.slice(2)) ?? unknown(word);
      yield [option, option.takesValue ? (words[++at] ?? '') : ''];
    } else {
      for (let letter = 1; letter < word.length; letter++) {
        const option = findCurlOption(word[letter]!) ?? unknown(`-${word[letter]!}`);
        if (!option.takesValue) {
          yield [option, ''];
          continue;
        }
        const rest = word.slice(letter + 1);
        yield [option, rest === '' ? (words[++at] ?? '') : rest];
        break;
      }
    }
  }
}

const unknown = (word: string): CurlOption => ({
  name: word.replace(/^--?/, ''),
  kind: 'noted',
  takesValue: false,
});

const noted: Readonly<Record<string, string>> = {
  insecure: 'Certificates are always checked here: --insecure is left out.',
  location: 'Redirects are shown and followed by a click, never by themselves: --location is left out.',
};

/** What each kind of option adds. */
const takers: Readonly<Record<OptionKind, (gathered: Gathered, value: string, option: CurlOption) => void>> =
  {
    request: (gathered, value) => void (gathered.method = value),
    url: (gathered, value) => void gathered.urls.push(value),
    header: takeHeader,
    data: (gathered, value, { name }) =>
      void gathered.data.push(readData(gathered, value, name !== 'data-binary')),
    'data-raw': (gathered, value) => void gathered.data.push([value]),
    'data-urlencode': (gathered, value) => void gathered.data.push(readEncoded(gathered, value)),
    json: (gathered, value) => void gathered.data.push(readData(gathered, value, false)),
    get: () => undefined,
    head: () => undefined,
    user: (gathered, value) => void (gathered.user = value),
    bearer: (gathered, value) => void gathered.headers.push(['Authorization', `Bearer ${value}`]),
    'user-agent': (gathered, value) => void gathered.headers.push(['User-Agent', value]),
    referer: (gathered, value) => void gathered.headers.push(['Referer', value.replace(/;auto$/, '')]),
    cookie: takeCookie,
    form: takeForm,
    'form-string': (gathered, value) => {
      const [name, text] = splitPair(value);
      gathered.form.push({ name, value: text });
    },
    upload: (gathered, value) => void (gathered.upload = value),
    'url-query': (gathered, value) =>
      void gathered.queries.push(value.startsWith('+') ? value.slice(1) : encodePair(value)),
    range: (gathered, value) => void gathered.headers.push(['Range', `bytes=${value}`]),
    'other-auth': (gathered, _value, { name }) =>
      void gathered.notes.push(
        `Its authentication (--${name}) is not taken over: put the header in that the service asks for.`,
      ),
    next: () => undefined,
    globoff: () => undefined,
    ignored: () => undefined,
    noted: (gathered, _value, { name }) =>
      void gathered.notes.push(
        ownValue(noted, name) ?? `The option ${name.length === 1 ? '-' : '--'}${name} is not taken over.`,
      ),
  };

function take(gathered: Gathered, option: CurlOption, value: string): void {
  gathered.kinds.add(option.kind);
  takers[option.kind](gathered, value, option);
}

function splitPair(text: string): [string, string] {
  const at = text.indexOf('=');
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

function takeHeader(gathered: Gathered, value: string): void {
  if (value.startsWith('@')) {
    gathered.notes.push(`Its headers in the file '${value.slice(1, 200)}' are not taken over.`);
    return;
  }
  const at = value.indexOf(':');
  if (at === -1) {
    // `Name;` sends it empty; a name alone is nothing to curl.
    if (value.trim().endsWith(';')) gathered.headers.push([value.trim().slice(0, -1), '']);
    return;
  }
  const text = value.slice(at + 1).trim();
  // `Name:` takes a header away that curl would add.
  gathered.headers.push([value.slice(0, at).trim(), text === '' ? null : text]);
}

function takeCookie(gathered: Gathered, value: string): void {
  if (value.includes('=') || value.includes('{{')) gathered.headers.push(['Cookie', value]);
  else if (value !== '')
    gathered.notes.push(`Its cookies in the file '${value.slice(0, 200)}' are not taken over.`);
}

function takeForm(gathered: Gathered, text: string): void {
  const [name, given] = splitPair(text);
  const [, content = '', options = ''] = /^("(?:[^"\\]|\\.)*"|[^;]*)(.*)$/s.exec(given) ?? [];
  const plain = content.startsWith('"') ? content.slice(1, -1).replace(/\\(["\\])/g, '$1') : content;
  const contentType =
    /;\s*type=([^;]+(?:;\s*(?:charset|boundary)=[^;]+)?)/i.exec(options)?.[1]?.trim() ?? null;
  const fileName = /;\s*filename="?([^";]+)"?/i.exec(options)?.[1];
  const isFile = plain.startsWith('@') || plain.startsWith('<');
  // What follows a semicolon and is no option of curl's belongs to the text.
  const value = isFile
    ? { file: plain.slice(1) }
    : contentType === null && fileName === undefined
      ? plain + options
      : plain;
  if (typeof value !== 'string') gathered.notes.push(describeFile(value.file));
  const isText = plain.startsWith('<');
  gathered.form.push({
    name,
    value,
    contentType: contentType ?? (isText ? 'text/plain' : null),
    ...(fileName !== undefined && { fileName }),
  });
}

function readFile({ input, notes }: Gathered, path: string, isStripped: boolean): Piece {
  if (path === '-' && input !== null) return isStripped ? input.replace(/[\r\n\0]/g, '') : input;
  notes.push(
    path === '-'
      ? 'Its body comes from another command, which is not run: put the body in.'
      : describeFile(path),
  );
  return path === '-' ? '' : { file: `./${nameFile(path)}` };
}

function readData(gathered: Gathered, value: string, isStripped: boolean): Piece[] {
  if (value.startsWith(`@${INLINE_BYTES}`)) return [{ file: value.slice(1) }];
  return value.startsWith('@') ? [readFile(gathered, value.slice(1), isStripped)] : [value];
}

/** `content`, `=content`, `name=content`, `@file`, `name@file`. */
function readEncoded(gathered: Gathered, value: string): Piece[] {
  const found = /^([^=@]*)([=@])(.*)$/s.exec(value);
  if (found === null) return [encodeAroundVariables(value)];
  const [, name = '', sign, content = ''] = found;
  const before = name === '' ? '' : `${name}=`;
  if (sign === '=') return [before + encodeAroundVariables(content)];
  const file = readFile(gathered, content, false);
  return typeof file === 'string' ? [before + encodeAroundVariables(file)] : [before, file];
}

function encodePair(value: string): string {
  const at = value.indexOf('=');
  if (at === -1) return encodeAroundVariables(value);
  return `${value.slice(0, at)}${at === 0 ? '' : '='}${encodeAroundVariables(value.slice(at + 1))}`;
}

/** Joins the data of several options, as curl does; `--json` puts nothing in between. */
function joinData({ data, kinds }: Gathered): Piece[] {
  const joint = kinds.has('json') ? '' : '&';
  const joined: Piece[] = [];
  for (const piece of data.flatMap((pieces, index) =>
    index === 0 || joint === '' ? pieces : [joint, ...pieces],
  )) {
    const last = joined.at(-1);
    if (typeof piece === 'string' && typeof last === 'string') joined[joined.length - 1] = last + piece;
    else joined.push(piece);
  }
  return joined;
}

function build(gathered: Gathered): ImportedRequest[] {
  const { urls, notes } = gathered;
  if (urls.length === 0 && gathered.kinds.size === 0) return [];
  return (urls.length === 0 ? [''] : urls).map((url) => buildOne(gathered, url, notes));
}

function buildOne(gathered: Gathered, given: string, notes: readonly string[]): ImportedRequest {
  const { kinds, headers, form, upload, user } = gathered;
  const data = joinData(gathered);
  const isQuery = kinds.has('get') && data.length > 0;
  const added = isQuery
    ? [...gathered.queries, data.filter((one) => typeof one === 'string').join('')]
    : gathered.queries;
  const url = added.filter((one) => one !== '').reduce(addQuery, given);
  const isSent = data.length > 0 && !isQuery;
  const implied = kinds.has('head')
    ? 'HEAD'
    : upload !== null
      ? 'PUT'
      : isSent || form.length > 0
        ? 'POST'
        : 'GET';
  const request = createRequest({ name: '', method: gathered.method ?? implied, url, notes: [...notes] });
  request.headers = headers.filter((one): one is [string, string] => one[1] !== null);
  if (
    !kinds.has('globoff') &&
    /\[[\d a-z]+-[\d a-z:]+\]|\{[^{},]*,[^{}]*\}/i.test(url.replace(/\{\{[^{}]*\}\}/g, ''))
  ) {
    request.notes.push(
      'curl would make several addresses of its brackets or braces; here they are sent as they stand.',
    );
  }
  const addDefault = (name: string, value: string): void => {
    const isSaid = headers.some(([one]) => one.toLowerCase() === name.toLowerCase());
    if (!isSaid && !hasHeader(request, name)) request.headers.push([name, value]);
  };
  if (user !== null && !kinds.has('other-auth')) {
    addDefault('Authorization', `Basic ${user.includes(':') ? user : `${user}:{{password}}`}`);
  }
  if (form.length > 0) {
    if (isSent) request.notes.push('Its data (-d) is left out: curl sends either a form (-F) or data.');
    const { contentType, body } = printMultipart(form);
    // Its own would have the wrong boundary.
    request.headers = request.headers.filter(([name]) => name.toLowerCase() !== 'content-type');
    request.headers.push(['Content-Type', contentType]);
    request.body = body;
  } else if (upload !== null) {
    request.body = makeBody([readFile(gathered, upload, false)]);
    request.notes = [...gathered.notes];
  } else if (isSent) {
    addDefault('Content-Type', kinds.has('json') ? 'application/json' : formType);
    if (kinds.has('json')) addDefault('Accept', 'application/json');
    request.body = makeBody(data);
  }
  return request;
}

function makeBody(parts: readonly Piece[]): ImportedBody | null {
  const [first] = parts;
  if (typeof first === 'object' && first.file.startsWith(INLINE_BYTES)) {
    return { parts: [], bytes: decodeBase64(first.file.slice(INLINE_BYTES.length)) };
  }
  const filled = parts.filter((part) => part !== '');
  return filled.length === 0 ? null : { parts: filled };
}
