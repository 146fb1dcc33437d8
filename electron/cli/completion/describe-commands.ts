import type { Command } from '../command';
import { commandList } from '../command-list';
import { listOptions, namesPath, type OptionSpec } from '../option-table';

/** A command with its name and every option that it takes. */
export interface DescribedCommand extends Pick<Command, 'usage' | 'positionals'> {
  /** One or two words. */
  readonly name: string;
  /** A few words, as the overview has them. */
  readonly title: string;
  readonly summary: string;
  readonly notes: readonly string[];
  readonly options: readonly (readonly [name: string, spec: OptionSpec])[];
}

/** Loads every command for what is written of all of them: completion, the manual. */
export async function describeCommands(): Promise<DescribedCommand[]> {
  const describe = async ([name, listed]: [string, (typeof commandList)[string]]) => {
    const { usage, summary, notes = [], options, positionals } = (await listed.load()).command;
    const all = Object.entries<OptionSpec>(listOptions(options));
    return { name, title: listed.summary, usage, summary, notes, options: all, positionals };
  };
  return Promise.all(Object.entries(commandList).map(describe));
}

/** First words with the second words that may follow: `key`: `generate`, `inspect` … */
export function groupCommands(commands: readonly DescribedCommand[]): Map<string, DescribedCommand[]> {
  const groups = new Map<string, DescribedCommand[]>();
  for (const command of commands) {
    const [first, second] = command.name.split(' ') as [string, string?];
    if (second === undefined) continue;
    groups.set(first, [...(groups.get(first) ?? []), command]);
  }
  return groups;
}

/** What the first word may be, with a few words on each. */
export function listFirstWords(commands: readonly DescribedCommand[]): [word: string, title: string][] {
  const groups = groupCommands(commands);
  const single = commands.filter(({ name }) => !name.includes(' '));
  const names = new Map(single.map(({ name, title }): [string, string] => [name, title]));
  for (const [first, members] of groups) {
    if (!names.has(first)) names.set(first, members.map(({ name }) => name.split(' ')[1]).join(', '));
  }
  return [...names, ['help', 'Tell how a command is used']];
}

/** The options that stand where a command's name does. */
export const FIRST_OPTIONS = [
  ['help', 'List the commands'],
  ['version', 'Tell the version'],
] as const;

export function secondWord({ name }: DescribedCommand): string {
  return name.split(' ')[1] ?? '';
}

/** What a shell offers for the value of an option. */
export type OfferedKind = 'choices' | 'files' | 'environments' | 'nothing';

/** Tells it by the list, by the option's name, or by what stands for the value in the help. */
export function kindOfValue(name: string, { choices, placeholder = '' }: OptionSpec): OfferedKind {
  if (choices !== undefined) return 'choices';
  if (name === 'env') return 'environments';
  return namesPath(placeholder) ? 'files' : 'nothing';
}

/**
 * The names of environments in the folder at hand and in those below it, as the program writes their files; `local` is always one.
 *
 * The files are whose the folder is: what is no letter, digit, dot, dash or underscore may be a command to the shell, bash runs it
 * where it offers it, and is left out. Read is a file alone, no device, and of many and large ones a part.
 */
export const listEnvironments =
  "printf '%s\\n' local; n=0; for f in ./http-client*.env.json ./*/http-client*.env.json; do n=$((n+1)); " +
  '[ $n -gt 100 ] && break; [ -f "$f" ] && head -c 262144 "$f" | ' +
  'sed -n \'s/^  "\\([[:alnum:]_][[:alnum:]._-]*\\)": *{.*/\\1/p\'; done 2>/dev/null';
