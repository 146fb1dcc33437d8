import { randomBytes } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, rmdirSync, rmSync, writeFileSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import { AppError } from '@shared/errors';
import { copyFile, permit, renameFile } from '../../platform/files/differing-disks';
import {
  makeDirectory,
  nameNeighbour,
  neighboursOf,
  syncDirectory,
  toFileError,
} from '../../platform/files/files';
import { removeLeftovers } from '../../platform/files/remove-leftovers';
import { holdOutFolder } from '../../platform/files/hold-out-folder';
import { removeStage } from './finish-import';
import { importUse, nameStage, writeJournal, type JournalFile } from './import-journal';
import { hashContent, hashFile } from './target-folder';

/** A file as it is to stand; one that is there gives way to it. */
export interface FileChange {
  path: string;
  content: string | Uint8Array;
  /** Hash of what the plan found there; null: nothing; left out: whatever it is. */
  before?: string | null;
}

/** Shared by git and by folder: read and written as the user's umask says. */
const fileMode = 0o666;

/**
 * Writes all files of an import, or none.
 *
 * A folder that is new is made beside its place and renamed. In one that is there everything is written beside first, then
 * renamed file by file; where one of those steps fails, those before it are taken back. A file that gives way is copied
 * first and replaced in one step: whoever is killed in between leaves the old one or the new one, never none, and a
 * journal by which `finishImports` does the rest.
 * @throws {AppError} `platform.unwritable`, `platform.disk_full`; `platform.busy` while another import writes there
 */
export function commitFiles(root: string, exists: boolean, changes: readonly FileChange[]): void {
  try {
    if (exists) commitAlone(root, nameStage(root, randomBytes(6).toString('hex')), changes);
    else commitNew(root, nameNeighbour(root), changes);
  } catch (error) {
    throw toFileError(error, root);
  }
}

function commitNew(root: string, stage: string, changes: readonly FileChange[]): void {
  makeDirectory(dirname(root));
  try {
    mkdirSync(stage);
    for (const { path, content } of changes) {
      mkdirSync(dirname(join(stage, path)), { recursive: true });
      writeFileSync(join(stage, path), content, { mode: fileMode, flag: 'wx' });
    }
    if (existsSync(root)) throw changedMeanwhile(root);
    renameFile(stage, root);
    removeLeftovers(dirname(root), neighboursOf(root));
  } catch (error) {
    rmSync(stage, { recursive: true, force: true });
    throw error;
  }
  syncDirectory(dirname(root));
}

/** Two at once would each take the other's files for the user's; and what is under way is not for anybody to finish. */
function commitAlone(root: string, stage: string, changes: readonly FileChange[]): void {
  const { held } = holdOutFolder(root, importUse);
  if (held === null) {
    throw new AppError(
      'platform.busy',
      `Another import writes into ${root}. Nothing was imported: wait for it, and try again.`,
      { details: { directory: root }, retryable: true },
    );
  }
  try {
    commitInto(root, stage, changes);
  } finally {
    held.release();
  }
}

function commitInto(root: string, stage: string, changes: readonly FileChange[]): void {
  const undo: (() => void)[] = [];
  try {
    mkdirSync(stage);
    changes.forEach(({ content }, index) =>
      writeFileSync(join(stage, `new-${index}`), content, { mode: fileMode, flag: 'wx' }),
    );
    writeJournal(stage, { files: changes.map((change) => describeChange(root, change)) });
    changes.forEach(({ path }, index) => {
      makeFolders(root, dirname(path), undo);
      const target = join(root, path);
      const old = join(stage, `old-${index}`);
      const known = lstatSync(target, { throwIfNoEntry: false });
      if (known === undefined) undo.push(() => rmSync(target));
      else if (!known.isDirectory()) undo.push(keepOld(target, old, known));
      if (known?.isFile()) permit(join(stage, `new-${index}`), known.mode & 0o777);
      renameFile(join(stage, `new-${index}`), target);
    });
  } catch (error) {
    for (const step of undo.reverse()) attempt(step);
    rmSync(stage, { recursive: true, force: true });
    throw error;
  }
  removeStage(stage);
  syncDirectory(root);
}

/** Writing all of it takes its time, in which others write: a checkout, another program. */
function describeChange(root: string, { path, content, before }: FileChange): JournalFile {
  const now = hashFile(join(root, path));
  if (before !== undefined && before !== now) throw changedMeanwhile(root, path);
  return { path, before: now, after: hashContent(content) };
}

const changedMeanwhile = (root: string, path = ''): AppError =>
  new AppError(
    'platform.busy',
    `${join(root, path)} was ${path === '' ? 'made' : 'changed'} by something else meanwhile. Nothing was imported: try again.`,
    { details: { directory: root }, retryable: true },
  );

/** Keeps what gives way; a link, of which there is no copy, is put aside. @returns puts it back */
function keepOld(target: string, old: string, stats: Stats): () => void {
  if (stats.isFile()) copyFile(target, old);
  else renameFile(target, old);
  return () => renameFile(old, target);
}

/** Makes the folders of a path that are not there, each to be taken back by itself. */
function makeFolders(root: string, folder: string, undo: (() => void)[]): void {
  if (folder === '.' || existsSync(join(root, folder))) return;
  makeFolders(root, dirname(folder), undo);
  mkdirSync(join(root, folder));
  undo.push(() => rmdirSync(join(root, folder)));
}

/** What cannot be taken back stays, and what failed first is what the caller reports. */
function attempt(step: () => void): void {
  try {
    step();
  } catch {
    // Said above.
  }
}
