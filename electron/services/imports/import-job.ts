import { join } from 'node:path';
import { foldName } from '@shared/fold-name';
import type { ParsedInput } from '@shared/contract/contract';
import { importDocument } from '@shared/import/import-document';
import type { ImportFormat } from '@shared/import/import-formats';
import type { ImportNote } from '@shared/import/imported';
import type { ImportPlan, PlannedFile } from '@shared/import/layout/lay-out';
import { joinPath } from '@shared/join-path';
import { toFileError } from '../../platform/files/files';
import { errorsOf } from '../errors-of';
import { commitFiles, type FileChange } from './commit-files';
import { findProvingNames } from './find-proving-names';
import { finishImports } from './finish-import';
import { readImported, recordFile, writeRecord, type ImportedFiles } from './import-record';
import { environmentsFile, mergeEnvironments, takeAddress } from './merge-environments';
import { readSource, type ReadSource } from './read-source';
import {
  countEntries,
  hashContent,
  hashFile,
  mostEntries,
  noTarget,
  openTarget,
  type TargetFolder,
} from './target-folder';

const ImportError = errorsOf<'imports'>();

type RunInput = ParsedInput<'imports.run'>;

/** Where an import goes, and whether it is to go there at all. */
export interface ImportPlace extends Pick<RunInput, 'format' | 'isPreview' | 'before'> {
  /** Absolute; null: a collection that is not named yet. */
  root: string | null;
  /** Whether it becomes a collection by this: it has a collection's file then, whatever it holds. */
  isNew: boolean;
}

/** What an import makes of its source, in a few words for people and what the vault is to take. */
export interface PlannedImport extends Pick<ImportPlan, 'name' | 'counts' | 'sealed'> {
  format: ImportFormat;
  /** Relative to the target, `/` between parts. */
  files: string[];
  /** `base_url` of its environments, each once. */
  addresses: string[];
  notes: ImportNote[];
}

/** Functions of one import, called in this order; what a worker answers. */
export type ImportJob = ReturnType<typeof createImportJob>;

/**
 * One import: read, planned (once for a preview, again for the folder that is made for it), written.
 *
 * A file of another tool may take seconds to read and thousands of files to write: it runs in a worker of its own.
 */
export function createImportJob() {
  let read: ReadSource | null = null;
  let pending: { target: TargetFolder; changes: FileChange[] } | null = null;
  return {
    /** @throws {AppError} `import.*` */
    read({ source }: { source: RunInput['source'] }): void {
      read = readSource(source);
    },
    /** @throws {AppError} `import.*`, `platform.*` where a part of the target cannot be looked at */
    plan(place: ImportPlace): PlannedImport {
      const { planned, ...rest } = planInReach(read!, place);
      pending = rest;
      return planned;
    },
    /** Writes what was planned last, all of it or nothing. @throws {AppError} `platform.*` */
    commit(): void {
      const { target, changes } = pending!;
      if (changes.length > 0) commitFiles(target.root, target.exists, changes);
    },
  };
}

/** A folder of the target may be listed and yet not be entered. */
function planInReach(read: ReadSource, place: ImportPlace): ReturnType<typeof planImport> {
  try {
    return planImport(read, place);
  } catch (error) {
    if (place.root === null || (error as NodeJS.ErrnoException).syscall === undefined) throw error;
    throw toFileError(error, place.root);
  }
}

function planImport(
  { source, notes: passedOver }: ReadSource,
  { root, isNew, format, isPreview, before }: ImportPlace,
) {
  const recovered = root === null || isPreview ? [] : describeRecovery(root);
  const target = root === null ? noTarget : openTarget(root);
  const alone = importDocument(source, format);
  // Environments that come by themselves hold what the requests prove themselves with that are there already.
  const proving = alone.counts.requests === 0 ? findProvingNames(target) : new Set<string>();
  const first = proving.size === 0 ? alone : importDocument(source, format, [], proving);
  const imported = readImported(readText(target, recordFile), first.document ?? '');
  const taken = listTaken(target, first.files, imported);
  const known = readText(target, environmentsFile);
  const given = taken.length === 0 ? first : importDocument(source, format, taken);
  const plan = takeAddress(given, known, before);
  const { changes, notes, files } = compare(target, plan, imported, isNew);
  requireRoom(target, changes);
  const planned: PlannedImport = {
    format: plan.format,
    name: plan.name,
    counts: plan.counts,
    sealed: plan.sealed,
    files,
    // What it took from the folder itself came with none of them.
    addresses: [...new Set(given.environments.flatMap(({ variables }) => variables['base_url'] ?? []))],
    notes: [...recovered, ...passedOver, ...plan.notes, ...notes],
  };
  // Read again at once: what is there then is what was compared.
  const find = (one: FileChange) => ({ ...one, before: hashFile(join(target.root, one.path)) });
  return { planned, target, changes: target.exists ? changes.map(find) : changes };
}

