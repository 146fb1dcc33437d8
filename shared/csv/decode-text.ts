/**
 * Reads the bytes of a file as text: UTF-8, or UTF-16 where a byte order mark says so, as Excel's “Unicode text” has it.
 *
 * What cannot be read stands as U+FFFD.
 */
export function decodeText(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const isWide = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  return new TextDecoder(isWide ? (first === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8').decode(bytes);
}
