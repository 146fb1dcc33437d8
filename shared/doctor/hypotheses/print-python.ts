import type { JsonNode } from '../../json/json-tree';

/**
 * Writes a tree as Python prints a dict: quotes are single, and names are its own.
 *
 * @param writeNumber - left out: literals stay as written
 */
export function printPython(
  node: JsonNode,
  writeNumber: (literal: string) => string = (literal) => literal,
): string {
  const write = (inner: JsonNode): string => printPython(inner, writeNumber);
  switch (node.kind) {
    case 'string': {
      const quote = node.text.includes("'") && !node.text.includes('"') ? '"' : "'";
      const escaped = node.text
        .replace(/\\/g, '\\\\')
        .replace(/\n/g, '\\n')
        .replaceAll(quote, () => `\\${quote}`);
      return quote + escaped + quote;
    }
    case 'number':
      return writeNumber(node.text);
    case 'name':
      return { true: 'True', false: 'False', null: 'None' }[node.text] ?? node.text;
    case 'array':
      return `[${node.items.map(write).join(', ')}]`;
    case 'object':
      return `{${[...node.members].map(([key, value]) => `${write({ kind: 'string', text: key })}: ${write(value)}`).join(', ')}}`;
  }
}
