import type { ShellCommand } from './shell-command';

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
  if (variable !== null) return append(state, `{{${variable[1] ?? variable[2]}}}`, at + variable[0].length);
  if (rest.startsWith('$(')) {
    state.command.notes.push('What `$(…)` would print is not known here, and stands as it was written.');
    const end = text.indexOf(')', at);
    const close = end === -1 ? text.length : end + 1;
    return append(state, text.slice(at, close), close);
  }
  append(state, '$', at + 1);
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
    const coded = /^\\(?:u([\dA-Fa-f]{1,4})|U([\dA-Fa-f]{1,8})|x([\dA-Fa-f]{1,2})|([0-7]{1,3}))/.exec(rest);
    if (coded === null) append(state, ansiEscapes[rest[1] ?? ''] ?? rest[1] ?? '', state.at + 2);
    else append(state, readCode(coded), state.at + coded[0].length);
  }
  state.at += 1;
}

function readCode([, short, long, byte, octal]: RegExpExecArray): string {
  const code =
    octal === undefined ? Number.parseInt(short ?? long ?? byte ?? '', 16) : Number.parseInt(octal, 8);
  return code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code);
}

/** `> file`, `2>&1`, `< file`: not for curl. `<<END` brings what is sent. */
function readRedirection(state: State): void {
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
