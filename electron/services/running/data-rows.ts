import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { parse, CsvError, type Parser } from 'csv-parse';
import { AppError } from '@shared/errors';
import { isMarkerLine, SETTLE_CONFLICT } from '@shared/http-file/find-conflicts';
import { findExpression } from '@shared/http-file/find-expression';
import { FETCH_LFS, lfsBeginning } from '@shared/http-file/lfs-pointer';
import { parseJsonTree, type JsonNode } from '@shared/json/json-tree';
import { isSecretName } from '@shared/secrets';
import { writeJson } from '@shared/expect/write-json';
import { separatorLine } from '@shared/csv/read-csv';
import { endSentence } from '@shared/end-sentence';
import { readChunks, readRowText } from './read-row-text';
import type { DataRow } from './run-context';
import { findStats } from '../../platform/files/files';
import { findWhyOutOfReach } from '../../platform/files/read-faults';

const maxJsonBytes = 64 * 1024 * 1024;
/** The whole file is a tree while it is read: fifteen million empty rows take four gigabytes. */
const mostJsonValues = 2_000_000;
/** Deeper, a cell is cut. */
const mostLevels = 32;
const maxRowBytes = 1024 * 1024;
/** Of a table that was made by mistake; each row is a value for every one of them. */
const mostColumns = 1000;
const delimiters = [',', ';', '\t'] as const;

/** A table of data that was read once through: every row of it can be read. */
export interface DataTable {
  readonly file: string;
  readonly sha256: string;
  readonly columns: readonly string[];
  readonly rowCount: number;
  /** Reads the rows from the file again, one after the other. */
  rows(): AsyncIterable<DataRow>;
}

const bad = (file: string, why: string): AppError =>
  new AppError('running.bad_data', `--data ${file}: ${why}`);

/** What a row is called in reports: its `name`, else its first value that is no secret. */
function nameRow(number: number, values: Readonly<Record<string, string>>): string {
  const name = (
    values['name'] ??
    Object.entries(values).find(([column]) => !isSecretName(column))?.[1] ??
    ''
  ).trim();
  return name === '' ? `row ${number}` : name.slice(0, 100);
}

const toRow = (number: number, values: Readonly<Record<string, string>>): DataRow => ({
  number,
  name: nameRow(number, values),
  values,
});

/** The sign that stands most often in the first line, outside quotes. */
function findDelimiter(head: string): (typeof delimiters)[number] {
  const line = (/^(?:"(?:[^"]|"")*"|[^"\r\n])*/.exec(head)?.[0] ?? '').replace(/"(?:[^"]|"")*"/g, '');
  const count = (sign: string): number => line.split(sign).length;
  return delimiters.toSorted((a, b) => count(b) - count(a))[0]!;
}

const readText = (file: string, onChunk?: (chunk: Buffer) => void): AsyncGenerator<string> =>
  readRowText(file, (why) => bad(file, why), onChunk);

interface CsvForm {
  readonly delimiter: string;
  /** From 1; the names of the columns stand there. */
  readonly firstLine: number;
}

function readForm(head: string): CsvForm {
  const told = separatorLine.exec(head)?.[1];
  return told === undefined
    ? { delimiter: findDelimiter(head), firstLine: 1 }
    : { delimiter: told, firstLine: 2 };
}

async function readHead(file: string): Promise<string> {
  for await (const text of readText(file)) return text;
  return '';
}

function openCsv(file: string, { delimiter, firstLine }: CsvForm): Parser {
  const parser = parse({
    delimiter,
    from_line: firstLine,
    columns: (names: string[]) => checkColumns(file, names),
    max_record_size: maxRowBytes,
    skip_empty_lines: true,
    info: true,
  });
  const stream = Readable.from(readText(file));
  stream.on('error', (error) => parser.destroy(error));
  return stream.pipe(parser);
}

function checkColumns(file: string, names: readonly string[]): string[] {
  const trimmed = names.map((name) => name.trim());
  if (trimmed.length > mostColumns)
    throw bad(file, `it has ${trimmed.length} columns; a row has at most ${mostColumns}.`);
  const twice = trimmed.find((name, index) => trimmed.indexOf(name) !== index);
  if (twice !== undefined) throw bad(file, `two columns are called '${twice}'. Give each a name of its own.`);
  if (trimmed.includes(''))
    throw bad(file, `column ${trimmed.indexOf('') + 1} has no name in the first line.`);
  return trimmed;
}

