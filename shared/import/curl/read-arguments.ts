import { ownValue } from '../../own-value';
import { describeFile, nameFile } from '../form-bodies';
import type { ImportedRequest } from '../imported';
import { encodeAroundVariables } from '../variables';
import { buildCurlRequests, createGathered, type Gathered, type Piece } from './curl-request';
import { findCurlOption, type CurlOption, type OptionKind } from './curl-options';
import { readFormField } from './form-field';
import { INLINE_BYTES, INLINE_TEXT } from './shell-command';

/**
 * Reads the arguments of curl: one request a URL, as curl would send it.
 *
 * @param input - what comes on its standard input, for `@-`
 */
export function readCurlArguments(words: readonly string[], input: string | null): ImportedRequest[] {
  const requests: ImportedRequest[] = [];
  let gathered = createGathered(input);
  const finish = (): void => {
    for (const request of buildCurlRequests(gathered)) requests.push(request);
  };
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

/** What follows a name may be a password (`--user=me:secret`, which curl refuses): a note has the name alone. */
const unknown = (word: string): CurlOption => ({
  name: word.replace(/^--?/, '').replace(/(?<=\w)[^\w.-].*/s, '…'),
  kind: 'noted',
  takesValue: false,
});

const noted: Readonly<Record<string, string>> = {
  insecure: 'Certificates are always checked here: --insecure is left out.',
  location: 'Redirects are shown and followed by a click, never by themselves: --location is left out.',
  compressed: 'An answer that comes compressed is not unpacked here: --compressed is left out.',
  'tr-encoding': 'An answer that comes compressed is not unpacked here: --tr-encoding is left out.',
};

const takers: Readonly<Record<OptionKind, (gathered: Gathered, value: string, option: CurlOption) => void>> =
  {
    request: (gathered, value) => void (gathered.method = value),
    url: (gathered, value) => void gathered.urls.push(value),
    header: takeHeader,
    data: (gathered, value, { name }) => addData(gathered, readData(gathered, value, name !== 'data-binary')),
    'data-raw': (gathered, value) => addData(gathered, [value]),
    'data-urlencode': (gathered, value) => addData(gathered, readEncoded(gathered, value)),
    json: (gathered, value) => addData(gathered, readData(gathered, value, false), ''),
    get: () => undefined,
    head: () => undefined,
    user: (gathered, value) => void (gathered.user = value),
    bearer: (gathered, value) => addDefault(gathered, 'Authorization', `Bearer ${value}`),
    'user-agent': (gathered, value) => addDefault(gathered, 'User-Agent', value),
    referer: (gathered, value) => addDefault(gathered, 'Referer', value.replace(/;auto$/, '')),
    cookie: takeCookie,
    form: (gathered, value) => {
      const [name, content] = splitPair(value);
      if (/^[@<]/.test(content) && content.startsWith(INLINE_TEXT, 1))
        return void gathered.form.push({ name, value: content.slice(1 + INLINE_TEXT.length) });
      const { parts, notes } = readFormField(value);
      for (const part of parts) gathered.form.push(part);
      for (const what of notes) gathered.notes.push(what);
    },
    'form-string': (gathered, value) => {
      const [name, text] = splitPair(value);
      gathered.form.push({ name, value: text });
    },
    upload: (gathered, value) =>
      void (gathered.upload = { path: value, piece: readFile(gathered, value, false) }),
    'url-query': (gathered, value) =>
      void gathered.queries.push(value.startsWith('+') ? value.slice(1) : encodePair(value)),
    range: (gathered, value) => addDefault(gathered, 'Range', `bytes=${value}`),
    'other-auth': (gathered, _value, { name }) =>
      void gathered.notes.push(
        `Its authentication (--${name}) is not taken over: put the header in that the service asks for.`,
      ),
    next: () => undefined,
    globoff: () => undefined,
    'path-as-is': () => undefined,
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

function addData({ data }: Gathered, pieces: Piece[], joint: '&' | '' = '&'): void {
  data.push({ joint, pieces });
}

/** The last one counts; an empty one takes it away. */
function addDefault(gathered: Gathered, name: string, value: string): void {
  gathered.defaults = gathered.defaults.filter(([one]) => one !== name);
  if (value !== '') gathered.defaults.push([name, value]);
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
    if (value.endsWith(';')) gathered.headers.push([value.slice(0, -1).trim(), '']);
    return;
  }
  const text = value.slice(at + 1).trim();
  // `Name:` takes a header away that curl would add.
  gathered.headers.push([value.slice(0, at).trim(), text === '' ? null : text]);
}

function takeCookie(gathered: Gathered, value: string): void {
  if (value.includes('=') || value.includes('{{')) gathered.cookies.push(value);
  else if (value !== '')
    gathered.notes.push(`Its cookies in the file '${value.slice(0, 200)}' are not taken over.`);
}

function readFile({ input, notes }: Gathered, path: string, isStripped: boolean): Piece {
  const text = path.startsWith(INLINE_TEXT) ? path.slice(INLINE_TEXT.length) : path === '-' ? input : null;
  if (text !== null) return isStripped ? text.replace(/[\r\n\0]/g, '') : text;
  notes.push(
    path === '-'
      ? 'Its body comes from another command, which is not run: put the body in.'
      : describeFile(path) +
          (isStripped ? ' curl takes the line ends out of it (-d), and here they stay.' : ''),
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
  if (found === null) return [encodeForForm(value)];
  const [, name = '', sign, content = ''] = found;
  const before = name === '' ? '' : `${name}=`;
  if (sign === '=') return [before + encodeForForm(content)];
  const file = readFile(gathered, content, false);
  return typeof file === 'string' ? [before + encodeForForm(file)] : [before, { ...file, isEncoded: true }];
}

/** A blank is a plus sign to curl. */
const encodeForForm = (text: string): string => encodeAroundVariables(text).replaceAll('%20', '+');

function encodePair(value: string): string {
  const at = value.indexOf('=');
  if (at === -1) return encodeForForm(value);
  return `${value.slice(0, at)}${at === 0 ? '' : '='}${encodeForForm(value.slice(at + 1))}`;
}
