import { AppError, toErrorReply } from '@shared/errors';
import { findCloseWord } from '@shared/find-close-word';
import { describeWriteFault, fullDisk } from '../platform/files/write-faults';
import { letGoOfTerminals } from '../platform/let-go-of-terminals';
import { redactText } from '../platform/redact';
import { createArgumentMask } from './argument-secrets';
import { endSignals, exitCodeBySignal, type CommandContext, type EndSignal, type ExitCode } from './command';
import { commandList, findCommand, suggestCommand } from './command-list';
import { guardEnd } from './guard-end';
import { createLineWriter } from './line-writer';
import { parseArguments } from './option-table';
import { toPlainJson, toPlainLine, toPlainText } from '@shared/plain-text';
import { readVersion } from './read-version';
import { sayRemarksBy } from './remark';
import { describeForTerminal, toTerminalWords } from './terminal-words';
import { trimVariables } from './trim-variables';
import { exitCodeOf, usageError } from './usage-error';
import { writeWholly } from './write-wholly';

/** A second signal this long after the first means 'now', however much is left to close. */
const patienceMs = 1000;

/** Whether a command that runs until one of the signals has heard one. */
let isAskedToEnd = false;

function waitForEnd(): Promise<EndSignal> {
  return new Promise((resolve) => {
    let firstAt: number | null = null;
    const end = (signal: EndSignal): void => {
      // The settings store sends the signal once more when it has heard it: that one must not end us half closed.
      if (firstAt !== null && performance.now() - firstAt > patienceMs)
        process.exit(exitCodeBySignal[signal]);
      firstAt ??= performance.now();
      isAskedToEnd = true;
      resolve(signal);
    };
    for (const signal of endSignals) process.on(signal, end);
  });
}

const lines = createLineWriter(process.stdout, process.stderr);

async function* eachPlain(made: AsyncIterable<string> | Iterable<string>): AsyncGenerator<string> {
  for await (const line of made) yield toPlainText(line);
}

function createContext(isJson: boolean): CommandContext {
  return {
    isJson,
    environment: process.env,
    print: (line) => lines.out(toPlainText(line)),
    printJson: (value) => lines.out(toPlainJson(value)),
    printEach: (made) => lines.each(eachPlain(made)),
    isRead: lines.isRead,
    unreadBytes: () => process.stdout.writableLength,
    say: (line) => {
      const said = maskArguments(toTerminalWords(line));
      // What came from elsewhere, the name of a file or a word of an answer, makes no line of its own.
      lines.err(isJson ? toPlainJson({ event: 'remark', message: said }) : toPlainLine(said));
    },
    inWords: toTerminalWords,
    readInput: async (file, flag, options) => (await import('./read-input')).readInput(file, flag, options),
    ask: async (question) => (await import('./ask-person')).askPerson(toPlainText(question)),
    waitForEnd,
  };
}

async function runCommand(name: string, args: readonly string[]): Promise<ExitCode> {
  const { command } = await commandList[name]!.load();
  const parsed = parseArguments(args, command.options, command.positionals);
  isJson = parsed.isJson;
  const context = createContext(parsed.isJson);
  sayRemarksBy(context.say);
  outlivesReader = command.outlivesReader === true;
  if (parsed.wantsHelp) {
    const { printCommandHelp } = await import('./print-help');
    context.print(printCommandHelp(command));
    return 0;
  }
  return command.run(context, parsed.values, parsed.positionals);
}

async function run(args: readonly string[]): Promise<ExitCode> {
  const [first] = args;
  if (first === '--version' || first === '-V') {
    process.stdout.write(`${readVersion()}\n`);
    return 0;
  }
  const wantsHelp = first === '--help' || first === '-h' || first === 'help';
  const wanted = first === 'help' ? args.slice(1) : args;
  const found = findCommand(wanted);
  if (found !== null && 'name' in found) {
    return runCommand(found.name, first === 'help' ? ['--help'] : found.rest);
  }
  const isGroupHelp =
    found !== null && (first === 'help' || wanted.includes('--help') || wanted.includes('-h'));
  if (isGroupHelp || (wantsHelp && wanted.every((word) => word === first))) {
    const { printOverview } = await import('./print-help');
    process.stdout.write(`${printOverview(found?.group)}\n`);
    return 0;
  }
  throw usageError(describeUnknown(wanted, found?.group ?? []));
}

/** Says what is wrong with words that are no command, and what may have been meant. */
function describeUnknown(wanted: readonly string[], group: readonly string[]): string {
  const [first, second] = wanted;
  if (first === undefined) return 'Name a command; countersign --help lists them.';
  const isLikeVersion = first.startsWith('--') && findCloseWord(first.slice(2), ['version']) !== null;
  if (isLikeVersion || first === '-v' || first === 'version')
    return `The version is told by countersign --version, not by '${first}'.`;
  if (first.startsWith('-')) {
    return `The command comes first: countersign COMMAND ${first.slice(0, 80)}. countersign --help lists them.`;
  }
  const isSecondGiven = second !== undefined && !second.startsWith('-');
  if (group.length > 0 && !isSecondGiven)
    return `Say which: ${group.map((name) => `countersign ${name}`).join(', ')}.`;
  const typed = group.length > 0 ? `${first} ${second}` : first;
  const close = suggestCommand(wanted);
  const list = group.length > 0 ? `countersign ${first} --help` : 'countersign --help';
  const meant = close === null ? '' : ` Did you mean countersign ${close}?`;
  return `There is no command '${typed.slice(0, 80)}'.${meant} ${list} lists them.`;
}

