/** A piece of a text as one row on the screen: a line, or a part of a long one. */
export interface TextRow {
  start: number;
  end: number;
  /** Number of its line, from 1; null: the line goes on from the row above. */
  line: number | null;
}

export interface TextRows {
  count: number;
  /** The text has more rows than can be scrolled through. */
  isCut: boolean;
  at(index: number): TextRow;
  /** Where a line begins; the last row, for a line that is not there. */
  indexOfLine(line: number): number;
}

/** So many rows have a place to scroll to; a text beyond them is copied. */
const mostRows = 200_000;

/**
 * Cuts a text into rows: at its line ends, and a line that is longer than `rowChars` into several, so that every
 * character can be reached and no row is too long to draw. Looks for line ends alone: what a row says is read when it
 * comes into view.
 */
export function listTextRows(text: string, rowChars: number): TextRows {
  const starts: number[] = [];
  const lines: number[] = [];
  let isCut = false;
  let line = 0;
  for (let start = 0; start <= text.length && !isCut; line += 1) {
    const feed = text.indexOf('\n', start);
    const end = feed === -1 ? text.length : feed;
    let from = start;
    do {
      starts.push(from);
      lines.push(from === start ? line + 1 : 0);
      from = endOfRow(text, from, rowChars);
    } while (from < end && starts.length < mostRows);
    isCut = starts.length >= mostRows && (from < end || feed !== -1);
    start = end + 1;
  }
  const at = (index: number): TextRow => {
    const start = starts[index] ?? 0;
    const feed = text.indexOf('\n', start);
    const lineEnd = feed === -1 ? text.length : feed > start && text[feed - 1] === '\r' ? feed - 1 : feed;
    return { start, end: Math.min(lineEnd, endOfRow(text, start, rowChars)), line: lines[index] || null };
  };
  const indexOfLine = (wanted: number): number => {
    const index = lines.indexOf(wanted);
    return index === -1 ? starts.length - 1 : index;
  };
  return { count: starts.length, isCut, at, indexOfLine };
}

/** Keeps a surrogate pair in one row. */
function endOfRow(text: string, start: number, rowChars: number): number {
  const end = start + rowChars;
  const last = text.charCodeAt(end - 1);
  return last >= 0xd800 && last < 0xdc00 ? end + 1 : end;
}
