import type { JsonNode } from '../json/json-tree';

/** Writes a value as JSON, numbers as their literals. */
export function writeJson(node: JsonNode): string {
  if (node.kind === 'string') return JSON.stringify(node.text);
  if (node.kind === 'array') return `[${node.items.map(writeJson).join(',')}]`;
  if (node.kind === 'object') {
    const members = [...node.members].map(([key, value]) => `${JSON.stringify(key)}:${writeJson(value)}`);
    return `{${members.join(',')}}`;
  }
  return node.text;
}

/** Writes a value with the place it stands at. */
export function showPlaced(place: string, node: JsonNode | null): string {
  return node === null ? `no ${place}` : `${place} ${writeJson(node)}`;
}

/** Writes a value for a verdict: what is missing, too. Whole: whoever shows it masks it before it is shortened. */
export function showNode(node: JsonNode | null): string {
  return node === null ? 'nothing there' : writeJson(node);
}
