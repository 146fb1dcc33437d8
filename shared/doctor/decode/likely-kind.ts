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
];

/** Names what a text is that was pasted in place of a signature; null where nothing is known. */
export function nameTextKind(text: string): string | null {
  return TEXT_KINDS.find(([pattern]) => pattern.test(text))?.[1] ?? null;
}
