import { encodeBase64 } from '../../signing/base64';
import { readStringToSign } from '../../signing/string-to-sign';
import { MOST_ARGUMENT, writeCurl } from '../../http-file/write-curl';
import { readBasicCredentials } from '../basic-credentials';
import type { ExportNote, ExportResult, ExportSource } from '../export-source';
import { findVariableName, listExportVariables, type ExportVariable } from '../export-variables';
import { fillRequests, noteDrawn } from '../fill-requests';
import { listExpressions } from '../map-expressions';
import { markVariables } from '../mark-variables';
import { noteLeftRows, noteOpenBodies } from '../note-left';
import { listPortableRequests, listTexts, type PortableRequest } from '../portable-requests';
import { quoteForShell } from './quote-for-shell';

/** Reads what is to be signed on its standard input. */
const signing = `openssl dgst -sha256 -sign <(printf '%s\\n' "$private_key") | openssl base64 -A`;

/** Encodes for a URL, byte by byte; of each byte `printf` gives a number that may be negative. */
const encoding = [
  'encode() {',
  '  local LC_ALL=C text=$1 at byte',
  '  for ((at = 0; at < ${#text}; at++)); do',
  '    byte=${text:at:1}',
  '    case $byte in',
  `      [a-zA-Z0-9._~\\!\\(\\)\\*-]) printf %s "$byte" ;;`,
  `      *) printf '%%%02X' "$(($(printf %d "'$byte") & 255))" ;;`,
  '    esac',
  '  done',
  '}',
];

const isEncoded = (expression: string): boolean => expression.startsWith('%');

/** What a shell has a value for by itself, or does something by: a variable of that name would have that, and never its own. */
const OF_SHELL = new Set(
  (
    '_ BASHOPTS BASHPID CDPATH COLUMNS COPROC DIRSTACK EDITOR EGID ENV EPOCHREALTIME EPOCHSECONDS EUID EXECIGNORE FCEDIT FIGNORE FUNCNAME FUNCNEST ' +
    'GID GLOBIGNORE GROUPS HOME HOSTFILE HOSTNAME HOSTTYPE IFS IGNOREEOF INPUTRC INSIDE_EMACS LANG LANGUAGE LINENO LINES LOGNAME MACHTYPE MAIL ' +
    'MAILCHECK MAILPATH MAPFILE OLDPWD OPTARG OPTERR OPTIND OSTYPE PATH PIPESTATUS POSIXLY_CORRECT PPID PROMPT PROMPT_COMMAND PROMPT_DIRTRIM PWD ' +
    'RANDOM READLINE_LINE REPLY SECONDS SHELL SHELLOPTS SHLVL SRANDOM TERM TIMEFORMAT TMOUT TMPDIR TZ UID USER USERNAME'
  ).split(' '),
);
const isOfShell = (name: string): boolean =>
  OF_SHELL.has(name) || /^(?:BASH_|COMP_|HIST|LC_|PS\d$)/.test(name);

/** Gives each variable a name that a shell takes. */
function nameForShell(variables: readonly string[]): Map<string, string> {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  for (const variable of variables) {
    const plain = variable.replace(/^%\s*/, '').replace(/\W/g, '_');
    const wanted = isEncoded(variable) ? `${plain}_encoded` : isOfShell(plain) ? `${plain}_` : plain;
    let name = wanted;
    for (let count = 2; taken.has(name); count++) name = `${wanted}_${count}`;
    taken.add(name);
    names.set(variable, name);
  }
  return names;
}

/**
 * Writes a script for bash: one line of curl a request, its variables those of the shell.
 *
 * What Countersign draws for each request (`{{$uuid}}`, times) has the value of the export. Signatures are made by openssl
 * when the line is run.
 */
export function writeCurlScript(source: ExportSource): ExportResult {
  const notes: ExportNote[] = [];
  const collection = listPortableRequests(source, notes);
  noteDrawn(source, collection.requests, notes);
  noteLeftRows(collection.requests, source.name, notes);
  noteOpenBodies(collection.requests, notes);
  const requests = fillRequests(collection.requests, {}, source.sources);
  const variables = listExportVariables(source, { ...collection, requests });
  const asked = requests.flatMap(listTexts).flatMap(listExpressions);
  const { used, ordered } = followValues(asked, variables);
  const names = nameForShell([...new Set([...variables.map(({ name }) => name), ...used])]);
  const shell = (name: string): string => names.get(name) ?? name;
  const blank = new Set(ordered.filter(({ value }) => /\s/.test(value)).map(({ name }) => name));
  const lines = requests.flatMap((request) => [
    `# ${[...request.folders, request.name].join(' / ').replace(/[\p{Cc}\p{Cf}]/gu, ' ')}`,
    writeLine(request, blank, shell, notes),
    '',
  ]);
  const content = [...writeHead(source.name, ordered, used, shell), '', ...lines].join('\n');
  return { files: [{ path: 'requests.sh', content }], requests: requests.length, notes };
}

