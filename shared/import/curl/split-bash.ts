import { readAnsi } from './ansi-quotes';
import { isProduct } from '../../payments/tables/products';
import { quoteFirstWord, requireRoomForCommands } from '../imported';
import { findCurlOption } from './curl-options';
import { ENTRY_CHARACTERS, ExpansionRoom } from './expansion-room';
import { readKnownOutput } from './known-outputs';
import { readExpansion, type Expansion } from './shell-expansion';
import {
  findCurlArguments,
  INLINE_BYTES,
  INLINE_TEXT,
  noteOnce,
  readPrinted,
  UNCLOSED,
  type ShellCommand,
} from './shell-command';

/** Where splitting stands. `word` is null between words. */
interface State {
  text: string;
  at: number;
  word: string | null;
  command: ShellCommand;
  commands: ShellCommand[];
  /** The word that stands here is not an argument: `<<< text`. */
  isInput: boolean;
  /** `<<END` of this line whose text is still to come. */
  heredocs: { end: string; isPlain: boolean; isIndented: boolean; command: ShellCommand }[];
  /** `NAME=(…)`: the words of each. */
  arrays: Map<string, string[]>;
  /** The one whose words are being read. */
  array: string | null;
  /** Words that ended no text from there on. */
  unclosed: Set<string>;
  /** How many `$(…)` it stands in. */
  depth: number;
  room: ExpansionRoom;
}

const maxDepth = 5;
/** Each is looked for in all that follows. */
const MOST_UNCLOSED = 20;
/** Characters. */
const LONGEST_EXPANSION = 2000;

const createCommand = (source: ShellCommand | null = null): ShellCommand => ({
  words: [],
  input: null,
  source,
  notes: [],
});

/**
 * Splits a script of a POSIX shell into commands and words, as bash does, without running anything.
 *
 * Variables become `{{NAME}}`; what a command would print is noted.
 */
export function splitBash(text: string, depth = 0, room = new ExpansionRoom()): ShellCommand[] {
  const state = createState(text, createCommand(), { depth, room });
  while (state.at < text.length) step(state);
  endCommand(state);
  return state.commands;
}

function createState(
  text: string,
  command: ShellCommand,
  { depth, room }: Pick<State, 'depth' | 'room'>,
): State {
  return {
    text,
    at: 0,
    word: null,
    command,
    commands: [],
    isInput: false,
    heredocs: [],
    arrays: new Map(),
    array: null,
    unclosed: new Set(),
    depth,
    room,
  };
}

function step(state: State): void {
  const { text, at } = state;
  const character = text[at]!;
  if (character === '\n') endLine(state);
  else if (character === ' ' || character === '\t' || character === '\r') endWord(state, 1);
  else if (character === '\\') readBackslash(state);
  else if (character === "'") readSingle(state);
  else if (character === '"') readDouble(state, at + 1);
  else if (character === '$') readDollar(state);
  else if (character === '`') readOutput(state, findBacktickEnd(text, at + 1));
  else if (character === '#' && state.word === null) skipTo(state, '\n');
  else if (/[|;&()]/.test(character)) readOperator(state, character);
  else if (typographicBlank.test(character)) readBlank(state);
  else if (state.word === null && /[“”‘’]/.test(character)) readTypographic(state, character);
  else if (state.word === null && typographicDash.test(character)) readDash(state);
  else if (character === '<' || character === '>') readRedirection(state);
  else append(state, character, at + 1);
}

function readOperator(state: State, character: string): void {
  const isDouble = state.text[state.at + 1] === '|';
  if (character === '(' && beginsArray(state)) beginArray(state);
  else if (character === ')' && state.array !== null) endArray(state, state.array);
  else if (character === '|') endCommand(state, isDouble ? 2 : 1, !isDouble);
  else endCommand(state, 1);
}

function append(state: State, text: string, next: number): void {
  state.word = (state.word ?? '') + text;
  state.at = next;
}