/** A folder of more could not be opened afterwards. */
function requireRoom(target: TargetFolder, changes: readonly FileChange[]): void {
  const added = changes.filter(({ path }) => target.read(path) === null).map(({ path }) => path);
  if (!target.exists || added.length === 0) return;
  const folders = new Set(
    added.flatMap((path) => listFolders(path).filter((one) => target.list(one).length === 0)),
  );
  const count = countEntries(target.root) + added.length + folders.size;
  if (count <= mostEntries) return;
  throw new ImportError(
    'import.too_many',
    `With this import ${target.root} would hold more than ${mostEntries} files and folders, and could not be opened. Nothing was imported: name another folder.`,
  );
}

const listFolders = (path: string): string[] =>
  path
    .split('/')
    .slice(0, -1)
    .map((_part, index, parts) => parts.slice(0, index + 1).join('/'));

/** What an earlier import left half-way is whole before this one compares with it. */
function describeRecovery(root: string): ImportNote[] {
  const what = finishImports(root);
  return what === null ? [] : [{ where: root, what }];
}

function readText(target: TargetFolder, path: string): string | null {
  return target.read(path)?.toString('utf8') ?? null;
}

function isSame(target: TargetFolder, { path, content }: PlannedFile): boolean {
  return target.read(path)?.equals(Buffer.from(content)) === true;
}

const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** Lists files of others that have a name which the import would take; none where it can stay as it was planned. */
function listTaken(target: TargetFolder, files: readonly PlannedFile[], imported: ImportedFiles): string[] {
  if (!target.exists) return [];
  const planned = new Map(files.map((file) => [foldName(file.path), file]));
  const inTheWay = (path: string): boolean => {
    const file = planned.get(foldName(path));
    const isOurs = Object.hasOwn(imported, path) || (file?.path === path && isSame(target, file));
    return !isOurs;
  };
  const all = [...new Set(files.map(({ path }) => folderOf(path)))].flatMap((folder) =>
    target.list(folder).map((name) => joinPath(folder, name)),
  );
  const taken = all.filter(inTheWay);
  return taken.some((path) => planned.has(foldName(path))) ? taken : [];
}

interface Comparison {
  changes: FileChange[];
  notes: ImportNote[];
  /** All that the import stands for, written now or there already. */
  files: string[];
}

/** Compares the plan with what is there: new files are made, our own that nobody touched give way, all others stay. */
function compare(
  target: TargetFolder,
  plan: ImportPlan,
  imported: ImportedFiles,
  isNew: boolean,
): Comparison {
  const result: Comparison = { changes: [], notes: [], files: plan.files.map(({ path }) => path) };
  for (const file of plan.files) {
    target.requireFolders(file.path);
    const there = target.read(file.path);
    if (there === null) result.changes.push(file);
    else if (there.equals(Buffer.from(file.content))) continue;
    else if (imported[file.path] === hashContent(there)) result.changes.push(file);
    else {
      const what =
        'It was changed since it was imported, and stays as it is. Delete it and import again to get the new one.';
      result.notes.push({ where: file.path, what });
    }
  }
  noteGone(target, plan, imported, result);
  addEnvironments(target, plan, result);
  // One request into a folder that is there needs no order.
  if (isNew || plan.document !== null || plan.order.length > 1) addRecord(target, plan, imported, result);
  return result;
}

function noteGone(
  target: TargetFolder,
  plan: ImportPlan,
  imported: ImportedFiles,
  { notes }: Comparison,
): void {
  const planned = new Set(plan.files.map(({ path }) => path));
  for (const path of Object.keys(imported)) {
    if (planned.has(path) || target.read(path) === null) continue;
    notes.push({ where: path, what: 'It is not in the document any more, and stays as it is.' });
  }
}

function addEnvironments(target: TargetFolder, { environments }: ImportPlan, result: Comparison): void {
  if (environments.length === 0) return;
  const before = readText(target, environmentsFile);
  const { text, notes } = mergeEnvironments(before, environments);
  result.notes.push(...notes);
  result.files.push(environmentsFile);
  if (text !== before) result.changes.push({ path: environmentsFile, content: text });
}

function addRecord(
  target: TargetFolder,
  plan: ImportPlan,
  imported: ImportedFiles,
  result: Comparison,
): void {
  const before = readText(target, recordFile);
  // A file that the user changed keeps the hash of what was imported: it stays the user's.
  const kept = new Set(result.notes.map(({ where }) => where));
  const hashes = plan.files.map(({ path, content }): [string, string] => [
    path,
    kept.has(path) ? (imported[path] ?? '') : hashContent(content),
  ]);
  const document =
    plan.document === null
      ? null
      : { name: plan.document, files: { ...imported, ...Object.fromEntries(hashes) } };
  const after = writeRecord(before, plan.order, document);
  if (after === null) {
    result.notes.push({
      where: recordFile,
      what: 'It cannot be read as JSON, and is left as it is: the order is not kept.',
    });
    return;
  }
  result.files.push(recordFile);
  if (after !== before) result.changes.push({ path: recordFile, content: after });
}
