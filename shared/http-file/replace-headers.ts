import type { TextEdit } from '../body/edit-body';
import { applyReplacements } from './edit-http-file';
import type { HttpFile, HttpRequestBlock } from './http-file';
import { lineAt, lineEndAt } from './line-ends';

/**
 * Gives the file's text with other headers for one request.
 *
 * Headers are matched by place: what is the same stays untouched (comments between them too), a changed one
 * changes in its line, further ones go after the last, missing ones lose their line.
 * @param headers - names and values as they shall stand, in order
 */
export function replaceHeaders(
  file: HttpFile,
  request: HttpRequestBlock,
  headers: readonly (readonly [string, string])[],
): string {
  const { text } = file;
  const lineEnd = lineEndAt(file, request.headEnd);
  const replacements: TextEdit[] = [];
  request.headers.forEach((old, index) => {
    const wanted = headers[index];
    if (wanted === undefined) {
      replacements.push({ ...lineAt(text, old), text: '' });
    } else if (wanted[0] !== old.name || wanted[1] !== old.value) {
      replacements.push({ start: old.start, end: old.end, text: `${wanted[0]}: ${wanted[1]}` });
    }
  });
  const added = headers.slice(request.headers.length).map(([name, value]) => `${lineEnd}${name}: ${value}`);
  if (added.length > 0) {
    replacements.push({ start: request.headEnd, end: request.headEnd, text: added.join('') });
  }
  return applyReplacements(text, replacements);
}
