import type { HttpFile } from './http-file';

/** The line end that stands at a place: a line that is put there has the same, and its neighbour keeps its own. */
export function lineEndAt({ text, lineEnd }: HttpFile, at: number): string {
  return /^\r?\n/.exec(text.slice(at, at + 2))?.[0] ?? lineEnd;
}

/** A whole line with its own end; the last one of a file, which has none, with the break in front of it. */
export function lineAt(
  text: string,
  { start, end }: { start: number; end: number },
): { start: number; end: number } {
  const own = /^\r?\n/.exec(text.slice(end, end + 2))?.[0];
  if (own !== undefined) return { start, end: end + own.length };
  return { start: start - (text[start - 2] === '\r' ? 2 : 1), end };
}
