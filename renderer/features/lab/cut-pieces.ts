import type { SignedFieldName } from '@shared/contract/common';
import type { DiffPart } from '../../ui/diff-strings';

export interface CutPiece {
  text: string;
  isDifferent: boolean;
  field: SignedFieldName | null;
}

/** Cuts the parts of a comparison at the edges of the signed fields, so that each piece has one hue. */
export function cutPieces(
  parts: readonly DiffPart[],
  spans: readonly { field: SignedFieldName; start: number; end: number }[],
): CutPiece[] {
  const pieces: CutPiece[] = [];
  let offset = 0;
  for (const part of parts) {
    const end = offset + part.text.length;
    const edges = new Set([offset, end]);
    for (const edge of spans.flatMap((span) => [span.start, span.end])) {
      if (edge > offset && edge < end) edges.add(edge);
    }
    const sorted = [...edges].sort((left, right) => left - right);
    for (const [index, from] of sorted.slice(0, -1).entries()) {
      const to = sorted[index + 1] ?? end;
      pieces.push({
        text: part.text.slice(from - offset, to - offset),
        isDifferent: part.isDifferent,
        field: spans.find((span) => span.start <= from && span.end >= to)?.field ?? null,
      });
    }
    offset = end;
  }
  return pieces;
}
