import type { SqlDatabase, SqlStatement } from '../ports';

/** Prepares statements of a connection, each once. */
export function keepStatements(database: SqlDatabase): (sql: string) => SqlStatement {
  const statements = new Map<string, SqlStatement>();
  return (sql) => {
    const known = statements.get(sql) ?? database.prepare(sql);
    statements.set(sql, known);
    return known;
  };
}
