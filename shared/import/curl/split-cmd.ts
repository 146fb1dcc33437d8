import { requireRoomForCommands } from '../imported';
import { noteOnce, type ShellCommand } from './shell-command';

/**
 * Splits lines of the Windows command prompt into commands and words.
 *
 * First the carets go, as `cmd.exe` takes them; then the program splits its line itself, by the rules of its C library.
 * @source learn.microsoft.com, Parsing C command-line arguments
 */
export function splitCmd(text: string): ShellCommand[] {
  const told = new Map<string, string>();
  const isOfBrowser = /\^"|""/.test(text);
  return takeCarets(nameVariables(text, told))
    .map((line) => line.replace(/^\s*@?/, ''))
    .filter((line) => !/^(?:echo\s+off|rem(?:\s|$)|:)/i.test(line))
    .map((line) => {
      const words = readSet(line) ?? splitLine(line);
      const command: ShellCommand = { words, input: null, notes: [] };
      const names = told.size === 0 ? [] : words.flatMap((word) => word.match(/\{\{\w+\}\}/g) ?? []);
      for (const one of names.flatMap((name) => told.get(name) ?? [])) noteOnce(command, one);
      if (isOfBrowser && words.some(hasDoubledSlashes)) noteOnce(command, describeDoubled);
      return command;
    })
    .filter(({ words }) => words.length > 0);
}

const describeDoubled = String.raw`Browsers write each backslash twice when they copy for the command prompt, and curl sends both: if this was copied there, the browser sent \n where its body has \\n. Take one of each two out.`;

/** Of a JSON: each backslash in it that escapes no quote stands twice, which a text that somebody typed hardly has. */
function hasDoubledSlashes(word: string): boolean {
  if (!/^\s*[[{]/.test(word)) return false;
  const runs = Array.from(word.matchAll(/(\\+)(.?)/gs))
    .filter(([, , behind]) => behind !== '"')
    .map(([, run = '']) => run.length);
  return runs.length > 0 && runs.every((length) => length % 2 === 0);
}

/** What the command prompt puts in, but for `%C3%A9`, which is a letter of an address, and `%1f`, a character of one. */
const putIn = new RegExp(
  [
    '%%',
    '%(?:[cd][\\da-f]%[89ab][\\da-f]|e[\\da-f](?:%[89ab][\\da-f]){2}|f[\\da-f](?:%[89ab][\\da-f]){3})',
    '%(?<name>[a-z_]\\w*)(?<change>:[^%\\r\\n]{1,100})?%',
    '%~?(?<all>\\*)',
    '%(?:~[a-z]{0,8})?(?<digit>\\d)(?![\\da-f])',
  ].join('|'),
  'gi',
);

/**
 * Writes `%NAME%` as a variable, and `%%` as a percent sign.
 * @param told - takes what is to be said of a variable, by its name in braces
 */
function nameVariables(text: string, told: Map<string, string>): string {
  return text.replace(putIn, (whole, ...rest) => {
    const { name, change, all, digit } = rest.at(-1) as Partial<Record<string, string>>;
    if (whole === '%%') return '%';
    if (name !== undefined) {
      // What lies between `%2F:` and the next escape of an address is no name.
      if (change !== undefined && /^[\da-f]{2}$/i.test(name)) return whole;
      if (change !== undefined)
        told.set(
          `{{${name}}}`,
          `What the command prompt makes of '${whole.slice(0, 60)}' is not made here: {{${name}}} stands in its place as it is.`,
        );
      return `{{${name}}}`;
    }
    if (all === undefined && digit === undefined) return whole;
    const argument = all === undefined ? `{{argument_${digit}}}` : '{{arguments}}';
    told.set(argument, `'${whole}' is what its batch file is called with: give ${argument} that value.`);
    return argument;
  });
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
  let begin = 0;
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
      (!isQuoted && endsCommand(character, plain[at - 1]) && !isRemark(plain.slice(begin, at)))
    ) {
      requireRoomForCommands(lines.push(line));
      line = '';
      begin = at + 1;
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
    } else if (!isQuoted && /[ \t]/.test(line[at]!)) {
      if (word !== null) words.push(word);
      word = null;
    } else word = (word ?? '') + line[at]!;
  }
  return word === null ? words : [...words, word];
}
