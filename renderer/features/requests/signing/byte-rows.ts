import type { SignedFieldName } from '@shared/contract/common';
import { nameCodePoint } from '@shared/signing/look-alikes';

/** One character of the string to sign. */
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

const names: Record<number, string> = {
  0x09: 'tab',
  0x0a: 'line feed',
  0x0d: 'carriage return',
  0x20: 'space',
  0xa0: 'no-break space',
  0xad: 'soft hyphen',
  0x200b: 'zero width space',
  0x200c: 'zero width non-joiner',
  0x200d: 'zero width joiner',
  0x200e: 'left-to-right mark',
  0x200f: 'right-to-left mark',
  0x2028: 'line separator',
  0x2029: 'paragraph separator',
  0x202a: 'left-to-right embedding',
  0x202b: 'right-to-left embedding',
  0x202c: 'pop directional formatting',
  0x2060: 'word joiner',
  0xfeff: 'byte order mark',
  0xfffd: 'replacement character',
};

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
    rows.push({
      offset,
      hex: Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(' '),
      character: showCharacter(character, codePoint),
      name: [nameCodePoint(codePoint), names[codePoint]].filter(Boolean).join(' '),
      isOdd: codePoint <= 0x20 || codePoint >= 0x7f,
      field: spans.find(({ start, end }) => at >= start && at < end)?.field ?? null,
    });
    offset += bytes.length;
    index += character.length;
  }
  return { rows, isCut: false };
}

function showCharacter(character: string, codePoint: number): string {
  if (codePoint < 0x20) return String.fromCodePoint(0x2400 + codePoint);
  if (codePoint === 0x20) return '␣';
  return names[codePoint] === undefined ? character : '·';
}
