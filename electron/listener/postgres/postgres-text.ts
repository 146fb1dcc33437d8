/** Stands for U+0000, which text in PostgreSQL cannot hold: a character that Unicode gives nobody. */
const FOR_NUL = '\uFDD0';

/**
 * Writes text so that PostgreSQL takes it: as long as it was, and with every other character at its place.
 *
 * Lone surrogates become U+FFFD, as they do in SQLite; so does what stands for U+0000, where somebody sent it.
 */
export function toPostgresText(text: string): string {
  if (!/[\0\uFDD0\uD800-\uDFFF]/.test(text)) return text;
  return Buffer.from(text.replaceAll(FOR_NUL, '\uFFFD').replaceAll('\0', FOR_NUL), 'utf8').toString('utf8');
}

/** Reads what {@link toPostgresText} wrote. */
export function fromPostgresText(text: string): string {
  return text.includes(FOR_NUL) ? text.replaceAll(FOR_NUL, '\0') : text;
}
