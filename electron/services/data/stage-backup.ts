import { createHash } from 'node:crypto';
import {
  closeSync,
  createReadStream,
  existsSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  readdirSync,
  rmSync,
  statfsSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { createGunzip } from 'node:zlib';
import { AppError } from '@shared/errors';
import { parseRecord } from '@shared/json/parse-or-nothing';
import { databaseNames } from '../../platform/files/data-entries';
import {
  makeDirectory,
  readOwnFile,
  toFileError,
  findStats,
  writeFileDurably,
} from '../../platform/files/files';
import { describeAbsence, describeReadFault } from '../../platform/files/read-faults';
import { readPendingChange } from '../../platform/files/pending-change';
import { rebaseCollections } from '../../platform/files/rebase-collections';
import { inboxMigrations } from '../../listener/inbox-schema';
import { forwardMigrations } from '../../listener/forwarding/forward-schema';
import { listMigrations } from '../../sandbox/store/sandbox-store';
import { historyMigrations } from '../history/history-schema';
import { describeVaultFault, readDocument } from '../vault/vault-document';
import {
  manifestName,
  MOST_MANIFEST_BYTES,
  nameFile,
  readManifest,
  type BackupManifest,
} from './backup-manifest';
import { TapeReader } from './tape';
import { withholdSettings } from './withhold-settings';

const STAGE = '.restore-';
const SETTINGS = 'settings.json';
/** Texts and tables shrink to a tenth or a fiftieth; what grows more was made to fill a disk. */
const MOST_GROWTH = 400;
const SPARE_BYTES = 64 * 1024 * 1024;

/** The newest form of a database that this version reads. */
const schemas: Readonly<Record<string, readonly { id: number }[]>> = {
  'inbox.db': inboxMigrations,
  'forwards.db': forwardMigrations,
  'history.db': historyMigrations,
  'sandbox.db': listMigrations(),
};

/**
 * Unpacks a backup into a new folder of the data folder and checks all of it: names, sizes, sums, forms.
 *
 * The file may come from anybody: it is read in order and within bounds, no name in it is used before it was checked,
 * and nothing of the data folder is touched.
 * @returns the folder's name, to be put in the place of what is there; and what is left out of its settings
 * @throws {AppError} `data.bad_backup`, `data.newer_backup`, `data.unreadable_file`, `platform.disk_full`
 */
export async function stageBackup(
  directory: string,
  file: string,
): Promise<{ staged: string; manifest: BackupManifest; leftOut: string[] }> {
  const packedBytes = readSize(file);
  sweep(directory);
  const stage = mkdtempSync(join(directory, STAGE));
  const source = createReadStream(file);
  const unpacked = source.pipe(createGunzip());
  source.once('error', (error) => unpacked.destroy(toUnread(file, error)));
  try {
    const tape = new TapeReader(unpacked as AsyncIterable<Buffer>);
    const manifest = await takeManifest(tape);
    refuseHuge(manifest, packedBytes, directory);
    for (const [index, entry] of manifest.files.entries())
      await takeFile(tape, nameFile(index), entry, stage);
    checkContents(stage, manifest);
    const leftOut = settleSettings(stage, directory, manifest.data_folder);
    return { staged: stage.slice(directory.length + 1), manifest, leftOut };
  } catch (error) {
    rmSync(stage, { recursive: true, force: true });
    throw toBackupError(error, directory);
  } finally {
    source.destroy();
    unpacked.destroy();
  }
}

function readSize(file: string): number {
  const stats = findStats(file);
  if (stats?.isFile() === true) return stats.size;
  const shown = file.slice(0, 300);
  const what =
    stats === undefined
      ? `${describeAbsence(file, 'file', shown)}.`
      : `${shown} is no file but a folder, a pipe or a device.`;
  throw new AppError('data.unreadable_file', `${what} Name a backup that Countersign wrote.`);
}

const toUnread = (file: string, error: Error): AppError =>
  new AppError(
    'data.unreadable_file',
    `${file.slice(0, 300)} cannot be read: ${describeReadFault((error as NodeJS.ErrnoException).code)}.`,
    { cause: error },
  );

/** What a restore that was killed has left; never what one that waits is to put in. */
function sweep(directory: string): void {
  const waiting = readPendingChange(directory)?.staged;
  for (const name of readdirSync(directory)) {
    if (name.startsWith(STAGE) && name !== waiting)
      rmSync(join(directory, name), { recursive: true, force: true });
  }
}

async function takeManifest(tape: TapeReader): Promise<BackupManifest> {
  const sizeBytes = await tape.next(manifestName, MOST_MANIFEST_BYTES);
  const parts: Buffer[] = [];
  for await (const part of tape.read(sizeBytes)) parts.push(Buffer.from(part));
  await tape.skipFill(sizeBytes);
  return readManifest(Buffer.concat(parts));
}

function refuseHuge({ files }: BackupManifest, packedBytes: number, directory: string): void {
  const total = files.reduce((sum, { size }) => sum + size, 0);
  if (total > packedBytes * MOST_GROWTH + SPARE_BYTES) {
    throw new AppError(
      'data.bad_backup',
      'The backup is refused: it says that it unpacks to many times what a backup does.',
    );
  }
  const { bavail, bsize } = statfsSync(directory);
  if (total + SPARE_BYTES > bavail * bsize) {
    throw toFileError(Object.assign(new Error('full'), { code: 'ENOSPC' }), directory);
  }
}

async function takeFile(
  tape: TapeReader,
  name: string,
  { path, size, sha256 }: BackupManifest['files'][number],
  stage: string,
): Promise<void> {
  const sizeBytes = await tape.next(name, size);
  const target = join(stage, path);
  makeDirectory(dirname(target));
  const hash = createHash('sha256');
  const descriptor = openSync(target, 'wx', 0o600);
  try {
    for await (const part of tape.read(sizeBytes)) {
      hash.update(part);
      for (let at = 0; at < part.length;) at += writeSync(descriptor, part, at);
    }
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  await tape.skipFill(sizeBytes);
  if (sizeBytes !== size || hash.digest('hex') !== sha256)
    throw new AppError(
      'data.bad_backup',
      `The backup is damaged: ${path} in it is not what was put in. Take another copy of it.`,
    );
}

/** What the app could not start with is refused now, while nothing was replaced. */
function checkContents(stage: string, { files }: BackupManifest): void {
  const names = new Set(files.map(({ path }) => path));
  if (names.has(SETTINGS)) checkSettings(readFileSync(join(stage, SETTINGS), 'utf8'));
  if (names.has('vault.json')) readDocument(readFileSync(join(stage, 'vault.json')));
  for (const name of databaseNames) if (names.has(name)) checkDatabase(join(stage, name), name);
}

/** They are read at each start, and written with each change. */
const MOST_SETTINGS_CHARACTERS = 16 * 1024 * 1024;

function checkSettings(text: string): void {
  if (text.length > MOST_SETTINGS_CHARACTERS)
    throw new AppError('data.bad_backup', 'The backup is refused: the settings in it are too large.');
  if (parseRecord(text) === null)
    throw new AppError('data.bad_backup', 'The backup is refused: the settings in it cannot be read.');
}

function settleSettings(stage: string, directory: string, from: string | undefined): string[] {
  const file = join(stage, SETTINGS);
  if (!existsSync(file)) return [];
  const restored = rebaseCollections(readRecord(file), from ? [from] : [], {
    to: directory,
    copy: stage,
  });
  const { settings, leftOut } = withholdSettings(restored, readRecord(join(directory, SETTINGS)));
  writeFileDurably(file, JSON.stringify(settings, null, '\t'));
  return leftOut;
}

/** What cannot be read says nothing. */
function readRecord(file: string): Record<string, unknown> {
  try {
    return parseRecord(readOwnFile(file).toString('utf8')) ?? {};
  } catch {
    return {};
  }
}

const HEAD_BYTES = 100;

/** Read from its head alone: a database of a stranger is opened by the app's own careful way, in a process of its own. */
function checkDatabase(file: string, name: string): void {
  const head = Buffer.alloc(HEAD_BYTES);
  const descriptor = openSync(file, 'r');
  try {
    readSync(descriptor, head, 0, HEAD_BYTES, 0);
  } finally {
    closeSync(descriptor);
  }
  if (head.toString('latin1', 0, 16) !== 'SQLite format 3\0')
    throw new AppError('data.bad_backup', `The backup is refused: ${name} in it is no database.`);
  const latest = schemas[name]?.at(-1)?.id ?? Number.MAX_SAFE_INTEGER;
  if (head.readUInt32BE(60) > latest)
    throw new AppError(
      'data.newer_backup',
      `${name} in the backup was written by a newer Countersign. Restore it with that version.`,
    );
}

function toBackupError(error: unknown, directory: string): AppError {
  const code = (error as NodeJS.ErrnoException | null)?.code ?? '';
  if (code.startsWith('Z_') || code === 'ERR_BUFFER_TOO_LARGE')
    return new AppError(
      'data.bad_backup',
      'This is no backup of Countersign, or a damaged one: it cannot be unpacked.',
      { cause: error },
    );
  if (error instanceof AppError && error.code === 'vault.unreadable')
    return new AppError('data.bad_backup', `The backup is refused: ${describeVaultFault(error)}`, {
      cause: error,
    });
  return toFileError(error, directory);
}
