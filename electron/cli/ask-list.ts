import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { AppError } from '@shared/errors';
import { decodeText } from '@shared/csv/decode-text';
import { MAX_LOOKUP_TEXT, readLookupList } from '@shared/lookups/lookup-list';
import { describeLookupRow, runLookups, writeLookupCsv, type LookupRow } from '@shared/lookups/run-lookups';
import { isTerminalState } from '@shared/payments/tables/states';
import { products, type Product } from '@shared/payments/tables/products';
import { exitCodeBySignal, type CommandContext, type EndSignal, type ExitCode } from './command';
import { toPlainLine } from '@shared/plain-text';
import { createStatusQuery } from './query-status';
import { withSession } from './session';
import { exitCodeOf, usageError } from './usage-error';

interface ListValues {
  readonly product?: string | undefined;
  readonly csv: boolean;
  readonly watch: boolean;
  readonly 'watch-ms': number;
  readonly 'per-second': number;
}

/** Asks for many payments in turn: a line, or a row of CSV, each as it is known. */
export async function askList(
  context: CommandContext,
  values: ListValues & Parameters<typeof withSession>[1],
  file: string,
): Promise<ExitCode> {
  const bytes = await context.readInput(file, '--list', { maxBytes: MAX_LOOKUP_TEXT });
  const { items, problems } = readLookupList(decodeText(bytes), 'transaction_reference');
  for (const { line, message } of problems) context.say(`--list line ${line}: ${toPlainLine(message)}`);
  if (items.length === 0) throw usageError('--list: no payment to ask for stands there.');
  const usual = values.product as Product | undefined;
  const printed = new Map<number, string>();
  const faults = new Set<ExitCode>();
  const stop = new AbortController();
  const signal = stop.signal;
  void context.waitForEnd().then((by) => stop.abort(by));
  const waitMs = (ms: number): Promise<void> => wait(ms, undefined, { signal }).catch(() => undefined);
  // Where no product is named each is tried: the rate counts queries.
  let tries = 1;
  const trial = {
    order: products,
    pause() {
      tries += 1;
      return waitMs(1000 / values['per-second']);
    },
  };
  const printCsv = values.csv ? createCsvPrinter(context) : null;
  const rows = await withSession(context, values, (session) =>
    runLookups(items, {
      async ask({ by, value, product }) {
        tries = 1;
        try {
          const query = createStatusQuery(session, product ?? usual, { by, value }, trial);
          return await endWith(query(), signal);
        } catch (error) {
          if (signal.aborted) throw error;
          faults.add(exitCodeOf(error));
          throw error;
        } finally {
          // The list's own pause counts from the first of them.
          if (tries > 1) await trial.pause();
        }
      },
      wait: waitMs,
      isStopped: () => signal.aborted,
      onRow(index, row) {
        const isOver = row.outcome !== 'asking' && (!values.watch || isTerminalState(row.state ?? ''));
        if (isOver) printCsv?.(index, row);
        const told = `${row.outcome} ${row.state ?? ''} ${row.reason ?? ''}`;
        if (values.csv || row.outcome === 'asking' || printed.get(index) === told) return;
        printed.set(index, told);
        printRow(context, row);
      },
      perSecond: values['per-second'],
      watchMs: values.watch ? values['watch-ms'] : null,
      now: () => Date.now(),
      monotonicMs: () => performance.now(),
    }),
  );
  // What a watch left before it was final.
  rows.forEach((row, index) => printCsv?.(index, row));
  const count = (sought: LookupRow['outcome']): number =>
    rows.filter(({ outcome }) => outcome === sought).length;
  const unasked = count('not_asked');
  context.say(
    `${rows.filter(({ outcome, state }) => outcome === 'found' || state !== null).length} of ${rows.length} found.${unasked === 0 ? '' : ` ${unasked} not asked: the list was stopped before their turn.`}`,
  );
  if (signal.aborted) return exitCodeBySignal[signal.reason as EndSignal];
  return judge(rows, { hasProblems: problems.length > 0, faults, isWatching: values.watch });
}

/** Prints the head at once, and of each row what is told first. */
function createCsvPrinter(context: CommandContext): (index: number, row: LookupRow) => void {
  const head = writeLookupCsv([]);
  const printed = new Set<number>();
  context.print(head.trimEnd());
  return (index, row) => {
    if (printed.has(index)) return;
    printed.add(index);
    context.print(writeLookupCsv([row]).slice(head.length).replace(/\r\n$/, ''));
  };
}

/** Waits for an answer, and not for one that is still to come when the list is stopped. */
async function endWith<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
  const stopped = new AbortController();
  const stop = once(signal, 'abort', { signal: stopped.signal }).then(() => {
    throw new AppError('cli.timed_out', 'Asked, and not answered when the list was stopped.');
  });
  try {
    return await Promise.race([answer, stop]);
  } finally {
    stopped.abort();
  }
}

function printRow(context: CommandContext, row: LookupRow): void {
  if (context.isJson) {
    context.printJson(describeLookupRow(row));
    return;
  }
  const told = row.state ?? (row.outcome === 'found' ? 'unknown' : row.outcome.replace('_', ' '));
  context.print(toPlainLine(`${row.value}  ${told}${row.reason === null ? '' : `: ${row.reason}`}`));
}

/** What cannot be asked at all, for want of credentials, is wrong usage here as it is with one payment. */
function judge(
  rows: readonly LookupRow[],
  {
    hasProblems,
    faults,
    isWatching,
  }: { hasProblems: boolean; faults: ReadonlySet<ExitCode>; isWatching: boolean },
): ExitCode {
  if (rows.some(({ outcome }) => outcome === 'not_known')) return faults.has(2) ? 2 : 3;
  const isLeft = rows.some(({ outcome, state }) => outcome === 'found' && !isTerminalState(state ?? ''));
  if (isWatching && isLeft) return 3;
  // As with one payment, a watch asks whether it succeeded.
  const isLost = isWatching && rows.some(({ state }) => state !== 'succeeded');
  return hasProblems || isLost || rows.some(({ outcome }) => outcome === 'not_found') ? 1 : 0;
}
