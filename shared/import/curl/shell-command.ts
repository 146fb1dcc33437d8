/** One command of a script, its words as the program gets them. */
export interface ShellCommand {
  words: string[];
  /** What is written below it as `<<END`; null: nothing. */
  input: string | null;
  /** What the shell would have put in and we cannot. */
  notes: string[];
}

/** Programs whose name means curl, wherever they stand. */
const curlName = /(?:^|[\\/])curl(?:\.exe)?$/i;

/** Gives the arguments of curl in a command; null: it calls another program. */
export function findCurlArguments({ words }: ShellCommand): string[] | null {
  const at = words.findIndex((word) => curlName.test(word));
  // `FOO=bar`, `$`, `sudo`, `time`: short words before it. Anything longer is another command's.
  return at === -1 || at > 4 ? null : words.slice(at + 1);
}
