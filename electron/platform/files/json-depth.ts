import { createScanner } from 'jsonc-parser';

/** Deeper than any file that a person writes; far below what a recursive reader bears. */
const maxDepth = 100;

/** Tells whether a JSON text is nested deeper than what reads it bears; linear, and never recursive itself. */
export function isTooDeep(text: string): boolean {
  const scanner = createScanner(text, true);
  let depth = 0;
  for (scanner.scan(); scanner.getTokenLength() > 0; scanner.scan()) {
    const character = text[scanner.getTokenOffset()];
    if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    if (depth > maxDepth) return true;
  }
  return false;
}
