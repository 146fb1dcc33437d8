import { decodeBase64, encodeBase64, findBase64Fault } from '../../signing/base64';
import type { Cause } from '../causes';

/** A signature as bytes, and what had to be mended to read it. */
export interface DecodedSignature {
  /** Null where nothing in the text can be read as bytes. */
  readonly bytes: Uint8Array | null;
  readonly causes: Cause[];
  /** What the text is, in words, for the table of checks. */
  readonly finding: string;
}

interface Mending {
  text: string;
  readonly causes: Cause[];
}

const NOT_SHOWN = { expected: null, actual: null };

const HEADER_NAME =
  /^\s*(?:-H\s+)?["']?\s*(?:x-custom-signature|x-signature|signature|sha256)["']?\s*[:=]\s*/i;
const ELLIPSIS = /(?:…|\.\.\.)\s*$/;

/**
 * Reads a signature in whatever form it was pasted, and names each thing that had to be mended.
 *
 * @param text - as it came
 * @param sizeBytes - bytes of a signature made with the key at hand
 */
export function decodeSignature(text: string, sizeBytes: number): DecodedSignature {
  if (findBase64Fault(text) === null && !isHexOf(text, sizeBytes)) {
    const bytes = decodeBase64(text);
    if (bytes.length === sizeBytes)
      return { bytes, causes: [], finding: `standard Base64, ${bytes.length} bytes` };
  }
  const mending: Mending = { text, causes: [] };
  stripHeaderName(mending);
  stripWrapping(mending);
  undoPercentEncoding(mending);
  const found = readBytes(mending, sizeBytes) ?? { bytes: null, finding: 'neither Base64 nor hex' };
  return { ...found, causes: mending.causes };
}

function stripHeaderName(mending: Mending): void {
  const match = HEADER_NAME.exec(mending.text);
  if (match === null) return;
  const rest = mending.text.slice(match[0].length);
  // '=' alone may be Base64 padding of a very short text, never of a signature.
  mending.text = rest.replace(/["'],?\s*$/, '').replace(/^["']/, '');
  mending.causes.push({
    code: 'encoding.header_name',
    phrase: 'with the header name inside the value',
    remedy: 'send the Base64 alone as the value of X-Custom-Signature',
    expected: 'Base64 alone',
    actual: match[0].trim(),
  });
}

function stripWrapping(mending: Mending): void {
  const bare = mending.text
    .replace(/-----(?:BEGIN|END)[^-]*-----/g, '')
    .replace(/\\[rnt]/g, '')
    .replace(/^[\s"'`<(]+|[\s"'`>),;]+$/g, '');
  const isForm = /^[A-Za-z0-9+/]+(?: [A-Za-z0-9+/]+)+={0,2}$/.test(bare) && isPlusLost(bare);
  const joined = isForm ? bare.replace(/ /g, '+') : bare.replace(/[\s\u200b\ufeff]+/g, '');
  if (joined === mending.text) return;
  mending.text = joined;
  if (isForm) {
    mending.causes.push({
      code: 'encoding.url_safe',
      phrase: "with '+' turned into spaces on the way",
      remedy: 'do not pass the signature through URL decoding',
      ...NOT_SHOWN,
    });
    return;
  }
  mending.causes.push({
    code: 'encoding.wrapped',
    phrase: 'and then wrapped in line breaks, white space or quotes',
    remedy: 'send the Base64 on one line, without quotes',
    expected: 'one line',
    actual: /[\r\n]/.test(bare) ? 'several lines' : 'quotes or white space around it',
  });
}

/** Spaces stand where plus signs were when only so the length is that of Base64. */
function isPlusLost(text: string): boolean {
  return text.length % 4 === 0 && text.replace(/ /g, '').length % 4 !== 0;
}

function undoPercentEncoding(mending: Mending): void {
  const { text } = mending;
  const isPercent = /%(?:2b|2f|3d)/i.test(text);
  const isEscaped = /\\\/|\\u00[23][bfd]/i.test(text);
  if (!isPercent && !isEscaped) return;
  mending.text = text
    .replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/\\u([0-9a-f]{4})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/\\\//g, '/');
  mending.causes.push({
    code: 'encoding.double',
    phrase: isPercent ? 'and then percent-encoded' : 'and then escaped as JSON text',
    remedy: 'send the Base64 as it is, without encoding it again',
    expected: 'encoded once',
    actual: isPercent ? 'Base64, then percent-encoding' : 'Base64, then JSON escapes',
  });
}

function readBytes(mending: Mending, sizeBytes: number): { bytes: Uint8Array; finding: string } | null {
  const hex = readHex(mending.text);
  if (hex !== null && (hex.length === sizeBytes || !/[g-z]/i.test(mending.text))) {
    mending.causes.push({
      code: 'encoding.hex',
      phrase: 'and then written as hex',
      remedy: 'write the signature bytes as standard Base64',
      expected: 'standard Base64',
      actual: 'hex',
    });
    return finish(mending, hex, 'hex', sizeBytes);
  }
  const base64 = readLooseBase64(mending);
  if (base64 === null) return null;
  const inner = base64.length === sizeBytes ? null : readInner(base64);
  if (inner === null) return finish(mending, base64, 'Base64', sizeBytes);
  mending.causes.push({
    code: 'encoding.double',
    phrase: 'and then encoded twice',
    remedy: 'encode the signature bytes as Base64 once',
    expected: 'encoded once',
    actual: inner.how,
  });
  return finish(mending, inner.bytes, inner.how, sizeBytes);
}

function finish(
  mending: Mending,
  bytes: Uint8Array,
  how: string,
  sizeBytes: number,
): { bytes: Uint8Array; finding: string } {
  let read = bytes;
  if (bytes.length === sizeBytes + 1 && bytes[0] === 0) {
    read = bytes.subarray(1);
    mending.causes.push({
      code: 'encoding.wrapped',
      phrase: 'with a zero byte in front of it',
      remedy: 'encode exactly the bytes that the signature call returns, not a big integer made of them',
      expected: `${sizeBytes} bytes`,
      actual: `${bytes.length} bytes`,
    });
  }
  return { bytes: read, finding: `${how}, ${bytes.length} bytes` };
}

function readLooseBase64(mending: Mending): Uint8Array | null {
  let { text } = mending;
  const isCutMarked = ELLIPSIS.test(text);
  text = text.replace(ELLIPSIS, '');
  if (!/^[A-Za-z0-9+/_-]+={0,3}$/.test(text)) return null;
  const isUrlSafe = /[-_]/.test(text);
  if (isUrlSafe) {
    mending.causes.push({
      code: 'encoding.url_safe',
      phrase: 'and then written as URL-safe Base64',
      remedy: "use standard Base64, with '+' and '/'",
      expected: "'+' and '/'",
      actual: "'-' and '_'",
    });
    text = text.replace(/-/g, '+').replace(/_/g, '/');
  }
  const data = text.replace(/=+$/, '');
  const bytes = decodeBase64(data);
  const isPadded = text === encodeBase64(bytes);
  if (isCutMarked || (!isPadded && !isUrlSafe) || data.length % 4 === 1) {
    mending.causes.push(cutCause(isCutMarked || data.length % 4 === 1 ? 'cut' : 'unpadded'));
  }
  return bytes;
}

function cutCause(how: 'cut' | 'unpadded'): Cause {
  return {
    code: 'encoding.truncated',
    phrase: how === 'cut' ? 'and then cut short' : 'and then stripped of its padding',
    remedy: how === 'cut' ? 'send the whole signature' : "keep the '=' at the end of the Base64",
    expected: how === 'cut' ? 'the whole signature' : 'padded with =',
    actual: how === 'cut' ? 'a part of it' : 'padding missing or altered',
  };
}

function readInner(bytes: Uint8Array): { bytes: Uint8Array; how: string } | null {
  let text = '';
  for (const byte of bytes) {
    if (byte >= 0x7f || (byte < 0x20 && byte !== 0x0a && byte !== 0x0d)) return null;
    text += String.fromCharCode(byte);
  }
  text = text.replace(/\s+/g, '');
  const hex = readHex(text);
  if (hex !== null) return { bytes: hex, how: 'Base64 of hex' };
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) return null;
  return { bytes: decodeBase64(text.replace(/-/g, '+').replace(/_/g, '/')), how: 'Base64 of Base64' };
}

function isHexOf(text: string, sizeBytes: number): boolean {
  return text.length === sizeBytes * 2 && /^[0-9a-f]+$/i.test(text);
}

function readHex(text: string): Uint8Array | null {
  const digits = text.replace(/^0x/i, '').replace(/:/g, '');
  if (digits.length < 32 || digits.length % 2 !== 0 || !/^[0-9a-f]+$/i.test(digits)) return null;
  const bytes = new Uint8Array(digits.length / 2);
  for (let at = 0; at < bytes.length; at += 1)
    bytes[at] = Number.parseInt(digits.slice(at * 2, at * 2 + 2), 16);
  return bytes;
}
