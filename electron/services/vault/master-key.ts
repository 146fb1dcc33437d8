import type { AppError } from '@shared/errors';
import type { Random, SecretBox } from '../../platform/ports';
import { describeDamage } from '../../platform/crypto/sealed-frame';
import { errorsOf } from '../errors-of';
import { createKeyFileBox } from './key-file-box';
import { createPassphraseBox } from './passphrase-box';
import type { SealedMaster } from './vault-document';
import { isSealedBy, sealValue, type MasterKey } from './vault-records';

const VaultError = errorsOf<'vault'>();

export type BoxKind = SecretBox['kind'];

/** What may open the master key on this host. */
export interface BoxSources {
  osKeychain: SecretBox | null;
  passphrase: string | null;
  /** Path of the key file, whether it exists or not. */
  keyFile: string;
  random: Random;
}

const ID_BYTES = 16;
const KEY_BYTES = 32;
const CHECK_PURPOSE = 'check';
const CHECK_VALUE = Buffer.from('countersign', 'utf8');

/** Chooses what seals a new vault: the system's keychain, else a passphrase that was given, else a key file. */
export function chooseBox({ osKeychain, passphrase, keyFile, random }: BoxSources): SecretBox {
  if (osKeychain !== null) return osKeychain;
  return passphrase === null ? createKeyFileBox(keyFile, random) : createPassphraseBox(passphrase, random);
}

/**
 * Seals a master key, a new random one where none is given.
 *
 * Its id is sealed with it, and a check value is sealed by it: both tell the right key from any other.
 */
export async function sealMaster(
  existing: MasterKey | null,
  box: SecretBox,
  random: Random,
): Promise<{ key: MasterKey; sealed: SealedMaster }> {
  const key = existing ?? {
    id: Buffer.from(random.bytes(ID_BYTES)).toString('hex'),
    key: Buffer.from(random.bytes(KEY_BYTES)),
  };
  const plain = Buffer.concat([Buffer.from(key.id, 'hex'), key.key]);
  const frame = await box.seal(plain);
  plain.fill(0);
  const check = sealValue(key, CHECK_VALUE, CHECK_PURPOSE, random);
  return {
    key,
    sealed: { key_id: key.id, box: box.kind, sealed: Buffer.from(frame).toString('base64'), check },
  };
}

/**
 * Opens the master key with whatever sealed it.
 *
 * @throws {AppError} `vault.locked` when that is not at hand, `vault.wrong_passphrase`, `vault.wrong_key`, `vault.damaged`
 */
export async function openMaster(sealed: SealedMaster, sources: BoxSources): Promise<MasterKey> {
  const plain = Buffer.from(await findBox(sealed.box, sources).open(Buffer.from(sealed.sealed, 'base64')));
  if (plain.length !== ID_BYTES + KEY_BYTES)
    throw describeDamage('The sealed master key in vault.json is damaged.');
  const key = {
    id: plain.subarray(0, ID_BYTES).toString('hex'),
    key: Buffer.from(plain.subarray(ID_BYTES)),
  };
  plain.fill(0);
  if (key.id === sealed.key_id && isSealedBy(key, sealed.check, CHECK_PURPOSE)) return key;
  key.key.fill(0);
  throw describeDamage(
    'The check value of the master key in vault.json is damaged, or belongs to another vault.',
  );
}

function findBox(kind: string, sources: BoxSources): SecretBox {
  switch (kind) {
    case 'os_keychain':
      if (sources.osKeychain !== null) return sources.osKeychain;
      throw locked(
        'The vault is sealed by the system keychain, which only the desktop app can use. ' +
          'Open it there, or set a passphrase there to use the vault everywhere.',
      );
    case 'passphrase':
      if (sources.passphrase !== null) return createPassphraseBox(sources.passphrase, sources.random);
      throw locked(
        'The vault is locked. Unlock it with its passphrase (on the command line: COUNTERSIGN_PASSPHRASE).',
      );
    case 'key_file':
      return createKeyFileBox(sources.keyFile, sources.random);
    default:
      throw describeDamage(
        `The vault names a way of sealing ('${kind.slice(0, 40)}') that this version does not know.`,
      );
  }
}

/** Says that the vault must be unlocked first. */
export function locked(message: string): AppError {
  return new VaultError('vault.locked', message);
}
