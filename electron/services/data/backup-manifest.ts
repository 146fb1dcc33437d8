import { z } from 'zod';
import { AppError } from '@shared/errors';
import { isBackedUp } from '../../platform/files/data-entries';

export const BACKUP_VERSION = 1;
/** First file of a backup: what else is in it. The others are numbered, so that no name of theirs leads anywhere. */
export const manifestName = 'countersign-backup.json';
export const nameFile = (index: number): string => `files/${String(index + 1).padStart(6, '0')}`;

const MOST_FILES = 100_000;
/** Empty files in folders within folders have no bytes, and fill a disk with folders. */
const MOST_FOLDERS = 100_000;
export const MOST_MANIFEST_BYTES = 32 * 1024 * 1024;

/** What opens the secrets of a backup; `none`: it holds no vault. */
export const sealers = ['none', 'os_keychain', 'passphrase', 'key_file'] as const;

const manifest = z.object({
  format: z.literal('countersign-backup'),
  version: z.literal(BACKUP_VERSION),
  app_version: z.string().max(100),
  made_at: z.iso.datetime(),
  made_on: z.string().max(300),
  /** What was backed up: settings name the collections in it by their whole paths. Older backups do not say it. */
  data_folder: z.string().max(4096).optional(),
  secrets: z.object({ sealed_by: z.enum(sealers), note: z.string().max(1000) }),
  files: z
    .array(
      z.object({
        path: z.string().max(4096).refine(isBackedUp),
        size: z.number().int().min(0),
        sha256: z.string().regex(/^[0-9a-f]{64}$/),
      }),
    )
    .max(MOST_FILES),
});
export type BackupManifest = z.infer<typeof manifest>;
export type Sealer = BackupManifest['secrets']['sealed_by'];

/** Says where the secrets of a backup can be opened. */
export function describeSealer(sealer: Sealer, machine: string): string {
  switch (sealer) {
    case 'none':
      return 'It holds no vault: no keys, no credentials.';
    case 'passphrase':
      return "The vault's passphrase opens its keys and credentials, on any machine.";
    case 'os_keychain':
      return `Its keys and credentials can be opened on ${machine} alone, by the same user: the keychain there seals them.`;
    case 'key_file':
      return (
        `Its keys and credentials can be opened on ${machine} alone, in the same data folder: vault.key there seals them, ` +
        'and is not in the backup. With a passphrase for the vault (Keys and tokens) they could be opened anywhere.'
      );
  }
}

/** @throws {AppError} `data.bad_backup`, `data.newer_backup` */
export function readManifest(bytes: Buffer): BackupManifest {
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new AppError('data.bad_backup', 'The backup is damaged: its list of files cannot be read.');
  }
  const version = (value as { version?: unknown } | null)?.version;
  if (typeof version === 'number' && version > BACKUP_VERSION) {
    throw new AppError(
      'data.newer_backup',
      `The backup has form ${version}, this Countersign reads form ${BACKUP_VERSION}. Restore it with a newer Countersign.`,
    );
  }
  const read = manifest.safeParse(value);
  if (!read.success) {
    const [issue] = read.error.issues;
    const place = issue?.path.join('.').slice(0, 100) ?? '';
    throw new AppError(
      'data.bad_backup',
      `The backup is refused: ${place === '' ? '' : `${place} in `}its list of files is not as it must be.`,
    );
  }
  checkNames(read.data.files.map(({ path }) => path.normalize('NFC').toLowerCase()));
  return read.data;
}

/** One name for two files, by letters that some disks do not tell apart, would put one in the place of the other. */
function checkNames(names: readonly string[]): void {
  const taken = new Set(names);
  const folders = new Set<string>();
  for (const name of names) {
    // Where a folder is known, so are those that it lies in.
    for (let end = name.lastIndexOf('/'); end > 0; end = name.lastIndexOf('/', end - 1)) {
      const folder = name.slice(0, end);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
    if (folders.size > MOST_FOLDERS)
      throw new AppError(
        'data.bad_backup',
        `The backup is refused: it has more than ${MOST_FOLDERS} folders.`,
      );
  }
  if (taken.size !== names.length || names.some((name) => folders.has(name)))
    throw new AppError('data.bad_backup', 'The backup is refused: two of its files have one name.');
}
