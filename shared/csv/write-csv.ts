/** What a spreadsheet takes for a formula, at the start of a cell; the wide signs are those of Japanese and Chinese ones. */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
const NUMBER = /^-?\d+(\.\d+)?$/;

/**
 * Writes a table as CSV; the one place that does.
 *
 * A cell that a spreadsheet would run as a formula gets an apostrophe in front; plain numbers stay as they are.
 * @source RFC 4180; OWASP, CSV injection
 */
export function writeCsv(
  head: readonly string[],
  rows: readonly (readonly (string | number | null)[])[],
): string {
  return [head, ...rows].map((row) => `${row.map(writeCell).join(',')}\r\n`).join('');
}

function writeCell(value: string | number | null): string {
  const text = value === null ? '' : String(value);
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
