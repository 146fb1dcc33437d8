import { endSentence } from '@shared/end-sentence';
import { AppError } from '@shared/errors';
import { isSignatureVariable } from '@shared/http-file/prepare-request';
import { parseJsonTree } from '@shared/json/json-tree';
import { foresee } from '@shared/run/find-missing-values';
import { foreseePayments, NOT_KNOWN_YET } from '@shared/run/foresee-payments';
import type { RunPlan, RunRequest } from '@shared/run/plan-run';
import { isSecretName } from '@shared/secrets';
import type { DataTable } from '../../services/running/data-rows';

/** A run of rows, before it begins. */
interface RowsRun {
  readonly plan: RunPlan;
  readonly table: Pick<DataTable, 'file' | 'rows'>;
  readonly iterations: number;
  readonly values: Parameters<typeof foresee>[1];
}

/** What lies deeper is not looked into. */
const mostLevels = 32;

type Cells = Readonly<Record<string, string>>;

/** What is known of a run with the cells of one row. */
function giveRow({ values }: RowsRun, cells: Cells): RowsRun['values'] {
  const named = Object.entries(cells).map(([name, value]) => [`row.${name}`, value] as const);
  return { ...values, given: { ...Object.fromEntries(named), ...values.given } };
}

/** The payments of one row by their references, as far as these are known before the run. */
function readReferences(run: RowsRun, cells: Cells): Map<string, RunRequest> {
  const found = new Map<string, RunRequest>();
  for (const { request, payment } of foreseePayments(run.plan, giveRow(run, cells))) {
    const reference = payment?.reference ?? '';
    if (reference !== '' && reference !== NOT_KNOWN_YET) found.set(reference, request);
  }
  return found;
}

/** The first request that a row leaves with a body that is no JSON, where that is to be signed: it cannot be. */
function findUnsignable(run: RowsRun, cells: Cells): { request: RunRequest; why: string } | null {
  for (const { request, prepared } of foresee(run.plan, giveRow(run, cells))) {
    const { body, files, headers } = prepared;
    if (body === null || files.length > 0 || !headers.some(([, value]) => isSignatureVariable(value)))
      continue;
    try {
      parseJsonTree(body, mostLevels);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return { request, why: error.message };
    }
  }
  return null;
}

/** Names the cell that a body is no JSON for; empty: it is no single one. */
function describeCell(run: RowsRun, cells: Cells): string {
  const column = Object.keys(cells).find((name) => findUnsignable(run, { ...cells, [name]: '0' }) === null);
  if (column === undefined) return '';
  const told = isSecretName(column) ? '' : `, '${(cells[column] ?? '').slice(0, 60)}',`;
  return ` Write its '${column}'${told} as JSON has it, a number as 2000.50.`;
}

/**
 * Refuses, before anything is sent, a row that leaves a payment which cannot be signed: found in the middle, the rows before
 * it would be paid, and these rows could not be corrected and gone on with.
 *
 * @throws {AppError} `running.bad_data`
 */
async function refuseUnsignable(run: RowsRun): Promise<void> {
  const isAsked = run.plan.requests.some(({ request: { text } }) => isSignatureVariable(text));
  if (!isAsked) return;
  for await (const { number, values } of run.table.rows()) {
    const found = findUnsignable(run, values);
    if (found === null) continue;
    const { request, why } = found;
    throw new AppError(
      'running.bad_data',
      `--data ${run.table.file}: row ${number} leaves a body that cannot be signed (${request.file}:${request.block.line}). ${endSentence(why)}${describeCell(run, values)} Nothing was sent.`,
    );
  }
}

/**
 * Refuses, before anything is sent, a reference that two rows have: nobody could say which of the two was paid.
 *
 * Two requests of one row may share theirs: whoever wrote them tries what happens then. What is drawn, or comes with an
 * answer, is compared as it leaves.
 * @throws {AppError} `running.bad_data`
 */
async function refuseRepeated(run: RowsRun): Promise<void> {
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

/** Refuses rows that cannot be sent as they are. @throws {AppError} `running.bad_data` */
export async function refuseRows(run: RowsRun): Promise<void> {
  await refuseUnsignable(run);
  await refuseRepeated(run);
}
