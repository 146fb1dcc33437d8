const DELIMITERS = [',', ';', '\t'] as const;

/** A first line that says which sign parts the values, as Excel writes and reads it. */
export const separatorLine = /^sep=([,;\t])(?:\r\n?|\n|$)/i;

/** One row and the line on which it begins. */
export interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/**
 * Reads a small table as CSV: comma, semicolon or tab, whichever the first line has most of, or says as Excel does (`sep=;`);
 * empty lines are passed over.
 *
 * What is not closed ends with the text. For large files there is a parser that streams.
 * @param mostRows - it reads no further
 * @source RFC 4180
 */
export function readCsv(text: string, mostRows: number): CsvRow[] {
  const source = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  const [told, named] = separatorLine.exec(source) ?? ['', undefined];
  const first = /^[^\r\n]*/.exec(source)?.[0] ?? '';
  const delimiter = named ?? DELIMITERS.toSorted((a, b) => first.split(b).length - first.split(a).length)[0]!;
  const rows: CsvRow[] = [];
  let line = told === '' ? 1 : 2;
  for (let at = told.length; at < source.length && rows.length < mostRows;) {
    const begin = line;
    const cells: string[] = [];
    for (;;) {
      const cell = readCell(source, at, delimiter);
      cells.push(cell.text);
      line += cell.lineBreaks;
      at = cell.end + 1;
      if (source[cell.end] !== delimiter) break;
    }
    if (source[at - 1] === '\r' && source[at] === '\n') at += 1;
    line += 1;
    if (cells.some((cell) => cell.trim() !== '')) rows.push({ line: begin, cells });
  }
  return rows;
}

/** @returns where the cell ends: at a delimiter, a line break, or the end of the text */
function readCell(
  source: string,
  start: number,
  delimiter: string,
): { text: string; end: number; lineBreaks: number } {
  if (source[start] !== '"') {
    let end = start;
    while (end < source.length && source[end] !== delimiter && !isBreak(source[end]!)) end += 1;
    return { text: source.slice(start, end), end, lineBreaks: 0 };
  }
  let text = '';
  let at = start + 1;
  for (; at < source.length; at += 1) {
    if (source[at] === '"' && source[at + 1] === '"') at += 1;
    else if (source[at] === '"') break;
    text += source[at]!;
  }
  // What stands behind the closing quote belongs to no cell.
  let end = Math.min(at + 1, source.length);
  while (end < source.length && source[end] !== delimiter && !isBreak(source[end]!)) end += 1;
  return { text, end, lineBreaks: text.split('\n').length - 1 };
}

const isBreak = (character: string): boolean => character === '\n' || character === '\r';
