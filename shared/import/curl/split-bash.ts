import { isProduct } from '../../payments/tables/products';
import { quoteFirstWord } from '../imported';
import { INLINE_BYTES, type ShellCommand } from './shell-command';

/** Where splitting stands. `word` is null between words. */
interface State {
  text: string;
  at: number;
  word: string | null;
  command: ShellCommand;
  commands: ShellCommand[];
  /** `<<END` of this line whose text is still to come. */
  heredocs: { end: string; command: ShellCommand }[];
}

const ansiEscapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\x07',
  b: '\b',
  e: '\x1b',
  E: '\x1b',
  f: '\f',
  v: '\v',
};

const createCommand = (): ShellCommand => ({ words: [], input: null, notes: [] });

/**
 * Splits a script of a POSIX shell into commands and words, as bash does, without running anything.
 *
 * Variables become `{{NAME}}`; what a command would print is noted.
 */
export function splitBash(text: string): ShellCommand[] {
  const state: State = { text, at: 0, word: null, command: createCommand(), commands: [], heredocs: [] };
  while (state.at < text.length) step(state);
  endCommand(state);
  return state.commands;
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
  else if (character === '`') readOutput(state, findEndOf(text, '`', at + 1));
  else if (character === '#' && state.word === null) skipTo(state, '\n');
  else if (/[;|&()]/.test(character)) endCommand(state, 1);
  else if (character === '<' || character === '>') readRedirection(state);
  else append(state, character, at + 1);
}

function append(state: State, text: string, next: number): void {
  state.word = (state.word ?? '') + text;
  state.at = next;
}

function endWord(state: State, width: number): void {
  if (state.word !== null) state.command.words.push(state.word);
  state.word = null;
  state.at += width;
}

function endCommand(state: State, width = 0): void {
  endWord(state, width);
  if (state.command.words.length > 0) state.commands.push(state.command);
  state.command = createCommand();
}

function endLine(state: State): void {
  endCommand(state, 1);
  for (const { end, command } of state.heredocs.splice(0)) {
    const lines: string[] = [];
    for (;;) {
      const feed = state.text.indexOf('\n', state.at);
      const line = state.text.slice(state.at, feed === -1 ? state.text.length : feed);
      state.at = feed === -1 ? state.text.length : feed + 1;
      if (line.trim() === end || (feed === -1 && line === '')) break;
      lines.push(line);
      if (feed === -1) break;
    }
    command.input = lines.map((line) => `${line}\n`).join('');
  }
}

function skipTo(state: State, mark: string): void {
  const found = state.text.indexOf(mark, state.at);
  state.at = found === -1 ? state.text.length : found;
}

function readBackslash(state: State): void {
  const { text, at } = state;
  const continued = /^\\[ \t]*\r?\n/.exec(text.slice(at, at + 20));
  if (continued !== null) {
    // Blanks behind it are a slip of copying: the line goes on all the same.
    if (continued[0].length > 2) endWord(state, 0);
    state.at = at + continued[0].length;
  } else append(state, text[at + 1] ?? '', at + 2);
}

function readSingle(state: State): void {
  const end = state.text.indexOf("'", state.at + 1);
  const close = end === -1 ? state.text.length : end;
  append(state, state.text.slice(state.at + 1, close), close + 1);
}

function readDouble(state: State, from: number): void {
  const { text } = state;
  append(state, '', from);
  while (state.at < text.length && text[state.at] !== '"') {
    const character = text[state.at]!;
    const next = text[state.at + 1] ?? '';
    if (character === '$') readDollar(state, true);
    else if (character === '`') readOutput(state, findEndOf(text, '`', state.at + 1));
    else if (character !== '\\') append(state, character, state.at + 1);
    else if (next === '\n') state.at += 2;
    else if (next === '\r' && text[state.at + 2] === '\n') state.at += 3;
    else append(state, '"\\$`'.includes(next) ? next : `\\${next}`, state.at + 2);
  }
  state.at += 1;
}

