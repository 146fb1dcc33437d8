import { createRequest, hasHeader, textBody, type ImportedRequest } from '../imported';
import {
  readPowershellValue,
  skipBlanks,
  type PowershellReader,
  type PowershellValue,
} from './powershell-values';
import { encodeForUrl } from '../../encode-for-url';

const commandName = /^(?:Invoke-WebRequest|Invoke-RestMethod|iwr|irm|wget)\b/i;
/** Switches, which take no value. */
const switches =
  /^(?:UseBasicParsing|UseDefaultCredentials|SkipCertificateCheck|SkipHeaderValidation|DisableKeepAlive|PassThru|AllowUnencryptedAuthentication|NoProxy|Verbose|FollowRelLink|Resume|SkipHttpErrorCheck|PreserveAuthorizationOnRedirect)$/i;
/** What changes nothing of what is sent. */
const quiet =
  /^(?:UseBasicParsing|SessionVariable|OutFile|PassThru|ErrorAction|Verbose|SkipHttpErrorCheck|TimeoutSec|MaximumRedirection|SkipHeaderValidation|ResponseHeadersVariable|StatusCodeVariable)$/i;

/**
 * Reads the calls of `Invoke-WebRequest` and `Invoke-RestMethod` in a script of PowerShell, as browsers copy them.
 *
 * Nothing is run: variables that the script sets to a text or a table count, others become `{{name}}`.
 */
export function readPowershell(text: string): ImportedRequest[] {
  const reader: PowershellReader = { text, at: 0, variables: new Map() };
  const requests: ImportedRequest[] = [];
  while (reader.at < text.length) {
    skipBlanks(reader, true);
    const rest = text.slice(reader.at, reader.at + 300);
    const command = commandName.exec(rest.replace(/^\$[\w:]+\s*=\s*/, ''));
    if (command !== null) {
      reader.at += rest.toLowerCase().indexOf(command[0].toLowerCase()) + command[0].length;
      requests.push(readCall(reader));
    } else if (!readAssignment(reader, rest)) skipStatement(reader);
  }
  return requests;
}

function skipStatement(reader: PowershellReader): void {
  const feed = reader.text.indexOf('\n', reader.at);
  reader.at = feed === -1 ? reader.text.length : feed + 1;
}

