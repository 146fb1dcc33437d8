import { encodeForUrl } from './encode-for-url';
import { MAY_HOLD_SECRET } from './secrets';

/** Masks a text that stood inside another; as deep as it goes. */
type MaskInner = (inner: string) => string;

const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Masks what is secret in JSON that stands as a text inside JSON, as bodies in logs and payloads in envelopes do; in forms
 * and addresses there, too, whose signs JSON may have escaped.
 *
 * Whatever holds no secret stays byte for byte, however it is escaped.
 */
export function maskTextsInJson(text: string, mask: MaskInner): string {
  const pieces: string[] = [];
  let kept = 0;
  for (let from = text.indexOf('"'); from !== -1;) {
    const end = findTextEnd(text, from + 1, '"');
    const written = text.slice(from + 1, end);
    if (MAY_HOLD_SECRET.test(written)) {
      const inner = readJsonText(written);
      const masked = mask(inner);
      if (masked !== inner) {
        pieces.push(text.slice(kept, from + 1), writeText(masked, inner === written));
        kept = end;
      }
    }
    from = text.indexOf('"', end + 1);
  }
  return pieces.join('') + text.slice(kept);
}

const ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** Reads the inside of a text of JSON, be it cut off or written wrongly: a mistake keeps nothing from being looked at. */
export function readJsonText(written: string): string {
  if (!written.includes('\\')) return written;
  try {
    return JSON.parse(`"${written}"`) as string;
  } catch {
    return readLoosely(written);
  }
}

function readLoosely(written: string): string {
  return written.replace(/\\(?:u([0-9a-f]{4})|([^]))/gi, (_, hex: string | undefined, sign: string) =>
    hex === undefined ? (ESCAPES[sign] ?? sign) : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** Where nothing was escaped, nothing but quotes has to be: a line break may stand in what only looks like JSON. */
function writeText(inner: string, wasBare: boolean): string {
  return wasBare ? inner.replaceAll('"', '\\"') : JSON.stringify(inner).slice(1, -1);
}

/** Masks what is secret in percent-encoded pieces of a text: JSON in a form, an address in an address. */
export function maskEncoded(text: string, mask: MaskInner): string {
  if (!text.includes('%')) return text;
  return text.replace(/[^\s"'<>&#;?=]+/g, (piece) => {
    const decoded = piece.includes('%') ? decodeForm(piece) : piece;
    const masked = decoded === piece ? piece : mask(decoded);
    if (masked === decoded) return piece;
    // A variable that takes a secret's place is one for whoever fills it in.
    return encodeForUrl(masked).replace(/%7B%7B([\w.$-]+)%7D%7D/g, '{{$1}}');
  });
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#34;': '"',
  '&#39;': "'",
  '&apos;': "'",
  '&amp;': '&',
};
const ENTITY = /&(?:lt|gt|quot|#34|#39|apos|amp);/g;
const HOLDS_TEXT = /&(?:lt|quot|#34|amp);/;

/** Masks what is secret in XML or JSON that stands as a text inside XML, as payloads of SOAP do. */
export function maskTextsInXml(text: string, mask: MaskInner): string {
  if (!HOLDS_TEXT.test(text)) return text;
  return text.replace(/[^<>"]+/g, (piece) => {
    if (!HOLDS_TEXT.test(piece)) return piece;
    const decoded = piece.replace(ENTITY, (entity) => ENTITIES[entity]!);
    const masked = mask(decoded);
    if (masked === decoded) return piece;
    return masked
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;');
  });
}

/**
 * Decodes what is percent-encoded.
 *
 * What is encoded wrongly stays as it is, and bytes that are not UTF-8 become U+FFFD: neither by mistake nor on purpose do
 * they keep what stands beside them from being read.
 */
export function decodeForm(value: string): string {
  return value.replaceAll('+', ' ').replace(/(?:%[0-9a-f]{2})+/gi, (encoded) => {
    const bytes = new Uint8Array(encoded.length / 3);
    for (let at = 0; at < bytes.length; at += 1)
      bytes[at] = Number.parseInt(encoded.slice(3 * at + 1, 3 * at + 3), 16);
    return DECODER.decode(bytes);
  });
}

/** Finds the quote that ends a text; the end of all where it was cut off. @param from - behind the quote that begins it */
export function findTextEnd(text: string, from: number, quote: string): number {
  for (let at = text.indexOf(quote, from); at !== -1; at = text.indexOf(quote, at + 1)) {
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === 0x5c) slashes += 1;
    if (slashes % 2 === 0) return at;
  }
  return text.length;
}
