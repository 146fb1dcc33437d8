import type { JsonNode } from '../../json/json-tree';

/** Where a line of Node's ends, with what it adds for brackets. @source Node 20, lib/internal/util/inspect.js, reduceToSingleString */
const LINE_LENGTH = 80;
const START = 10;

function quote(text: string): string {
  const mark = !text.includes("'") ? "'" : !text.includes('"') ? '"' : text.includes('`') ? "'" : '`';
  const escaped = text
    .replace(/\\/g, '\\\\')
    .replace(/\n/g, '\\n')
    .replace(/\r/g, '\\r')
    .replace(/\t/g, '\\t');
  return mark + (mark === "'" ? escaped.replace(/'/g, "\\'") : escaped) + mark;
}

/** Writes a tree as Node's `util.inspect` and `console.log` print what they were given, for lists of six values at most. */
export function printInspected(node: JsonNode, indent = 0): string {
  if (node.kind === 'string') return quote(node.text);
  if (node.kind === 'number') return String(Number(node.text));
  if (node.kind !== 'object' && node.kind !== 'array') return node.text;
  const isList = node.kind === 'array';
  const members = isList
    ? node.items.map((item) => printInspected(item, indent + 2))
    : [...node.members].map(
        ([name, value]) =>
          `${/^[A-Za-z_]\w*$/.test(name) ? name : quote(name)}: ${printInspected(value, indent + 2)}`,
      );
  const [open, close] = isList ? '[]' : '{}';
  if (members.length === 0) return `${open}${close}`;
  const start = members.length + indent + 1 + START;
  const length = members.reduce((sum, one) => sum + one.length, members.length + start);
  if (length <= LINE_LENGTH && !members.some((one) => one.includes('\n')))
    return `${open} ${members.join(', ')} ${close}`;
  const blanks = ' '.repeat(indent);
  return `${open}\n${blanks}  ${members.join(`,\n${blanks}  `)}\n${blanks}${close}`;
}
