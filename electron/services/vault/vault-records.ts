import type { Random } from '../../platform/ports';
import { openBytes, sealBytes } from '../../platform/crypto/sealed-frame';
import { errorsOf } from '../errors-of';
import type { DocumentRecord, SealedValue } from './vault-document';

const VaultError = errorsOf<'vault'>();

/** The open part of a record to be written. Other fields are the kind's own; none of them is secret. */
export interface RecordFields {
  id: string;
  kind: string;
  name: string;
  environment: string | null;
  created_at: number;
  [field: string]: unknown;
}

/** The master key while the vault is open. */
export interface MasterKey {
  id: string;
  key: Buffer;
}

/** Makes the text of a record: open fields first, sealed part last, the first authenticated by the second. */
export function sealRecord(
  master: MasterKey,
  fields: RecordFields | Record<string, unknown>,
  secret: Uint8Array,
  random: Random,
): Record<string, unknown> {
  return { ...fields, sealed: sealValue(master, secret, describeRecord(fields), random) };
}

/**
 * Opens the sealed part of a record.
 *
 * @throws {AppError} `vault.wrong_key` when another key sealed it, `vault.damaged` when it or its open fields changed
 */
export function openRecord(master: MasterKey, { open, sealed, name }: DocumentRecord): Buffer {
  if (sealed.key_id !== master.id) {
    throw new VaultError(
      'vault.wrong_key',
      `'${name}' was sealed with another vault's key. It is kept as it is: open it with the vault it came from.`,
    );
  }
  const plain = openBytes(
    master.key,
    Buffer.from(sealed.data, 'base64'),
    describeSealing(master.id, describeRecord(open)),
  );
  if (plain !== null) return plain;
  throw new VaultError(
    'vault.damaged',
    `'${name}' is damaged in vault.json and cannot be opened. It is kept as it is: restore it from a backup, or add it anew.`,
  );
}

/** Seals any value with the master key. @param purpose - authenticated, so that a value cannot take another's place */
export function sealValue(
  master: MasterKey,
  plain: Uint8Array,
  purpose: string,
  random: Random,
): SealedValue {
  const sealed = sealBytes(master.key, random.bytes(12), plain, describeSealing(master.id, purpose));
  return { box: 'vault', key_id: master.id, data: sealed.toString('base64') };
}

/** Tells whether a value was sealed by this key for this purpose. */
export function isSealedBy(master: MasterKey, value: SealedValue, purpose: string): boolean {
  return (
    openBytes(master.key, Buffer.from(value.data, 'base64'), describeSealing(master.id, purpose)) !== null
  );
}

function describeRecord(fields: Record<string, unknown>): string {
  return `record\n${JSON.stringify(fields)}`;
}

function describeSealing(keyId: string, purpose: string): string {
  return `countersign.vault.1\n${keyId}\n${purpose}`;
}
