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
  const names = new Map<string, string>();
  let mark = 90_000_000_001;
  const marked = mapExpressions(text, (name) => {
    while (text.includes(String(mark))) mark += 1;
    names.set(String(mark), name);
    return String(mark++);
  });
  return {
    text: marked,
    restore(part) {
      let restored = part;
      for (const [number, name] of names) restored = restored.replaceAll(number, () => `{{${name}}}`);
      return restored;
    },
  };
}
