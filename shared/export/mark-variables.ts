import { mapExpressions } from './map-expressions';

/** A text that JSON can be read from, and the way back from what was read. */
export interface MarkedText {
  text: string;
  restore(part: string): string;
}

/**
 * Puts a number in the place of each variable of a JSON text: it may stand in quotes, or where JSON wants a value.
 *
 * The numbers stand nowhere else in it.
 */
export function markVariables(text: string): MarkedText {
  const taken = new Set<string>();
  for (const [run] of text.matchAll(LONG_NUMBER)) {
    for (let at = 0; at + DIGITS <= run.length; at += 1) taken.add(run.slice(at, at + DIGITS));
  }
  const names = new Map<string, string>();
  let mark = 90_000_000_001;
  const marked = mapExpressions(text, (name) => {
    while (taken.has(String(mark))) mark += 1;
    names.set(String(mark), name);
    return String(mark++);
  });
  const restoreRun = (run: string): string => {
    const pieces: string[] = [];
    for (let at = 0; at < run.length;) {
      const name = names.get(run.slice(at, at + DIGITS));
      pieces.push(name === undefined ? run[at]! : `{{${name}}}`);
      at += name === undefined ? 1 : DIGITS;
    }
    return pieces.join('');
  };
  return { text: marked, restore: (part) => part.replace(LONG_NUMBER, restoreRun) };
}

/** Of each mark. */
const DIGITS = 11;
const LONG_NUMBER = /\d{11,}/g;
