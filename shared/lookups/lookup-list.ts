import { findConflicts, SETTLE_CONFLICT } from '../http-file/find-conflicts';
import { readCsv, type CsvRow } from '../csv/read-csv';
import { isLonger } from '../is-longer';
import { products, type Product } from '../payments/tables/products';

/** What a payment is asked for by. @source payments-service-interface, part 4.3 */
export const lookupIdentifiers = ['transaction_reference', 'payment_uuid', 'request_uuid'] as const;
export type LookupIdentifier = (typeof lookupIdentifiers)[number];

/** One payment to be asked for. */
export interface LookupItem {
  readonly line: number;
  readonly by: LookupIdentifier;
  readonly value: string;
  /** Null: as for all. */
  readonly product: Product | null;
}

/** A line that is asked for by nothing, and why. */
export interface LookupProblem {
  readonly line: number;
  readonly message: string;
}

/** So many payments are asked for at once, in so much text. */
export const MOST_LOOKUPS = 1000;
export const MAX_LOOKUP_TEXT = 1024 * 1024;
const MAX_VALUE = 200;

/** Headings that name a column, as `simplify` leaves them. */
const headings: Readonly<Record<string, LookupIdentifier>> = {
  transactionreference: 'transaction_reference',
  clientreference: 'transaction_reference',
  reference: 'transaction_reference',
  paymentuuid: 'payment_uuid',
  requestuuid: 'request_uuid',
};

/** “Payment UUID”, “payment-uuid” and “paymentUuid” are one heading. */
const simplify = (heading: string): string =>
  heading
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s\p{P}\p{Cf}]+/gu, '');

/**
 * Says why a payment cannot be asked for by this value; null: it can.
 *
 * A payment reference in the place of a payment UUID is the usual mistake: the service answers it as unknown.
 * @source payments-service-interface, parts 2.3 and 4.3
 */
export function findIdentifierFault(by: LookupIdentifier, value: string): string | null {
  const text = value.trim();
  if (text === '') return 'It is empty.';
  if (isLonger(text, MAX_VALUE)) return `It is longer than ${MAX_VALUE} characters.`;
  const isUuid = /^\d+$/.test(text) || /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
  if (by !== 'payment_uuid' || isUuid) return null;
  return 'It is no payment UUID: that is all digits, or a UUID, as the acceptance told it. The payment reference is never asked by; take your own reference, or the payment_uuid beside it.';
}

/**
 * Reads a pasted list: identifiers, one a line or several with commas, semicolons or tabs between, or CSV whose heading
 * names its columns (`reference`, `payment_uuid`, `request_uuid`, `product`).
 *
 * @param usual - what values are where no heading says so
 */
export function readLookupList(
  text: string,
  usual: LookupIdentifier,
): { items: LookupItem[]; problems: LookupProblem[] } {
  const source = cutToLines(text);
  const [conflict] = findConflicts(source);
  if (conflict !== undefined) {
    const message = `${SETTLE_CONFLICT} Nothing of the list is asked.`;
    return { items: [], problems: [{ line: conflict.fault.line, message }] };
  }
  const rows = readCsv(source, MOST_LOOKUPS + 2);
  const head = (rows[0]?.cells ?? []).map(simplify);
  const columns = head.flatMap((name, at) =>
    Object.hasOwn(headings, name) ? [{ at, by: headings[name]! }] : [],
  );
  const hasHead = columns.length > 0;
  const unnamed = hasHead ? null : findUnnamed(rows, head);
  if (unnamed !== null) return { items: [], problems: [unnamed] };
  const productAt = hasHead ? head.indexOf('product') : -1;
  const items: LookupItem[] = [];
  const problems: LookupProblem[] = source === text ? [] : [describeCut(source)];
  const seen = new Set<string>();
  const reads = hasHead
    ? rows
        .slice(1)
        .map((row) => readTableRow(row, head.length) ?? readItem(row.line, row.cells, columns, productAt))
    : readPlainLists(rows, head, usual);
  for (const read of reads) {
    const { line } = read;
    const key = 'message' in read ? '' : `${read.by} ${read.value}`;
    if ('message' in read) problems.push(read);
    else if (seen.has(key))
      problems.push({ line, message: `${read.value} stands there already: asked once.` });
    else if (items.length === MOST_LOOKUPS) {
      problems.push({
        line,
        message: `At most ${MOST_LOOKUPS} at once: this line and the rest are left out.`,
      });
      break;
    } else items.push(read);
    seen.add(key);
  }
  return { items, problems };
}

