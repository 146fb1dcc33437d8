import { readdirSync, realpathSync, statSync, type Dirent } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { ParsedInput } from '@shared/contract/contract';
import { requestExtension } from '@shared/http-file/example-file';
import { decodeText } from '@shared/import/decode-text';
import {
  refuseDeepFolders,
  type ImportNote,
  type ImportSource,
  type SourceFile,
} from '@shared/import/imported';
import { maxImportBytes } from '@shared/import/max-import-bytes';
import { joinPath } from '@shared/join-path';
import { describeAbsence, describeReadFault } from '../../platform/files/read-faults';
import { isBrokenName, readRegularFile, type ReadFault } from '../../platform/files/regular-file';
import { errorsOf } from '../errors-of';

const ImportError = errorsOf<'imports'>();

type GivenSource = ParsedInput<'imports.run'>['source'];

const maxFiles = 20_000;
/** What a collection that is a folder consists of. */
const collectionFile = /\.(?:bru|ya?ml)$|^bruno\.json$/i;

/** What is imported, and what of it was passed over. */
export interface ReadSource {
  source: ImportSource;
  notes: ImportNote[];
}

/**
 * Reads what is imported; links inside a folder are not followed.
 *
 * @throws {AppError} `import.not_readable`, `import.too_large`, `import.too_many`, `import.too_deep`
 */
export function readSource(given: GivenSource): ReadSource {
  if (given.kind === 'text')
    return { source: { name: given.name, files: [{ path: given.name, text: given.text }] }, notes: [] };
  if (given.kind === 'files') {
    const files = given.files.filter(({ path }) => collectionFile.test(basename(path)));
    const chosen = files.length > 0 ? files : given.files;
    return { source: { name: given.name, files: chosen.toSorted(byPath) }, notes: [] };
  }
  const real = resolveLinks(given.path);
  if (statSync(real).isDirectory()) return readFolder(real);
  const name = basename(given.path);
  const text = decodeText(readBytes(real, dirname(real), name, maxImportBytes), name);
  return { source: { name, files: [{ path: name, text }] }, notes: [] };
}

const byPath = (a: SourceFile, b: SourceFile): number => (a.path < b.path ? -1 : 1);

function resolveLinks(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    const why = describeAbsence(path, 'file or folder', path.slice(0, 300));
    throw new ImportError('import.not_readable', `${why}. Nothing was imported.`, { cause: error });
  }
}

const faults: Readonly<Record<ReadFault, string>> = {
  missing: 'is not there',
  outside: 'is a link that leaves its folder',
  not_regular: 'is no regular file',
  too_large: `is larger than ${maxImportBytes / 1024 / 1024} MiB`,
  forbidden: 'may not be read: look at its permissions',
  crowded: 'could not be opened, as too many files are: raise the limit (ulimit -n), and try again',
  unreadable: 'could not be read by the system: try again, and look at its disk',
};

function readBytes(file: string, root: string, name: string, maxBytes: number): Uint8Array {
  const { bytes, fault } = readRegularFile(file, { root, maxBytes });
  if (fault === null) return bytes;
  const code = fault === 'too_large' ? 'import.too_large' : 'import.not_readable';
  const why = fault === 'missing' && isBrokenName(name) ? brokenName : faults[fault];
  throw new ImportError(code, `${name} ${why}. Nothing was imported.`);
}

const brokenName = 'has a name that is not UTF-8: rename it';

/** @param shown - what the folder is called to the user */
function listFolder(folder: string, shown: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why =
      code === 'ENOENT' && isBrokenName(shown) ? brokenName : `cannot be read: ${describeReadFault(code)}`;
    throw new ImportError('import.not_readable', `${shown} ${why}. Nothing was imported.`, { cause: error });
  }
}

interface Walk {
  root: string;
  files: SourceFile[];
  notes: ImportNote[];
  bytes: number;
  /** The first of its request files, which need no import. */
  requestFile: string | null;
}

function readFolder(root: string): ReadSource {
  const walk: Walk = { root, files: [], notes: [], bytes: 0, requestFile: null };
  walkFolder(walk, root, '', 0);
  if (walk.files.length === 0 && walk.requestFile !== null) {
    throw new ImportError(
      'import.nothing_found',
      `${root} holds request files already, such as ${walk.requestFile}: open the folder in the app, or give it to countersign run.`,
    );
  }
  if (walk.files.length === 0) {
    throw new ImportError(
      'import.nothing_found',
      `${root} holds no collection of Bruno: no .bru, no opencollection.yml. Of other tools import the exported file.`,
    );
  }
  return { source: { name: basename(root), files: walk.files.sort(byPath) }, notes: walk.notes };
}

function walkFolder(walk: Walk, folder: string, path: string, depth: number): void {
  refuseDeepFolders(depth);
  for (const entry of listFolder(folder, path || folder)) {
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
    const inner = joinPath(path, entry.name);
    if (entry.isSymbolicLink())
      walk.notes.push({ where: inner, what: 'Left out: it is a link, and links are not followed.' });
    else if (entry.isDirectory()) walkFolder(walk, join(folder, entry.name), inner, depth + 1);
    else if (entry.isFile() && collectionFile.test(entry.name))
      addFile(walk, join(folder, entry.name), inner);
    else if (entry.isFile() && requestExtension.test(entry.name)) walk.requestFile ??= inner;
  }
}

function addFile(walk: Walk, file: string, path: string): void {
  const bytes = readBytes(file, walk.root, path, maxImportBytes - walk.bytes);
  walk.bytes += bytes.length;
  walk.files.push({ path, text: decodeText(bytes, path) });
  if (walk.files.length > maxFiles) {
    throw new ImportError(
      'import.too_many',
      `The folder holds more than ${maxFiles} files. Import it in parts.`,
    );
  }
}