const strayQuote =
  'a double quote stands within a value. Put the whole value in double quotes, and write each one within it twice.';

const faults: Readonly<Partial<Record<CsvError['code'], string>>> = {
  CSV_MAX_RECORD_SIZE:
    'a row has at most 1 MiB. Look whether a double quote is opened there that nothing closes.',
  CSV_INVALID_CLOSING_QUOTE: strayQuote,
  INVALID_OPENING_QUOTE: strayQuote,
};

/** A value that holds the sign between two is the usual reason. */
function describeLength(error: CsvError): string {
  const { lines, record, columns } = error as { lines?: number; record?: unknown; columns?: unknown };
  const countOf = (list: unknown): number => (Array.isArray(list) ? list.length : 0);
  const count = countOf(record);
  return (
    `line ${lines ?? 0} has ${count === 1 ? '1 value' : `${count} values`}, and the first line names ${countOf(columns)} columns. ` +
    'Give each column a value, and put one that holds a comma, a semicolon or a line break in double quotes.'
  );
}

async function* readCsv(file: string, form: CsvForm): AsyncGenerator<DataRow> {
  let number = 0;
  let lastLine = 1;
  try {
    for await (const { record, info } of openCsv(file, form) as AsyncIterable<{
      record: Record<string, string>;
      info: { lines: number };
    }>) {
      number += 1;
      lastLine = info.lines;
      yield toRow(number, record);
    }
  } catch (error) {
    if (error instanceof AppError) throw error;
    if (error instanceof CsvError && error.code === 'CSV_QUOTE_NOT_CLOSED')
      throw bad(file, `line ${lastLine + 1}, or one after it: a quote is opened that nothing closes.`);
    if (error instanceof CsvError && error.code.startsWith('CSV_RECORD_INCONSISTENT'))
      throw bad(file, describeLength(error));
    const line = error instanceof CsvError ? (error as { lines?: number }).lines : undefined;
    const known = error instanceof CsvError ? faults[error.code] : undefined;
    const why = error instanceof Error ? error.message.replace(/\s+/g, ' ').slice(0, 200) : String(error);
    const said = known ?? `${endSentence(why)} Correct the file; it is read as RFC 4180.`;
    throw bad(file, `${line === undefined ? '' : `line ${line}: `}${said}`);
  }
}

const showCell = (node: JsonNode): string => {
  if (node.kind === 'name' && node.text === 'null') return '';
  return node.kind === 'array' || node.kind === 'object' ? writeJson(node) : node.text;
};

function readTree(file: string, text: string): JsonNode {
  const refuseMore = (): never => {
    throw bad(file, `a JSON file of rows has at most ${mostJsonValues} values. Use CSV.`);
  };
  try {
    return parseJsonTree(text, mostLevels, { mostValues: mostJsonValues, refuseMore });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'signing.not_json') throw error;
    throw bad(file, error.message.replace('The body is not JSON', 'it is not JSON'));
  }
}

function* readJsonRows(file: string, text: string): Generator<DataRow> {
  const tree = readTree(file, text);
  if (tree.kind !== 'array') throw bad(file, 'a JSON file holds one list of objects, a row each.');
  for (const [index, item] of tree.items.entries()) {
    if (item.kind !== 'object') throw bad(file, `row ${index + 1} is no object.`);
    const values = Object.fromEntries([...item.members].map(([name, value]) => [name, showCell(value)]));
    yield toRow(index + 1, values);
  }
}

async function hashFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of readChunks(file, (why) => bad(file, why))) hash.update(chunk);
  return hash.digest('hex');
}

/**
 * Says, before each row, whether the file is still the one that was checked: what was put in its place meanwhile was not,
 * and nobody has said yes to it.
 *
 * @returns throws `running.bad_data` where it is another
 */
