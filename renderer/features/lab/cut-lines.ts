/** A range of a text that is drawn with a class of its own. */
export interface Mark {
  start: number;
  end: number;
  className: string;
}

/** A run of a line that is drawn in one way. */
export interface LinePiece {
  text: string;
  className?: string;
}

/** Cuts a text into lines, and each of them where a mark begins or ends; marks that overlap an earlier one are left out. */
export function cutLines(text: string, marks: readonly Mark[]): LinePiece[][] {
  const sorted = marks.toSorted((left, right) => left.start - right.start);
  let next = 0;
  let start = 0;
  return text.split('\n').map((line) => {
    const end = start + line.length;
    const pieces: LinePiece[] = [];
    let at = start;
    for (; next < sorted.length && sorted[next]!.start < end; next += 1) {
      const mark = sorted[next]!;
      if (mark.start < at || mark.end > end) continue;
      if (mark.start > at) pieces.push({ text: text.slice(at, mark.start) });
      pieces.push({ text: text.slice(mark.start, mark.end), className: mark.className });
      at = mark.end;
    }
    if (at < end) pieces.push({ text: text.slice(at, end) });
    start = end + 1;
    return pieces;
  });
}
