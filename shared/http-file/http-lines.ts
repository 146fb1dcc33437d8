/** One line of a file. Offsets are UTF-16 units of the whole text. */
export interface Line {
  text: string;
  start: number;
  /** Before the line end. */
  end: number;
  /** Start of the line after. */
  next: number;
  /** From 1. */
  number: number;
}

/** Where reading stands; nothing is read at or past `limit`. */
export interface LineReader {
  text: string;
  offset: number;
  line: number;
  limit: number;
  /** What was looked for in vain: no script that begins at `from` or behind it ends before `limit`. */
  endless?: { from: number; limit: number };
}

/** Reads the next line; null at the limit. */
export function readLine(reader: LineReader): Line | null {
  if (reader.offset >= reader.limit) return null;
  const start = reader.offset;
  const feed = reader.text.indexOf('\n', start);
  const isLast = feed === -1 || feed >= reader.limit;
  const next = isLast ? reader.limit : feed + 1;
  let end = isLast ? reader.limit : feed;
  if (end > start && reader.text.charCodeAt(end - 1) === 13) end--;
  const line = { text: reader.text.slice(start, end), start, end, next, number: reader.line };
  reader.offset = next;
  reader.line++;
  return line;
}

/** Puts a line back: it is the next one to be read. */
export function unreadLine(reader: LineReader, line: Line): void {
  reader.offset = line.start;
  reader.line = line.number;
}

/** Counts the line feeds of a stretch. */
export function countLines(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

/**
 * Finds where `mark` begins a line, at its first column.
 *
 * Looks for the mark and then for what stands before it: line breaks are many in a body, marks are not.
 * @returns offset of the mark, or `to`: nowhere
 */
export function findLineBeginning(text: string, mark: string, from: number, to: number): number {
  // In the stretch alone: a mark that the file has nowhere would be looked for in all the rest of it, for each request.
  const part = text.slice(from, to);
  for (let at = part.indexOf(mark); at !== -1; at = part.indexOf(mark, at + 1)) {
    if (from + at === 0 || text.charCodeAt(from + at - 1) === 10) return from + at;
  }
  return to;
}