function guardFile(file: string, sha256: string): () => Promise<void> {
  const look = (): string => {
    const stats = findStats(file);
    return stats === undefined ? '' : `${stats.ino} ${stats.size} ${stats.mtimeMs}`;
  };
  const back = 'Put its rows back as they were, and go on with them.';
  let known = look();
  return async () => {
    const now = look();
    if (now === known) return;
    if (now === '') throw bad(file, `it was taken away while it was read. ${back}`);
    // One that was saved without a change is the same.
    if ((await hashFile(file)) !== sha256) throw bad(file, `it was changed while it was read. ${back}`);
    known = now;
  };
}

async function* guardRows(
  rows: () => AsyncIterable<DataRow>,
  requireSame: () => Promise<void>,
): AsyncGenerator<DataRow> {
  await requireSame();
  try {
    for await (const row of rows()) {
      await requireSame();
      yield row;
    }
  } catch (error) {
    // Why it cannot be read is then that it is another.
    await requireSame();
    throw error;
  }
}

/**
 * Opens a table of rows: CSV (RFC 4180; comma, semicolon or tab; with or without a byte order mark) or a JSON list of objects.
 *
 * It is read through once, so that what cannot be read is known before anything is sent; then row by row, so that its
 * length does not matter. Every value is text, a JSON number its literal.
 * @throws {AppError} `running.bad_data` with the line
 */
export async function openDataTable(file: string): Promise<DataTable> {
  const stats = findStats(file);
  if (stats === undefined) throw bad(file, `${findWhyOutOfReach(file) ?? 'there is no such file'}.`);
  if (!stats.isFile())
    throw bad(
      file,
      'it is no file but a folder, a pipe or a device. Rows are read more than once: save them to a file.',
    );
  const isJson = /\.json$/i.test(file);
  if (isJson && stats.size > maxJsonBytes)
    throw bad(file, 'a JSON file of rows has at most 64 MiB. Use CSV.');
  const sha256 = await hashSettled(file);
  const requireSame = guardFile(file, sha256);
  const read = isJson ? openJson(file) : await openRows(file);
  const rows = () => guardRows(read, requireSame);
  let rowCount = 0;
  let columns: readonly string[] = [];
  for await (const { number, values } of rows()) {
    if (rowCount === 0) columns = Object.keys(values);
    if (columns.length === 0)
      throw bad(file, 'its first row is empty. Give it a value for each {{row.name}}.');
    const missing = columns.find((name) => !Object.hasOwn(values, name));
    if (missing !== undefined)
      throw bad(file, `row ${number} has no '${missing}', which the first row has. Give it one, or null.`);
    const named = columns.find((name) => findExpression(values[name] ?? '', 0) !== null);
    if (named !== undefined)
      throw bad(
        file,
        `row ${number} has a {{variable}} in its '${named}'. A cell is text: write what it stands for.`,
      );
    rowCount += 1;
  }
  if (rowCount === 0) throw bad(file, 'it holds no row.');
  return { file, sha256, columns, rowCount, rows };
}

/**
 * Hashes a file of text, and refuses one in which a merge left two versions: both would be sent. All three markers, as
 * {@link isMarkerLine} tells them.
 *
 * @returns SHA-256 of its bytes, in hex
 */
async function hashSettled(file: string): Promise<string> {
  const hash = createHash('sha256');
  let rest = '';
  let line = 0;
  const seen: number[] = [];
  const look = (text: string): void => {
    line += 1;
    if (line === 1 && lfsBeginning.test(text)) throw bad(file, `it ${FETCH_LFS}`);
    if (isMarkerLine(text, seen.length)) seen.push(line);
  };
  for await (const part of readText(file, (chunk) => hash.update(chunk))) {
    const lines = (rest + part).split('\n');
    // Of a line that goes on, its beginning alone is asked for.
    rest = lines.pop()!.slice(0, maxRowBytes);
    for (const one of lines) if (seen.length < 3) look(one);
    if (seen.length === 3) break;
  }
  if (seen.length < 3) look(rest);
  if (seen.length === 3) throw bad(file, `line ${seen[0]!}: ${SETTLE_CONFLICT}`);
  return hash.digest('hex');
}

async function openRows(file: string): Promise<() => AsyncIterable<DataRow>> {
  const form = readForm(await readHead(file));
  return () => readCsv(file, form);
}

function openJson(file: string): () => AsyncIterable<DataRow> {
  return async function* () {
    let text = '';
    for await (const part of readText(file)) text += part;
    yield* readJsonRows(file, text);
  };
}
