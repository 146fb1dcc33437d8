import { createHash } from 'node:crypto';
import {
  closeSync,
  createReadStream,
  createWriteStream,
  existsSync,
  linkSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { AppError } from '@shared/errors';
import { copyDatabase } from '../../platform/database/database';
import { databaseNames, listPlainFiles } from '../../platform/files/data-entries';
import { copyFile, renameFile, syncPath } from '../../platform/files/differing-disks';
import {
  makeDirectory,
  refuseUnreadable,
  removeIfThere,
  syncDirectory,
  toFileError,
} from '../../platform/files/files';
import { escapeName, removeLeftOfProcesses } from '../../platform/files/remove-leftovers';
import {
  BACKUP_VERSION,
  describeSealer,
  manifestName,
  nameFile,
  type BackupManifest,
  type Sealer,
} from './backup-manifest';
import { tapeEnd, writeEntry } from './tape';

/** Where a backup is made before it is one file: beside that file, since the data folder may be full, or on a disk that takes nothing more. */
const stageOf = (processId: number): string => `.countersign-backup-${processId}-`;
const stagePattern = /^\.countersign-backup-(\d{1,10})-\w{6}$/;

/**
 * Writes all that is the user's in a data folder into one file, while the app goes on.
 *
 * Each database is copied as it stands between two commits. The file appears under its name when it is whole and on
 * the disk, and for this user alone (0600); secrets in it stay sealed as they are.
 * @param file - must not be there yet
 * @throws {AppError} `data.file_exists`, `platform.*`
 */
export async function writeBackup(
  directory: string,
  file: string,
  facts: { version: string; sealer: Sealer; now: number },
): Promise<{ manifest: BackupManifest; sizeBytes: number }> {
  if (existsSync(file)) throw fileExists(file);
  const folder = dirname(file);
  const stage = makeStage(file);
  const temporary = `${file}.part-${process.pid}`;
  try {
    const paths = stageFiles(directory, stage);
    const manifest = await describe(stage, paths, { ...facts, directory });
    await pipeline(
      Readable.from(writeTape(stage, manifest)),
      createGzip(),
      createWriteStream(temporary, { mode: 0o600, flags: 'wx' }),
    );
    syncPath(temporary);
    putInPlace(temporary, file);
    return { manifest, sizeBytes: statSync(file).size };
  } catch (error) {
    throw toFileError(error, folder);
  } finally {
    removeIfThere(temporary);
    rmSync(stage, { recursive: true, force: true });
  }
}

/** A link fails where somebody made a file of that name meanwhile; a rename would replace it. */
function putInPlace(temporary: string, file: string): void {
  try {
    if (!tryToLink(temporary, file)) {
      closeSync(openSync(file, 'wx', 0o600));
      renameFile(temporary, file);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw fileExists(file);
    throw error;
  }
  syncDirectory(dirname(file));
}

/** Memory sticks (FAT, exFAT) and disks of other machines have no links, and each says so in another way. */
function tryToLink(temporary: string, file: string): boolean {
  try {
    linkSync(temporary, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error;
    return false;
  }
}

/** @throws {AppError} `platform.unwritable`, `platform.disk_full` */
function makeStage(file: string): string {
  const folder = dirname(file);
  makeDirectory(folder);
  try {
    removeLeftOfProcesses(folder, stagePattern);
    removeLeftOfProcesses(folder, new RegExp(String.raw`^${escapeName(basename(file))}\.part-(\d{1,10})$`));
    return mkdtempSync(join(folder, stageOf(process.pid)));
  } catch (error) {
    throw toFileError(error, folder);
  }
}

function stageFiles(directory: string, stage: string): string[] {
  const databases = databaseNames.filter((name) => existsSync(join(directory, name)));
  for (const name of databases) copyDatabase(join(directory, name), join(stage, name));
  const files = listPlainFiles(directory);
  for (const path of files) {
    makeDirectory(dirname(join(stage, path)));
    refuseUnreadable(join(directory, path));
    copyFile(join(directory, path), join(stage, path));
  }
  return [...databases, ...files];
}

async function describe(
  stage: string,
  paths: readonly string[],
  { version, sealer, now, directory }: { version: string; sealer: Sealer; now: number; directory: string },
): Promise<BackupManifest> {
  const files: BackupManifest['files'] = [];
  for (const path of paths) {
    const hash = createHash('sha256');
    await pipeline(createReadStream(join(stage, path)), hash);
    files.push({ path, size: statSync(join(stage, path)).size, sha256: hash.digest('hex') });
  }
  return {
    format: 'countersign-backup',
    version: BACKUP_VERSION,
    app_version: version,
    made_at: new Date(now).toISOString(),
    made_on: hostname(),
    data_folder: directory,
    secrets: { sealed_by: sealer, note: describeSealer(sealer, hostname()) },
    files,
  };
}

async function* writeTape(stage: string, manifest: BackupManifest): AsyncGenerator<Buffer> {
  yield* writeEntry(manifestName, Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`));
  for (const [index, { path, size }] of manifest.files.entries())
    yield* writeEntry(nameFile(index), { file: join(stage, path), sizeBytes: size });
  yield tapeEnd;
}

const fileExists = (file: string): AppError =>
  new AppError(
    'data.file_exists',
    `${file} is there already, and a backup replaces nothing. Choose another name.`,
  );
