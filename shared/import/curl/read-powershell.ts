import { addQuery } from '../auth';
import { createRequest, hasHeader, requireRoomForItems, textBody, type ImportedRequest } from '../imported';
import { encodeAroundVariables } from '../variables';
import {
  createReader,
  keyOf,
  readPowershellExpression,
  readPowershellValue,
  readPowershellWord,
  sizeOf,
  skipBlanks,
  UNKNOWN,
  type PowershellReader,
  type PowershellValue,
} from './powershell-values';
import { UNCLOSED, type ShellCommand } from './shell-command';

const commands = '(?:Invoke-WebRequest|Invoke-RestMethod|iwr|irm|wget)(?![\\w-])';
/** A call at the begin of a statement, in brackets and with what keeps its answer. */
const call = new RegExp(`^(?:\\$[\\w:.]+\\s*=)?(?:\\s*\\[[\\w.[\\]]+\\])?[({\\s]*${commands}`, 'i');
/** What a call within a statement stands behind. */
const beforeCall = new RegExp(`[({=;|]\\s*(?=${commands})`, 'i');
/** A statement that calls curl, alone or after others on its line. In Windows' own PowerShell `curl` alone is Invoke-WebRequest. */
const curlCall = /^(?:[^\r\n'"#]*[;|({=])?[ \t]*(?:&[ \t]*)?curl(?:\.exe)?[ \t]+\S/i;
/** Switches, which take no value. */
const switches =
  /^(?:UseBasicParsing|UseDefaultCredentials|SkipCertificateCheck|SkipHeaderValidation|DisableKeepAlive|PassThru|AllowUnencryptedAuthentication|NoProxy|Verbose|FollowRelLink|Resume|SkipHttpErrorCheck|PreserveAuthorizationOnRedirect|PreserveHttpMethodOnRedirect|AllowInsecureRedirect|ProxyUseDefaultCredentials)$/i;
/** What changes nothing of what is sent. */
const quiet =
  /^(?:UseBasicParsing|SessionVariable|OutFile|PassThru|ErrorAction|Verbose|SkipHttpErrorCheck|TimeoutSec|MaximumRedirection|SkipHeaderValidation|ResponseHeadersVariable|StatusCodeVariable)$/i;

/**
 * Reads the calls of `Invoke-WebRequest` and `Invoke-RestMethod` in a script of PowerShell, as browsers copy them.
 *
 * Nothing is run: variables that the script sets to a text or a table count, others become `{{name}}`.
 */
export function readPowershell(text: string): {
  requests: ImportedRequest[];
  callsCurl: boolean;
  notes: string[];
} {
  const reader = createReader(text);
  const requests: ImportedRequest[] = [];
  let callsCurl = false;
  while (reader.at < text.length) {
    skipBlanks(reader, true);
    const rest = text.slice(reader.at, reader.at + 300);
    callsCurl ||= curlCall.test(rest);
    const found = call.exec(rest);
    if (found !== null) {
      reader.at += found[0].length;
      requests.push(readCall(reader));
      requireRoomForItems(requests.length);
    } else if (!readAssignment(reader, rest)) skipStatement(reader);
  }
  return {
    requests,
    callsCurl,
    notes: [...noteUntold(reader, requests), ...(reader.isUnclosed ? [UNCLOSED] : [])],
  };
}

function noteUntold({ untold }: PowershellReader, requests: readonly ImportedRequest[]): string[] {
  const written = JSON.stringify(requests);
  return [...untold]
    .filter((name) => written.includes(`{{${name}`))
    .map(
      (name) =>
        `What its script sets $${name} to is made by a part that is not run: give {{${name}}} a value.`,
    );
}

/** Passes over a line as far as the next call in it. */
function skipStatement(reader: PowershellReader): void {
  const feed = reader.text.indexOf('\n', reader.at);
  const end = feed === -1 ? reader.text.length : feed + 1;
  const before = beforeCall.exec(reader.text.slice(reader.at, end));
  reader.at = before === null ? end : reader.at + before.index + before[0].length;
}

/** `$name = value`, `$name.Key = value`, `$name.Add("key", "value")`, cookies of a session. */
function readAssignment(reader: PowershellReader, rest: string): boolean {
  return readSet(reader, rest) || readAdd(reader, rest);
}

const setStart =
  /^\$(?:\{([^}]+)\}|([\w:]+))(?:\.(\w+)|(?:\.|\[[ \t]*)(?:'([^'\n]*)'|"([^"\n]*)")(?:[ \t]*\])?)?\s*(\+?)=\s*/;

function readSet(reader: PowershellReader, rest: string): boolean {
  const found = setStart.exec(rest);
  if (found === null) return false;
  const [whole, braced, plain, bare, single, double, sign] = found;
  reader.at += whole.length;
  const name = keyOf(braced ?? plain ?? '');
  const key = bare ?? single ?? double;
  const isNew = /^New-Object\b/i.test(reader.text.slice(reader.at, reader.at + 12));
  const given = isNew ? new Map<string, PowershellValue>() : readPowershellExpression(reader);
  skipBlanks(reader);
  // What a command makes of it is not known.
  const value = !isNew && reader.text[reader.at] === '|' ? null : given;
  const table = key === undefined ? null : tableOf(reader, name);
  const before = table === null ? reader.variables.get(name) : table.get(key!);
  const next = sign === '+' ? addUp(before, value) : value;
  if (table === null) reader.variables.set(name, next);
  else table.set(key!, next);
  if (isNew) skipStatement(reader);
  return true;
}

function addUp(before: PowershellValue | undefined, more: PowershellValue): PowershellValue {
  if (typeof before === 'string' && typeof more === 'string') return before + more;
  return before instanceof Map && more instanceof Map ? new Map([...before, ...more]) : null;
}

function readAdd(reader: PowershellReader, rest: string): boolean {
  const cookie = /^\$([\w:]+)\.Cookies\.Add\(\(New-Object System\.Net\.Cookie\(\s*/i.exec(rest);
  const found = cookie ?? /^\$([\w:]+)\.Add\(\s*/i.exec(rest);
  if (found === null) return false;
  reader.at += found[0].length;
  const key = readPowershellValue(reader);
  skipBlanks(reader);
  if (reader.text[reader.at] === ',') reader.at += 1;
  skipBlanks(reader);
  const value = cookie === null ? readPowershellExpression(reader) : readPowershellValue(reader);
  if (typeof key === 'string') {
    const table = tableOf(reader, keyOf(found[1]!));
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

/** A text as it goes into a request; of what only running the script would tell a variable. */
function asText(value: PowershellValue | undefined): string {
  if (typeof value === 'string') return value;
  return value === null ? UNKNOWN : '';
}

/** Reads the parameters of one call, to the end of its statement. */
function readCall(reader: PowershellReader): ImportedRequest {
  const parameters = new Map<string, PowershellValue>();
  for (;;) {
    skipBlanks(reader);
    const rest = reader.text.slice(reader.at, reader.at + 100);
    if (/^(?:[\r\n;|)}]|$)/.test(rest)) break;
    const splat = /^@(\w+)/.exec(rest);
    const named = /^-([A-Za-z]+)(:?)[ \t]*/.exec(rest);
    if (splat !== null) {
      reader.at += splat[0].length;
      const table = reader.variables.get(keyOf(splat[1]!));
      reader.room.spend(sizeOf(table));
      if (table instanceof Map) for (const [key, value] of table) parameters.set(key.toLowerCase(), value);
    } else if (named !== null) {
      reader.at += named[0].length;
      parameters.set(named[1]!.toLowerCase(), readParameter(reader, named[1]!, named[2] === ':'));
    } else {
      const before = reader.at;
      const value = readArgument(reader);
      if (!parameters.has('uri')) parameters.set('uri', value);
      if (reader.at === before) reader.at += 1;
    }
  }
  return buildRequest(parameters);
}

/** A switch has a value only behind a colon; a parameter has none where the next one follows. */
function readParameter(reader: PowershellReader, name: string, isGiven: boolean): PowershellValue {
  skipBlanks(reader);
  const rest = reader.text.slice(reader.at, reader.at + 2);
  if ((switches.test(name) && !isGiven) || /^(?:-[A-Za-z]|[\r\n;|)}]|$)/.test(rest)) return 'True';
  return readArgument(reader);
}

/** What a member of a value in brackets is, only running the script would tell. */
function readArgument(reader: PowershellReader): PowershellValue {
  const value = readPowershellValue(reader);
  if (!/[.[]/.test(reader.text[reader.at] ?? '')) return value;
  readPowershellWord(reader);
  return null;
}

function buildRequest(parameters: Map<string, PowershellValue>): ImportedRequest {
  const take = (name: string): PowershellValue | undefined => {
    const value = parameters.get(name);
    parameters.delete(name);
    return value;
  };
  const body = take('body');
  const given = [take('method'), take('custommethod')];
  const method = given.find((one) => typeof one === 'string' && one !== '') as string | undefined;
  const request = createRequest({ name: '', method: method ?? 'GET', url: asText(take('uri')) });
  addHeaders(request, take('headers'));
  addSession(request, take('websession'));
  // What has a parameter of its own counts, whatever they say.
  setHeader(request, 'Content-Type', asText(take('contenttype')));
  setHeader(request, 'User-Agent', asText(take('useragent')));
  addBody(request, body);
  for (const name of parameters.keys()) {
    if (!quiet.test(name)) request.notes.push(`The parameter -${name} is not taken over.`);
  }
  if (JSON.stringify([request.url, request.headers, request.body]).includes(UNKNOWN)) {
    const what = `What only running the script would tell is not known here: give ${UNKNOWN} a value in its place.`;
    request.notes.push(what);
  }
  return request;
}

function addHeaders(request: ImportedRequest, headers: PowershellValue | undefined): void {
  for (const [name, value] of headers instanceof Map ? headers : [])
    request.headers.push([name, asText(value)]);
  if (headers !== undefined && !(headers instanceof Map)) {
    request.notes.push('Its headers come from what only running the script would tell: put them in.');
  }
}

function setHeader(request: ImportedRequest, name: string, value: string): void {
  if (value === '') return;
  request.headers = request.headers.filter(([one]) => one.toLowerCase() !== name.toLowerCase());
  request.headers.push([name, value]);
}

function addSession(request: ImportedRequest, session: PowershellValue | undefined): void {
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
    const pairs = [...body].map((pair) => pair.map((one) => encodeAroundVariables(asText(one))).join('='));
    if (/^get$/i.test(request.method)) request.url = pairs.reduce(addQuery, request.url);
    else request.body = textBody(pairs.join('&'));
  }
  if (request.body !== null && !hasHeader(request, 'content-type')) {
    request.headers.push(['Content-Type', 'application/x-www-form-urlencoded']);
  }
}

/** A JSON in double quotes as other shells take it: PowerShell would end the text at its first `\"`, which nobody means. */
const jsonOrText = /'[^']*'?|("\s*[{[]\s*\\"[^"\\]*(?:\\.[^"\\]*)*"?)|"[^"`]*(?:`.[^"`]*)*"?/gs;

const escapeQuotes = (text: string): string =>
  text.replace(jsonOrText, (found, json?: string) =>
    json === undefined
      ? found
      : json.replace(/(?<!\\)\\+"/g, ({ length }) => `${'\\'.repeat((length - 2) / 2)}\`"`),
  );

/** `$name = ` before a text or a number. */
const setsVariable = /^\$(?:env:)?([a-z_]\w*)[ \t]*=[ \t]*(?=["'\d]|@["']|\$\w)/i;

/** Splits calls of curl itself as PowerShell does, and tells of the last whether a text in it does not end. */
export function splitPowershell(text: string): ShellCommand[] {
  const reader = createReader(escapeQuotes(text));
  const found: string[][] = [];
  let words: string[] = [];
  while (reader.at < reader.text.length) {
    skipBlanks(reader);
    const character = reader.text[reader.at];
    if (character === undefined || /[\r\n;|&(){}]/.test(character)) {
      if (words.length > 0) found.push(words);
      words = [];
      reader.at += 1;
      continue;
    }
    const set = words.length > 0 ? null : setsVariable.exec(reader.text.slice(reader.at, reader.at + 300));
    if (set !== null) {
      reader.at += set[0].length;
      const value = readPowershellExpression(reader);
      found.push([`${set[1]}=${typeof value === 'string' ? value : '{{output}}'}`]);
      continue;
    }
    // `\"` is how a quote got to a program before PowerShell 7.3; where others stand as they are, it is part of the text.
    const word = readPowershellWord(reader);
    words.push(/(?<!\\)"/.test(word) ? word : word.replaceAll('\\"', '"'));
  }
  const all = words.length > 0 ? [...found, words] : found;
  const lastNotes = reader.isUnclosed ? [UNCLOSED] : [];
  return all.map((one, at) => ({ words: one, input: null, notes: at === all.length - 1 ? lastNotes : [] }));
}
