import type { HeaderList } from './contract/common';

/** Gives the character set that the type of an answer names, in small letters; null: it names none. */
export function findCharset(headers: HeaderList): string | null {
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  return /;\s*charset\s*=\s*"?([\w.:+-]{1,40})/i.exec(type)?.[1]?.toLowerCase() ?? null;
}

/**
 * Reads an answer's bytes as text: as UTF-8, and where they are none, in the character set that its type names.
 *
 * @param pieces - the bytes, in order
 * @returns `isExact` false: they are text in neither, and what is no character is U+FFFD
 */
export function decodeAnswer(
  pieces: readonly Uint8Array[],
  headers: HeaderList,
): { text: string; isUtf8: boolean; isExact: boolean } {
  const text = tryDecode(pieces, 'utf-8');
  if (text !== null) return { text, isUtf8: true, isExact: true };
  const charset = findCharset(headers);
  const read = charset === null ? null : tryDecode(pieces, charset);
  if (read !== null) return { text: read, isUtf8: false, isExact: true };
  return {
    text: decode(pieces, new TextDecoder('utf-8', { ignoreBOM: true })),
    isUtf8: false,
    isExact: false,
  };
}

/** @returns null: the bytes are no text in it, or nobody here knows it */
function tryDecode(pieces: readonly Uint8Array[], charset: string): string | null {
  try {
    return decode(pieces, new TextDecoder(charset, { fatal: true, ignoreBOM: true }));
  } catch {
    return null;
  }
}

function decode(pieces: readonly Uint8Array[], decoder: TextDecoder): string {
  const texts = pieces.map((bytes) => decoder.decode(bytes, { stream: true }));
  return texts.join('') + decoder.decode();
}
