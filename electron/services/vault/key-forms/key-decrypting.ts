import { createHash, createPrivateKey, createDecipheriv, type KeyObject } from 'node:crypto';
import type * as Forge from 'node-forge';
import type { AppError } from '@shared/errors';
import { errorsOf } from '../../errors-of';
import { countRounds, MOST_ROUNDS, MOST_ROUNDS_IN_SCRIPT } from './key-stretching';
import { readStructure } from './key-structure';
import { unreadable } from './pem-text';

const KeysError = errorsOf<'keys'>();
/** The runtime opens it, but for ciphers that nobody takes. */
const PBES2 = '1.2.840.113549.1.5.13';
const SAVE_ANEW = 'Save it anew with: openssl pkcs8 -topk8 -v2 aes-256-cbc -in FILE';

/** Key and IV lengths, in bytes, of the ciphers that old OpenSSL used for PEM. */
const LEGACY_CIPHERS: Readonly<Record<string, { name: string; keyBytes: number }>> = {
  'DES-EDE3-CBC': { name: 'des-ede3-cbc', keyBytes: 24 },
  'AES-128-CBC': { name: 'aes-128-cbc', keyBytes: 16 },
  'AES-192-CBC': { name: 'aes-192-cbc', keyBytes: 24 },
  'AES-256-CBC': { name: 'aes-256-cbc', keyBytes: 32 },
};

/**
 * Opens an encrypted PKCS#8 key, with node:crypto, or with node-forge where the runtime lacks the cipher
 * (Electron's BoringSSL, single DES, RC2).
 *
 * @throws {AppError} `keys.passphrase_needed`, `keys.wrong_passphrase`, `keys.unreadable`
 */
export async function decryptPkcs8(der: Buffer, passphrase: string | undefined): Promise<KeyObject> {
  const secret = requirePassphrase(passphrase);
  refuseSlow(der, MOST_ROUNDS);
  try {
    return createPrivateKey({ key: der, format: 'der', type: 'pkcs8', passphrase: secret });
  } catch (error) {
    return toKey(await decryptPkcs8WithForge(der, secret, error), 'pkcs8');
  }
}

/**
 * Opens PEM that is encrypted in OpenSSL's old way (`Proc-Type: 4,ENCRYPTED`).
 *
 * That form has no check of its own: a wrong passphrase shows as padding or content that makes no sense.
 * @throws {AppError} as {@link decryptPkcs8}
 */
export async function decryptLegacyPem(
  der: Buffer,
  cipher: { name: string; ivHex: string },
  passphrase: string | undefined,
): Promise<KeyObject> {
  const secret = requirePassphrase(passphrase);
  const known = LEGACY_CIPHERS[cipher.name];
  if (known === undefined) return toKey(await decryptLegacyWithForge(der, cipher, secret), 'pkcs1');
  const iv = Buffer.from(cipher.ivHex, 'hex');
  if (iv.length < 8)
    throw unreadable('The DEK-Info line of the PEM is damaged. Take it from the original file again.');
  const key = deriveLegacyKey(secret, iv.subarray(0, 8), known.keyBytes);
  try {
    const decipher = createDecipheriv(known.name, key, iv);
    return toKey(Buffer.concat([decipher.update(der), decipher.final()]), 'pkcs1');
  } catch (error) {
    throw wrongPassphrase(error);
  }
}

/** @throws {AppError} `keys.unreadable` */
function refuseSlow(der: Buffer, most: number): void {
  const rounds = countRounds(der);
  if (rounds <= most) return;
  throw unreadable(
    `This key asks for ${Number.isFinite(rounds) ? rounds : 'more than any number of'} rounds to open it, and nothing could stop them: at most ${most} are made here. ${SAVE_ANEW}`,
  );
}

/**
 * What the runtime could not open is not tried in script where that takes too long. Most often the passphrase is wrong: one
 * in 256 of those leaves a padding that looks right, and is told from an unknown cipher by nothing.
 *
 * @throws {AppError} `keys.wrong_passphrase`, `keys.unreadable`
 */