function endWord(state: State, width: number): void {
  const { word, command } = state;
  if (word !== null && state.isInput)
    command.input = word.startsWith(INLINE_TEXT) ? word.slice(INLINE_TEXT.length) : `${word}\n`;
  else if (word !== null) command.words.push(word);
  if (word !== null) state.isInput = false;
  state.word = null;
  state.at += width;
}

function endCommand(state: State, width = 0, isPiped = false): void {
  endWord(state, width);
  const { command } = state;
  if (command.words.length > 0) requireRoomForCommands(state.commands.push(command));
  state.command = createCommand(isPiped ? command : null);
}

function endLine(state: State): void {
  if (state.array !== null) return endWord(state, 1);
  endCommand(state, 1);
  for (const { end, isPlain, isIndented, command } of state.heredocs.splice(0)) {
    const found = findHeredoc(state.text, state.at, end, isIndented);
    state.at = found.next;
    const input = isIndented ? found.text.replace(/^\t+/gm, '') : found.text;
    command.input = isPlain ? input : fillText(input, command, state);
  }
}

const arrayStart = /^([A-Za-z_]\w*)\+?=$/;
const beginsArray = ({ word, array }: State): boolean => array === null && arrayStart.test(word ?? '');

function beginArray(state: State): void {
  const word = state.word ?? '';
  state.array = arrayStart.exec(word)?.[1] ?? '';
  if (!word.endsWith('+=')) state.arrays.delete(state.array);
  state.word = null;
  state.command = createCommand();
  state.at += 1;
}

function endArray(state: State, name: string): void {
  endWord(state, 1);
  state.arrays.set(name, [...(state.arrays.get(name) ?? []), ...state.command.words]);
  state.array = null;
  state.command = createCommand();
}

/** What stands above the line that ends it, or everything. `<<-` passes over tabs before the word. */
function findHeredoc(
  text: string,
  from: number,
  end: string,
  isIndented: boolean,
): { text: string; next: number } {
  const isEnd = (line: string): boolean => (isIndented ? line.replace(/^\t+/, '') : line) === end;
  let loose: { at: number; next: number } | null = null;
  for (let at = from; at < text.length && at < (loose?.next ?? at) + farAhead;) {
    const feed = text.indexOf('\n', at);
    const next = feed === -1 ? text.length : feed + 1;
    const line = text.slice(at, next).replace(/\r?\n$/, '');
    if (isEnd(line)) return { text: text.slice(from, at), next };
    // A page may have set the script further in: where no line soon is the word alone, blanks do not count.
    if (line.trim() === end) loose ??= { at, next };
    at = next;
  }
  if (loose === null) return { text: endLines(text.slice(from)), next: text.length };
  return { text: text.slice(from, loose.at), next: loose.next };
}

/** Characters. */
const farAhead = 4096;

