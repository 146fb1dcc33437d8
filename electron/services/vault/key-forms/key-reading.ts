import { createHash, createPrivateKey, createPublicKey, X509Certificate, type KeyObject } from 'node:crypto';
import type { AppError } from '@shared/errors';
import { errorsOf } from '../../errors-of';
import { describeRsaFault } from '../../../platform/crypto/rsa-faults';
import { decryptLegacyPem, decryptPkcs8 } from './key-decrypting';
import { ALGORITHM_NAMES, readStructure, type KeyStructure, type StructureReading } from './key-structure';
import { findKeyBytes, unreadable, type FoundBytes } from './pem-text';

const KeysError = errorsOf<'keys'>();

/** A key that was read, an RSA key of at least 2048 bits. */
export interface ReadKey {
  kind: 'private' | 'public';
  /** As found, in words ('PKCS#8 PEM', 'encrypted PKCS#8 PEM', 'SPKI DER'). */
  format: string;
  bits: number;
  exponent: number;
  /** SHA-256 of the SPKI DER, 64 hex digits. */
  fingerprint: string;
  publicKeyPem: string;
  /** What was mended or converted on reading, in words. */
  repairs: string[];
  publicKey: KeyObject;
  /** Null for a public key or a certificate. */
  privateKey: KeyObject | null;
}

export type ReadPrivateKey = ReadKey & { kind: 'private'; privateKey: KeyObject };

/** Among the repairs of a public key that was read from a private one. */
export const PUBLIC_HALF_TAKEN = 'public half of a private key taken';

const MIN_BITS = 2048;
/** It is shown as a number, which is whole up to here. */
const MAX_EXPONENT_BITS = 53;
const MAX_BITS = 16_384;

/**
 * Reads an RSA key in whatever form it comes: PEM, DER, encrypted, converted, mangled by pasting.
 *
 * @param input - text, or the bytes of a file (DER, or text in UTF-8 or UTF-16)
 * @throws {AppError} `keys.unreadable`, `keys.not_rsa`, `keys.too_short`, `keys.passphrase_needed`, `keys.wrong_passphrase`
 * @source payments-service-interface, part 5.5 (RSA 2048, PKCS#8, SPKI)
 */
export async function readKey(input: string | Uint8Array, passphrase?: string): Promise<ReadKey> {
  const found = findBytes(input);
  const reading = inspectStructure(found);
  if (found.legacyCipher !== null) {
    const key = await decryptLegacyPem(found.der, found.legacyCipher, passphrase);
    return describePrivate(key, 'encrypted PKCS#1 PEM', [
      ...found.repairs,
      'converted from PKCS#1 to PKCS#8',
    ]);
  }
  if (reading.structure === 'encrypted_pkcs8') {
    const key = await decryptPkcs8(found.der, passphrase);
    return describePrivate(key, `encrypted PKCS#8 ${found.container}`, found.repairs);
  }
  return readPlain(found, reading);
}

/** Reads a private key. @throws {AppError} `keys.public_given`, and as {@link readKey} */
export async function readPrivateKey(
  input: string | Uint8Array,
  passphrase?: string,
): Promise<ReadPrivateKey> {
  const key = await readKey(input, passphrase);
  if (key.kind === 'private') return key as ReadPrivateKey;
  const what = key.format.startsWith('X.509') ? 'a certificate, which holds a public key' : 'a public key';
  throw new KeysError(
    'keys.public_given',
    `This is ${what}; signing needs the private key of the pair. Choose the file that begins with -----BEGIN PRIVATE KEY-----.`,
    { details: { fingerprint: key.fingerprint } },
  );
}

/**
 * Reads a public key. From a certificate its key is taken, from an unencrypted private key its public half; `repairs` says so.
 *
 * @throws {AppError} `keys.unreadable`, `keys.not_rsa`, `keys.too_short`, `keys.passphrase_needed`
 */
export function readPublicKey(input: string | Uint8Array): ReadKey {
  const found = findBytes(input);
  const reading = inspectStructure(found);
  if (found.legacyCipher !== null || reading.structure === 'encrypted_pkcs8') {
    throw new KeysError(
      'keys.passphrase_needed',
      'This is a private key protected by a passphrase; a public key is needed here. Paste the PEM that begins with -----BEGIN PUBLIC KEY-----.',
    );
  }
  const key = readPlain(found, reading);
  if (key.kind === 'public') return key;
  return {
    ...key,
    kind: 'public',
    privateKey: null,
    repairs: [...key.repairs, PUBLIC_HALF_TAKEN],
  };
}

