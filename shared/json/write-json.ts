import type { JsonNode } from './json-tree';

/** Writes a tree as JSON without white space, its numbers as they were written. */
export function writeJson(node: JsonNode, mapText: (text: string) => string = (text) => text): string {
  switch (node.kind) {
    case 'string':
      return JSON.stringify(mapText(node.text));
    case 'array':
      return `[${node.items.map((item) => writeJson(item, mapText)).join(',')}]`;
    case 'object': {
      const members = [...node.members].map(
        ([key, value]) => `${JSON.stringify(key)}:${writeJson(value, mapText)}`,
      );
      return `{${members.join(',')}}`;
    }
    default:
      return node.text;
  }
}
