import { lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { permit, renameFile } from '../../platform/files/differing-disks';
import { syncDirectory, toFileError } from '../../platform/files/files';
import { holdOutFolder } from '../../platform/files/hold-out-folder';
import { importUse, listStages, readJournal, type JournalFile } from './import-journal';
import { hashFile, openTarget, type TargetFolder } from './target-folder';

/** Of one import: paths that were still to be written, and those that somebody wrote to since. */
interface Finished {
  written: string[];
  kept: string[];
}

const mostNamed = 5;

/**
 * Brings imports into a folder to their end that were killed half-way. To be called before the folder is read.
 *
 * All new files were on the disk before the first took its place, so the rest takes theirs now. A file that is another
 * than the import replaced stays as it is. An import that is under way in another process is left to it.
 * @returns what the user is to know; null: there was nothing to do
 */
export function finishImports(root: string): string | null {
  if (listStages(root).length === 0) return null;
  try {
    const { held } = holdOutFolder(root, importUse);
    if (held === null) return null;
    try {
      const finished = listStages(root).map((stage) => finishImport(root, stage));
      return describe({
        written: finished.flatMap(({ written }) => written),
        kept: finished.flatMap(({ kept }) => kept),
      });
    } finally {
      held.release();
    }
  } catch (error) {
    const { message } = toFileError(error, root);
    return `An import into this folder was interrupted: a part of its files is new, and the rest cannot be written. ${message} Then open it again.`;
  }
}

function finishImport(root: string, stage: string): Finished {
  const journal = readJournal(stage);
  const finished: Finished = { written: [], kept: [] };
  if (journal === null) {
    // Without a journal nothing has taken its place yet; copies of what did are not ours to remove.
    if (!readdirSync(stage).some((name) => name.startsWith('old-'))) removeStage(stage);
    return finished;
  }
  const target = openTarget(root);
  // A journal may name a million files more than there are.
  const staged = new Set(readdirSync(stage));
  journal.files.forEach((file, index) => {
    const source = join(stage, `new-${index}`);
    if (!staged.has(basename(source)) || !lstatSync(source).isFile()) return;
    if (mayReplace(target, source, file)) {
      putInPlace(source, join(root, file.path));
      finished.written.push(file.path);
    } else finished.kept.push(file.path);
  });
  syncDirectory(root);
  removeStage(stage);
  return finished;
}

/** With the mode of what it replaces. */
function putInPlace(source: string, file: string): void {
  mkdirSync(dirname(file), { recursive: true });
  const known = lstatSync(file, { throwIfNoEntry: false });
  if (known?.isFile() === true) permit(source, known.mode & 0o777);
  renameFile(source, file);
}

/** The staged bytes are whole, and what they replace is what the import found. */
function mayReplace(target: TargetFolder, source: string, { path, before, after }: JournalFile): boolean {
  if (hashFile(source) !== after) return false;
  try {
    target.requireFolders(path);
  } catch {
    return false;
  }
  const now = hashFile(join(target.root, path));
  // Of what was no file the import puts the thing itself aside first.
  return now === before || (before === '' && now === null);
}

/** Removes copies before the journal: what is left of this by a kill is no journal's absence beside copies. */
export function removeStage(stage: string): void {
  for (const name of readdirSync(stage)) {
    if (/^(?:old|new)-\d+$/.test(name)) rmSync(join(stage, name), { recursive: true, force: true });
  }
  rmSync(stage, { recursive: true, force: true });
}

function describe({ written, kept }: Finished): string | null {
  if (written.length + kept.length === 0) return null;
  const named = kept.slice(0, mostNamed).join(', ') + (kept.length > mostNamed ? ', …' : '');
  return [
    `An import into this folder was interrupted, and has been brought to its end: ${countFiles(written.length)} now.`,
    ...(kept.length === 0 ? [] : [`Changed since, and left as they are: ${named}.`]),
    'If it brought credentials, import it again: they may not be in the vault.',
  ].join(' ');
}

const countFiles = (count: number): string =>
  count === 1 ? 'one file took its place' : `${count} files took their places`;