/** Gives the fingerprint by which a key is known everywhere: SHA-256 of its SPKI DER, in hex. */
export function fingerprintOf(publicKey: KeyObject): string {
  return createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('hex');
}

function findBytes(input: string | Uint8Array): FoundBytes {
  if (typeof input === 'string') return findKeyBytes(input);
  const bytes = Buffer.from(input.buffer, input.byteOffset, input.byteLength);
  if (bytes[0] === 0x30 && readStructure(bytes).structure !== 'unknown') {
    return { der: bytes, container: 'DER', label: null, legacyCipher: null, repairs: [] };
  }
  const isLittle = bytes[0] === 0xff && bytes[1] === 0xfe;
  const isBig = bytes[0] === 0xfe && bytes[1] === 0xff;
  if (!isLittle && !isBig) return findKeyBytes(bytes.toString('utf8'));
  const even = Buffer.from(bytes.subarray(0, bytes.length & ~1));
  const found = findKeyBytes((isBig ? even.swap16() : even).toString('utf16le'));
  return { ...found, repairs: ['converted from UTF-16', ...found.repairs] };
}

const STRUCTURE_NAMES: Readonly<Record<KeyStructure, string>> = {
  pkcs8: 'PKCS#8',
  encrypted_pkcs8: 'encrypted PKCS#8',
  pkcs1: 'PKCS#1',
  pkcs1_public: 'PKCS#1 public',
  spki: 'SPKI',
  certificate: 'X.509 certificate',
  certificate_request: 'certificate request',
  pkcs12: 'PKCS#12',
  sec1: 'EC',
  dsa: 'DSA',
  unknown: 'unknown',
};
/** What a label promises; other labels promise nothing. */
const LABEL_STRUCTURES: Readonly<Record<string, KeyStructure>> = {
  'PRIVATE KEY': 'pkcs8',
  'ENCRYPTED PRIVATE KEY': 'encrypted_pkcs8',
  'RSA PRIVATE KEY': 'pkcs1',
  'PUBLIC KEY': 'spki',
  'RSA PUBLIC KEY': 'pkcs1_public',
  CERTIFICATE: 'certificate',
};

/** Tells the structure, cuts what follows it, and refuses what cannot be an RSA key before anything parses it. */
function inspectStructure(found: FoundBytes): StructureReading {
  refuseLabel(found.label);
  const reading = readStructure(found.der);
  if (found.legacyCipher !== null) return reading;
  refuseStructure(reading);
  if (reading.claimedLength > found.der.length) {
    throw unreadable(
      `The key is cut short: ${found.der.length} of ${reading.claimedLength} bytes are here. Paste the whole of it.`,
    );
  }
  if (reading.claimedLength < found.der.length) {
    found.der = found.der.subarray(0, reading.claimedLength);
    found.repairs.push('bytes after the key dropped');
  }
  const promised = LABEL_STRUCTURES[found.label ?? ''];
  if (promised !== undefined && promised !== reading.structure) {
    found.repairs.push(`header said ${found.label}, the content is ${STRUCTURE_NAMES[reading.structure]}`);
  }
  return reading;
}

function refuseLabel(label: string | null): void {
  if (label?.startsWith('EC ') === true) throw notRsa('an EC');
  if (label?.startsWith('DSA ') === true) throw notRsa('a DSA');
  if (label?.startsWith('DH ') === true) throw notRsa('a DH');
}

function refuseStructure({ structure, algorithm }: StructureReading): void {
  if (structure === 'sec1') throw notRsa('an EC');
  if (structure === 'dsa') throw notRsa('a DSA');
  if (structure === 'certificate_request') {
    throw unreadable('This is a certificate request, not a key. Choose the key file that was made with it.');
  }
  if (structure === 'pkcs12') {
    throw unreadable(
      'This is a PKCS#12 file. Take the key out of it with: openssl pkcs12 -nocerts -nodes -in FILE',
    );
  }
  if (structure === 'unknown') {
    throw unreadable(
      'This is not a key, or it was changed on its way here. Take it from the original file again.',
    );
  }
  if (algorithm === null || structure === 'encrypted_pkcs8') return;
  const name = ALGORITHM_NAMES[algorithm];
  if (name === undefined) throw notRsa(`another kind of (${algorithm})`);
  if (name !== 'RSA') throw notRsa(`${/^[ERX]/.test(name) ? 'an' : 'a'} ${name}`);
}

