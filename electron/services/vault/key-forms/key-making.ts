import {
  createCipheriv,
  createPrivateKey,
  generateKeyPair,
  pbkdf2,
  randomBytes,
  type KeyObject,
} from 'node:crypto';
import { promisify } from 'node:util';
import { TAG, writeElement, writeInteger, writeOid, writeSequence } from './der';

const PBKDF2_ROUNDS = 600_000;

/**
 * Makes an RSA private key with exponent 65537, off the main thread.
 *
 * @param bits - 2048, 3072 or 4096
 * @source payments-service-interface, part 5.5
 */
export async function generatePrivateKey(bits: 2048 | 3072 | 4096): Promise<KeyObject> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength: bits,
    publicExponent: 65_537,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'der' },
  });
  // Through DER and back: Electron's runtime and Node then hold the very same kind of key.
  const key = createPrivateKey({ key: privateKey, format: 'der', type: 'pkcs8' });
  privateKey.fill(0);
  return key;
}

/** Writes a private key as PKCS#8 PEM, unprotected: for the command line's `key generate` and `convert` alone. */
export function writePrivatePem(privateKey: KeyObject): string {
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/**
 * Writes a private key as encrypted PKCS#8 PEM: PBES2 with PBKDF2 (HMAC-SHA-256, 600,000 rounds) and AES-256-CBC.
 *
 * node:crypto would write one with 2,048 rounds, which a passphrase people remember does not survive.
 * @source RFC 8018 §6.2, RFC 5958 §3
 */
export async function writeEncryptedPem(privateKey: KeyObject, passphrase: string): Promise<string> {
  const salt = randomBytes(16);
  const iv = randomBytes(16);
  const key = await promisify(pbkdf2)(passphrase, salt, PBKDF2_ROUNDS, 32, 'sha256');
  const plain = privateKey.export({ type: 'pkcs8', format: 'der' });
  const cipher = createCipheriv('aes-256-cbc', key, iv);
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()]);
  plain.fill(0);
  key.fill(0);
  return toPem(
    'ENCRYPTED PRIVATE KEY',
    writeSequence(writePbes2(salt, iv), writeElement(TAG.octetString, sealed)),
  );
}

function writePbes2(salt: Buffer, iv: Buffer): Buffer {
  const rounds = Buffer.alloc(4);
  rounds.writeUInt32BE(PBKDF2_ROUNDS);
  const hmacSha256 = writeSequence(writeOid('1.2.840.113549.2.9'), writeElement(TAG.null));
  const derivation = writeSequence(
    writeOid('1.2.840.113549.1.5.12'),
    writeSequence(writeElement(TAG.octetString, salt), writeInteger(rounds), hmacSha256),
  );
  const encryption = writeSequence(writeOid('2.16.840.1.101.3.4.1.42'), writeElement(TAG.octetString, iv));
  return writeSequence(writeOid('1.2.840.113549.1.5.13'), writeSequence(derivation, encryption));
}

function toPem(label: string, der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');
}
