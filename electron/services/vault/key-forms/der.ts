/** One element of DER: where its content starts and ends in the bytes it was read from. */
export interface DerElement {
  tag: number;
  start: number;
  end: number;
}

export const TAG = {
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  oid: 0x06,
  sequence: 0x30,
};

/**
 * Reads the element at an offset, definite lengths alone.
 *
 * @returns null where the bytes hold no element; `end` may lie past the bytes when they were cut short
 */
export function readElement(bytes: Uint8Array, offset: number): DerElement | null {
  const tag = bytes[offset];
  const first = bytes[offset + 1];
  if (tag === undefined || first === undefined) return null;
  if (first < 0x80) return { tag, start: offset + 2, end: offset + 2 + first };
  const lengthBytes = first & 0x7f;
  if (lengthBytes === 0 || lengthBytes > 4 || offset + 2 + lengthBytes > bytes.length) return null;
  let length = 0;
  for (let index = 0; index < lengthBytes; index++) length = length * 256 + bytes[offset + 2 + index]!;
  const start = offset + 2 + lengthBytes;
  return { tag, start, end: start + length };
}

/** Reads the elements inside one. @returns null where they do not fill it exactly */
export function readChildren(bytes: Uint8Array, parent: DerElement): DerElement[] | null {
  const children: DerElement[] = [];
  for (let offset = parent.start; offset < parent.end;) {
    const child = readElement(bytes, offset);
    if (child === null || child.end > parent.end) return null;
    children.push(child);
    offset = child.end;
  }
  return children;
}

/** Reads an object identifier as text ('1.2.840.113549.1.1.1'). */
export function readOid(bytes: Uint8Array, element: DerElement): string {
  const parts: number[] = [];
  let value = 0;
  for (const byte of bytes.subarray(element.start, element.end)) {
    value = value * 128 + (byte & 0x7f);
    if (byte >= 0x80) continue;
    if (parts.length === 0)
      parts.push(Math.min(2, Math.floor(value / 40)), value - 40 * Math.min(2, Math.floor(value / 40)));
    else parts.push(value);
    value = 0;
  }
  return parts.join('.');
}

/** Writes one element around its content. */
export function writeElement(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  if (body.length < 0x80) return Buffer.concat([Buffer.from([tag, body.length]), body]);
  const length: number[] = [];
  for (let rest = body.length; rest > 0; rest = Math.floor(rest / 256)) length.unshift(rest % 256);
  return Buffer.concat([Buffer.from([tag, 0x80 | length.length, ...length]), body]);
}

export function writeSequence(...content: readonly Uint8Array[]): Buffer {
  return writeElement(TAG.sequence, ...content);
}

/** Writes a non-negative integer given as big-endian bytes. */
export function writeInteger(magnitude: Uint8Array): Buffer {
  let start = 0;
  while (start < magnitude.length - 1 && magnitude[start] === 0) start++;
  const digits = magnitude.subarray(start);
  return writeElement(TAG.integer, (digits[0] ?? 0) >= 0x80 ? Buffer.from([0]) : Buffer.alloc(0), digits);
}

export function writeOid(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number);
  return writeElement(TAG.oid, Buffer.from([first * 40 + second, ...rest.flatMap(toBase128)]));
}

function toBase128(value: number): number[] {
  const digits = [value % 128];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128))
    digits.unshift(0x80 | (rest % 128));
  return digits;
}
