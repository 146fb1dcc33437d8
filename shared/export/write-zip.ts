const polynomial = 0xedb88320;
const table = Uint32Array.from({ length: 256 }, (_none, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ polynomial : value >>> 1;
  return value;
});

function checksum(bytes: Uint8Array): number {
  let value = 0xffffffff;
  for (const byte of bytes) value = table[(value ^ byte) & 0xff]! ^ (value >>> 8);
  return (value ^ 0xffffffff) >>> 0;
}

/** Writes numbers of two (`[2, n]`) and four bytes (`[4, n]`), the lowest byte first. */
function pack(fields: readonly (readonly [size: 2 | 4, value: number])[]): Uint8Array {
  const bytes: number[] = [];
  for (const [size, value] of fields) {
    for (let at = 0; at < size; at++) bytes.push((value >>> (8 * at)) & 0xff);
  }
  return Uint8Array.from(bytes);
}

/** 1 January 1980, the first day that the form knows: the same files give the same archive. */
const firstDay = 0x21;
const utf8Names = 0x0800;

/**
 * Writes files into one archive, as they are.
 *
 * @source APPNOTE.TXT 6.3.3: method 0 (stored), names in UTF-8
 */
export function writeZip(files: readonly { path: string; bytes: Uint8Array }[]): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const { path, bytes } of files) {
    const name = encoder.encode(path);
    const facts = [[2, utf8Names], [2, 0], [2, 0], [2, firstDay], [4, checksum(bytes)], [4, bytes.length],
      [4, bytes.length], [2, name.length], [2, 0]] as const; // prettier-ignore
    const head = pack([[4, 0x04034b50], [2, 20], ...facts]);
    parts.push(head, name, bytes);
    directory.push(
      pack([[4, 0x02014b50], [2, 20], [2, 20], ...facts, [2, 0], [2, 0], [2, 0], [4, 0], [4, offset]]),
      name,
    );
    offset += head.length + name.length + bytes.length;
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0);
  const end = pack([
    [4, 0x06054b50],
    [2, 0],
    [2, 0],
    [2, files.length],
    [2, files.length],
    [4, size],
    [4, offset],
    [2, 0],
  ]);
  const archive = new Uint8Array(offset + size + end.length);
  let at = 0;
  for (const part of [...parts, ...directory, end]) {
    archive.set(part, at);
    at += part.length;
  }
  return archive;
}
