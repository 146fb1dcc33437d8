import type { TextEdit } from './edit-body';

/** One thing that may be put where the cursor stands. */
export interface Completion extends TextEdit {
  readonly label: string;
  /** What it is, in a few words. */
  readonly detail: string;
  /** Where the cursor is to stand, counted from `start`. */
  readonly caret: number;
}

/** What may stand between `{{` and `}}`. */
export interface NamedVariable {
  readonly name: string;
  /** Its value, or what it gives. */
  readonly detail: string;
}

const MOST = 60;

/**
 * Offers the names of variables behind an open `{{`; null: none is open there.
 *
 * @param text - of a body, an address, a header: any text that variables may stand in
 */
export function completeVariable(
  text: string,
  offset: number,
  variables: readonly NamedVariable[],
): Completion[] | null {
  const before = /\{\{\s*(%?)(\$?[\w.-]*)$/.exec(text.slice(Math.max(0, offset - 120), offset));
  if (before === null) return null;
  const [, sign = '', name = ''] = before;
  const typed = name.toLowerCase();
  const start = offset - before[0].length;
  const behind = /^[\w.-]*\s*\}\}/.exec(text.slice(offset, offset + 120))?.[0].length ?? 0;
  return variables
    .filter(({ name }) => name.toLowerCase().includes(typed))
    .toSorted((a, b) => Number(startsLower(b.name, typed)) - Number(startsLower(a.name, typed)))
    .slice(0, MOST)
    .map(({ name, detail }) => {
      const written = `{{${sign}${name}}}`;
      return { label: written, detail, start, end: offset + behind, text: written, caret: written.length };
    });
}

const startsLower = (name: string, typed: string): boolean => name.toLowerCase().startsWith(typed);
