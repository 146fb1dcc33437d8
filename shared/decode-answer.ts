import type { HeaderList } from './contract/common';
import { findHeader } from './find-header';

/** Gives the character set that the type of an answer names, in small letters; null: it names none. */
export function findCharset(headers: HeaderList): string | null {
  const type = findHeader(headers, 'content-type') ?? '';
  return /;\s*charset\s*=\s*"?([\w.:+-]{1,40})/i.exec(type)?.[1]?.toLowerCase() ?? null;
}

/**
 * Reads an answer's bytes as text: as UTF-8, and where they are none, in the character set that its type names.
 *
 * UTF-16 of Latin letters would pass for UTF-8; the NUL in each of them tells it.
 * @param pieces - the bytes, in order
 * @param isCut - they may end within a character, which is left out
 * @returns `isExact` false: they are text in neither, and what is no character is U+FFFD
 */
export function decodeAnswer(
  pieces: readonly Uint8Array[],
  headers: HeaderList,
  { isCut = false } = {},
): { text: string; isUtf8: boolean; isExact: boolean } {
  const charset = chooseCharset(pieces, findCharset(headers));
  const isWide =
    charset !== null && charset.startsWith('utf-16') && pieces.some((bytes) => bytes.includes(0));
  const text = isWide ? null : tryDecode(pieces, 'utf-8', isCut);
  if (text !== null) return { text, isUtf8: true, isExact: true };
  const read = charset === null ? null : tryDecode(pieces, charset, isCut);
  if (read !== null) return { text: read, isUtf8: false, isExact: true };
  return {
    text: decode(pieces, new TextDecoder('utf-8', { ignoreBOM: true }), isCut),
    isUtf8: false,
    isExact: false,
  };
}

/** Plain `utf-16` leaves the order of bytes to its mark, or to the first character, which is a Latin one as good as always. */
function chooseCharset(pieces: readonly Uint8Array[], charset: string | null): string | null {
  if (charset !== 'utf-16') return charset;
  const [first] = pieces.find(({ length }) => length > 0) ?? [];
  return first === 0 || first === 0xfe ? 'utf-16be' : 'utf-16le';
}

/** @returns null: the bytes are no text in it, or nobody here knows it */
function tryDecode(pieces: readonly Uint8Array[], charset: string, isCut: boolean): string | null {
  try {
    return decode(pieces, new TextDecoder(charset, { fatal: true, ignoreBOM: true }), isCut);
  } catch {
    return null;
  }
}

function decode(pieces: readonly Uint8Array[], decoder: TextDecoder, isCut: boolean): string {
  const texts = pieces.map((bytes) => decoder.decode(bytes, { stream: true }));
  return texts.join('') + (isCut ? '' : decoder.decode());
}