/** Lists all that is asked for, also by the values of variables, and those variables: each behind what its value asks for. */
function followValues(
  asked: readonly string[],
  variables: readonly ExportVariable[],
): { used: string[]; ordered: ExportVariable[] } {
  const used = new Set<string>();
  const ordered = new Set<ExportVariable>();
  const follow = (expression: string): void => {
    if (used.has(expression)) return;
    used.add(expression);
    const name = findVariableName(expression);
    const variable = variables.find((one) => one.name === name);
    if (variable === undefined) return;
    listExpressions(variable.value).forEach(follow);
    ordered.add(variable);
  };
  asked.forEach(follow);
  return { used: [...used], ordered: [...ordered] };
}

function writeHead(
  name: string,
  variables: readonly ExportVariable[],
  used: readonly string[],
  shell: (name: string) => string,
): string[] {
  const isSigned = used.includes('signature');
  const tokens = used.filter((one) => one.startsWith('token.'));
  return [
    '#!/usr/bin/env bash',
    `# ${name.replace(/[\p{Cc}\p{Cf}]/gu, ' ')}: one line a request. What has no value below is to be exported first.`,
    ...tokens.map(
      (one) => `#   ${shell(one)}: a token (countersign token --product ${one.slice('token.'.length)} …)`,
    ),
    ...(isSigned ? ['#   private_key: the key that signs, as PEM: export private_key="$(cat key.pem)"'] : []),
    ...variables
      .filter(({ value }) => value === '')
      .map((one) => `#   ${shell(one.name)}${one.isSecret ? ': a secret' : ''}`),
    ...(used.some(isEncoded) ? encoding : []),
    ...variables.flatMap((one) => {
      const name = shell(one.name);
      const value = quoteForShell(one.value, (inner) => `$${shell(inner)}`);
      const encoded = used.find((each) => isEncoded(each) && findVariableName(each) === one.name);
      return [
        ...(one.value === '' ? [] : [`[ -n "\${${name}-}" ] || ${name}=${value}`]),
        ...(encoded === undefined ? [] : [`${shell(encoded)}=$(encode "\${${name}-}")`]),
      ];
    }),
  ];
}

function writeLine(
  request: PortableRequest,
  withBlank: ReadonlySet<string>,
  shell: (name: string) => string,
  notes: ExportNote[],
): string {
  const signature = request.headers.some(([, value]) => value.includes('{{signature}}'))
    ? writeSignature(request, shell, notes)
    : '$signature';
  const write = (name: string): string => (name === 'signature' ? signature : `$${shell(name)}`);
  const blank = listExpressions(request.url).filter(
    (name) => !isEncoded(name) && withBlank.has(findVariableName(name) ?? ''),
  );
  for (const name of new Set(blank)) {
    notes.push({
      where: request.where,
      what: `$${shell(name)} stands in an address, and its value has a blank, which curl refuses: give it encoded for a URL.`,
    });
  }
  const { method, body } = request;
  // A URL has none in its query, and so it leaves the app.
  const url = request.url.replace(/\?.*/s, (query) => query.replaceAll("'", '%27'));
  const quote = (text: string): string => quoteForShell(text, write);
  const headers = request.headers.filter((header) => readBasicCredentials(header) === null);
  const basic = request.headers.map(readBasicCredentials).find((found) => found !== null);
  const command = writeCurl(
    {
      method,
      url,
      headers: headers.map(([name, value]) => [name, value]),
      body: body && ('text' in body ? body.text : ''),
    },
    {
      hasSecrets: true,
      quote,
      separator: ' ',
      ...writeData(body, quote),
    },
  );
  return basic
    ? `curl -u ${quote(`${basic.user}:${basic.password}`)}${command.slice('curl'.length)}`
    : command;
}

/** What no argument holds comes from `printf`, which bash has within it: bytes, a NUL, and a text that is too long. */
function writeData(body: PortableRequest['body'], quote: (text: string) => string): { data?: string } {
  if (body === null) return {};
  if ('bytes' in body) return { data: decode(body.bytes) };
  const bytes = new TextEncoder().encode(body.text);
  if (bytes.length < MOST_ARGUMENT && !bytes.includes(0)) return {};
  const hasVariables = listExpressions(body.text).length > 0;
  return { data: hasVariables ? `@<(printf %s ${quote(body.text)})` : decode(bytes) };
}

const decode = (bytes: Uint8Array): string => `@<(printf %s '${encodeBase64(bytes)}' | openssl base64 -d -A)`;

/** Variables inside what is signed must be those of the shell, though they may stand where JSON wants a number. */
function writeSignature(
  { body, where }: PortableRequest,
  shell: (name: string) => string,
  notes: ExportNote[],
): string {
  const text = body !== null && 'text' in body ? body.text : '';
  const marked = markVariables(text);
  try {
    const signed = marked.restore(readStringToSign(marked.text).text);
    if (signed.includes('\0')) throw new Error('No text of a shell holds a NUL.');
    return `$(printf %s ${quoteForShell(signed, (name) => `$${shell(name)}`)} | ${signing})`;
  } catch {
    notes.push({ where, what: 'What its signature covers cannot be read: give it as $signature.' });
    return '$signature';
  }
}
