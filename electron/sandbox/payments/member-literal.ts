import { decodeJsonString, scanJson } from '@shared/json/json-scanner';

/**
 * Cuts the value of a top-level member out of a JSON object, as written.
 *
 * What is echoed keeps its numbers and its spacing; nothing is parsed and written again. Of a repeated key the
 * last counts, as in `JSON.parse`.
 * @param text - strict JSON, an object at the top
 * @returns the literal, or null where there is no such member
 */
export function readMemberLiteral(text: string, name: string): string | null {
  let depth = 0;
  let isWanted = false;
  let start = -1;
  let literal: string | null = null;
  scanJson(text, {
    levels: 1,
    key(from, end, hasEscape) {
      if (depth === 1) isWanted = decodeJsonString(text, from, end, hasEscape) === name;
    },
    scalar(kind, from, end) {
      if (depth !== 1 || !isWanted) return;
      const quote = kind === 1 ? 1 : 0;
      literal = text.slice(from - quote, end + quote);
    },
    open(_kind, from) {
      if (depth === 1 && isWanted) start = from;
      depth += 1;
    },
    close(end) {
      depth -= 1;
      if (depth !== 1 || start === -1) return;
      literal = text.slice(start, end);
      start = -1;
    },
  });
  return literal;
}
