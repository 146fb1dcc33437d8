const STANDARD = /^[A-Za-z0-9+/]*={0,2}$/;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/**
 * Says why a text is not standard Base64 of one line, padded and canonical; null when it is.
 *
 * The service takes nothing else in `X-Custom-Signature`, so neither does `verify`.
 * @source payments-service-interface, part 5.5; RFC 4648 §4
 */
export function findBase64Fault(text: string): string | null {
  if (text === '') return 'The signature is empty.';
  if (STANDARD.test(text)) return findPaddingFault(text);
  if (/[\r\n]/.test(text)) return 'The signature is wrapped over several lines. Put it on one line.';
  if (/^\s|\s$/.test(text)) return 'White space stands before or after the signature. Remove it.';
  if (/\s/.test(text)) return 'White space stands inside the signature. Remove it.';
  if (/^["'].*["']$/s.test(text)) return 'The signature stands in quotes. Remove them.';
  if (/^[A-Za-z0-9_-]+={0,2}$/.test(text)) {
    return "The signature is URL-safe Base64 ('-' and '_'). Use standard Base64 ('+' and '/').";
  }
  if (text.includes('=') && STANDARD.test(text.replace(/=/g, ''))) {
    return 'Padding (=) stands inside the signature or too often at its end.';
  }
  const wrong = /[^A-Za-z0-9+/=]/u.exec(text)?.[0] ?? '';
  return `The signature holds '${wrong}', which is no character of standard Base64.`;
}

function findPaddingFault(text: string): string | null {
  const data = text.replace(/(?<!=)=+$/, '');
  if (data.length % 4 === 1) return 'The signature is cut: its length cannot be that of Base64.';
  const missing = ((4 - (data.length % 4)) % 4) - (text.length - data.length);
  if (missing > 0) return 'The padding (=) at the end of the signature is missing.';
  if (missing < 0) return 'The signature has more padding (=) than its length asks for.';
  const last = ALPHABET.indexOf(data.at(-1) ?? '');
  const spare = data.length % 4 === 2 ? 15 : data.length % 4 === 3 ? 3 : 0;
  return (last & spare) === 0
    ? null
    : 'The last character of the signature is altered: its spare bits are not zero.';
}

/** Writes bytes as standard Base64. */
export function encodeBase64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const [first = 0, second = 0, third = 0] = bytes.subarray(at, at + 3);
    const group = (first << 16) | (second << 8) | third;
    text += ALPHABET[group >> 18]! + ALPHABET[(group >> 12) & 63]!;
    text += at + 1 < bytes.length ? ALPHABET[(group >> 6) & 63]! : '=';
    text += at + 2 < bytes.length ? ALPHABET[group & 63]! : '=';
  }
  return text;
}

/** Reads Base64 characters (standard alphabet, padding passed over); bits that make no whole byte are dropped. */
export function decodeBase64(text: string): Uint8Array {
  const data = text.replace(/=/g, '');
  const bytes = new Uint8Array((data.length * 3) >> 2);
  let held = 0;
  let bits = 0;
  let at = 0;
  for (const character of data) {
    held = ((held << 6) | ALPHABET.indexOf(character)) & 0xffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes[at++] = (held >> bits) & 0xff;
  }
  return bytes;
}
