import { createHash } from 'node:crypto';
import type { SafeStorage } from 'electron';
import type { SecretBox } from '../platform/ports';
import { describeWrongKey, readFrame, writeFrame } from '../platform/crypto/sealed-frame';

/** The part of Electron's safeStorage that is used; tests stand in for it. */
export type KeychainClient = Pick<SafeStorage, 'isEncryptionAvailable' | 'encryptString' | 'decryptString'> &
  Partial<Pick<SafeStorage, 'getSelectedStorageBackend'>>;

const MAGIC = 'CSO1';
const PROOF_BYTES = 16;
/** On Linux these two mean a password that is the same on every machine: no keychain at all. */
const NO_KEYCHAIN = new Set(['basic_text', 'unknown']);

/**
 * Makes a box that the operating system's keychain seals, by Electron's safeStorage. Call it once the app is ready.
 *
 * What safeStorage makes has no check of its own on every platform: another keychain entry may 'open' it to
 * rubbish. The frame's checksum tells damage; a digest sealed with the value tells the wrong entry.
 * @returns null where there is no real keychain
 */
export function createSafeStorageBox(
  client: KeychainClient,
  platform: NodeJS.Platform = process.platform,
): SecretBox | null {
  if (!hasRealKeychain(client, platform)) return null;
  return {
    kind: 'os_keychain',
    warning: null,
    async seal(plain) {
      const bytes = Buffer.from(plain);
      const text = Buffer.concat([proofOf(bytes), bytes]).toString('base64');
      return writeFrame(MAGIC, Buffer.alloc(0), client.encryptString(text));
    },
    async open(frame) {
      const { sealed } = readFrame(MAGIC, frame, 0);
      const bytes = Buffer.from(decrypt(client, sealed), 'base64');
      const plain = bytes.subarray(PROOF_BYTES);
      if (!bytes.subarray(0, PROOF_BYTES).equals(proofOf(plain))) throw wrongEntry();
      return plain;
    },
  };
}

function hasRealKeychain(client: KeychainClient, platform: NodeJS.Platform): boolean {
  if (!client.isEncryptionAvailable()) return false;
  return platform !== 'linux' || !NO_KEYCHAIN.has(client.getSelectedStorageBackend?.() ?? 'unknown');
}

function decrypt(client: KeychainClient, sealed: Buffer): string {
  try {
    return client.decryptString(sealed);
  } catch (error) {
    // The frame is whole, so it is not the file: the keychain is another user's, was reset, or refused.
    throw wrongEntry(error);
  }
}

function wrongEntry(cause?: unknown): Error {
  const error = describeWrongKey(
    'The system keychain does not open this vault: it belongs to another user or machine, was reset, or access was ' +
      'refused. The vault is kept as it is: allow access and start again, or bring back the keychain it was made with.',
  );
  if (cause !== undefined) error.cause = cause;
  return error;
}

function proofOf(plain: Uint8Array): Buffer {
  return createHash('sha256')
    .update('countersign keychain proof')
    .update(plain)
    .digest()
    .subarray(0, PROOF_BYTES);
}
