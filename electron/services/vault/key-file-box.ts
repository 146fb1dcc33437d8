import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { permit } from '../../platform/files/differing-disks';
import { writeFileDurably } from '../../platform/files/files';
import type { Random, SecretBox } from '../../platform/ports';
import {
  describeDamage,
  describeWrongKey,
  openBytes,
  readFrame,
  sealBytes,
  writeFrame,
} from '../../platform/crypto/sealed-frame';
import { errorsOf } from '../errors-of';

const VaultError = errorsOf<'vault'>();

const MAGIC = 'CSK1';
const KEY_ID_BYTES = 16;
const FORMAT = 'countersign-vault-key';

/** What the app says for as long as the vault is sealed by a file that lies beside it. */
export const KEY_FILE_WARNING =
  'No system keychain is in use: the key that opens the vault lies beside it, in vault.key. ' +
  'Whoever can read your files can open it. Set a passphrase to close that gap.';

/**
 * Makes a box that seals with a key from a file of mode 0600, the last resort where there is neither a keychain
 * nor a passphrase.
 *
 * The file is made on the first seal and never overwritten; the sealed value names the key, so that a file of
 * another vault is told from damage.
 */
export function createKeyFileBox(file: string, random: Random): SecretBox {
  return {
    kind: 'key_file',
    warning: KEY_FILE_WARNING,
    async seal(plain) {
      if (!existsSync(file)) writeKeyFile(file, random);
      const { id, key } = readKeyFile(file);
      return writeFrame(MAGIC, id, sealBytes(key, random.bytes(12), plain, id));
    },
    async open(frame) {
      const { header, sealed } = readFrame(MAGIC, frame, KEY_ID_BYTES);
      const describeAside = (): string => describeKeyAside(dirname(file), frame);
      const { id, key } = readKeyFile(file, describeAside);
      if (!id.equals(header)) {
        throw describeWrongKey(
          `${basename(file)} belongs to another vault. Put the one that lay beside this vault.json back in its place.${describeAside()}`,
        );
      }
      const plain = openBytes(key, sealed, id);
      if (plain === null) throw describeDamage(`vault.json or ${basename(file)} is damaged.`);
      return plain;
    },
  };
}

function writeKeyFile(file: string, random: Random): void {
  const content = {
    format: FORMAT,
    version: 1,
    key_id: Buffer.from(random.bytes(KEY_ID_BYTES)).toString('hex'),
    key: Buffer.from(random.bytes(32)).toString('base64'),
  };
  writeFileDurably(file, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
}

function readKeyFile(file: string, describeAside = (): string => ''): { id: Buffer; key: Buffer } {
  let text;
  try {
    const stats = statSync(file);
    // A pipe would be waited for, without an end.
    if (!stats.isFile()) throw new Error('not a file');
    text = readFileSync(file, 'utf8');
    if (process.platform !== 'win32' && (stats.mode & 0o077) !== 0) permit(file, 0o600);
  } catch (error) {
    throw new VaultError(
      'vault.wrong_key',
      `${file} cannot be read, and only it opens the vault. Put it back in its place, readable for you.${describeAside()}`,
      { cause: error },
    );
  }
  const { id, key } = parseKeyFile(text);
  if (id.length === KEY_ID_BYTES && key.length === 32) return { id, key };
  throw new VaultError(
    'vault.damaged',
    `${file} is damaged, and only it opens the vault. Nothing was changed: put a copy of it back in its place.`,
  );
}

/** Tells whether what a key file sealed is whole, whichever file it was. */
export function isSealed(frame: Uint8Array): boolean {
  try {
    readFrame(MAGIC, frame, KEY_ID_BYTES);
    return true;
  } catch {
    return false;
  }
}

/** Tells whether a key file can be read and is the one that a value was sealed with. */
export function isKeyOf(file: string, frame: Uint8Array): boolean {
  try {
    return readKeyFile(file).id.equals(readFrame(MAGIC, frame, KEY_ID_BYTES).header);
  } catch {
    return false;
  }
}

/** Where a restore, a reset or a move left the key file that opens a value; empty: nowhere in a data folder. */
export function describeKeyAside(directory: string, frame: Uint8Array): string {
  try {
    const found = readdirSync(directory)
      .filter((name) => /^before-(?:restore|reset|move)-/.test(name))
      .map((name) => join(name, 'vault.key'))
      .find((name) => isKeyOf(join(directory, name), frame));
    return found === undefined ? '' : ` The right one is ${found}: copy that back.`;
  } catch {
    return '';
  }
}

function parseKeyFile(text: string): { id: Buffer; key: Buffer } {
  try {
    const { format, key_id: id, key } = JSON.parse(text) as Record<string, unknown>;
    if (format === FORMAT)
      return { id: Buffer.from(String(id), 'hex'), key: Buffer.from(String(key), 'base64') };
  } catch {
    // Told by the caller, which finds no key here.
  }
  return { id: Buffer.alloc(0), key: Buffer.alloc(0) };
}
