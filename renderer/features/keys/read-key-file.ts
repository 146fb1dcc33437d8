/** Reads a key file as text; DER, which is bytes, comes as Base64. */
export async function readKeyFile(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const isDer = bytes[0] === 0x30 && bytes.some((byte) => byte === 0 || byte > 0x7e);
  if (!isDer) return new TextDecoder().decode(bytes);
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}
