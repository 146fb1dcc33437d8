import type { JsonNode } from '../json/json-tree';

const longest = 300;

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

/** Shortens a text for one line of a report. */
export function shortenText(text: string): string {
  return text.length <= longest ? text : `${text.slice(0, longest)}… (${text.length} characters)`;
}

/** Writes a value for a report: what is missing, too. */
export function showNode(node: JsonNode | null): string {
  return node === null ? 'nothing there' : shortenText(writeJson(node));
}
