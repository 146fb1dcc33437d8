/** Writes bytes as rows of offset, hex and text; what is no printable ASCII character is a dot. */
export function writeHexRows(bytes: Uint8Array, bytesPerRow: number): string {
  const rows: string[] = [];
  const width = bytes.length > 0xffff ? 6 : 4;
  for (let at = 0; at < bytes.length; at += bytesPerRow) {
    const row = [...bytes.subarray(at, at + bytesPerRow)];
    const hex = row.map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
    const text = row.map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '·')).join('');
    rows.push(`${at.toString(16).padStart(width, '0')}  ${hex.padEnd(bytesPerRow * 3 - 1)}  ${text}`);
  }
  return rows.join('\n');
}
