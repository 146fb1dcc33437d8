import { isSameNumber } from '../payments/decimal';
import type { JsonNode } from './json-tree';

/** Compares by meaning: members in any order, numbers by exact value (`5` is `5.00`), text by its characters. */
export function isSameJson(a: JsonNode, b: JsonNode): boolean {
  if (a.kind === 'object') {
    if (b.kind !== 'object' || a.members.size !== b.members.size) return false;
    return [...a.members].every(([key, value]) => {
      const other = b.members.get(key);
      return other !== undefined && isSameJson(value, other);
    });
  }
  if (a.kind === 'array') {
    if (b.kind !== 'array' || a.items.length !== b.items.length) return false;
    return a.items.every((item, at) => isSameJson(item, b.items[at]!));
  }
  if (a.kind !== b.kind) return false;
  return a.text === b.text || (a.kind === 'number' && isSameNumber(a.text, b.text));
}
