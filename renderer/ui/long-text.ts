import { hasHeapedMarks } from '@shared/show-controls';

const longestEditable = 100_000;
/** What is drawn behind a text area has an element for each: thousands take seconds. */
const MOST_LINES = 2000;
/** How often a line may turn to letters that are read from the right: laying it out takes time by the square of that. */
const MOST_TURNS = 5000;
/** A word of more such letters is broken where its row ends, and shaped anew from there: each counts as a turn. */
const LONGEST_WORD = 200;
const readFromRight =
  /[\u200f\u202b\u202e\u2067\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]+/gu;

function countTurns(line: string): number {
  let turns = 0;
  for (const [word] of line.matchAll(readFromRight)) turns += word.length > LONGEST_WORD ? word.length : 1;
  return turns;
}

/** Whether a text turns its direction so often that a window is held up by laying it out, be it short. */
export function turnsTooOften(text: string, isOneLine = true): boolean {
  if (text.length <= MOST_TURNS) return false;
  const lines = isOneLine ? [text] : text.split('\n');
  return lines.reduce((sum, line) => sum + countTurns(line) ** 2, 0) > MOST_TURNS ** 2;
}

/** Whether a text is short and plain enough for a text area; others are shown row by row, and replaced as a whole. */
export function isEditable(text: string): boolean {
  return describeUnwrapped(text) === null && text.split('\n', MOST_LINES + 1).length <= MOST_LINES;
}

/** Says why an editor does not wrap a text, whatever is chosen; null: it wraps it. */
export function describeUnwrapped(text: string): string | null {
  if (text.length > longestEditable)
    return `Texts of more than ${longestEditable / 1000},000 characters do not wrap while they are edited`;
  if (hasHeapedMarks(text)) return 'Texts with this many marks on a letter do not wrap while they are edited';
  if (turnsTooOften(text, false))
    return 'Texts that change their direction this often do not wrap while they are edited';
  return null;
}
