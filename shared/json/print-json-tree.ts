import type { JsonNode } from './json-tree';

/** Prints a tree of literals over lines, two blanks a level; numbers stand as they were written. */
export function printJsonTree(node: JsonNode, indent = ''): string {
  const inner = `${indent}  `;
  switch (node.kind) {
    case 'string':
      return JSON.stringify(node.text);
    case 'number':
    case 'name':
      return node.text;
    case 'array':
      return wrap(
        '[]',
        node.items.map((item) => `${inner}${printJsonTree(item, inner)}`),
        indent,
      );
    case 'object':
      return wrap(
        '{}',
        [...node.members].map(
          ([key, value]) => `${inner}${JSON.stringify(key)}: ${printJsonTree(value, inner)}`,
        ),
        indent,
      );
  }
}

/** Prints a tree of literals on one line. */
export function printJsonLine(node: JsonNode): string {
  switch (node.kind) {
    case 'string':
      return JSON.stringify(node.text);
    case 'number':
    case 'name':
      return node.text;
    case 'array':
      return `[${node.items.map(printJsonLine).join(',')}]`;
    case 'object':
      return `{${[...node.members].map(([key, value]) => `${JSON.stringify(key)}:${printJsonLine(value)}`).join(',')}}`;
  }
}

function wrap(brackets: string, lines: readonly string[], indent: string): string {
  if (lines.length === 0) return brackets;
  return `${brackets[0]}\n${lines.join(',\n')}\n${indent}${brackets[1]}`;
}
