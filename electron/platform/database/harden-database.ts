import type { SqlDatabase, SqlStatement } from '../ports';

type Kind = 'bytes' | 'number' | 'text';
type Row = Record<string, unknown>;

const KINDS: Readonly<Record<string, Kind>> = { BLOB: 'bytes', INTEGER: 'number', REAL: 'number' };

/** A column of numbers holds something else: the file is damaged. */
export class NotANumber extends Error {}

/**
 * Makes a database give text as it is stored, and say what its errors mean.
 *
 * The library cuts text at a NUL and ends the whole process over text that is not UTF-8, which a damaged file or a
 * hostile sender can hold. So every SELECT asks for text as bytes, and they are decoded here; what is not UTF-8 is
 * replaced. Bytes come as one type from all calls.
 * @param toError - makes of what a call threw what its caller gets
 */
export function hardenDatabase(database: SqlDatabase, toError: (error: unknown) => unknown): void {
  const prepare = database.prepare.bind(database) as (sql: string) => SqlStatement;
  const exec = database.exec.bind(database);
  const guard = <A extends unknown[], R>(act: (...given: A) => R) => {
    return (...given: A): R => {
      try {
        return act(...given);
      } catch (error) {
        throw toError(error);
      }
    };
  };
  database.exec = guard((sql: string) => (sql === 'ROLLBACK' ? rollBack(database, exec) : exec(sql)));
  database.prepare = guard((sql: string) => {
    const plain = prepare(sql);
    if (!/^\s*(?:SELECT|WITH)\b/i.test(sql) || !plain.reader) {
      return Object.assign(plain, { run: guard(plain.run.bind(plain)) });
    }
    const { get, all } = decodeRows(prepare, sql, plain);
    return Object.assign(plain, { get: guard(get), all: guard(all) });
  }) as SqlDatabase['prepare'];
}

/**
 * Takes a transaction back where there is still one: SQLite itself takes one back that meets a full disk.
 *
 * The library's own transactions would tell of that, and no more of what went wrong.
 */
function rollBack(database: SqlDatabase, exec: SqlDatabase['exec']): SqlDatabase {
  return database.inTransaction ? exec('ROLLBACK') : database;
}

function decodeRows(
  prepare: (sql: string) => SqlStatement,
  sql: string,
  plain: SqlStatement,
): { get(...given: unknown[]): Row | undefined; all(...given: unknown[]): Row[] } {
  // An expression has no type: its bytes are text.
  const columns = plain
    .columns()
    .map(({ name, type }, at) => ({ key: `c${at}`, name, kind: KINDS[type ?? ''] ?? 'text' }));
  const names = columns.map(({ key }) => key);
  const values = names.map(
    (one) => `CASE typeof(${one}) WHEN 'text' THEN CAST(${one} AS BLOB) ELSE ${one} END AS ${one}`,
  );
  const read = `WITH rows_as_bytes (${names.join(', ')}) AS (${sql}) SELECT ${values.join(', ')} FROM rows_as_bytes`;
  const decode = (row: Row): Row => {
    const decoded: Row = {};
    for (const { key, name, kind } of columns) {
      const value = row[key];
      const bytes = viewBytes(value);
      if (bytes === null) decoded[name] = value;
      else if (kind === 'number') throw new NotANumber(`${name} is no number`);
      else decoded[name] = kind === 'text' ? bytes.toString('utf8') : bytes;
    }
    return decoded;
  };
  // Two statements: in one that `all` was called on, `get` gives its old row where there is none.
  let one: SqlStatement | null = null;
  let many: SqlStatement | null = null;
  return {
    get(...given) {
      one ??= prepare(read);
      const row = one.get(...given) as Row | undefined;
      return row === undefined ? undefined : decode(row);
    },
    all(...given) {
      many ??= prepare(read);
      return (many.all(...given) as Row[]).map(decode);
    },
  };
}

function viewBytes(value: unknown): Buffer | null {
  if (value instanceof ArrayBuffer) return Buffer.from(value);
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.length);
  return null;
}
