const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const lenientUtf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** Gives a body as text, and as Base64 where it is not UTF-8. */
export function readBody(bytes: Uint8Array | null): { body: string; bodyBase64: string | null } {
  if (bytes === null) return { body: '', bodyBase64: null };
  try {
    return { body: strictUtf8.decode(bytes), bodyBase64: null };
  } catch {
    return { body: lenientUtf8.decode(bytes), bodyBase64: Buffer.from(bytes).toString('base64') };
  }
}
