import type { SignedFieldName } from '@shared/contract/common';
import { describeHidden } from '@shared/hidden-characters';
import { nameCodePoint } from '@shared/signing/look-alikes';

export interface ByteRow {
  /** Byte offset in the UTF-8 string. */
  offset: number;
  /** Its bytes, `c3 a9`. */
  hex: string;
  character: string;
  /** `U+00E9`, and in words where it is odd. */
  name: string;
  /** Neither a printable ASCII character nor a letter one would expect. */
  isOdd: boolean;
  field: SignedFieldName | null;
}

const most = 2000;
const encoder = new TextEncoder();

/**
 * Lists a string character by character as its bytes.
 *
 * At most 2,000 characters; `isCut` tells when there are more.
 */
export function listByteRows(
  text: string,
  spans: readonly { field: SignedFieldName; start: number; end: number }[],
): { rows: ByteRow[]; isCut: boolean } {
  const rows: ByteRow[] = [];
  let offset = 0;
  let index = 0;
  for (const character of text) {
    if (rows.length === most) return { rows, isCut: true };
    const codePoint = character.codePointAt(0) ?? 0;
    const bytes = encoder.encode(character);
    const at = index;
    const hidden = describeHidden(codePoint);
    const number = nameCodePoint(codePoint);
    rows.push({
      offset,
      hex: Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(' '),
      character: hidden?.mark ?? character,
      name: hidden === null || hidden.name === number ? number : `${number} ${hidden.name}`,
      isOdd: codePoint <= 0x20 || codePoint >= 0x7f,
      field: spans.find(({ start, end }) => at >= start && at < end)?.field ?? null,
    });
    offset += bytes.length;
    index += character.length;
  }
  return { rows, isCut: false };
}
