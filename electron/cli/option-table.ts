import { parseArgs } from 'node:util';
import { findCloseWord } from '@shared/find-close-word';
import { usageError } from './usage-error';

/** One option of a command, as `--help` shows it and as it is checked. */
export interface OptionSpec {
  /** Left out: a text. */
  readonly type?: 'integer' | 'flag';
  /** What stands for the value in the help: `FILE`; see `nameValue`. */
  readonly placeholder?: string;
  readonly help: string;
  readonly isRequired?: boolean;
  /** May be given several times; the values come as a list. */
  readonly isList?: boolean;
  readonly choices?: readonly string[];
  readonly min?: number;
  readonly max?: number;
  readonly fallback?: string | number;
  /** An empty value says something; elsewhere it is a variable that was never set, and refused. */
  readonly mayBeEmpty?: boolean;
}
export type OptionTable = Readonly<Record<string, OptionSpec>>;

type Plain<S extends OptionSpec> = S extends { type: 'flag' }
  ? boolean
  : S extends { type: 'integer' }
    ? number
    : string;
type IsGiven<S extends OptionSpec> = S extends { isRequired: true }
  ? true
  : S extends { fallback: string | number }
    ? true
    : S extends { type: 'flag' }
      ? true
      : false;

/** What stands for the value of an option in the help and in what shells complete. */
export const nameValue = ({ type, placeholder = type === 'integer' ? 'N' : 'VALUE' }: OptionSpec): string =>
  placeholder;

/** Values by option name, in the types that the table tells. */
export type OptionValues<T extends OptionTable> = {
  readonly [K in keyof T]: T[K] extends { isList: true }
    ? readonly string[]
    : IsGiven<T[K]> extends true
      ? Plain<T[K]>
      : Plain<T[K]> | undefined;
};

/** Positional arguments of a command. */
export interface PositionalSpec {
  readonly name: string;
  readonly isRequired: boolean;
  readonly help: string;
  readonly choices?: readonly string[];
  /** The last one: any number may follow. */
  readonly isList?: boolean;
}

export interface ParsedArguments {
  values: Record<string, unknown>;
  positionals: string[];
  wantsHelp: boolean;
  isJson: boolean;
}

/** Options that every command has. */
const commonOptions = {
  json: { type: 'flag', help: 'Machine-readable lines on stdout; an error is one on stderr' },
  help: { type: 'flag', help: 'Show this help' },
} satisfies OptionTable;

/** All options that a command takes; one may say in its own words what a common one means to it. */
export function listOptions(table: OptionTable): OptionTable {
  return { ...table, ...commonOptions, ...table };
}

function parse(args: readonly string[], table: OptionTable) {
  const options = Object.fromEntries(
    Object.entries(table).map(([name, spec]) => [
      name,
      {
        type: spec.type === 'flag' ? ('boolean' as const) : ('string' as const),
        multiple: spec.type !== 'flag',
        ...(name === 'help' ? { short: 'h' } : {}),
      },
    ]),
  );
  try {
    return parseArgs({ args: joinValues(args, table), options, allowPositionals: true, strict: true });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (!code.startsWith('ERR_PARSE_ARGS')) throw error;
    throw usageError(describeParseError(error as Error, table));
  }
}

/**
 * Joins an option and its value, so that a value may begin with a dash: a signature in URL-safe Base64, a negative
 * number. What begins with two is taken for an option that somebody forgot the value of.
 */
function joinValues(args: readonly string[], table: OptionTable): string[] {
  const joined: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    const value = args[at + 1];
    const name = arg.slice(2);
    if (arg === '--') return [...joined, ...args.slice(at)];
    const takesValue = arg.startsWith('--') && Object.hasOwn(table, name) && table[name]?.type !== 'flag';
    if (takesValue && value !== undefined && !value.startsWith('--')) {
      joined.push(`${arg}=${value}`);
      at++;
    } else joined.push(arg);
  }
  return joined;
}

/** Node's messages name the flag but run over several sentences; one is enough. */
function describeParseError(error: Error, table: OptionTable): string {
  const flag = /'(?:-\w, )?(-{1,2}[^' <]+)/.exec(error.message)?.[1] ?? 'an option';
  if (error.message.startsWith('Unknown option')) {
    const close = flag.startsWith('--') ? findCloseWord(flag.slice(2), Object.keys(table)) : null;
    return `There is no option ${flag} here.${close === null ? '' : ` Did you mean --${close}?`}`;
  }
  if (error.message.includes('does not take an argument')) return `${flag} takes no value.`;
  if (error.message.includes('ambiguous'))
    return `${flag} needs a value. One that begins with - is written ${flag}=VALUE.`;
  return `${flag} needs a value.`;
}