function readDollar(state: State, isQuoted = false): void {
  const { text, at } = state;
  const rest = text.slice(at, at + 300);
  if (!isQuoted && rest.startsWith("$'")) return readAnsi(state);
  if (!isQuoted && rest.startsWith('$"')) return readDouble(state, at + 2);
  const variable = /^\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)[^{}]*\})/.exec(rest);
  if (variable !== null) {
    const name = nameVariable(variable[1] ?? variable[2] ?? '');
    return append(state, `{{${name}}}`, at + variable[0].length);
  }
  if (rest.startsWith('$(')) {
    const close = findSubstitutionEnd(text, at + 2);
    return readOutput(state, close);
  }
  append(state, '$', at + 1);
}

/** What a command would print has no value here; the signature that our own export has made so is the app's. */
function readOutput(state: State, end: number): void {
  const written = state.text.slice(state.at, end);
  if (signing.test(written)) return append(state, '{{signature}}', end);
  const what = `What '${quoteFirstWord(written)}' would print is not known here: give {{output}} a value in its place.`;
  state.command.notes.push(what);
  append(state, '{{output}}', end);
}

function findEndOf(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from);
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
  let depth = 1;
  for (let at = from; at < text.length; at++) {
    const character = text[at];
    if (character === '\\') at += 1;
    else if (character === "'") at = findQuoteEnd(text, at);
    else if (character === '(') depth += 1;
    else if (character === ')') depth -= 1;
    if (depth === 0) return at + 1;
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

/** `$'…'`, with the escapes of C. */
function readAnsi(state: State): void {
  const { text } = state;
  append(state, '', state.at + 2);
  while (state.at < text.length && text[state.at] !== "'") {
    if (text[state.at] !== '\\') {
      append(state, text[state.at]!, state.at + 1);
      continue;
    }
    const rest = text.slice(state.at, state.at + 12);
    const bytes = /^(?:\\(?:x[\dA-Fa-f]{1,2}|[0-7]{1,3}))+/.exec(text.slice(state.at, state.at + 4000));
    if (bytes !== null) {
      append(state, readBytes(bytes[0]), state.at + bytes[0].length);
      continue;
    }
    const coded = /^\\(?:u([\dA-Fa-f]{1,4})|U([\dA-Fa-f]{1,8}))/.exec(rest);
    if (coded === null) append(state, ansiEscapes[rest[1] ?? ''] ?? rest[1] ?? '', state.at + 2);
    else append(state, readCode(coded[1] ?? coded[2] ?? ''), state.at + coded[0].length);
  }
  state.at += 1;
}

/** `\xe2\x80\x8b`: bytes of UTF-8, several to a character. */
function readBytes(written: string): string {
  const codes = [...written.matchAll(/\\(?:x([\dA-Fa-f]+)|([0-7]+))/g)].map(([, hex, octal]) =>
    hex === undefined ? Number.parseInt(octal ?? '', 8) & 0xff : Number.parseInt(hex, 16),
  );
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(Uint8Array.from(codes));
}

function readCode(hex: string): string {
  const code = Number.parseInt(hex, 16);
  return code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code);
}

/** `> file`, `2>&1`, `< file`: not for curl. `<<END` brings what is sent. */
function readRedirection(state: State): void {
  const inline = inlineBytes.exec(state.text.slice(state.at));
  if (inline !== null) return append(state, `${INLINE_BYTES}${inline[1]}`, state.at + inline[0].length);
  const rest = state.text.slice(state.at, state.at + 200);
  const heredoc = /^<<-?[ \t]*(?:'([^']+)'|"([^"]+)"|\\?(\w+))/.exec(rest);
  if (/^\d$/.test(state.word ?? '')) state.word = null;
  endWord(state, 0);
  if (heredoc !== null && !rest.startsWith('<<<')) {
    state.heredocs.push({ end: heredoc[1] ?? heredoc[2] ?? heredoc[3] ?? '', command: state.command });
    state.at += heredoc[0].length;
    return;
  }
  const simple = /^(?:>>?|<<<|<)&?[ \t]*(?:"[^"\n]*"|'[^'\n]*'|[^\s;|&"']*)/.exec(rest);
  state.at += Math.max(1, simple?.[0].length ?? 1);
}
