import type { JsonNode } from '../../json/json-tree';

const utf8 = new TextEncoder();

/** How PHP writes the numbers of a body that it read. */
export type WriteNumber = (literal: string) => string;

const NAMES: Readonly<Record<string, string>> = { true: '1', false: '', null: '' };
const membersOf = (node: JsonNode): [name: string | number, value: JsonNode][] =>
  node.kind === 'object' ? [...node.members] : node.kind === 'array' ? [...node.items.entries()] : [];

/**
 * Writes a tree as `print_r` prints it, read as arrays or as objects.
 *
 * @param head - of what has names: `Array` or `stdClass Object`
 */
export function printReadable(node: JsonNode, number: WriteNumber, head = 'Array', indent = ''): string {
  if (node.kind === 'number') return number(node.text);
  if (node.kind !== 'object' && node.kind !== 'array')
    return node.kind === 'name' ? (NAMES[node.text] ?? node.text) : node.text;
  const lines = membersOf(node).map(
    ([name, value]) =>
      `${indent}    [${name}] => ${printReadable(value, number, head, `${indent}        `)}\n`,
  );
  return `${node.kind === 'array' ? 'Array' : head}\n${indent}(\n${lines.join('')}${indent})\n`;
}

const quote = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`;

/** Writes a tree as `var_export` prints an array. */
export function printExport(node: JsonNode, number: WriteNumber, indent = ''): string {
  if (node.kind === 'number') return number(node.text);
  if (node.kind === 'string') return quote(node.text);
  if (node.kind === 'name') return node.text === 'null' ? 'NULL' : node.text;
  const lines = membersOf(node).map(([name, value]) => {
    const isNested = value.kind === 'object' || value.kind === 'array';
    const key = typeof name === 'number' ? String(name) : quote(name);
    return `${indent}  ${key} => ${isNested ? `\n${indent}  ` : ''}${printExport(value, number, `${indent}  `)},\n`;
  });
  return `array (\n${lines.join('')}${indent})`;
}

/** Writes a tree as `var_dump` prints an array, with the line end behind it. */
export function printDump(node: JsonNode, number: WriteNumber, indent = ''): string {
  if (node.kind === 'number')
    return `${indent}${/[.eE]/.test(node.text) ? 'float' : 'int'}(${number(node.text)})\n`;
  if (node.kind === 'string') return `${indent}string(${utf8.encode(node.text).length}) "${node.text}"\n`;
  if (node.kind === 'name') return `${indent}${node.text === 'null' ? 'NULL' : `bool(${node.text})`}\n`;
  const members = membersOf(node);
  const lines = members.map(([name, value]) => {
    const key = typeof name === 'number' ? String(name) : `"${name}"`;
    return `${indent}  [${key}]=>\n${printDump(value, number, `${indent}  `)}`;
  });
  return `${indent}array(${members.length}) {\n${lines.join('')}${indent}}\n`;
}