function readInteger(name: string, text: string, spec: OptionSpec): number {
  const value = /^(?!-0+$)-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  const { min = 0, max = Number.MAX_SAFE_INTEGER } = spec;
  if (Number.isNaN(value) || value < min || value > max) {
    const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
    throw usageError(`--${name} takes a whole number ${range}, not '${text.slice(0, 40)}'.`);
  }
  return value;
}

const describeChoices = (choices: readonly string[] | undefined): string =>
  choices === undefined ? '' : `: one of ${choices.join(', ')}`;

function describeMissing(name: string, spec: OptionSpec): string {
  return `--${name} ${nameValue(spec)} is missing${describeChoices(spec.choices)}.`;
}

function requireChoice(name: string, choices: readonly string[] | undefined, text: string): void {
  if (choices === undefined || choices.includes(text)) return;
  throw usageError(`${name} is one of ${choices.join(', ')}, not '${text.slice(0, 40)}'.`);
}

/** Whether what stands for a value in the help is a file or a folder. */
export const namesPath = (placeholder: string): boolean => /FILE|DIR|PEM/.test(placeholder);

/** A path may begin so, but nobody means it: `--data file:///x` would make a folder that is called `file:`. */
function refuseAddress(name: string, placeholder: string, texts: readonly string[]): void {
  if (namesPath(placeholder) && texts.some((text) => /^[a-z][a-z\d+.-]+:\/\//i.test(text)))
    throw usageError(`${name} takes a path on this machine, not an address.`);
}

function readOption(name: string, spec: OptionSpec, given: unknown): unknown {
  if (spec.type === 'flag') return given === true;
  const texts = (given ?? []) as string[];
  // `--data ""` (a variable that is not set) must not become the folder that one happens to be in.
  if (spec.mayBeEmpty !== true && texts.includes(''))
    throw usageError(`--${name} is empty${describeChoices(spec.choices)}.`);
  for (const text of texts) requireChoice(`--${name}`, spec.choices, text);
  refuseAddress(`--${name}`, spec.placeholder ?? '', texts);
  if (spec.isList) return texts;
  if (texts.length > 1) throw usageError(`--${name} is given ${texts.length} times; once is enough.`);
  const [text] = texts;
  if (text === undefined) {
    if (spec.isRequired) throw usageError(describeMissing(name, spec));
    return spec.fallback;
  }
  if (spec.type === 'integer') return readInteger(name, text, spec);
  return text;
}

/**
 * Reads the arguments of one command against its tables.
 *
 * @throws {AppError} `cli.usage` with one line that names the flag
 */
export function parseArguments(
  args: readonly string[],
  table: OptionTable,
  positionals: readonly PositionalSpec[],
): ParsedArguments {
  const all = listOptions(table);
  const parsed = parse(args, all);
  const found = { wantsHelp: parsed.values['help'] === true, isJson: parsed.values['json'] === true };
  if (found.wantsHelp) return { ...found, values: {}, positionals: [] };
  if (parsed.positionals.length > positionals.length && positionals.at(-1)?.isList !== true) {
    const extra = parsed.positionals[positionals.length] ?? '';
    throw usageError(`'${extra.slice(0, 80)}' is one argument too many.`);
  }
  // `run ""` would run what the folder holds that one is in.
  parsed.positionals.forEach((text, index) => {
    const { name, choices } = positionals[index] ?? positionals.at(-1)!;
    if (text === '') throw usageError(`${name} is empty${describeChoices(choices)}.`);
    requireChoice(name, choices, text);
    refuseAddress(name, name, [text]);
  });
  const missing = positionals.find((one, index) => one.isRequired && parsed.positionals[index] === undefined);
  if (missing) throw usageError(`${missing.name} is missing${describeChoices(missing.choices)}.`);
  const values = Object.fromEntries(
    Object.entries(table).map(([name, spec]) => [name, readOption(name, spec, parsed.values[name])]),
  );
  return { ...found, values, positionals: parsed.positionals };
}