/** Whether `--json` was asked for; words that are no command, or are refused, tell it, too. */
let isJson = false;

/** Masks what is secret of the arguments, wherever one is quoted. */
let maskArguments = (text: string): string => text;

const asksForJson = (args: readonly string[]): boolean => {
  const end = args.indexOf('--');
  return (end < 0 ? args : args.slice(0, end)).includes('--json');
};

/** One line on stderr whatever happened: a sentence, or with `--json` an object with the same. */
function reportError(error: unknown): ExitCode {
  const { code, message, details, retryable } = toErrorReply(error);
  const words = describeForTerminal({ code, message, details }, process.env).replace(/(?<!\s)\s*\n\s*/g, ' ');
  const said = maskArguments(words);
  const told = { event: 'error', code, message: said, exit_code: exitCodeOf(error), retryable, details };
  const toMasked = (_name: string, value: unknown): unknown =>
    typeof value === 'string' ? maskArguments(value) : value;
  lines.err(
    isJson
      ? toPlainJson(JSON.parse(JSON.stringify(told, toMasked)))
      : `countersign: ${toPlainText(said)} (${code})`,
  );
  if (code === 'app.internal' && process.env['COUNTERSIGN_DEBUG'] === '1') {
    lines.err(
      maskArguments(redactText(error instanceof Error ? (error.stack ?? error.message) : String(error))),
    );
  }
  return exitCodeOf(error);
}

let outlivesReader = false;

/** Who read stdout and left before its end. */
let gone: 'reader' | 'terminal' | null = null;

/** Why stdout takes no more, once it does not. */
let outputFault: AppError | null = null;

/** A terminal that was closed takes nothing more. */
const isTerminalGone = ({ code }: NodeJS.ErrnoException): boolean => code === 'EIO' && process.stdout.isTTY;

function noteOutputFault(error: NodeJS.ErrnoException): void {
  const { code = '' } = error;
  const leaving = code === 'EPIPE' ? 'reader' : isTerminalGone(error) ? 'terminal' : null;
  gone ??= leaving;
  if (outputFault !== null || leaving !== null || code === 'ERR_STREAM_DESTROYED') return;
  const why = fullDisk.has(code) ? 'no space is left on its disk' : describeWriteFault(code).why;
  outputFault = new AppError(
    'cli.unwritable_file',
    `Cannot write to standard output: ${why}. What stands there is not whole.`,
  );
  reportError(outputFault);
}

/**
 * A reader that left (`| head`) ends the program quietly, a disk that is full ends it with a word, but for what others rely
 * on to be done.
 */
function leaveWithReader(error: NodeJS.ErrnoException): void {
  const isFirst = gone === null;
  noteOutputFault(error);
  if (outlivesReader) return;
  if (!isTerminalGone(error)) process.exit(codeOfOutput());
  // It is told by a signal, too, perhaps later: the end is in order either way.
  if (isFirst) process.kill(process.pid, 'SIGHUP');
}

/** What a command ends with that did all it was to do, by what became of what it printed: of one that runs until then, its terminal's end is its own. */
function codeOfOutput(): ExitCode {
  if (outputFault !== null) return exitCodeOf(outputFault);
  if (gone === null || outlivesReader || (gone === 'terminal' && isAskedToEnd)) return 0;
  return exitCodeBySignal[gone === 'terminal' ? 'SIGHUP' : 'SIGPIPE'];
}

/** Runs the command line and ends the process with its exit code; no error gets past here as a stack trace. */
export async function runCli(args: readonly string[]): Promise<void> {
  // The database's loader asks for a report to learn the C library; looking up host names for it takes long.
  if (process.report !== undefined) Object.assign(process.report, { excludeNetwork: true });
  writeWholly(process.stdout, 1);
  process.stdout.on('error', leaveWithReader);
  // Nobody can be told; what was asked for is done all the same.
  process.stderr.on('error', () => undefined);
  process.on('exit', lines.flush);
  letGoOfTerminals();
  isJson = asksForJson(args);
  maskArguments = createArgumentMask(args);
  trimVariables(process.env);
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error) => process.exit(reportError(error)));
  }
  const settle = guardEnd(reportError);
  const code = await run(args).catch(reportError);
  settle();
  lines.flush();
  // What was written must be out before the process ends, on pipes that are slow, too.
  process.stdout.write('', (error) => {
    if (error) noteOutputFault(error);
    process.exit(code === 0 ? codeOfOutput() : code);
  });
}
