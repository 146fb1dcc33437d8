import type { ShellCommand } from './shell-command';

/**
 * Splits lines of the Windows command prompt into commands and words.
 *
 * First the carets go, as `cmd.exe` takes them; then the program splits its line itself, by the rules of its C library.
 * @source learn.microsoft.com, Parsing C command-line arguments
 */
export function splitCmd(text: string): ShellCommand[] {
  return takeCarets(nameVariables(text))
    .map((line) => line.replace(/^\s*@?/, ''))
    .filter((line) => !/^(?:echo\s+off|rem(?:\s|$)|:)/i.test(line))
    .map((line) => ({ words: readSet(line) ?? splitLine(line), input: null, notes: [] }))
    .filter(({ words }) => words.length > 0);
}

/** `%NAME%` is what the command prompt puts in, `%%` a percent sign; `%C3%A9` of an address is a letter. */
function nameVariables(text: string): string {
  return text.replace(
    /%%|%(?:[cd][\da-f]%[89ab][\da-f]|e[\da-f](?:%[89ab][\da-f]){2}|f[\da-f](?:%[89ab][\da-f]){3})|%([a-z_]\w*)%/gi,
    (whole, name: string | undefined) => {
      if (whole === '%%') return '%';
      return name === undefined ? whole : `{{${name}}}`;
    },
  );
}

/** `set NAME=all that follows`, or as much as stands in quotes. */
function readSet(line: string): string[] | null {
  const found = /^(set)\s+(?:"([^"]*)"|(\w+=.*))$/is.exec(line.trimEnd());
  return found === null ? null : [found[1]!, found[2] ?? found[3]!];
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
    } else if (
      character === '\n' ||
      (!isQuoted && !isRemark(line) && endsCommand(character, plain[at - 1]))
    ) {
      lines.push(line);
      line = '';
      isQuoted = false;
    } else line += character;
  }
  return [...lines, line];
}

/** It is looked at again at each mark: of a line that begins with more blanks nobody asks. */
const LONGEST_START = 200;

/** A remark with a word, and a label, go to the end of their line; behind `rem` alone a command may stand. */
const isRemark = (line: string): boolean => /^\s*(?:@?rem\s+[^\s&|]|@?:)/i.test(line.slice(0, LONGEST_START));

/** Behind `>` it is one stream that goes into another: `2>&1`. */
const endsCommand = (character: string, before: string | undefined): boolean =>
  character === '|' || (character === '&' && before !== '>' && before !== '<');

function countSlashes(line: string, from: number): number {
  let at = from;
  while (line[at] === '\\') at += 1;
  return at - from;
}

const measureRedirection = (rest: string): number =>
  /^[<>]+(?:&\d|[ \t]*(?:"[^"]*"|[^\s"]*))/.exec(rest)![0].length;

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
