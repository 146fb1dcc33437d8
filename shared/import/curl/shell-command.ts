import { readEscapes } from './ansi-quotes';

/** One command of a script, its words as the program gets them. */
export interface ShellCommand {
  words: string[];
  /** What is written below it as `<<END`; null: nothing. */
  input: string | null;
  /** What pipes into it; null: nothing. */
  source?: ShellCommand | null;
  /** What the shell would have put in and we cannot. */
  notes: string[];
  /** `${NAME:-text}`: what a variable is where nothing gives it. */
  defaults?: Map<string, string>;
}

/** Of a command whose last text does not end: no shell runs it, and what was copied may go on. */
export const UNCLOSED =
  'A quote in it is never closed, so that its end may be missing: copy the whole command.';

/** Programs whose name means curl, wherever they stand. */
const curlName = /(?:^|[\\/])curl(?:\.exe)?$/i;

/** Gives the arguments of curl in a command; null: it calls another program. */
export function findCurlArguments({ words }: ShellCommand): string[] | null {
  const at = words.findIndex((word) => curlName.test(word));
  // `FOO=bar`, `$`, `sudo`, `time`: short words before it. Anything longer is another command's.
  return at === -1 || at > 4 ? null : words.slice(at + 1);
}

/** Of one command; each goes to every request that it sends. */
const MOST_NOTES = 30;

/** Says something of a command, once. */
export function noteOnce({ notes }: ShellCommand, what: string): void {
  if (notes.length < MOST_NOTES && !notes.includes(what)) notes.push(what);
}

/** Stands in place of the name of a file whose bytes are in the command itself, in Base64. */
export const INLINE_BYTES = 'data:;base64,';

/** Stands in place of the name of a file that is what a command prints: `@<(printf …)`. */
export const INLINE_TEXT = 'data:,';

/** Reads `NAME=value`, which a script begins with, and several of them; null: the command is something else. */
export function readAssignments({ words }: ShellCommand): { name: string; value: string }[] | null {
  const isDeclared = /^(?:export|readonly|declare|local|set|typeset)$/i.test(words[0] ?? '');
  const given = words.slice(isDeclared ? 1 : 0).filter((word) => !isDeclared || !/^-[a-z]+$/i.test(word));
  const found = given.map((word) => /^([A-Za-z_]\w*)=(.*)$/s.exec(word));
  if (found.length === 0 || found.includes(null)) return null;
  return found.map((one) => ({ name: one![1] ?? '', value: one![2] ?? '' }));
}

/** Gives what a command prints that only prints; null: it would have to be run. */
export function readPrinted({ words, input }: ShellCommand): string | null {
  const [program, ...rest] = words;
  if (program === 'cat') return rest.length === 0 || rest[0] === '-' ? input : null;
  if (program === 'echo') return printEchoed(rest);
  return program === 'printf' ? printFormatted(rest) : null;
}

function printEchoed(words: readonly string[]): string {
  const options = /^-[neE]+$/.exec(words[0] ?? '')?.[0] ?? '';
  const text = words.slice(options === '' ? 0 : 1).join(' ');
  return (
    (options.lastIndexOf('e') > options.lastIndexOf('E') ? readEscapes(text) : text) +
    (options.includes('n') ? '' : '\n')
  );
}

/** Formats with `%s` alone, each with a value. */
function printFormatted([format = '', ...values]: readonly string[]): string | null {
  const parts = format.split(/(%[s%])/);
  const isPlain = parts.every((part, index) => index % 2 === 1 || !part.includes('%'));
  if (!isPlain || parts.filter((part) => part === '%s').length !== values.length) return null;
  const rest = values.values();
  return parts
    .map((part) => {
      if (part === '%s') return rest.next().value ?? '';
      return part === '%%' ? '%' : readEscapes(part);
    })
    .join('');
}