function notRsa(what: string): AppError {
  return new KeysError(
    'keys.not_rsa',
    `This is ${what} key; the service takes plain RSA keys only. Generate an RSA pair and register its public key.`,
  );
}

function readPlain(found: FoundBytes, { structure }: StructureReading): ReadKey {
  const format = `${STRUCTURE_NAMES[structure]} ${found.container}`;
  const { der, repairs } = found;
  switch (structure) {
    case 'pkcs8':
      return describePrivate(
        parse(() => createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })),
        format,
        repairs,
      );
    case 'pkcs1': {
      const key = parse(() => createPrivateKey({ key: der, format: 'der', type: 'pkcs1' }));
      return describePrivate(key, format, [...repairs, 'converted from PKCS#1 to PKCS#8']);
    }
    case 'spki':
      return describePublic(
        parse(() => createPublicKey({ key: der, format: 'der', type: 'spki' })),
        format,
        repairs,
      );
    case 'pkcs1_public': {
      const key = parse(() => createPublicKey({ key: der, format: 'der', type: 'pkcs1' }));
      return describePublic(key, format, [...repairs, 'converted from PKCS#1 to SPKI']);
    }
    case 'certificate': {
      const key = parse(() => new X509Certificate(der).publicKey);
      return describePublic(key, format, [...repairs, 'public key taken from the certificate']);
    }
    default:
      throw unreadable('This is not a key. Paste the PEM of an RSA key.');
  }
}

function parse(read: () => KeyObject): KeyObject {
  try {
    return read();
  } catch (error) {
    throw unreadable('The key is damaged: it cannot be read. Take it from the original file again.', error);
  }
}

function describePrivate(privateKey: KeyObject, format: string, repairs: string[]): ReadKey {
  refuseWeak(privateKey);
  const publicKey = parse(() => createPublicKey(privateKey));
  proveOneKey(privateKey);
  return { ...describePublic(publicKey, format, repairs), kind: 'private', privateKey };
}

/** Checks the numbers against each other: a key with one changed parses well, and may even sign. @source RFC 8017 §3.2 */
function proveOneKey(privateKey: KeyObject): void {
  const jwk = privateKey.export({ format: 'jwk' });
  const [n, e, d, p, q, dp, dq, qi] = [jwk.n, jwk.e, jwk.d, jwk.p, jwk.q, jwk.dp, jwk.dq, jwk.qi].map(
    toNumber,
  );
  const isOne =
    p! > 1n &&
    q! > 1n &&
    p! * q! === n &&
    (e! * d!) % (p! - 1n) === 1n &&
    (e! * d!) % (q! - 1n) === 1n &&
    dp === d! % (p! - 1n) &&
    dq === d! % (q! - 1n) &&
    (qi! * q!) % p! === 1n;
  if (isOne) return;
  throw unreadable(
    'The key is damaged: its numbers do not belong together. Take it from the original file again.',
  );
}

function toNumber(base64url: string | undefined): bigint {
  return BigInt(`0x0${Buffer.from(base64url ?? '', 'base64url').toString('hex')}`);
}

function describePublic(publicKey: KeyObject, format: string, repairs: string[]): ReadKey {
  refuseWeak(publicKey);
  const { modulusLength, publicExponent } = publicKey.asymmetricKeyDetails ?? {};
  return {
    kind: 'public',
    format,
    bits: modulusLength ?? 0,
    exponent: Number(publicExponent ?? 0n),
    fingerprint: fingerprintOf(publicKey),
    publicKeyPem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    repairs: [...new Set(repairs)],
    publicKey,
    privateKey: null,
  };
}

function refuseWeak(key: KeyObject): void {
  if (key.asymmetricKeyType !== 'rsa') throw notRsa(`a ${key.asymmetricKeyType ?? 'foreign'}`);
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  if (bits > MAX_BITS)
    throw unreadable(`This RSA key has ${bits} bits, more than any service takes. Use 2048, 3072 or 4096.`);
  const exponentBits = (key.asymmetricKeyDetails?.publicExponent ?? 0n).toString(2).length;
  if (exponentBits > MAX_EXPONENT_BITS)
    throw unreadable(
      `The public exponent of this RSA key has ${exponentBits} bits, more than any service takes. Use a key whose exponent is 65537.`,
    );
  const fault = describeRsaFault(key);
  if (fault !== null) throw unreadable(fault);
  if (bits >= MIN_BITS) return;
  throw new KeysError(
    'keys.too_short',
    `This RSA key has ${bits} bits; at least ${MIN_BITS} are needed. Generate a new pair and register its public key.`,
    { details: { bits } },
  );
}
