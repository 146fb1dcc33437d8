/** Writes a text as a value of a filter, whatever it holds. */
export function quoteFilterText(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&')}"`;
}