function refuseSlowInScript(der: Buffer, first: unknown): void {
  if (countRounds(der) <= MOST_ROUNDS_IN_SCRIPT) return;
  if (isBadDecrypt(first)) throw wrongPassphrase(first);
  if (readStructure(der).algorithm !== PBES2) refuseSlow(der, MOST_ROUNDS_IN_SCRIPT);
  throw new KeysError(
    'keys.wrong_passphrase',
    `The passphrase does not open this key, or the key is encrypted in a way that cannot be read here. Check the passphrase (case and spaces count); where it is right: ${SAVE_ANEW}`,
    { cause: first },
  );
}

function requirePassphrase(passphrase: string | undefined): string {
  if (passphrase !== undefined && passphrase !== '') return passphrase;
  throw new KeysError(
    'keys.passphrase_needed',
    'This key is protected by a passphrase. Enter the one it was saved with, and try again.',
  );
}

function wrongPassphrase(cause: unknown): AppError {
  return new KeysError(
    'keys.wrong_passphrase',
    'The passphrase does not open this key. Check it (case and spaces count) and try again.',
    { cause },
  );
}

function toKey(der: Buffer, type: 'pkcs8' | 'pkcs1'): KeyObject {
  try {
    return createPrivateKey({ key: der, format: 'der', type });
  } catch (error) {
    throw wrongPassphrase(error);
  } finally {
    der.fill(0);
  }
}

/** OpenSSL's EVP_BytesToKey with MD5 and one round, which these files were made with. */
function deriveLegacyKey(passphrase: string, salt: Uint8Array, keyBytes: number): Buffer {
  let key = Buffer.alloc(0);
  let block = Buffer.alloc(0);
  while (key.length < keyBytes) {
    block = createHash('md5').update(block).update(passphrase, 'utf8').update(salt).digest();
    key = Buffer.concat([key, block]);
  }
  return key.subarray(0, keyBytes);
}

async function decryptPkcs8WithForge(der: Buffer, passphrase: string, first: unknown): Promise<Buffer> {
  refuseSlowInScript(der, first);
  const forge = await loadForge();
  let decrypted;
  try {
    const info = forge.asn1.fromDer(der.toString('latin1'));
    // PKCS#12's derivation takes UTF-16 of the passphrase and converts by itself; the others take UTF-8.
    const isPkcs12 = readStructure(der).algorithm?.startsWith('1.2.840.113549.1.12.1.') ?? false;
    const secret = isPkcs12 ? passphrase : forge.util.encodeUtf8(passphrase);
    decrypted = forge.pki.decryptPrivateKeyInfo(info, secret) as unknown;
  } catch (error) {
    if (/unsupported|cannot|unknown/i.test(String(error)) && !isBadDecrypt(first))
      throw unsupportedCipher(error);
    throw wrongPassphrase(error);
  }
  if (decrypted === null) throw wrongPassphrase(first);
  return Buffer.from(forge.asn1.toDer(decrypted as never).getBytes(), 'latin1');
}

async function decryptLegacyWithForge(
  der: Buffer,
  cipher: { name: string; ivHex: string },
  passphrase: string,
): Promise<Buffer> {
  const forge = await loadForge();
  const pem = [
    '-----BEGIN RSA PRIVATE KEY-----',
    'Proc-Type: 4,ENCRYPTED',
    `DEK-Info: ${cipher.name},${cipher.ivHex}`,
    '',
    der.toString('base64'),
    '-----END RSA PRIVATE KEY-----',
  ].join('\n');
  let key;
  try {
    key = forge.pki.decryptRsaPrivateKey(pem, forge.util.encodeUtf8(passphrase)) as unknown;
  } catch (error) {
    if (/unsupported/i.test(String(error))) throw unsupportedCipher(error);
    throw wrongPassphrase(error);
  }
  if (key === null) throw wrongPassphrase(null);
  return Buffer.from(forge.asn1.toDer(forge.pki.privateKeyToAsn1(key as never)).getBytes(), 'latin1');
}

/** OpenSSL says so when the cipher is known and the padding is wrong: the passphrase, then, not the cipher. */
function isBadDecrypt(error: unknown): boolean {
  return /bad.?decrypt/i.test(String((error as { code?: unknown } | null)?.code));
}

function unsupportedCipher(cause: unknown): AppError {
  return unreadable(`This key is encrypted in a way that cannot be read here. ${SAVE_ANEW}`, cause);
}

async function loadForge(): Promise<typeof Forge> {
  const loaded = (await import('node-forge')) as typeof Forge & { default?: typeof Forge };
  return loaded.default ?? loaded;
}
