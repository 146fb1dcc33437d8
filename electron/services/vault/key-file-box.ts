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
import { listSome } from '@shared/list-some';
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
      const { id, key } = readKeyFile(file);
      if (!id.equals(header)) {
        throw describeWrongKey(
          `${basename(file)} belongs to another vault. Put the one that lay beside this vault.json back in its place.`,
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

function readKeyFile(file: string): { id: Buffer; key: Buffer } {
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
      `${file} cannot be read, and only it opens the vault. Put it back in its place, readable for you.${describeKeyAside(dirname(file))}`,
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

/** Where a restore, a reset or a move left one of a data folder's key files; empty: nowhere there. */
export function describeKeyAside(directory: string): string {
  try {
    const found = readdirSync(directory)
      .filter(
        (name) =>
          /^before-(?:restore|reset|move)-/.test(name) && existsSync(join(directory, name, 'vault.key')),
      )
      .map((name) => join(name, 'vault.key'));
    return found.length === 0 ? '' : ` There is ${listSome(found)}: copy the one of this vault back.`;
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
