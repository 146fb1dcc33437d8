import type { OptionTable, OptionValues, PositionalSpec } from './option-table';

/** What a command has to work with: its streams, and whether `--json` was asked for. */
export interface CommandContext {
  readonly isJson: boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** One line on stdout: data. */
  print(line: string): void;
  /** One JSON line on stdout. */
  printJson(value: unknown): void;
  /** Lines on stdout, as fast as they are read there: for what may be long. */
  printEach(lines: AsyncIterable<string> | Iterable<string>): Promise<void>;
  /** Whether stdout takes more now: what is written while it does not waits in memory. */
  isRead(): boolean;
  /** What was written to stdout and not taken yet, in bytes. */
  unreadBytes(): number;
  /** One line on stderr: progress, remarks; with `--json` it is `{"event":"remark","message"}`. */
  say(line: string): void;
  /** Says for a terminal what a service says for every host; `say` does by itself. */
  inWords(text: string): string;
  /** Bytes of a file, `-` is standard input. @throws {AppError} `cli.unreadable_file`, `cli.file_too_large` */
  readInput(file: string, flag: string, options?: { maxBytes?: number }): Promise<Uint8Array>;
  /** Asks the person at the terminal. @returns null where there is nobody, or no answer */
  ask(question: string): Promise<string | null>;
  /** Resolves at one of {@link endSignals}, with it. */
  waitForEnd(): Promise<EndSignal>;
}

/** Exit code: 0 done, 1 the thing asked about is false, 3 not reachable in time, 130 ended by Ctrl+C, 143 by SIGTERM, 129 with its terminal, 141 by a reader that left. Wrong usage is thrown. */
export type ExitCode = 0 | 1 | 2 | 3 | 129 | 130 | 141 | 143;

/** What asks a program to end; the last comes where its terminal is closed. */
export const endSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export type EndSignal = (typeof endSignals)[number];

/** What shells, schedulers and build servers know the end by a signal by: 128 and its number. */
export const exitCodeBySignal = {
  SIGHUP: 129,
  SIGINT: 130,
  SIGTERM: 143,
  SIGPIPE: 141,
} as const satisfies Record<EndSignal | 'SIGPIPE', ExitCode>;

/** One command, loaded only when it is called. */
export interface Command {
  readonly usage: string;
  readonly summary: string;
  /** Further lines of the help. */
  readonly notes?: readonly string[];
  readonly options: OptionTable;
  readonly positionals: readonly PositionalSpec[];
  /** It goes on to its end though nobody reads its output any more, and its exit code stays true. */
  readonly outlivesReader?: boolean;
  run(
    context: CommandContext,
    values: Readonly<Record<string, unknown>>,
    positionals: readonly string[],
  ): Promise<ExitCode>;
}

/** Declares a command; exists so that `values` has the types of its option table. */
export function defineCommand<const T extends OptionTable>(
  command: Omit<Command, 'options' | 'run' | 'positionals'> & {
    options: T;
    positionals?: readonly PositionalSpec[];
    run(context: CommandContext, values: OptionValues<T>, positionals: readonly string[]): Promise<ExitCode>;
  },
): Command {
  return { positionals: [], ...command, run: command.run as Command['run'] };
}
