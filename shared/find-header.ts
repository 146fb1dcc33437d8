/**
 * Finds the value of a header; the first, where it came more than once.
 *
 * @param name - in small letters
 * @returns null: there is none of that name
 */
export function findHeader(headers: readonly (readonly [string, string])[], name: string): string | null {
  return headers.find(([one]) => one.toLowerCase() === name)?.[1] ?? null;
}

/** Tells whether a text can be the name of a header. @source RFC 9110, 5.6.2 */
export function isHeaderName(text: string): boolean {
  return /^[!#$%&'*+.^_`|~\w-]+$/.test(text);
}
