import { cutMasked } from './cut-masked';

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

/** Characters that are drawn of a text that turns too often. */
export const LONGEST_TURNING = 5000;

/** Leaves of a text that turns too often its beginning, and says so: a browser is held up by the whole for minutes. */
export function cutTurning(text: string): string {
  return turnsTooOften(text, false) ? cutMasked(text, (whole) => whole, LONGEST_TURNING) : text;
}
