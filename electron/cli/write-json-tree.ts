import type { JsonNode } from '@shared/json/json-tree';

/** Writes a tree of literals as JSON on one line; numbers stand as they were written. */
export function writeJsonTree(node: JsonNode): string {
  switch (node.kind) {
    case 'string':
      return JSON.stringify(node.text);
    case 'number':
    case 'name':
      return node.text;
    case 'array':
      return `[${node.items.map(writeJsonTree).join(',')}]`;
    case 'object':
      return `{${[...node.members].map(([key, value]) => `${JSON.stringify(key)}:${writeJsonTree(value)}`).join(',')}}`;
  }
}
