import {
  createImported,
  quoteFirstWord,
  requireRoomForItems,
  type Imported,
  type ImportedRequest,
  type ImportSource,
} from '../imported';
import { listBraces } from '../variables';
import { readCurlArguments } from './read-arguments';
import { readPowershell, splitPowershell } from './read-powershell';
import {
  findCurlArguments,
  noteOnce,
  readAssignments,
  readPrinted,
  UNCLOSED,
  type ShellCommand,
} from './shell-command';
import { splitBash } from './split-bash';
import { splitCmd } from './split-cmd';
import { listSome } from '../../list-some';
import { ExpansionRoom } from './expansion-room';

const powershellCall = /(?:^|[\s;|(])(?:Invoke-WebRequest|Invoke-RestMethod|iwr|irm)\s/i;
/** What begins a batch file of the Windows command prompt. */
const batchMark = /^[ \t]*(?:@echo off|rem[ \t]|::)/im;
/** A caret at a line's end, or before a quote; or what no caret is one in: a text in quotes, a character that is escaped. */
const caretOrText = /\^[ \t]*\r?\n|\^"|"[^"\\]*(?:\\.[^"\\]*)*"?|\\./gs;
/** Two quotes for one, at the beginning of a JSON or behind a sign within a text: bash would leave both out. */
const doubledQuote = /[[{:,=/]\s{0,20}""\w/;
/** A backtick at the end of a line that goes on: PowerShell. Or what none is one in: a text in quotes, a character that is escaped. */
const backtickOrText =
  /`[ \t]*\r?\n\s*-|'\\''|\$'[^'\\]*(?:\\.[^'\\]*)*'?|'[^']*'?|"[^"\\]*(?:\\.[^"\\]*)*"?|\\./gs;

/** `C:\\Users\\me>`, before a call of curl. */
const windowsPrompt = /^[ \t]*(?:\([\w.-]{1,40}\) )?[a-z]:\\[^<>|"\r\n]{0,300}>[ \t]*(?=curl\b)/gim;
const powershellPrompt =
  /^[ \t]*(?:\([\w.-]{1,40}\) )?PS(?: (?:\w{1,40}:\\|[\\/~])[^<>|"\r\n]{0,300})?>(?:[ \t]+|$)/gim;
/** What no other shell begins with: `$name = …`. */
const powershellVariable = /^\s*\$(?:env:)?\w+[ \t]*=[ \t]*["'@$\d]/i;
/** PowerShell writes `>> ` before the lines that a call goes on in. */
const powershellGoesOn = /[^`\r\n]`[ \t]*\r?\n>> /;
const lineOfCall = /^[ \t]*(?:[$#%] +)?(?:curl(?:\.exe)?|Invoke-\w+|iwr|irm)\s/im;

/** Windows' own PowerShell has `curl` for Invoke-WebRequest. Or what none is one in: a remark, a text in quotes. */
const aliasOrText =
  /^[ \t]*#[^\r\n]*|'[^']*'?|"[^"\\`]*(?:[\\`].[^"\\`]*)*"?|^([ \t]*(?:\$\w+[ \t]*=[ \t]*)?\(?)curl(?=(?=[ \t`])[ \t]*(?:`[ \t]*\r?\n[ \t]*)*(?:(?:"[^"\r\n]*"|'[^'\r\n]*'|[$\w]\S*)(?=[ \t`])[ \t]*(?:`[ \t]*\r?\n[ \t]*)*)?-(?:Uri|Method|Headers|Body|ContentType|OutFile|TimeoutSec|UseBasicParsing)\b)/gims;

/** A terminal writes one before the first call, too; where the first was not copied, it may stand in a text that is sent. */
function dropPromptsBy(text: string, prompt: RegExp): string {
  const at = text.search(prompt);
  if (at === -1 || !lineOfCall.test(text.slice(0, at))) return text.replace(prompt, '');
  const promptOrText = new RegExp(
    String.raw`'[^']*'?|"[^"\\]*(?:\\.[^"\\]*)*"?|(?<!<)<<-?[ \t]*["']?(?<end>[a-z_]\w*)(?:.*?\n[ \t]*\k<end>\b|.*)|(?<prompt>${prompt.source})`,
    'gims',
  );
  return text.replace(promptOrText, (...given) =>
    (given.at(-1) as { prompt?: string }).prompt === undefined ? String(given[0]) : '',
  );
}

function dropPowershellPrompts(given: string): string {
  const text = dropPromptsBy(given, powershellPrompt);
  return text === given && !powershellGoesOn.test(given) ? given : text.replace(/^>>(?: |$)/gm, '');
}

