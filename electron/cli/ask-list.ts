import { setTimeout as wait } from 'node:timers/promises';
import { MAX_LOOKUP_TEXT, readLookupList } from '@shared/lookups/lookup-list';
import { describeLookupRow, runLookups, writeLookupCsv, type LookupRow } from '@shared/lookups/run-lookups';
import { isTerminalState } from '@shared/payments/tables/states';
import { products, type Product } from '@shared/payments/tables/products';
import type { CommandContext, ExitCode } from './command';
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

/** Asks for many payments in turn: a line each as it is known, or one table at the end. */
export async function askList(
  context: CommandContext,
  values: ListValues & Parameters<typeof withSession>[1],
  file: string,
): Promise<ExitCode> {
  const bytes = await context.readInput(file, '--list', { maxBytes: MAX_LOOKUP_TEXT });
  const { items, problems } = readLookupList(new TextDecoder().decode(bytes), 'transaction_reference');
  for (const { line, message } of problems) context.say(`--list line ${line}: ${toPlainLine(message)}`);
  if (items.length === 0) throw usageError('--list: no payment to ask for stands there.');
  const usual = values.product as Product | undefined;
  // Where no product is named each is tried: the rate counts queries.
  const tries = usual === undefined && items.some(({ product }) => product === null) ? products.length : 1;
  const printed = new Map<number, string>();
  const faults = new Set<ExitCode>();
  const rows = await withSession(context, values, (session) =>
    runLookups(items, {
      async ask({ by, value, product }) {
        try {
          return await createStatusQuery(session, product ?? usual, { by, value })();
        } catch (error) {
          faults.add(exitCodeOf(error));
          throw error;
        }
      },
      wait: (ms) => wait(ms),
      isStopped: () => false,
      onRow(index, row) {
        const told = `${row.outcome} ${row.state ?? ''} ${row.reason ?? ''}`;
        if (values.csv || row.outcome === 'asking' || printed.get(index) === told) return;
        printed.set(index, told);
        printRow(context, row);
      },
      perSecond: values['per-second'] / tries,
      watchMs: values.watch ? values['watch-ms'] : null,
      now: () => performance.timeOrigin + performance.now(),
    }),
  );
  if (values.csv) context.print(writeLookupCsv(rows).trimEnd());
  const found = rows.filter(({ outcome }) => outcome === 'found').length;
  context.say(`${found} of ${rows.length} found.`);
  return judge(rows, { hasProblems: problems.length > 0, faults, isWatching: values.watch });
}

function printRow(context: CommandContext, row: LookupRow): void {
  if (context.isJson) {
    context.printJson(describeLookupRow(row));
    return;
  }
  const told = row.outcome === 'found' ? (row.state ?? 'unknown') : row.outcome.replace('_', ' ');
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
