const sender = String.raw`(?:curl(?:\.exe)?\s|Invoke-(?:WebRequest|RestMethod)\s|\$session\s*=)`;
const command = new RegExp(String.raw`^\s*(?:\$\s+)?${sender}`, 'i');
const commandLine = new RegExp(String.raw`^[ \t]*(?:\$[ \t]+)?${sender}`, 'im');

/** Tells whether a text is a command that sends a request. */
export function isCommand(text: string): boolean {
  return command.test(text);
}

/** Marks of what other tools export; some write theirs at the end, or behind a long name. Each is looked for once over the text. */
const exported = new RegExp(
  [
    String.raw`schema\.getpostman\.com`,
    String.raw`"_postman_(?:id|variable_scope)"`,
    String.raw`^[ \t]*"?__export_format"?[ \t]*:`,
    String.raw`"__export_format"\s*:`,
    String.raw`insomnia\.rest/5`,
    String.raw`^(?:openapi|swagger|opencollection)\s*:`,
    String.raw`"(?:openapi|swagger|opencollection)"\s*:\s*"`,
    String.raw`"entries"\s*:\s*\[`,
    String.raw`"brunoConfig"\s*:`,
    String.raw`^(?:meta|vars)[ \t]*\{\s*$`,
  ].join('|'),
  'm',
);

/**
 * Tells whether a text is something to import, by its marks, wherever they stand: enough to ask, the import itself looks closer.
 *
 * It holds for what any view may be given; a body or a webhook has none of the marks.
 */
export function looksImportable(text: string): boolean {
  return commandLine.test(text) || exported.test(text);
}
