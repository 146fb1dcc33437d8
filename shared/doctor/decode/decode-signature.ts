import { decodeBase64, encodeBase64, findBase64Fault } from '../../signing/base64';
import { fromHex } from '../../signing/hex';
import type { Cause } from '../causes';
import { readPrinted } from './read-printed';

/** A signature as bytes, and what had to be mended to read it. */
export interface DecodedSignature {
  /** Null where nothing in the text can be read as bytes. */
  readonly bytes: Uint8Array | null;
  readonly causes: Cause[];
  /** How the end of the text looks: `cut` for sure, `whole` for sure (padded), or `open`. */
  readonly end: 'cut' | 'whole' | 'open';
  /** What the text is, in words, for the table of checks. */
  readonly finding: string;
}

interface Mending {
  text: string;
  readonly sizeBytes: number;
  end: DecodedSignature['end'];
  readonly causes: Cause[];
}

const HEADER_NAME =
  /^\s*(?:-H\s+)?(?:["']\s*)?(?:x-custom-signature|x-signature|authorization|signature|sha256)["']?\s*[:=]\s*/i;
const ELLIPSIS = /(?:…|\.\.\.)\s*$/;

/**
 * Reads a signature in whatever form it was pasted, and names each thing that had to be mended.
 *
 * @param text - as it came
 * @param sizeBytes - bytes of a signature made with the key at hand
 */
export function decodeSignature(text: string, sizeBytes: number): DecodedSignature {
  if (findBase64Fault(text) === null) {
    const bytes = decodeBase64(text);
    if (bytes.length === sizeBytes)
      return { bytes, causes: [], end: 'whole', finding: `standard Base64, ${bytes.length} bytes` };
  }
  const numbers = readNumbers(text, sizeBytes);
  if (numbers !== null) return numbers;
  const mending: Mending = { text, sizeBytes, end: 'open', causes: [] };
  stripHeaderName(mending);
  stripBytesLiteral(mending);
  for (const front of FRONTS) stripFront(mending, front);
  restorePlus(mending);
  // What is wrapped may be encoded, and what is encoded wrapped.
  undoPercentEncoding(mending);
  stripWrapping(mending);
  const found = readBytes(mending) ?? { bytes: null, finding: 'neither Base64 nor hex' };
  const isWhole = found.bytes?.length === sizeBytes;
  return (
    (isWhole ? null : readInside(text, sizeBytes)) ?? { ...found, causes: mending.causes, end: mending.end }
  );
}

/** What languages and tools print for bytes when nobody encodes them. */
function readNumbers(text: string, sizeBytes: number): DecodedSignature | null {
  const printed = readPrinted(text, sizeBytes);
  if (printed === null) return null;
  const { bytes, what } = printed;
  const cause: Cause = {
    code: 'encoding.wrapped',
    phrase: `and then written as ${what}`,
    remedy: 'write the signature bytes as standard Base64',
    expected: 'standard Base64',
    actual: what,
  };
  return { bytes, causes: [cause], end: 'whole', finding: `${what}, ${bytes.length} bytes` };
}

/** Takes the one Base64 of a signature's length out of a text that holds more: JSON, headers, a line of a log. */
function readInside(text: string, sizeBytes: number): DecodedSignature | null {
  const padding = (3 - (sizeBytes % 3)) % 3;
  const length = Math.ceil(sizeBytes / 3) * 4 - padding;
  const runs = text
    .slice(0, MOST_AROUND)
    .replace(/\\\//g, '/')
    .match(/[A-Za-z0-9+/_-]+={0,2}/g);
  const fitting = (runs ?? []).filter(
    (run) => run.length === length + padding && run.indexOf('=') === (padding === 0 ? -1 : length),
  );
  const [found, ...others] = new Set(fitting);
  if (found === undefined || others.length > 0) return null;
  // Two headers of one name are one value, joined by a comma.
  const isJoined = text.split(/,\s*/).includes(found);
  const how =
    fitting.length > 1 ? 'sent more than once in one value' : isJoined ? BESIDE : 'put into a longer text';
  const mending: Mending = { text: found, sizeBytes, end: 'open', causes: [] };
  mending.causes.push({
    code: 'encoding.wrapped',
    phrase: `and then ${how}`,
    remedy: 'send the Base64 alone, once, as the value of X-Custom-Signature',
    expected: 'Base64 alone',
    actual: how,
  });
  const bytes = readLooseBase64(mending)!;
  return { bytes, causes: mending.causes, end: mending.end, finding: `Base64, ${how}` };
}

const BESIDE = 'joined with another value by a comma, as where the header is sent twice';

/** A longer text is looked into no further. */
const MOST_AROUND = 1_000_000;

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

interface Front {
  readonly pattern: RegExp;
  readonly what: string;
  /** Left out: `encoding.header_name`. */
  readonly code?: Cause['code'];
}

/** What is put before the value by those who take the header for another one, or the value for a file. */
const FRONTS: readonly Front[] = [
  // As a text, or as its bytes are read in a header.
  { pattern: /^(?:\ufeff|\u00ef\u00bb\u00bf)/, what: 'a byte order mark', code: 'encoding.wrapped' },
  {
    pattern:
      /^\s*["']?(?:bearer|basic|digest|signature|rsa|rs256|rsa-sha256|sha256withrsa)(?:\s*[:=]\s*|\s+)/i,
    what: 'the name of a scheme',
  },
  { pattern: /^\s*["']?data:[^,]{0,100},\s*/i, what: 'the head of a data URL' },
  { pattern: /^\s*[A-Z][A-Z\d-]{1,20}\([^()\r\n]{0,300}\)\s*=\s*/i, what: 'what openssl dgst prints' },
  { pattern: /^\s*string\(\d{1,5}\)\s*(?=")/, what: 'what var_dump prints' },
];

function stripFront(mending: Mending, { pattern, what, code = 'encoding.header_name' }: Front): void {
  const match = pattern.exec(mending.text);
  if (match === null) return;
  const front = match[0].trim().replace(/^["']/, '');
  mending.text = mending.text.slice(match[0].length).replace(/["']\s*$/, '');
  mending.causes.push({
    code,
    phrase: `with ${what} in front of the value${front === '' ? '' : ` (${front})`}`,
    remedy: 'send the Base64 alone as the value of X-Custom-Signature',
    expected: 'Base64 alone',
    actual: front,
  });
}

/** `b'…'` is what Python makes of bytes that are put into a text without being decoded. */
function stripBytesLiteral(mending: Mending): void {
  const match = /^\s*["']?b(["'])([^"']*)\1["']?\s*$/.exec(mending.text);
  if (match === null) return;
  mending.text = match[2]!;
  mending.causes.push({
    code: 'encoding.wrapped',
    phrase: "and then written as Python writes bytes (b'…')",
    remedy: 'turn the Base64 into text first: base64.b64encode(signature).decode()',
    expected: 'Base64 alone',
    actual: "b'…'",
  });
}

/**
 * Puts back each '+' that became a space.
 *
 * That is certain only by the length: as many characters as the Base64 of a signature has, spaces counted. The
 * spaces at both ends may have been lost, those inside not.
 */
function restorePlus(mending: Mending): void {
  const { text, sizeBytes } = mending;
  const length = Math.ceil(sizeBytes / 3) * 4;
  const bare = text.trim();
  const lost = length - bare.length;
  if (!/^[A-Za-z0-9+/ ]+={0,2}$/.test(bare) || (lost === 0 && !bare.includes(' '))) return;
  if (lost < 0 || lost > text.length - text.trimStart().length) return;
  mending.text = '+'.repeat(lost) + bare.replace(/ /g, '+');
  mending.causes.push({
    code: 'encoding.url_safe',
    phrase: "with '+' turned into spaces on the way",
    remedy: 'do not pass the signature through URL decoding',
    expected: null,
    actual: null,
  });
}

function stripWrapping(mending: Mending): void {
  const bare = mending.text
    .replace(/-----(?:BEGIN|END)[^-]*-----/g, '')
    .replace(/\\[rnt]/g, '')
    .replace(/^[\s"'`<(]+|(?<![\s"'`>),;])[\s"'`>),;]+$/g, '');
  const joined = bare.replace(/[\s\u200b\ufeff]/g, '');
  if (joined === mending.text) return;
  const isPem = /-----BEGIN/.test(mending.text);
  mending.text = joined;
  mending.causes.push({
    code: 'encoding.wrapped',
    phrase: isPem
      ? 'and then put between BEGIN and END lines, as in a PEM file'
      : 'and then wrapped in line breaks, white space or quotes',
    remedy: isPem ? 'send the Base64 alone, on one line' : 'send the Base64 on one line, without quotes',
    expected: 'one line',
    actual: /[\r\n]/.test(bare) ? 'several lines' : 'quotes or white space around it',
  });
}

function undoPercentEncoding(mending: Mending): void {
  const { text } = mending;
  const isPercent = /%(?:25)*(?:2b|2f|3d|0a)/i.test(text);
  const isHtml = /&#(?:43|47|61|x2b|x2f|x3d)(?:;|$)/i.test(text);
  const isEscaped = /\\\/|\\u00[23][bfd]/i.test(text);
  if (!isPercent && !isHtml && !isEscaped) return;
  const how = isPercent ? 'percent-encoding' : isHtml ? 'HTML escapes' : 'JSON escapes';
  mending.text = text
    .replace(/%(?:25)+(?=[0-9a-f]{2})/gi, '%')
    .replace(/&#(?:x([0-9a-f]{2})|(\d{2}));?/gi, (_, hex?: string, decimal = '') =>
      String.fromCharCode(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)),
    )
    .replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/\\u([0-9a-f]{4})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/\\\//g, '/');
  mending.causes.push({
    code: 'encoding.double',
    phrase: isPercent ? 'and then percent-encoded' : `and then escaped as ${isHtml ? 'HTML' : 'JSON text'}`,
    remedy: 'send the Base64 as it is, without encoding it again',
    expected: 'encoded once',
    actual: `Base64, then ${how}`,
  });
}

function readBytes(mending: Mending): { bytes: Uint8Array; finding: string } | null {
  const { sizeBytes } = mending;
  const hex = readHex(mending.text);
  if (hex !== null) {
    const inner = hex.length === sizeBytes ? null : readInner(hex, 'hex');
    if (inner !== null) return finishTwice(mending, inner);
    mending.causes.push({
      code: 'encoding.hex',
      phrase: 'and then written as hex',
      remedy: 'write the signature bytes as standard Base64',
      expected: 'standard Base64',
      actual: 'hex',
    });
    return finish(mending, hex, 'hex');
  }
  const base64 = readLooseBase64(mending);
  if (base64 === null) return null;
  const inner = base64.length === sizeBytes ? null : readInner(base64, 'Base64');
  return inner === null ? finish(mending, base64, 'Base64') : finishTwice(mending, inner);
}

function finishTwice(
  mending: Mending,
  { bytes, how }: { bytes: Uint8Array; how: string },
): { bytes: Uint8Array; finding: string } {
  mending.causes.push({
    code: 'encoding.double',
    phrase: 'and then encoded twice',
    remedy: 'encode the signature bytes as Base64 once',
    expected: 'encoded once',
    actual: how,
  });
  return finish(mending, bytes, how);
}

function finish(mending: Mending, bytes: Uint8Array, how: string): { bytes: Uint8Array; finding: string } {
  const { sizeBytes } = mending;
  let read = bytes;
  const characters = bytes.length > sizeBytes ? (readAsUtf8(bytes) ?? '') : '';
  const codes = Array.from(characters, (character) => character.charCodeAt(0));
  if (codes.length === sizeBytes && codes.every((code) => code < 0x100)) {
    read = Uint8Array.from(codes);
    mending.causes.push({
      code: 'encoding.double',
      phrase: 'and then turned into a text, whose UTF-8 was encoded',
      remedy: 'encode the bytes that the signature call returns as Base64, without making a text of them',
      expected: `${sizeBytes} bytes`,
      actual: `${bytes.length} bytes`,
    });
  }
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
  return { bytes: read, finding: `${how}, ${bytes.length} ${bytes.length === 1 ? 'byte' : 'bytes'}` };
}

/** Null where the bytes are no UTF-8. */
export function readAsUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
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
  const data = text.replace(/(?<!=)=+$/, '');
  const bytes = decodeBase64(data);
  const isPadded = text === encodeBase64(bytes);
  const isCut = isCutMarked || data.length % 4 === 1;
  if (isCut) mending.end = 'cut';
  else if (isPadded && text.endsWith('=')) mending.end = 'whole';
  if (isCut) mending.causes.push(endCause('cut'));
  else if (!isPadded && !isUrlSafe)
    mending.causes.push(endCause(text.endsWith('=') ? 'altered' : 'unpadded'));
  return bytes;
}

const END_CAUSES = {
  cut: ['and then cut short', 'send the whole signature', 'the whole signature', 'a part of it'],
  unpadded: [
    'and then stripped of its padding',
    "keep the '=' at the end of the Base64",
    'padded with =',
    'padding missing',
  ],
  altered: [
    'and then altered at its end',
    'send the Base64 exactly as the encoder writes it',
    'canonical Base64',
    'another end',
  ],
} as const;

function endCause(how: keyof typeof END_CAUSES): Cause {
  const [phrase, remedy, expected, actual] = END_CAUSES[how];
  return { code: 'encoding.truncated', phrase, remedy, expected, actual };
}

function readInner(bytes: Uint8Array, outer: string): { bytes: Uint8Array; how: string } | null {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  text = text.replace(/\s/g, '');
  const hex = readHex(text);
  if (hex !== null) return { bytes: hex, how: `${outer} of hex` };
  // Few bytes are letters by chance.
  if (!/^[A-Za-z0-9+/_-]{16,}={0,2}$/.test(text)) return null;
  return { bytes: decodeBase64(text.replace(/-/g, '+').replace(/_/g, '/')), how: `${outer} of Base64` };
}

function readHex(text: string): Uint8Array | null {
  const digits = text.replace(/^0x/i, '').replace(/:/g, '');
  return digits.length >= 32 && digits.length % 2 === 0 && /^[0-9a-f]+$/i.test(digits)
    ? fromHex(digits)
    : null;
}
