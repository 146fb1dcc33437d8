/** Bytes that came as Base64. A loop: of megabytes, `Uint8Array.from` with a function takes half a second. */
export function readBase64(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
  return bytes;
}
