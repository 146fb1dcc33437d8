import { AppError } from '@shared/errors';
import type { foresee } from '@shared/run/find-missing-values';
import { foreseePayments, NOT_KNOWN_YET } from '@shared/run/foresee-payments';
import type { RunPlan, RunRequest } from '@shared/run/plan-run';
import type { DataTable } from '../../services/running/data-rows';

/** A run of rows, before it begins. */
interface RowsRun {
  readonly plan: RunPlan;
  readonly table: Pick<DataTable, 'file' | 'rows'>;
  readonly iterations: number;
  readonly values: Parameters<typeof foresee>[1];
}

/** The payments of one row by their references, as far as these are known before the run. */
function readReferences(
  { plan, values }: RowsRun,
  cells: Readonly<Record<string, string>>,
): Map<string, RunRequest> {
  const named = Object.entries(cells).map(([name, value]) => [`row.${name}`, value] as const);
  const given = { ...values.given, ...Object.fromEntries(named) };
  const found = new Map<string, RunRequest>();
  for (const { request, payment } of foreseePayments(plan, { ...values, given })) {
    const reference = payment?.reference ?? '';
    if (reference !== '' && reference !== NOT_KNOWN_YET) found.set(reference, request);
  }
  return found;
}

/**
 * Refuses, before anything is sent, a reference that two rows have: nobody could say which of the two was paid.
 *
 * Two requests of one row may share theirs: whoever wrote them tries what happens then. What is drawn, or comes with an
 * answer, is compared as it leaves.
 * @throws {AppError} `running.bad_data`
 */
export async function refuseRepeated(run: RowsRun): Promise<void> {
  const { table, iterations } = run;
  const rows = new Map<string, number>();
  let first: AppError | null = null;
  let count = 0;
  for await (const { number, values } of table.rows()) {
    const references = readReferences(run, values);
    // Where none is known for one row, none is for the others.
    if (number === 1 && references.size === 0) return;
    for (const [reference, request] of references) {
      const before = rows.get(reference) ?? (iterations > 1 ? number : null);
      rows.set(reference, number);
      if (before === null) continue;
      count += 1;
      first ??= describe(table.file, reference.slice(0, 100), request, [before, number]);
    }
  }
  if (first === null) return;
  throw count === 1 ? first : new AppError(first.code, `${first.message} (${count} in all)`);
}

function describe(
  file: string,
  reference: string,
  { file: place, block }: RunRequest,
  [before, number]: readonly [number, number],
): AppError {
  const who =
    before === number
      ? `each iteration would send the reference ${reference} of row ${number} again`
      : `rows ${before} and ${number} have the same reference, ${reference}`;
  return new AppError(
    'running.bad_data',
    `--data ${file}: ${who} (${place}:${block.line}). It stands for one payment: give each its own, by {{row.COLUMN}} or {{$uuid}}. Nothing was sent.`,
  );
}
