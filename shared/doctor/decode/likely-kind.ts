/** What has so many bytes, other than a signature of the key at hand. */
const KINDS: ReadonlyMap<number, string> = new Map([
  [16, 'an MD5 digest or an HMAC-MD5'],
  [20, 'a SHA-1 digest or an HMAC-SHA1'],
  [28, 'a SHA-224 digest'],
  [32, 'a SHA-256 digest or an HMAC-SHA256'],
  [48, 'a SHA-384 digest or an HMAC-SHA384'],
  [64, 'a SHA-512 digest, an HMAC-SHA512, an Ed25519 or an ECDSA P-256 signature'],
  [96, 'an ECDSA P-384 signature'],
  [114, 'an Ed448 signature'],
  [128, 'a signature made with an RSA key of 1024 bits'],
  [132, 'an ECDSA P-521 signature'],
]);

/**
 * Names what bytes may be that are no signature of an RSA key at hand; null where nothing is known.
 *
 * @source RFC 8032 §5; SEC 1 §C.5 (ECDSA-Sig-Value); FIPS 180-4
 */
export function nameLikelyKind(bytes: Uint8Array): string | null {
  const isSequence = bytes[0] === 0x30 && bytes.length > 8;
  if (isSequence && isIntegerPair(bytes)) return 'an ECDSA signature in DER';
  if (isSequence && bytes[1] === 0x82 && bytes[2]! * 256 + bytes[3]! === bytes.length - 4)
    return 'a key or a certificate in DER';
  return KINDS.get(bytes.length) ?? null;
}

/** `SEQUENCE { INTEGER, INTEGER }` that fills the bytes. */
function isIntegerPair(bytes: Uint8Array): boolean {
  const at = bytes[1] === 0x81 ? 3 : 2;
  if (bytes[at - 1] !== bytes.length - at || bytes[at] !== 2) return false;
  const second = at + 2 + bytes[at + 1]!;
  return bytes[second] === 2 && second + 2 + bytes[second + 1]! === bytes.length;
}

const TEXT_KINDS: readonly (readonly [RegExp, string])[] = [
  [/^\s*["']?ey[\w-]+\.ey[\w-]+\./, 'a JSON Web Token'],
  [
    /^\s*["']?ey[\w-]+\.[\w-]*\.[\w-]+["']?\s*$/,
    'a JSON Web Signature: what it covers begins with its own header',
  ],
  [/-----BEGIN PGP (?:SIGNATURE|MESSAGE)-----/, 'a PGP signature'],
  [/-----BEGIN SSH SIGNATURE-----/, 'a signature of OpenSSH'],
  [/-----BEGIN (?:PKCS7|CMS)-----/, 'a signature with its certificates (CMS)'],
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----/, 'a private key: do not send it to anyone'],
  [/-----BEGIN [A-Z ]*PUBLIC KEY-----/, 'a public key'],
  [/-----BEGIN CERTIFICATE-----/, 'a certificate'],
  [/^\s*\$2[aby]\$/, 'a bcrypt hash'],
  [
    /^\s*["']?(?:undefined|null|None|NULL|nil|<nil>|NaN|true|false|True|False|kotlin\.Unit)["']?\s*$/,
    'a word that languages print for nothing: the code had no signature when it wrote the header',
  ],
  [
    /^\s*(?:\[object Promise\]|Promise \{)/,
    'what JavaScript prints of a promise: await the call that signs, then write its bytes as Base64',
  ],
  [
    /^\s*(?:\[object (?:ArrayBuffer|Uint8Array|Object)\]|ArrayBuffer \{)/,
    "what JavaScript prints of an object: write Buffer.from(signature).toString('base64')",
  ],
  [
    /^\s*(?:<Buffer [0-9a-f ]+\.\.\.|(?:Uint8Array|Buffer)\(\d+\) \[[\d,\s]+\.\.\.)/,
    "what Node prints of a buffer, the rest of it cut off: write signature.toString('base64')",
  ],
  [
    /^\s*\[[BC]@[0-9a-f]{1,8}\s*$/,
    'what Java prints of an array, not what is in it: write Base64.getEncoder().encodeToString(signature)',
  ],
  [
    /^\s*System\.(?:Byte\[\]|ReadOnlySpan|Memory)/,
    'what .NET prints of an array, not what is in it: write Convert.ToBase64String(signature)',
  ],
  [
    /^\s*(?:Array|Resource id #\d+|Object|\w+ Object\s*\(\s*\))\s*$/,
    'what PHP prints of something else than text: write base64_encode($signature)',
  ],
  [
    /^\s*(?:<(?:memory|built-in|bound|function|coroutine|class)\b[^<>]*>|#<[A-Z][\w:]*|<\w+ 0x|%!\w\(|function\b|\S{1,80} at 0x[0-9a-f]+)/,
    'what a language prints of an object or a function: call what signs, and write the bytes that it gives as Base64',
  ],
  [
    /^\s*["']?(?:\{\{[^{}]{1,80}\}\}|\$\{[^{}]{1,80}\}|<[A-Za-z][\w -]{0,60}>)["']?\s*$/,
    'a placeholder that nothing was put in for',
  ],
  [
    /^\s*\\?(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64}|[0-9a-f]{96}|[0-9a-f]{128}) [ *]\S/,
    'what sha256sum and its like print, a digest: sign with the private key, over the string itself',
  ],
  [/^\s*(?:\w+\.)*\w*(?:Error|Exception)\b\s*:/, 'the text of an error: the code did not sign'],
  [
    /^\s*[A-Za-z0-9+/]{6,}(?:\.\.\.|…)[A-Za-z0-9+/]+={0,2}\s*$/,
    'a signature that something shortened to show it: copy the whole of it',
  ],
  [/^\s*[A-Z2-7]{64,}={3,6}\s*$/, 'Base32: write the signature bytes as standard Base64'],
  [/\ufffd/, 'bytes that were read as text, which lost some of them: write the bytes themselves as Base64'],
];

/** Names what a text is that was pasted in place of a signature; null where nothing is known. */
export function nameTextKind(text: string): string | null {
  return TEXT_KINDS.find(([pattern]) => pattern.test(text))?.[1] ?? null;
}

/** Of so many letters of Base64 both cases are there: one in some 10^20 has none of one. */
const MANY_LETTERS = 100;
/** What has fewer different ones was not made by chance. */
const FEWEST_KINDS = 20;

/** Tells whether something turned all of a Base64 text into one case, which loses what it said. */
export function isOneCase(text: string): boolean {
  const bare = text.trim();
  return (
    bare.length >= MANY_LETTERS &&
    /^[A-Za-z0-9+/_-]+={0,2}$/.test(bare) &&
    !/^(?:0x)?[0-9a-f-]+$/i.test(bare) &&
    (bare === bare.toLowerCase() || bare === bare.toUpperCase()) &&
    new Set(bare).size >= FEWEST_KINDS
  );
}

/** Fewer bytes than these are printable by chance. */
const FEWEST_PRINTABLE = 16;

/** Reads bytes that are a text: no signature, whatever their number; null for others. */
export function readAsText(bytes: Uint8Array): string | null {
  if (bytes.length < FEWEST_PRINTABLE) return null;
  let text = '';
  for (const byte of bytes) {
    if ((byte < 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) || byte > 0x7e) return null;
    text += String.fromCharCode(byte);
  }
  return text;
}
