import { AppError } from '@shared/errors';

/**
 * Writes the SQL that takes a value out of the JSON of a row's `detail`; null where its text was damaged: SQLite would end
 * the whole statement over that one row.
 */
export function selectFromDetail(path: string): string {
  return `CASE WHEN json_valid(detail) THEN json_extract(detail, '${path}') END`;
}

/** Reads JSON as a row keeps it; null: it was damaged. */
export function tryStoredJson<T>(text: string): T | null {
  try {
    return JSON.parse(text) as T;
  } catch {
    return null;
  }
}

/**
 * Reads JSON that a row keeps.
 *
 * @param file - name of the database
 * @throws {AppError} `platform.database_damaged`
 */
export function readStoredJson<T>(text: string, file: string): T {
  const value = tryStoredJson<T>(text);
  if (value !== null) return value;
  throw new AppError(
    'platform.database_damaged',
    `A row of ${file} is damaged and cannot be shown; the others can. To have it back, put a copy of the file in its place.`,
    { details: { file } },
  );
}
