const DIGITS: readonly string[] = Array.from({ length: 256 }, (_, byte) =>
  byte.toString(16).padStart(2, '0'),
);

/** Writes bytes as lower-case hex. */
export function toHex(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += DIGITS[byte]!;
  return text;
}

/** What a hex digit, by its character code, stands for; lower and upper case. */
const VALUES = new Uint8Array(128);
for (let value = 0; value < 16; value += 1) {
  const digit = value.toString(16);
  VALUES[digit.charCodeAt(0)] = value;
  VALUES[digit.toUpperCase().charCodeAt(0)] = value;
}

/** Reads an even number of hex digits as bytes; anything else in `hex` counts as 0. */
export function fromHex(hex: string): Uint8Array {
  const bytes = new Uint8Array(hex.length / 2);
  for (let at = 0; at < bytes.length; at += 1) {
    bytes[at] = (VALUES[hex.charCodeAt(at * 2)]! << 4) | VALUES[hex.charCodeAt(at * 2 + 1)]!;
  }
  return bytes;
}
