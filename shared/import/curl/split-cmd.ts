import type { ShellCommand } from './shell-command';

/**
 * Splits lines of the Windows command prompt into commands and words.
 *
 * First the carets go, as `cmd.exe` takes them; then the program splits its line itself, by the rules of its C library.
 * @source learn.microsoft.com, Parsing C command-line arguments
 */
export function splitCmd(text: string): ShellCommand[] {
  return takeCarets(text)
    .filter((line) => !/^\s*(?:@?echo\s+off|rem(?:\s|$)|:)/i.test(line))
    .map((line) => ({ words: splitLine(nameVariables(line)), input: null, notes: [] }))
    .filter(({ words }) => words.length > 0);
}

/** `%NAME%` is what the command prompt puts in; `%20` and the like are none. */
function nameVariables(line: string): string {
  return line.replace(/%([A-Za-z_]\w*)%/g, '{{$1}}').replace(/^(\s*set\s+)"(.*)"\s*$/i, '$1$2');
}

/** Gives the commands, without carets; a line end behind a caret goes on, one behind that is part of the text. */
function takeCarets(text: string): string[] {
  const lines: string[] = [];
  let line = '';
  let isQuoted = false;
  const plain = text.replaceAll('\r\n', '\n');
  for (let at = 0; at < plain.length; at++) {
    const character = plain[at]!;
    if (character === '"') isQuoted = !isQuoted;
    if (character === '^' && !isQuoted) {
      at += 1;
      const isContinued = plain[at] === '\n';
      if (isContinued && plain[at + 1] === '\n') at += 1;
      else if (isContinued) continue;
      line += plain[at] ?? '';
    } else if (character === '\n' || (/[&|]/.test(character) && !isQuoted)) {
      lines.push(line);
      line = '';
      isQuoted = false;
    } else line += character;
  }
  return [...lines, line];
}

function countSlashes(line: string, from: number): number {
  let at = from;
  while (line[at] === '\\') at += 1;
  return at - from;
}

const measureRedirection = (rest: string): number =>
  /^[<>]+(?:&\d|[ \t]*(?:"[^"]*"|[^\s"]*))/.exec(rest)?.[0].length ?? 1;

/** Splits one command line; backslashes count only before a quote, and two quotes within quotes are one. */
function splitLine(line: string): string[] {
  const words: string[] = [];
  let word: string | null = null;
  let isQuoted = false;
  for (let at = 0; at < line.length; at++) {
    const slashes = countSlashes(line, at);
    if (slashes > 0) {
      at += slashes - 1;
      const isBeforeQuote = line[at + 1] === '"';
      word = (word ?? '') + '\\'.repeat(isBeforeQuote ? slashes >> 1 : slashes);
      if (isBeforeQuote && slashes % 2 === 1) {
        at += 1;
        word += '"';
      }
    } else if (line[at] === '"') {
      word ??= '';
      if (isQuoted && line[at + 1] === '"') {
        word += '"';
        at += 1;
      } else isQuoted = !isQuoted;
    } else if (!isQuoted && /[<>]/.test(line[at]!)) {
      // Where its output goes to, and what it reads: `2>nul`.
      if (!/^[12]?$/.test(word ?? '')) words.push(word!);
      word = null;
      at += measureRedirection(line.slice(at)) - 1;
    } else if (!isQuoted && /\s/.test(line[at]!)) {
      if (word !== null) words.push(word);
      word = null;
    } else word = (word ?? '') + line[at]!;
  }
  return word === null ? words : [...words, word];
}
