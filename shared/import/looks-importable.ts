const sender = String.raw`(?:curl(?:\.exe)?\s|Invoke-(?:WebRequest|RestMethod)\s|\$session\s*=)`;
const command = new RegExp(String.raw`^\s*(?:\$\s+)?${sender}`, 'i');
const commandLine = new RegExp(String.raw`^[ \t]*(?:\$[ \t]+)?${sender}`, 'im');

/** Tells whether a text is a command that sends a request. */
export function isCommand(text: string): boolean {
  return command.test(text);
}

/** Marks of what other tools export; some write theirs at the end. */
const exported = new RegExp(
  [
    String.raw`schema\.getpostman\.com`,
    String.raw`"_postman_(?:id|variable_scope)"`,
    String.raw`^[ \t]*"?__export_format"?[ \t]*:`,
    String.raw`"__export_format"\s*:`,
    String.raw`insomnia\.rest/5`,
    String.raw`^(?:openapi|opencollection)\s*:`,
    String.raw`"(?:openapi|opencollection)"\s*:\s*"`,
    String.raw`"entries"\s*:\s*\[`,
    String.raw`"brunoConfig"\s*:`,
    String.raw`^(?:meta|vars)[ \t]*\{\s*$`,
  ].join('|'),
  'm',
);
const endChars = 20_000;

/**
 * Tells whether a text is something to import, by the marks at its two ends: enough to ask, the import itself looks closer.
 *
 * It holds for what any view may be given; a body or a webhook has none of the marks.
 */
export function looksImportable(text: string): boolean {
  const ends = text.length <= 2 * endChars ? [text] : [text.slice(0, endChars), text.slice(-endChars)];
  return commandLine.test(ends[0]!) || ends.some((end) => exported.test(end));
}
