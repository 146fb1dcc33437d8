const utf8 = new TextEncoder();

/** A text and its UTF-8, which is written once and copied many thousand times. */
export interface Piece {
  readonly text: string;
  readonly bytes: Uint8Array;
}

/** Makes a piece of a text. */
export function toPiece(text: string): Piece {
  return { text, bytes: utf8.encode(text) };
}

export const EMPTY_PIECE: Piece = toPiece('');

/** Joins two pieces. */
export function joinPieces(left: Piece, right: Piece): Piece {
  if (left.text === '') return right;
  return right.text === '' ? left : toPiece(left.text + right.text);
}
