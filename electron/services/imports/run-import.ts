import { isAbsolute, resolve } from 'node:path';
import type { OpenCollection } from '@shared/contract/collections';
import type { MethodOutput, ParsedInput } from '@shared/contract/contract';
import { importDocument } from '@shared/import/import-document';
import type { ImportNote } from '@shared/import/imported';
import type { ImportPlan, PlannedFile } from '@shared/import/layout/lay-out';
import type { EnvironmentsService } from '../environments/create-environments-service';
import { errorsOf } from '../errors-of';
import { commitFiles, type FileChange } from './commit-files';
import { finishImports } from './finish-import';
import { readImported, recordFile, writeRecord, type ImportedFiles } from './import-record';
import { environmentsFile, mergeEnvironments } from './merge-environments';
import { readSource, type ReadSource } from './read-source';
import { describeCredentials, sealCredentials, type SealedCredentials } from './seal-credentials';
import {
  countEntries,
  hashContent,
  mostEntries,
  noTarget,
  openTarget,
  type TargetFolder,
} from './target-folder';

const ImportError = errorsOf<'imports'>();

export interface ImportsDeps {
  /** Whether there is a data directory, and so a vault. */
  hasVault: boolean;
  collections(): Promise<readonly OpenCollection[]>;
  /** Makes an empty collection in the data directory, and opens it. */
  makeCollection(name: string): Promise<OpenCollection>;
  /** Asked only where there are credentials to keep. */
  environments(): Promise<EnvironmentsService>;
  /** Tells that the files of a collection are others now. */
  announce(collectionId: string): void;
}

type RunInput = ParsedInput<'imports.run'>;

/**
 * Reads, plans, and writes all of it or nothing.
 *
 * @throws {AppError} `import.*`, `collections.not_open`
 */
export async function runImport(deps: ImportsDeps, input: RunInput): Promise<MethodOutput<'imports.run'>> {
  const read = readSource(input.source);
  if (input.target.kind !== 'new') return runInto(deps, input, read, await findRoot(deps, input.target));
  // What cannot be imported makes no collection.
  const preview = await runInto(deps, { ...input, isPreview: true }, read, {
    root: null,
    collectionId: null,
  });
  if (input.isPreview) return preview;
  const { id, directory } = await deps.makeCollection(input.target.name);
  return runInto(deps, input, read, { root: directory, collectionId: id });
}

/** Where an import goes; `root` is null while that is not made. */
interface Place {
  root: string | null;
  collectionId: string | null;
}

async function runInto(
  deps: ImportsDeps,
  input: RunInput,
  { source, notes: passedOver }: ReadSource,
  { root, collectionId }: Place,
): Promise<MethodOutput<'imports.run'>> {
  const recovered = root === null || input.isPreview ? [] : describeRecovery(root);
  const target = root === null ? noTarget : openTarget(root);
  const first = importDocument(source, input.format);
  const imported = readImported(readText(target, recordFile), first.document ?? '');
  const taken = listTaken(target, first.files, imported);
  const plan = taken.length === 0 ? first : importDocument(source, input.format, taken);
  const { changes, notes, files } = compare(target, plan, imported);
  requireRoom(target, changes);
  const describe = (sealed: SealedCredentials): MethodOutput<'imports.run'> => ({
    format: plan.format,
    name: plan.name,
    ...plan.counts,
    ownEnvironments: sealed.environments,
    files,
    collectionId: input.isPreview ? null : collectionId,
    notes: [...recovered, ...passedOver, ...plan.notes, ...notes, ...sealed.notes],
  });
  const vault = plan.sealed.length > 0 && deps.hasVault ? await deps.environments() : null;
  if (input.isPreview) return describe(describeCredentials(plan.sealed, vault));
  if (changes.length > 0) commitFiles(target.root, target.exists, changes);
  const sealed = await sealCredentials(plan.sealed, vault);
  if (collectionId !== null) deps.announce(collectionId);
  return describe(sealed);
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

async function findRoot(
  { collections }: ImportsDeps,
  target: Exclude<RunInput['target'], { kind: 'new' }>,
): Promise<Place> {
  if (target.kind === 'directory') {
    if (isAbsolute(target.directory) && !target.directory.includes('\0')) {
      return { root: resolve(target.directory), collectionId: null };
    }
    throw new ImportError('import.bad_path', 'Give the whole path of the folder, from the root on.');
  }
  const found = (await collections()).find(({ id }) => id === target.collectionId);
  if (found !== undefined) return { root: found.directory, collectionId: found.id };
  throw new ImportError(
    'collections.not_open',
    'This collection is not open any more. Open its folder again.',
  );
}

function readText(target: TargetFolder, path: string): string | null {
  return target.read(path)?.toString('utf8') ?? null;
}

function isSame(target: TargetFolder, { path, content }: PlannedFile): boolean {
  return target.read(path)?.equals(Buffer.from(content)) === true;
}

const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));
const fold = (name: string): string => name.normalize('NFC').toLowerCase();

/** Lists files of others that have a name which the import would take; none where it can stay as it was planned. */
function listTaken(target: TargetFolder, files: readonly PlannedFile[], imported: ImportedFiles): string[] {
  if (!target.exists) return [];
  const planned = new Map(files.map((file) => [fold(file.path), file]));
  const inTheWay = (path: string): boolean => {
    const file = planned.get(fold(path));
    const isOurs = Object.hasOwn(imported, path) || (file?.path === path && isSame(target, file));
    return !isOurs;
  };
  const all = [...new Set(files.map(({ path }) => folderOf(path)))].flatMap((folder) =>
    target.list(folder).map((name) => (folder === '' ? name : `${folder}/${name}`)),
  );
  const taken = all.filter(inTheWay);
  return taken.some((path) => planned.has(fold(path))) ? taken : [];
}

interface Comparison {
  changes: FileChange[];
  notes: ImportNote[];
  /** All that the import stands for, written now or there already. */
  files: string[];
}

/** Compares the plan with what is there: new files are made, our own that nobody touched give way, all others stay. */
function compare(target: TargetFolder, plan: ImportPlan, imported: ImportedFiles): Comparison {
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
  addRecord(target, plan, imported, result);
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

/** One request into a folder that is there needs no order. */
function addRecord(
  target: TargetFolder,
  plan: ImportPlan,
  imported: ImportedFiles,
  result: Comparison,
): void {
  const isNeeded = plan.document !== null || plan.order.length > 1;
  if (!isNeeded) return;
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
