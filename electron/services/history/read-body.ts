import type { HeaderList } from '@shared/contract/common';
import { decodeAnswer } from '@shared/decode-answer';

/** Gives a body as text, and as Base64 where it is not UTF-8. */
export function readBody(
  bytes: Uint8Array | null,
  headers: HeaderList,
): { body: string; bodyBase64: string | null } {
  if (bytes === null) return { body: '', bodyBase64: null };
  const { text, isUtf8 } = decodeAnswer([bytes], headers);
  return { body: text, bodyBase64: isUtf8 ? null : Buffer.from(bytes).toString('base64') };
}
