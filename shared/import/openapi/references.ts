import type { JsonNode } from '../../json/json-tree';
import { readText } from '../nodes';
import { decodeFromUrl } from '../../encode-for-url';

/** A reference may lead to a reference; so many in a row are a circle. */
const MAX_STEPS = 30;

/** Follows `$ref` within one document. */
export interface References {
  /** Gives what a node stands for: itself, or what its reference leads to; null where that leads nowhere. */
  follow(node: JsonNode | null): JsonNode | null;
  /** Whether what stands beside the reference of a schema counts. @source OpenAPI 3.1, Schema Object; JSON Schema 2020-12, 8.2.3.1 */
  readonly hasSiblings: boolean;
  /** References out of the document, which are not fetched. */
  readonly foreign: ReadonlySet<string>;
  /** References that lead to nothing in the document, or round in a circle. */
  readonly dangling: ReadonlySet<string>;
}

/** @source RFC 6901; OpenAPI 3.0 and 3.1, Reference Object */
export function createReferences(root: JsonNode): References {
  const foreign = new Set<string>();
  const dangling = new Set<string>();
  const find = (pointer: string): JsonNode | null => {
    let at: JsonNode | null = root;
    for (const part of pointer.split('/').slice(1)) {
      const key = decodeFromUrl(part).replaceAll('~1', '/').replaceAll('~0', '~');
      if (at?.kind === 'object') at = at.members.get(key) ?? null;
      else if (at?.kind === 'array') at = at.items[Number(key)] ?? null;
      else return null;
    }
    return at;
  };
  return {
    hasSiblings: !/^3\.0(?:\.|$)/.test(readText(root, 'openapi') ?? ''),
    foreign,
    dangling,
    follow(node) {
      let at = node;
      for (let step = 0; step < MAX_STEPS; step++) {
        const reference = readText(at, '$ref');
        if (reference === null) return at;
        if (!reference.startsWith('#')) {
          foreign.add(reference);
          return null;
        }
        at = find(reference.slice(1));
        if (at === null || step === MAX_STEPS - 1) dangling.add(reference);
      }
      return null;
    },
  };
}