const endLines = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`);

function skipTo(state: State, mark: string): void {
  const found = state.text.indexOf(mark, state.at);
  state.at = found === -1 ? state.text.length : found;
}

function readBackslash(state: State): void {
  const { text, at } = state;
  const continued = /^\\[ \t\u00a0]*\r?\n/.exec(text.slice(at, at + 20));
  if (continued !== null) {
    // Blanks behind it are a slip of copying: the line goes on all the same.
    if (continued[0].length > 2) endWord(state, 0);
    state.at = at + continued[0].length;
  } else append(state, text[at + 1] ?? '', at + 2);
}

function noteUnclosed({ command }: State): void {
  noteOnce(command, UNCLOSED);
}

function readSingle(state: State): void {
  const end = state.text.indexOf("'", state.at + 1);
  if (end === -1) noteUnclosed(state);
  const close = end === -1 ? state.text.length : end;
  append(state, state.text.slice(state.at + 1, close), close + 1);
}

/** Quotes as a text processor sets them: no shell takes them, and whoever pastes them means quotes. */
function readTypographic(state: State, open: string): void {
  const marks = /[“”]/.test(open) ? /[“”"]/ : /[‘’']/;
  const rest = state.text.slice(state.at + 1);
  const end = rest.search(marks);
  const close = end === -1 ? rest.length : end;
  const what = 'Its quotes are those of a text processor, and were read as straight ones.';
  noteOnce(state.command, what);
  append(state, rest.slice(0, close), state.at + close + 2);
}

/** A no-break blank, and its relatives of other widths. */
const typographicBlank = /[\u00a0\u2000-\u200a\u202f]/;
const typographicDash = /[\u2010-\u2015\u2212]/;

function readBlank(state: State): void {
  const { command } = state;
  endWord(state, 1);
  noteOnce(command, 'Its blanks are those of a text processor, and were read as plain ones.');
}

/** A text processor makes one long dash of two. */
function readDash(state: State): void {
  const [dashes, name = ''] = /^[\u2010-\u2015\u2212-]+([\w.-]{0,40})/.exec(
    state.text.slice(state.at, state.at + 60),
  )!;
  const isLong = name.length > 1 && findCurlOption(name) !== null;
  noteOnce(state.command, 'Its dashes are those of a text processor, and were read as plain ones.');
  append(state, isLong ? '--' : '-', state.at + dashes.length - name.length);
}

/** What stands below `<<END` without quotes, with what the shell would put in. */
function fillText(text: string, command: ShellCommand, outer: State): string {
  const inner = createState(text, command, outer);
  inner.commands = outer.commands;
  readInserting(inner, null);
  return inner.word ?? '';
}

function readDouble(state: State, from: number): void {
  append(state, '', from);
  readInserting(state, '"');
  if (state.at >= state.text.length) noteUnclosed(state);
  state.at += 1;
}

function readInserting(state: State, quote: '"' | null): void {
  const { text } = state;
  const escapable = `${quote ?? ''}\\$\``;
  while (state.at < text.length && text[state.at] !== quote) {
    const character = text[state.at]!;
    const next = text[state.at + 1] ?? '';
    if (character === '$') readDollar(state, true);
    else if (character === '`') readOutput(state, findBacktickEnd(text, state.at + 1));
    else if (character !== '\\') append(state, character, state.at + 1);
    else if (next === '\n') state.at += 2;
    else if (next === '\r' && text[state.at + 2] === '\n') state.at += 3;
    else append(state, escapable.includes(next) ? next : `\\${next}`, state.at + 2);
  }
}

function readDollar(state: State, isQuoted = false): void {
  const { text, at } = state;
  const rest = text.slice(at, at + 300);
  if (!isQuoted && rest.startsWith("$'")) {
    const { value, end } = readAnsi(text, at + 2);
    if (end > text.length) noteUnclosed(state);
    return append(state, value, end);
  }
  if (!isQuoted && rest.startsWith('$"')) return readDouble(state, at + 2);
  const expansion = readExpansion(text.slice(at, at + LONGEST_EXPANSION));
  if (expansion !== null) return expand(state, expansion);
  if (rest.startsWith('$(') && !readCat(state)) {
    const close = findSubstitutionEnd(text, at + 2);
    return readOutput(state, close);
  }
  if (state.at === at) append(state, '$', at + 1);
}

function expand(state: State, expansion: Expansion): void {
  const { command, text, at } = state;
  const next = at + expansion.length;
  const { note } = expansion;
  const words = expansion.kind === 'words' ? state.arrays.get(expansion.array ?? '') : undefined;
  if (note !== null && words === undefined) noteOnce(command, note);
  if (expansion.kind === 'own') return append(state, text.slice(at, next), next);
  if (expansion.kind === 'words') return expandWords(state, words ?? [], next);
  const name = nameVariable(expansion.name);
  if (expansion.default !== null && state.depth < maxDepth) {
    command.defaults ??= new Map();
    if (!command.defaults.has(name)) command.defaults.set(name, fillDefault(expansion.default, state));
  }
  append(state, `{{${name}}}`, next);
}