function split(given: string, isPowershell: boolean): ShellCommand[] {
  const text = dropPromptsBy(given, windowsPrompt).replace(/(\^[ \t]*\r?\n)More\? /g, '$1');
  if (text !== given) return splitCmd(text);
  const isItsOwn =
    isPowershell || powershellVariable.test(text) || (/\bcurl\.exe\b/.test(text) && /\$env:\w/.test(text));
  if (isItsOwn || text.match(backtickOrText)?.some((found) => found.startsWith('`')) === true)
    return splitPowershell(text);
  return isOfCommandPrompt(text) ? splitCmd(text) : splitBash(dropPrompts(readEncoding(text)));
}

/** Our own export has a function that encodes values for an address: `{{%name}}` does so here. */
function readEncoding(text: string): string {
  const encoded = new Map<string, string>();
  const rest = text
    .replace(/^encode\(\) \{\r?\n(?: {2}.*\r?\n)+\}\r?\n/m, '')
    .replace(/^(\w+)=\$\(encode "\$\{(\w+)-\}"\)\r?\n/gm, (_line, name: string, of: string) => {
      encoded.set(name, of);
      return '';
    });
  if (encoded.size === 0) return text;
  return rest.replace(/"\$(\w+)"/g, (whole, name: string) =>
    encoded.has(name) ? `"{{%${encoded.get(name)}}}"` : whole,
  );
}