/** `$name = value`, `$name.Key = value`, `$name.Add("key", "value")`, cookies of a session. */
function readAssignment(reader: PowershellReader, rest: string): boolean {
  const cookie = /^\$([\w:]+)\.Cookies\.Add\(\(New-Object System\.Net\.Cookie\(\s*/i.exec(rest);
  const added = /^\$([\w:]+)\.Add\(\s*/i.exec(rest);
  const set = /^\$([\w:]+)(?:\.(\w+))?\s*=\s*/.exec(rest);
  const found = cookie ?? added ?? set;
  if (found === null) return false;
  reader.at += found[0].length;
  const name = found[1]!.toLowerCase();
  if (set !== null && cookie === null && added === null) {
    if (/^New-Object\b/i.test(reader.text.slice(reader.at, reader.at + 12))) {
      reader.variables.set(name, new Map());
      skipStatement(reader);
      return true;
    }
    const given = readPowershellValue(reader);
    const isPiped = /^[ \t]*\|\s*ConvertTo-Json\b/i.test(reader.text.slice(reader.at, reader.at + 60));
    const value = isPiped ? null : given;
    if (set[2] === undefined) reader.variables.set(name, value);
    else tableOf(reader, name).set(set[2], value);
    return true;
  }
  const key = readPowershellValue(reader);
  skipBlanks(reader);
  if (reader.text[reader.at] === ',') reader.at += 1;
  skipBlanks(reader);
  const value = readPowershellValue(reader);
  if (typeof key === 'string') {
    const table = tableOf(reader, name);
    if (cookie === null) table.set(key, value);
    else table.set('Cookie', [table.get('Cookie'), `${key}=${asText(value)}`].filter(Boolean).join('; '));
  }
  skipStatement(reader);
  return true;
}

function tableOf(reader: PowershellReader, name: string): Map<string, PowershellValue> {
  const known = reader.variables.get(name);
  if (known instanceof Map) return known;
  const table = new Map<string, PowershellValue>();
  reader.variables.set(name, table);
  return table;
}

const asText = (value: PowershellValue | undefined): string => (typeof value === 'string' ? value : '');

/** Reads the parameters of one call, to the end of its statement. */
function readCall(reader: PowershellReader): ImportedRequest {
  const parameters = new Map<string, PowershellValue>();
  for (;;) {
    skipBlanks(reader);
    const character = reader.text[reader.at];
    if (character === undefined || /[\r\n;|)]/.test(character)) break;
    const splat = /^@(\w+)/.exec(reader.text.slice(reader.at, reader.at + 100));
    const named = /^-([A-Za-z]+):?[ \t]*/.exec(reader.text.slice(reader.at, reader.at + 100));
    if (splat !== null) {
      reader.at += splat[0].length;
      const table = reader.variables.get(splat[1]!.toLowerCase());
      if (table instanceof Map) for (const [key, value] of table) parameters.set(key.toLowerCase(), value);
    } else if (named !== null) {
      reader.at += named[0].length;
      skipBlanks(reader);
      parameters.set(
        named[1]!.toLowerCase(),
        switches.test(named[1]!) ? 'true' : readPowershellValue(reader),
      );
    } else {
      const before = reader.at;
      parameters.set('uri', readPowershellValue(reader));
      if (reader.at === before) reader.at += 1;
    }
  }
  return buildRequest(parameters);
}

function buildRequest(parameters: Map<string, PowershellValue>): ImportedRequest {
  const take = (name: string): PowershellValue | undefined => {
    const value = parameters.get(name);
    parameters.delete(name);
    return value;
  };
  const body = take('body');
  const method = asText(take('method')) || asText(take('custommethod')) || 'GET';
  const request = createRequest({ name: '', method, url: asText(take('uri')) });
  addHeaders(request, take('headers'), take('websession'));
  const type = asText(take('contenttype'));
  if (type !== '') request.headers.push(['Content-Type', type]);
  const agent = asText(take('useragent'));
  if (agent !== '') request.headers.push(['User-Agent', agent]);
  addBody(request, body);
  for (const name of parameters.keys()) {
    if (!quiet.test(name)) request.notes.push(`The parameter -${name} is not taken over.`);
  }
  return request;
}

function addHeaders(
  request: ImportedRequest,
  headers: PowershellValue | undefined,
  session: PowershellValue | undefined,
): void {
  for (const [name, value] of headers instanceof Map ? headers : [])
    request.headers.push([name, asText(value)]);
  if (headers !== undefined && !(headers instanceof Map)) {
    request.notes.push('Its headers come from what only running the script would tell: put them in.');
  }
  if (!(session instanceof Map)) return;
  for (const [key, name] of [
    ['UserAgent', 'User-Agent'],
    ['Cookie', 'Cookie'],
  ] as const) {
    const value = asText(session.get(key));
    if (value !== '' && !hasHeader(request, name)) request.headers.push([name, value]);
  }
}

function addBody(request: ImportedRequest, body: PowershellValue | undefined): void {
  if (body === undefined) return;
  if (body === null)
    request.notes.push('Its body is made by a part of the script that is not run: put the body in.');
  else if (typeof body === 'string') request.body = textBody(body);
  else {
    const pairs = [...body].map(([name, value]) => `${encodeForUrl(name)}=${encodeForUrl(asText(value))}`);
    request.body = textBody(pairs.join('&'));
  }
  if (request.body !== null && !hasHeader(request, 'content-type')) {
    request.headers.push(['Content-Type', 'application/x-www-form-urlencoded']);
  }
}

/** Splits a call of curl itself as PowerShell does. */
export function splitPowershell(text: string): string[][] {
  const reader: PowershellReader = { text, at: 0, variables: new Map() };
  const commands: string[][] = [];
  let words: string[] = [];
  while (reader.at < text.length) {
    skipBlanks(reader);
    const character = reader.text[reader.at];
    if (character === undefined || /[\r\n;|&]/.test(character)) {
      if (words.length > 0) commands.push(words);
      words = [];
      reader.at += 1;
      continue;
    }
    words.push(readWord(reader));
  }
  return words.length > 0 ? [...commands, words] : commands;
}

/** One word: texts and bare characters side by side. `\"` is how a quote got to a program before PowerShell 7.3. */
function readWord(reader: PowershellReader): string {
  let word = '';
  while (reader.at < reader.text.length && !/[\s;|]/.test(reader.text[reader.at]!)) {
    const character = reader.text[reader.at]!;
    if (character === '`' && /^`[ \t]*\r?\n/.test(reader.text.slice(reader.at, reader.at + 20))) break;
    if (character === "'" || character === '"' || character === '$')
      word += asText(readPowershellValue(reader));
    else if (character === '`') {
      word += reader.text[reader.at + 1] ?? '';
      reader.at += 2;
    } else {
      word += character;
      reader.at += 1;
    }
  }
  return word.replaceAll('\\"', '"');
}