/** Nothing at all is no word, also between quotes. */
function expandWords(state: State, words: readonly string[], next: number): void {
  state.at = next;
  state.room.spend(words.reduce((sum, word) => sum + word.length + ENTRY_CHARACTERS, 0));
  if (words.length === 0 && state.word === '') state.word = null;
  for (const [index, word] of words.entries()) {
    if (index > 0) state.command.words.push(state.word!);
    state.word = index > 0 ? word : (state.word ?? '') + word;
  }
}

/** The text of `${NAME:-text}`, as the shell reads it. */
function fillDefault(given: string, { depth, room, commands, command }: State): string {
  const inner = createState(given.replaceAll('\n', ' '), createCommand(), { depth: depth + 1, room });
  inner.commands = commands;
  inner.command.defaults = command.defaults;
  while (inner.at < inner.text.length) {
    if (/[\s'"\\$`]/.test(inner.text[inner.at]!)) step(inner);
    else append(inner, inner.text[inner.at]!, inner.at + 1);
  }
  endWord(inner, 0);
  return inner.command.words.join(' ');
}

/** `$(cat <<END …)`, `<(cat <<END …)`: a text over several lines, as scripts write their bodies. */
function readCat(state: State): boolean {
  const found = /^[$<]\(\s*cat\s*<<-?[ \t]*(['"\\]?)(\w+)['"]?[ \t]*\r?\n/.exec(
    state.text.slice(state.at, state.at + 300),
  );
  if (found === null) return false;
  const [begin, quote, end = ''] = found;
  const { unclosed } = state;
  if (unclosed.has(end) || unclosed.size === MOST_UNCLOSED) return false;
  const text = state.text.slice(state.at + begin.length);
  const close = new RegExp(`(?:^|\\r?\\n)[ \\t]*${end}\\s*\\)`).exec(text);
  if (close === null) {
    unclosed.add(end);
    return false;
  }
  const whole = text.slice(0, close.index);
  // Where it stands for a file, that has its line ends.
  const isFile = begin.startsWith('<');
  const lines = isFile ? `${whole}\n` : whole.replace(/(?<![\r\n])[\r\n]+$/, '');
  append(
    state,
    (isFile ? INLINE_TEXT : '') + (quote === '' ? fillText(lines, state.command, state) : lines),
    state.at + begin.length + close.index + close[0].length,
  );
  return true;
}

/** What a command would print has no value here; the signature that our own export has made so is the app's. */
function readOutput(state: State, end: number): void {
  const written = state.text.slice(state.at, end);
  if (signing.test(written)) return append(state, '{{signature}}', end);
  const known = readKnownOutput(written);
  // Asked last: the word that stands here is put together anew each time that it is looked at.
  if (known !== null && !isAssigned(state)) return append(state, `{{${known}}}`, end);
  if (state.depth < maxDepth && /\bcurl\b/.test(written)) {
    const inner = splitBash(written.replace(/^[$<]\(|^`|[)`]$/g, ''), state.depth + 1, state.room);
    state.commands.push(...inner.filter((one) => findCurlArguments(one) !== null));
  }
  const what = `What '${quoteFirstWord(written)}' would print is not known here: give {{output}} a value in its place.`;
  noteOnce(state.command, what);
  append(state, '{{output}}', end);
}

/** `<(…)`: a file that has what a command prints. What `>(…)` takes is not for curl. */
function readProcess(state: State): void {
  const { text, at, depth, room } = state;
  const isRead = text[at] === '<';
  if (isRead && readCat(state)) return;
  const end = findSubstitutionEnd(text, at + 2);
  if (!isRead) return void (state.at = end);
  const [only, ...others] = depth < maxDepth ? splitBash(text.slice(at + 2, end - 1), depth + 1, room) : [];
  const printed = only === undefined || others.length > 0 ? null : readFileName(only, state.isInput);
  if (printed === null) {
    append(state, INLINE_TEXT, at);
    return readOutput(state, end);
  }
  for (const what of only!.notes) noteOnce(state.command, what);
  append(state, printed, end);
}

/** `<(cat FILE)` is that file, where no text is wanted. */
function readFileName(command: ShellCommand, isInput: boolean): string | null {
  const [program, path = '-', ...rest] = command.words;
  if (program === 'cat' && !isInput && path !== '-' && rest.length === 0) return path;
  const printed = readPrinted(command);
  return printed === null ? null : INLINE_TEXT + printed;
}

/** A variable that a script sets stays the same for all of its requests; what is drawn does not. */
const isAssigned = ({ word, command }: State): boolean =>
  command.words.every((one) => assignment.test(one) || one === 'export') && assignment.test(word ?? '');
const assignment = /^[A-Za-z_]\w*\+?=/;

/** Finds where an output in backticks ends. */
function findBacktickEnd(text: string, from: number): number {
  const found = text.indexOf('`', from);
  return found === -1 ? text.length : found + 1;
}

/** A signature as our own export has it made: by openssl, over what is piped in. */
const signing = /\|\s*openssl dgst -sha256 -sign\b/;
/** Bytes that no text holds, as our own export writes them. */
const inlineBytes = /^<\(printf %s '([A-Za-z\d+/=]*)' \| openssl base64 -d -A\)/;

/** A token has a name that the shell does not take. */
function nameVariable(name: string): string {
  const product = /^token_(.+)$/.exec(name)?.[1];
  return isProduct(product) ? `token.${product}` : name;
}

/** Finds where `$(…)` ends, quotes and brackets within it passed over. */
function findSubstitutionEnd(text: string, from: number): number {
  const open = ['('];
  for (let at = from; at < text.length; at++) {
    const character = text[at];
    const isQuoted = open.at(-1) === '"';
    if (character === '\\') at += 1;
    else if (character === '"' && isQuoted) open.pop();
    else if (character === '"') open.push('"');
    else if (text.startsWith('$(', at)) {
      open.push('(');
      at += 1;
    } else if (!isQuoted && character === "'") at = findQuoteEnd(text, at);
    else if (!isQuoted && character === '(') open.push('(');
    else if (!isQuoted && character === ')') open.pop();
    if (open.length === 0) return at + 1;
  }
  return text.length;
}

/** `'…'` ends at the next quote, `$'…'` at the next that no backslash is before. */
function findQuoteEnd(text: string, open: number): number {
  const hasEscapes = text[open - 1] === '$';
  for (let at = open + 1; at < text.length; at++) {
    if (hasEscapes && text[at] === '\\') at += 1;
    else if (text[at] === "'") return at;
  }
  return text.length;
}

/** `> file`, `2>&1`, `< file`: not for curl. `<<END` brings what is sent. */
function readRedirection(state: State): void {
  const inline = inlineBytes.exec(state.text.slice(state.at));
  if (inline !== null) return append(state, `${INLINE_BYTES}${inline[1]}`, state.at + inline[0].length);
  if (state.text[state.at + 1] === '(') return readProcess(state);
  const rest = state.text.slice(state.at, state.at + 200);
  const heredoc = /^<<-?[ \t]*(?:'([^']+)'|"([^"]+)"|\\?(\w+))/.exec(rest);
  if (/^\d$/.test(state.word ?? '')) state.word = null;
  endWord(state, 0);
  const isProcess = /^<[ \t]+<\(/.test(rest);
  if (isProcess || rest.startsWith('<<<')) {
    state.isInput = true;
    state.at += isProcess ? 1 : 3;
    return;
  }
  if (heredoc !== null) {
    const isPlain = heredoc[3] === undefined || heredoc[0].includes('\\');
    state.heredocs.push({
      end: heredoc[1] ?? heredoc[2] ?? heredoc[3] ?? '',
      isPlain,
      isIndented: heredoc[0].startsWith('<<-'),
      command: state.command,
    });
    state.at += heredoc[0].length;
    return;
  }
  const simple = /^(?:>>?|<)&?[ \t]*(?:"[^"\n]*"|'[^'\n]*'|(?![<>]\()[^\s;|&"']*)/.exec(rest);
  state.at += Math.max(1, simple?.[0].length ?? 1);
}