function isOfCommandPrompt(text: string): boolean {
  // What stands in single quotes is text, and the command prompt knows none.
  const start = text.replace(/'.*/s, '');
  return (
    batchMark.test(start) ||
    doubledQuote.test(start) ||
    start.match(caretOrText)?.some((found) => found.startsWith('^')) === true
  );
}

/** What a terminal writes before the lines that a command goes on in; zsh names what is open. */
const goesOn = String.raw`[ \t]*(?:(?:[bd]?quote|heredoc|cmdsubst|pipe|cmdand|cmdor) ?)*>`;
/** Without a prompt before it only where no shell could mean what stands there: a file called -H, a JSON with `>` before a line. */
const unprompted = String.raw`(?:\\(?=[ \t]*\r?\n[ \t]*> ?(?:["'-]|curl\b))|["'][ \t]*[[{](?=[ \t]*\r?\n${goesOn}))`;
const setsVariable = String.raw`(?:export +)?[A-Za-z_]\w*=`;
/** What prints the body that curl takes. */
const printsBody = String.raw`(?:cat|echo|printf)\b[^\r\n|<]*[|<]`;
/** A terminal writes `$ ` before a command and `> ` before the lines that it goes on in; curl, before what it sends (-v). */
const promptedLines = new RegExp(
  String.raw`^[^\r\n'"|;<>]{0,80}(?:[$#%\u276f] +curl\b.*|[$%\u276f] +(?:${setsVariable}|${printsBody}).*|\bcurl\b.*${unprompted}[ \t]*)\r?\n(?![ \t]*> [A-Z]+ \S+ HTTP)(?:${goesOn}.*\r?\n)*(?:${goesOn}.*)?`,
  'gm',
);
const promptOfVariable = new RegExp(
  String.raw`^[^\r\n'"|;<>=]{0,80}[$%\u276f] +(?=${setsVariable}|${printsBody})`,
);
/** fish's. */
const anglePrompt =
  /^[ \t]*(?:\([\w.-]{1,40}\) )?[\w.-]{1,80}@[\w.-]{1,80} [~/][^<>|'"\r\n]{0,300}>[ \t]+(?=curl\b)/gm;
const lineGoneOn = new RegExp(String.raw`\n(${goesOn}) ?(.*)`, 'g');

function dropPrompts(given: string): string {
  const text = dropPromptsBy(given, anglePrompt);
  const hasPrompts = /[$#%❯] +(?:curl\b|(?:cat|echo|printf)\b[^\r\n]*\|[ \t]*curl\b)/.test(text);
  return text.replace(promptedLines, (lines: string, at: number) => {
    const indent = lines.search(/\S/);
    const typed = (hasPrompts ? lines.replace(promptOfVariable, '') : lines).replace(
      lineGoneOn,
      (line, mark: string, rest: string) =>
        mark.search(/\S/) > indent && fileName.test(rest) ? line : `\n${rest}`,
    );
    return !lines.trimEnd().includes('\n') || isWhole(typed) || text.slice(at + lines.length).trim() === ''
      ? typed
      : lines;
  });
}

/** Further in than the command: the file that its answer goes to. */
const fileName = /^[\w./~][\w./-]*\s*$/;

/** Lines that a terminal goes on in end where the command does; a `>` in the midst of a text that is sent is part of it. */
function isWhole(command: string): boolean {
  const behind = 'echo behind it';
  const all = splitBash(`${command.trimEnd()}\n${behind}`);
  return !all.some(({ notes, input }) => notes.includes(UNCLOSED) || input?.endsWith(`${behind}\n`));
}

/** The blocks of code of a page of Markdown, and what stands around them. */
function splitPage(text: string): { blocks: string[]; around: string } {
  const blocks: string[] = [];
  const around: string[] = [];
  let open: { mark: string; lines: string[] } | null = null;
  for (const line of text.split('\n')) {
    const mark = /^[ \t]{0,12}(```|~~~)/.exec(line.slice(0, 20))?.[1];
    if (open === null && mark === undefined) around.push(line);
    else if (open === null) open = { mark: mark!, lines: [] };
    else if (mark === open.mark) {
      blocks.push(open.lines.join('\n'));
      open = null;
    } else open.lines.push(line);
  }
  return { blocks, around: around.join('\n') };
}

/** A page quotes a command with `> ` before each of its lines, its prompt among them. */
function dropQuoteMarks(text: string): string {
  const isQuoted =
    /^> ?(?:[$#%❯] +)?curl\s/m.test(text) &&
    !/^[ \t]*(?:[$#%❯] +)?(?:(?:\w+=\S*|sudo|time|exec|env) +)*(?:curl|cat)\s/m.test(text);
  return isQuoted ? text.replace(/^> ?/gm, '') : text;
}

const callLine = /^[ \t]*(?:\$ +)?curl(?:\.exe)? +(?:-|["']?(?:https?:|\$|\{\{))/m;

/** What a page of Markdown has of commands, each block by itself; null: it is no such page, but has such lines in a text. */
function readPage(text: string): string[] | null {
  const { blocks, around } = splitPage(text);
  const callsCurl = (block: string): boolean => /\bcurl\b/.test(block) || powershellCall.test(block);
  if (!blocks.some(callsCurl) || callLine.test(around) || powershellCall.test(around)) return null;
  return blocks.filter((block) => callsCurl(block) || /^[ \t]*(?:export +)?[A-Za-z_]\w*=/m.test(block));
}

/**
 * Pages print a command over several lines and leave out what joins them.
 *
 * A line that begins with an option is no command: it belongs to the call of curl above it.
 */
function joinLines(commands: readonly ShellCommand[]): ShellCommand[] {
  const joined: ShellCommand[] = [];
  for (const command of commands) {
    const last = joined.at(-1);
    if (
      last === undefined ||
      !/^--?[A-Za-z]/.test(command.words[0] ?? '') ||
      findCurlArguments(last) === null
    ) {
      joined.push(command);
      continue;
    }
    const what = 'Nothing joined its lines (\\ at their ends): they were read as one command.';
    for (const word of command.words) last.words.push(word);
    last.input ??= command.input;
    for (const one of [...command.notes, what]) noteOnce(last, one);
  }
  return joined;
}

/**
 * Reads commands of curl from bash, the Windows command prompt or PowerShell, and PowerShell's own calls.
 *
 * @source curl(1); what browsers copy as cURL (bash), cURL (cmd) and PowerShell
 */
export function readCurl(source: ImportSource): Imported {
  const text = dropQuoteMarks(source.files[0]?.text ?? '');
  const blocks = readPage(text);
  // What the shell would fill in becomes a variable, too, and is none of these.
  // The Windows command prompt has a caret before each brace.
  const braces = listBraces(`${text}\n${text.replaceAll('^', '')}`);
  const imported: Imported = { ...createImported(null), isText: (one) => braces.has(one) };
  if (blocks !== null) {
    imported.notes.push({
      where: source.name,
      what: 'Only its blocks of code were read, as it is a page of Markdown.',
    });
  }
  const ground = { values: new Map<string, string>(), room: new ExpansionRoom() };
  const others = (blocks ?? [text]).flatMap((block) => readScript(imported, block, source.name, ground));
  noteOthers(imported, others, source.name);
  return imported;
}

/** @returns the commands that are none of curl */
function readScript(
  imported: Imported,
  given: string,
  where: string,
  { values, room }: Pick<Known, 'values' | 'room'>,
): ShellCommand[] {
  const text = dropPowershellPrompts(given).replace(aliasOrText, (found, before?: string) =>
    before === undefined ? found : `${before}iwr`,
  );
  const { requests, callsCurl, notes } = readPowershell(powershellCall.test(text) ? text : '');
  // Such a word may stand in a text that curl sends.
  if (requests.length > 0) {
    imported.notes.push(...notes.map((what) => ({ where, what })));
    imported.items.push(...requests);
    if (callsCurl) {
      const what =
        'It calls curl as well as Invoke-RestMethod or Invoke-WebRequest: its calls of curl were not taken over. Import them by themselves.';
      imported.notes.push({ where, what });
    }
    return [];
  }
  const printed = new Set<ShellCommand>();
  const others: ShellCommand[] = [];
  const known: Known = { values, defaults: new Map(), room };
  for (const command of joinLines(split(text, text !== given))) {
    const words = findCurlArguments(command);
    collectDefaults(known, command);
    if (words === null) {
      if (!takeAssignments(imported, command, known, where)) others.push(command);
      continue;
    }
    const piped = command.source ?? null;
    const input = command.input ?? (piped === null ? null : readPrinted(piped));
    if (piped !== null && command.input === null && input !== null) printed.add(piped);
    const requests: ImportedRequest[] = readCurlArguments(words, input);
    requireRoomForItems(imported.items.length + requests.length);
    imported.items.push(...requests);
    for (const request of requests) request.notes.push(...command.notes);
  }
  addDefaults(imported, known, where);
  return others.filter((one) => !printed.has(one));
}

/** What has been said so far of variables. */
interface Known {
  /** The last of each that was set. */
  readonly values: Map<string, string>;
  /** What `${NAME:-text}` of this script says; the first counts. */
  readonly defaults: Map<string, string>;
  readonly room: ExpansionRoom;
}

function collectDefaults({ defaults }: Known, command: ShellCommand): void {
  for (const [name, value] of command.defaults ?? []) {
    if (!defaults.has(name)) defaults.set(name, value);
  }
}

/** @returns whether it is a command of the kind that only sets variables, or asks for them */
function takeAssignments(imported: Imported, command: ShellCommand, known: Known, where: string): boolean {
  const assignments = readAssignments(command);
  for (const one of assignments ?? []) addVariable(imported, one, known, where);
  if (assignments !== null) {
    // Of what a command prints the variable itself is told.
    const others = command.notes.filter((what) => !what.includes('{{output}}'));
    imported.notes.push(...others.map((what) => ({ where, what })));
  }
  // `[ -n "$name" ] ||` asks whether a value was given already, and `: "${name:=text}"` gives it one.
  return assignments !== null || /^[[:]$/.test(command.words[0] ?? '');
}

/** Of those that nothing sets. */
function addDefaults(imported: Imported, known: Known, where: string): void {
  const set = new Set(imported.shared.map(({ name }) => name));
  for (const [name, value] of known.defaults) {
    if (!set.has(name)) addVariable(imported, { name, value }, known, where);
  }
}

/** What a script sets; where only running a command would tell, the name stays without a value. */
function addVariable(
  imported: Imported,
  { name, value: given }: { name: string; value: string },
  { values, defaults, room }: Known,
  where: string,
): void {
  // `URL=$URL/v1`, `URL=${URL:-http://…}`: what it was before.
  const earlier = values.get(name) ?? defaults.get(name);
  const fill = (): string => {
    room.spend(earlier!.length);
    return earlier!;
  };
  const value = earlier === undefined ? given : given.replaceAll(`{{${name}}}`, fill);
  if (value.includes('{{output}}')) {
    const what = `${name} is what a command prints, which is not run: give it a value, or write \`# @capture ${name} = body …\` in the request whose answer has it.`;
    imported.notes.push({ where, what });
  } else if (value.includes(`{{${name}}}`)) {
    const what = `${name} is made of the value that it had before, which is not known here: give it a value.`;
    imported.notes.push({ where, what });
  } else {
    if (given !== value) imported.shared = imported.shared.filter((one) => one.name !== name);
    imported.shared.push({ name, value, isSecret: false });
    values.set(name, value);
  }
}

function noteOthers(imported: Imported, others: readonly ShellCommand[], where: string): void {
  const names = [...new Set(others.map(({ words }) => `'${quoteFirstWord(words.join(' '))}'`))];
  if (names.length === 0) return;
  const listed = listSome(names, 20);
  const what =
    names.length === 1
      ? `The command ${listed} is none of curl, and left out.`
      : `The commands ${listed} are none of curl, and left out.`;
  imported.notes.push({ where, what });
}
