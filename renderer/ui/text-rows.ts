import { showControls } from '@shared/show-controls';

/** A piece of a text as one row on the screen: a line, or a part of a long one. */
export interface TextRow {
  start: number;
  end: number;
  /** Number of its line, from 1; null: the line goes on from the row above. */
  line: number | null;
  /** So many letters further in it begins: below the beginning of the line that it goes on with. */
  indent: number;
}

export interface TextRows {
  count: number;
  /** The text has more rows than can be scrolled through. */
  isCut: boolean;
  at(index: number): TextRow;
  /** Where a line begins; the last row, for a line that is not there. */
  indexOfLine(line: number): number;
  /** Where the character at an offset stands. */
  indexOfOffset(offset: number): number;
}

/** A longer text is cut by its letters, whatever they take up: to look at each would take the window too long. */
const mostMeasured = 1_000_000;
/** Beyond these a letter may take up another place than one. */
const unusual = /[^\t\n\r -~]/;

/** So many rows have a place to scroll to, ten megabytes of laid out JSON among them; a text beyond them is copied. */
const mostRows = 800_000;

/**
 * Cuts a text into rows: at its line ends, and a line that is longer than `rowChars` into several, so that every
 * character can be reached and no row is too long to draw. Looks for line ends alone, and at the letters of a text where
 * some are wide or shown as a mark: what a row says is read when it comes into view.
 */
export function listTextRows(text: string, rowChars: number): TextRows {
  const endOfRow = text.length <= mostMeasured && unusual.test(text) ? endOfMeasuredRow : endOfPlainRow;
  const starts: number[] = [];
  // The number of a line that begins; where one goes on, how far in it stands, below zero.
  const lines: number[] = [];
  let isCut = false;
  let line = 0;
  for (let start = 0; start <= text.length && !isCut; line += 1) {
    const feed = text.indexOf('\n', start);
    const end = feed === -1 ? text.length : feed;
    const indent = Math.min(countSpaces(text, start, rowChars), Math.floor(rowChars / 3));
    let from = start;
    do {
      starts.push(from);
      lines.push(from === start ? line + 1 : -indent);
      from = endOfRow(text, from, from === start ? rowChars : rowChars - indent);
    } while (from < end && starts.length < mostRows);
    isCut = starts.length >= mostRows && (from < end || feed !== -1);
    start = end + 1;
  }
  const at = (index: number): TextRow => {
    const start = starts[index] ?? 0;
    const feed = text.indexOf('\n', start);
    const lineEnd = feed === -1 ? text.length : feed > start && text[feed - 1] === '\r' ? feed - 1 : feed;
    const line = lines[index] ?? 0;
    const indent = line > 0 ? 0 : -line;
    const end = Math.min(lineEnd, endOfRow(text, start, rowChars - indent));
    return { start, end, line: line > 0 ? line : null, indent };
  };
  const indexOfLine = (wanted: number): number => {
    const index = lines.indexOf(wanted);
    return index === -1 ? starts.length - 1 : index;
  };
  const indexOfOffset = (offset: number): number => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  return { count: starts.length, isCut, at, indexOfLine, indexOfOffset };
}

/** How many spaces a line begins with, of the first `most` letters. */
function countSpaces(text: string, start: number, most: number): number {
  let count = 0;
  while (count < most && text[start + count] === ' ') count += 1;
  return count;
}

/** Keeps a surrogate pair in one row. */
function endOfPlainRow(text: string, start: number, rowChars: number): number {
  const end = start + rowChars;
  const last = text.charCodeAt(end - 1);
  return last >= 0xd800 && last < 0xdc00 ? end + 1 : end;
}

/** Ends before the letter that would not fit, and never before the first. */
function endOfMeasuredRow(text: string, start: number, rowChars: number): number {
  let end = start;
  for (let left = rowChars; end < text.length && text[end] !== '\n';) {
    const code = text.codePointAt(end)!;
    left -= measureLetter(code);
    if (left < 0 && end > start) return end;
    end += code > 0xffff ? 2 : 1;
  }
  return end;
}

/** East Asian wide letters and full-width forms. @source Unicode Standard Annex 11 */
const wideRanges: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0xa4cf],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
];

/** What each letter was measured as; 0: not yet. A long text has few kinds of letters, and millions of them. */
const measured = new Uint8Array(0x110000);

/** How many places of a fixed width a letter takes up as it is drawn. */
function measureLetter(code: number): number {
  if (code < 0x7f) return 1;
  return (measured[code] ||= measureAnew(code));
}

function measureAnew(code: number): number {
  const letter = String.fromCodePoint(code);
  const shown = showControls(letter);
  if (shown !== letter) return shown.length;
  return code > 0xffff || wideRanges.some(([from, to]) => code >= from && code <= to) ? 2 : 1;
}