/** Half of a line would be asked for as a reference of its own. */
function cutToLines(text: string): string {
  if (text.length <= MAX_LOOKUP_TEXT) return text;
  const kept = text.slice(0, MAX_LOOKUP_TEXT);
  return kept.slice(0, Math.max(kept.lastIndexOf('\n'), kept.lastIndexOf('\r')) + 1);
}

const describeCut = (kept: string): LookupProblem => ({
  line: kept.split(/\r\n|\r|\n/).length,
  message: `The list is longer than ${MAX_LOOKUP_TEXT / 1024 / 1024} MiB: this line and the rest are left out. Ask for it in parts.`,
});

/** A heading that names no identifier: what stands below, amounts and names too, would be asked for as references. */
function findUnnamed(rows: readonly CsvRow[], head: readonly string[]): LookupProblem | null {
  const [first, ...others] = rows;
  if (first === undefined) return null;
  const says = (why: string): LookupProblem => ({
    line: first.line,
    message: `${why} Call the column of your own references “reference”, or take payment_uuid or request_uuid. Nothing of the list is asked.`,
  });
  if (head.includes('paymentreference'))
    return says('The payment reference is the service’s own, and never asked by.');
  const isTable =
    head.length > 1 &&
    others.length > 0 &&
    head.every((name) => !/\p{N}/u.test(name)) &&
    others.every(({ cells }) => cells.length === head.length && cells.some((cell) => /\p{N}/u.test(cell)));
  if (!isTable) return null;
  const named = first.cells.map((cell) => cell.trim()).join(', ');
  return says(`“${named.slice(0, 60)}” looks like a heading, and names no identifier.`);
}

/** A cell that no heading names may be one more identifier. */
function readTableRow({ line, cells }: CsvRow, most: number): LookupProblem | null {
  const more = cells.slice(most).find((cell) => cell.trim() !== '');
  return more === undefined
    ? null
    : {
        line,
        message: `${more.trim().slice(0, 60)} stands under no heading: nothing of this line is asked.`,
      };
}

/** One word above one column of what all has digits; asked for, it would be a payment that is not found. */
function isLoneHeading([, ...others]: readonly CsvRow[], head: readonly string[]): boolean {
  const [name = '', ...more] = head;
  return (
    name !== '' &&
    more.length === 0 &&
    others.length > 0 &&
    !/\p{N}/u.test(name) &&
    others.every(({ cells }) => cells.length === 1 && /\p{N}/u.test(cells[0]!))
  );
}

/** Without a heading each cell is an identifier, with a product behind it or not: none is dropped. */
function* readPlainLists(
  rows: readonly CsvRow[],
  head: readonly string[],
  by: LookupIdentifier,
): Generator<LookupItem | LookupProblem> {
  const asked = [{ at: 0, by }];
  const lone = isLoneHeading(rows, head) ? rows[0] : undefined;
  if (lone !== undefined) {
    yield {
      line: lone.line,
      message: `“${lone.cells[0]!.trim().slice(0, 60)}” looks like a heading, and is not asked. Where it is a reference, put “reference” above the list.`,
    };
  }
  for (const { line, cells } of lone === undefined ? rows : rows.slice(1)) {
    const values = cells
      .flatMap((cell) => cell.split(/[,;\t]/))
      .map((value) => value.trim())
      .filter((value) => value !== '');
    const product =
      values.length === 2 ? products.find((one) => one === values[1]!.toLowerCase()) : undefined;
    if (product === undefined) for (const value of values) yield readItem(line, [value], asked, -1);
    else yield readItem(line, values, asked, 1);
  }
}

function readItem(
  line: number,
  cells: readonly string[],
  columns: readonly { at: number; by: LookupIdentifier }[],
  productAt: number,
): LookupItem | LookupProblem {
  const found = columns.find(({ at }) => (cells[at] ?? '').trim() !== '');
  if (found === undefined) return { line, message: 'No identifier stands there.' };
  const value = cells[found.at]!.trim();
  if (/[\0\ufffd]/.test(value))
    return {
      line,
      message: `${value.slice(0, 60)}: a character of it could not be read. Save the file as UTF-8.`,
    };
  const fault = findIdentifierFault(found.by, value);
  if (fault !== null) return { line, message: `${value.slice(0, 60)}: ${fault}` };
  const named = (cells[productAt] ?? '').trim().toLowerCase();
  const product = products.find((one) => one === named) ?? null;
  if (named !== '' && product === null) {
    return { line, message: `${named.slice(0, 60)} is no product: ${products.join(', ')}.` };
  }
  return { line, by: found.by, value, product };
}
