import { readdirSync, readFileSync, statSync, type BigIntStats } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { AppError } from '@shared/errors';
import { followLink, freeName, isLink, neighboursOf, writeFileDurably } from '../../platform/files/files';
import { removeLeftovers } from '../../platform/files/remove-leftovers';
import { isFolderGone } from '../../platform/files/kept-folder';
import { describeReadFault } from '../../platform/files/read-faults';
import type { Random } from '../../platform/ports';
import { errorsOf } from '../errors-of';
import {
  editDocument,
  readDocument,
  VAULT_VERSION,
  type DocumentRecord,
  type VaultDocument,
} from './vault-document';
import { openRecord, sealRecord, type MasterKey, type RecordFields } from './vault-records';

const VaultError = errorsOf<'vault'>();

/** A record as it stands in the file. `isLocked`: it cannot be opened now; it is kept byte for byte. */
export interface StoredRecord extends DocumentRecord {
  isLocked: boolean;
}

export type StoreChange =
  | { kind: 'add'; fields: RecordFields; secret: Uint8Array }
  /** `secret` left out: the one that is sealed now is sealed anew. */
  | { kind: 'replace'; record: StoredRecord; fields: Record<string, unknown>; secret?: Uint8Array }
  | { kind: 'remove'; record: StoredRecord };

/** Replaces a record with facts and a secret that are new, or adds one. @param identity - of one that is added */
export function putRecord(
  old: StoredRecord | undefined,
  identity: RecordFields,
  facts: Record<string, unknown>,
  secret: Uint8Array,
): StoreChange {
  return old === undefined
    ? { kind: 'add', fields: { ...identity, ...facts }, secret }
    : { kind: 'replace', record: old, fields: { ...old.open, ...facts }, secret };
}

/** What was read of `vault.json`. */
export interface VaultFile {
  /** Inode, size and time of change: tells that someone wrote. Null: there is no file. */
  signature: string | null;
  document: VaultDocument | null;
  /** Why the file cannot be read; null when it can, or is not there. */
  fault: AppError | null;
  records: StoredRecord[];
}

/** Reads the file, or gives back what was read before when it is the same still. @param path - null: an empty vault */
export function readVaultFile(path: string | null, before: VaultFile | null): VaultFile {
  if (before !== null && path !== null && isFolderGone(path)) return before;
  const signature = path === null ? null : readSignature(path);
  // What it leads to may come back, as a disk that is not there now does: a vault in its place would hide that one.
  if (path !== null && signature === null && isLink(path)) {
    if (before !== null && before.signature === null && before.fault !== null) return before;
    const fault = new VaultError(
      'vault.unreadable',
      `${path} is a link to something that is not there. Bring that back, or remove the link to begin a new vault.`,
    );
    return { signature, document: null, fault, records: [] };
  }
  if (before !== null && before.signature === signature) return before;
  if (path === null || signature === null) return { signature, document: null, fault: null, records: [] };
  try {
    // A pipe would be waited for, without an end.
    if (!statSync(path).isFile())
      throw new VaultError(
        'vault.unreadable',
        `${path} is no file. It was left as it is. Move it away, and put a copy from a backup in its place.`,
      );
    const document = readDocument(readFileSync(path));
    const records = document.records.map((record) => ({ ...record, isLocked: true }));
    return { signature, document, fault: null, records };
  } catch (error) {
    return { signature, document: null, fault: toFault(error, path), records: [] };
  }
}

/**
 * Replaces the file, what a link leads to in its place, after proving that the new text can be read back: a slip here would cost the user every key.
 *
 * The caller holds the vault's lock: what lies beside it of other writes is of killed ones, all secrets in it sealed by the passphrase of then.
 */
export function writeVaultFile(path: string, text: string): void {
  readDocument(Buffer.from(text, 'utf8'));
  const file = followLink(path);
  writeFileDurably(file, text, { mode: 0o600 });
  removeLeftovers(dirname(file), neighboursOf(file), -Infinity);
}

/** Applies changes to the text. Removals and replacements go by the places of the document they were planned on. */
export function applyChanges(
  text: string,
  changes: readonly StoreChange[],
  master: MasterKey,
  random: Random,
): string {
  const placed = changes
    .filter((change) => change.kind !== 'add')
    .sort((a, b) => b.record.index - a.record.index);
  const withPlaced = placed.reduce((rest, change) => {
    const { index } = change.record;
    // Taking out what cannot be opened is the user's own word; writing over it never is.
    if (change.kind === 'remove') return editDocument(rest, { kind: 'remove', index });
    const sealedNow = openRecord(master, change.record);
    const record = sealRecord(master, change.fields, change.secret ?? sealedNow, random);
    return editDocument(rest, { kind: 'replace', index, record });
  }, text);
  const records = changes.flatMap((change) =>
    change.kind === 'add' ? [sealRecord(master, change.fields, change.secret, random)] : [],
  );
  return editDocument(withPlaced, { kind: 'append', records });
}

/** Keeps a copy of the file before it is brought up to a version, once; other copies of earlier tries stay. */
export function backUpVaultFile(path: string, version: number): void {
  const target = freeName(`${path}.before-${version}`);
  const bytes = readFileSync(path);
  const copies = readdirSync(dirname(path))
    .filter((name) => name.startsWith(`${basename(path)}.before-${version}`))
    .map((name) => join(dirname(path), name));
  // A try that was killed has left the same one.
  if (copies.some((copy) => statSync(copy).isFile() && readFileSync(copy).equals(bytes))) return;
  writeFileDurably(target, bytes, { mode: 0o600 });
}

/** Gives the records of a vault of version 1 the ids of the environments that they name. */
export function identifyRecords(file: VaultFile, identify: (name: string) => string): void {
  if (file.document?.version !== 1) return;
  for (const record of file.records) {
    if (record.environment !== null) record.environment = identify(record.environment);
  }
}

/**
 * Writes the records of a vault of version 1 as {@link identifyRecords} left them.
 *
 * What cannot be opened stays byte for byte: it could not be sealed again.
 */
export function migrateDocument(
  text: string,
  records: readonly StoredRecord[],
  master: MasterKey,
  random: Random,
): string {
  const changes = records
    .filter(({ isLocked }) => !isLocked)
    .map((record): StoreChange => {
      const { environment, open } = record;
      return { kind: 'replace', record, fields: { ...open, environment } };
    });
  const migrated = applyChanges(text, changes, master, random);
  return editDocument(migrated, { kind: 'setVersion', version: VAULT_VERSION });
}

function readSignature(path: string): string | null {
  const stats = readStats(path);
  return stats === undefined ? null : `${stats.ino}:${stats.size}:${stats.mtimeNs}`;
}

/** Links in a circle lead to nothing, too. */
function readStats(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false, bigint: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ELOOP') return undefined;
    throw error;
  }
}

function toFault(error: unknown, path: string): AppError {
  if (error instanceof AppError) return error;
  const why = describeReadFault((error as NodeJS.ErrnoException).code);
  return new VaultError('vault.unreadable', `${path} cannot be read: ${why}. It was left as it is.`, {
    cause: error,
  });
}
