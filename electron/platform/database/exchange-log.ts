import type { OperationName } from '@shared/payments/tables/operations';
import type { SqlDatabase } from '../ports';
import { createPruning, type Pruning, type PruningBounds } from './prune-oldest';
import { readStoredJson, tryStoredJson } from './stored-json';

/** One exchange as a log keeps it: secrets masked, bodies cut. */
export interface LoggedExchange {
  readonly id: string;
  readonly at: number;
  readonly durationMs: number;
  readonly method: string;
  readonly path: string;
  readonly operation: OperationName | null;
  readonly reference: string | null;
  /** What is written once and never searched by column. */
  readonly detail: object;
  readonly requestBody: Buffer;
  readonly answerBody: Buffer;
}

/** The columns that every log of exchanges has before its bodies, by what they hold. */
export const headColumns = {
  id: 'id',
  at: 'at',
  durationMs: 'duration_ms',
  method: 'method',
  path: 'path',
  httpStatus: 'http_status',
  operation: 'operation',
  reference: 'reference',
} as const;

const bodyColumns = { detail: 'detail', requestBody: 'request_body', answerBody: 'answer_body' } as const;

/** A condition on the columns, and the values of its `?`. */
export type LogFilter = readonly [sql: string, ...values: unknown[]];

/** A row, its JSON still text. */
export type LoggedRow<One extends LoggedExchange> = Omit<One, 'detail'> & { readonly detail: string };

/** Exchanges in a table of their own: bounded, the oldest forgotten first. */
export interface ExchangeLog<One extends LoggedExchange> {
  readonly kept: Pruning;
  /** What lists select: the bodies behind it are not read for them. */
  readonly head: string;
  /** Adds exchanges, oldest first, and forgets the oldest beyond the bounds. */
  insertAll(exchanges: readonly One[]): void;
  /** @throws {AppError} `platform.database_damaged` */
  find(id: string): One | null;
  /** Gives all since a moment with their bodies, oldest first, page by page. */
  readSince(sinceMs: number): Generator<One>;
  /** Lists those that all filters let through, newest first. */
  select<Row = LoggedRow<One>>(columns: string, filters: readonly LogFilter[], limit: number): Row[];
  /** @returns null: damaged; the rows beside it can be read */
  tryRow(row: LoggedRow<One>): One | null;
  count(): number;
}

const PAGE = 25;
/** What a row takes beside its texts and bodies. */
const ROW_BYTES = 200;

/**
 * Opens the log in a table of the database.
 *
 * @param file - name of the database, for errors
 * @param columns - those before the bodies, by what they hold
 */
export function createExchangeLog<One extends LoggedExchange>(
  db: SqlDatabase,
  { table, ...bounds }: PruningBounds,
  file: string,
  columns: Readonly<Record<Exclude<keyof One, keyof typeof bodyColumns>, string>>,
): ExchangeLog<One> {
  const written = [...Object.values<string>(columns), 'size_bytes', ...Object.values(bodyColumns)];
  const insert = db.prepare(
    `INSERT INTO ${table} (${written.join(', ')}) VALUES (${written.map(() => '?').join(', ')})`,
  );
  const kept = createPruning(db, { table, ...bounds });
  const head = nameColumns(columns);
  const all = nameColumns({ ...columns, ...bodyColumns });
  const page = db.prepare(
    `SELECT seq, ${all} FROM ${table} WHERE seq > ? AND at >= ? ORDER BY seq LIMIT ${PAGE}`,
  );
  const one = db.prepare(`SELECT ${all} FROM ${table} WHERE id = ? ORDER BY seq DESC LIMIT 1`);
  const count = db.prepare(`SELECT count(*) AS count FROM ${table}`);
  const names = Object.keys(columns) as (keyof One)[];

  const fill = (row: LoggedRow<One>, detail: One['detail']): One => ({ ...row, detail }) as unknown as One;
  const tryRow = (row: LoggedRow<One>): One | null => {
    const detail = tryStoredJson<One['detail']>(row.detail);
    return detail === null ? null : fill(row, detail);
  };
  return {
    kept,
    head,
    tryRow,
    insertAll: kept.transaction((exchanges: readonly One[]) => {
      for (const exchange of exchanges) {
        const { requestBody, answerBody } = exchange;
        const detail = JSON.stringify(exchange.detail);
        const sizeBytes = detail.length + requestBody.length + answerBody.length + ROW_BYTES;
        insert.run([...names.map((name) => exchange[name]), sizeBytes, detail, requestBody, answerBody]);
        kept.bytes += sizeBytes;
      }
      kept.prune();
    }),
    find(id) {
      const row = one.get(id) as LoggedRow<One> | undefined;
      return row === undefined ? null : fill(row, readStoredJson(row.detail, file));
    },
    *readSince(sinceMs) {
      for (let after = 0; ;) {
        const rows = page.all(after, sinceMs) as (LoggedRow<One> & { seq: number })[];
        for (const { seq, ...row } of rows) {
          const exchange = tryRow(row as unknown as LoggedRow<One>);
          if (exchange !== null) yield exchange;
          after = seq;
        }
        if (rows.length < PAGE) return;
      }
    },
    select<Row>(selected: string, filters: readonly LogFilter[], limit: number) {
      const where = filters.length === 0 ? '' : `WHERE ${filters.map(([sql]) => sql).join(' AND ')}`;
      return db
        .prepare(`SELECT ${selected} FROM ${table} ${where} ORDER BY seq DESC LIMIT ?`)
        .all(...filters.flatMap(([, ...values]) => values), limit) as Row[];
    },
    count: () => (count.get() as { count: number }).count,
  };
}

function nameColumns(columns: Readonly<Record<string, string>>): string {
  return Object.entries(columns)
    .map(([name, column]) => `${column} AS ${name}`)
    .join(', ');
}
