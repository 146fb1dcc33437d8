import { applyEdits, findNodeAtLocation, modify, parseTree } from 'jsonc-parser';

const format = { formattingOptions: { insertSpaces: true, tabSize: 2, eol: '\n' } };

/**
 * Sets a member of a JSON text that may hold comments, and leaves the rest as it stands.
 *
 * The parser's own formatting writes the whole text anew for each line of the value: with tens of thousands that takes minutes.
 * @param path - names of members, from the outermost
 */
export function setMember(text: string, path: readonly string[], value: unknown): string {
  const withPlace = applyEdits(text, modify(text, [...path], null, format));
  const root = parseTree(withPlace, [], { allowTrailingComma: true });
  const place = root && findNodeAtLocation(root, [...path]);
  if (place === undefined) return withPlace;
  const lines = JSON.stringify(value, null, 2)
    .split('\n')
    .join(`\n${'  '.repeat(path.length)}`);
  return withPlace.slice(0, place.offset) + lines + withPlace.slice(place.offset + place.length);
}
