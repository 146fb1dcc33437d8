import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, statSync, type Dirent, type Stats } from 'node:fs';
import { join } from 'node:path';
import { errorsOf } from '../errors-of';
import { findStats } from '../../platform/files/files';
import { describeReadFault } from '../../platform/files/read-faults';

const ImportError = errorsOf<'imports'>();
const maxComparedBytes = 64 * 1024 * 1024;

/** The folder that takes an import, as it is before anything is written. */
export interface TargetFolder {
  readonly root: string;
  /** Whether it is there at all. */
  readonly exists: boolean;
  /** Bytes of a file; null: nothing stands there. Anything but a file of a readable size counts as other bytes. */
  read(path: string): Buffer | null;
  list(folder: string): readonly string[];
  /** Refuses a folder of the path that is a link or a file. @throws {AppError} `import.bad_path` */
  requireFolders(path: string): void;
}

/** Files and folders that a collection may have that is to be opened, as its tree counts them. */
export const mostEntries = 30_000;

/** Counts what is in a folder and below, up to one more than a collection may have. */
export function countEntries(root: string): number {
  let count = 0;
  const folders = [root];
  for (let folder = folders.pop(); folder !== undefined && count <= mostEntries; folder = folders.pop()) {
    for (const entry of listEntries(folder)) {
      if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
      count += 1;
      if (entry.isDirectory()) folders.push(join(folder, entry.name));
    }
  }
  return count;
}

/** As the tree of a collection does: what cannot be listed has nothing in it. */
function listEntries(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** Tells bytes apart, for what a later import of the same document compares. */
export function hashContent(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 32);
}

/** Null: nothing stands there; `''`: something else than a file. */
export function hashFile(file: string): string | null {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found === undefined) return null;
  return found.isFile() ? hashContent(readFound(file, found)) : '';
}

/** As what no import holds where it is no file, or one too large for any. */
const readFound = (file: string, found: Stats): Buffer =>
  found.isFile() && found.size <= maxComparedBytes ? readFileSync(file) : Buffer.from([0]);

/** A folder that is still to be made. */
export const noTarget: TargetFolder = {
  root: '',
  exists: false,
  read: () => null,
  list: () => [],
  requireFolders: () => undefined,
};

/** @throws {AppError} `import.bad_path` where something else than a folder stands there */
export function openTarget(root: string): TargetFolder {
  const stats = findStats(root);
  if (stats !== undefined && !stats.isDirectory()) {
    throw new ImportError('import.bad_path', `${root} is a file. Name a folder to import into.`);
  }
  if (stats === undefined) refuseOutOfReach(root);
  const listed = new Map<string, string[]>();
  const checked = new Set<string>();
  return {
    root,
    exists: stats !== undefined,
    read(path) {
      const file = join(root, path);
      const found = lstatSync(file, { throwIfNoEntry: false });
      if (found === undefined) return null;
      return readFound(file, found);
    },
    list(folder) {
      const known = listed.get(folder) ?? listNames(join(root, folder));
      listed.set(folder, known);
      return known;
    },
    requireFolders(path) {
      const parts = path.split('/').slice(0, -1);
      parts.forEach((_part, index) => {
        const folder = parts.slice(0, index + 1).join('/');
        if (checked.has(folder)) return;
        checked.add(folder);
        const found = lstatSync(join(root, folder), { throwIfNoEntry: false });
        if (found === undefined || found.isDirectory()) return;
        throw new ImportError(
          'import.bad_path',
          `'${folder}' in ${root} is a ${found.isSymbolicLink() ? 'link' : 'file'}, where a folder of the import belongs. Nothing was imported: move it away.`,
        );
      });
    },
  };
}

/** Where nothing is found a folder is made, unless none can be. */
function refuseOutOfReach(root: string): void {
  let why = 'is a link to something that is not there';
  try {
    if (lstatSync(root, { throwIfNoEntry: false }) === undefined) return;
  } catch (error) {
    why = `cannot be reached: ${describeReadFault((error as NodeJS.ErrnoException).code)}`;
  }
  throw new ImportError('import.bad_path', `${root} ${why}. Name a folder to import into.`);
}

function listNames(folder: string): string[] {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  return stats?.isDirectory() || (stats?.isSymbolicLink() && statSync(folder).isDirectory())
    ? readdirSync(folder)
    : [];
}
