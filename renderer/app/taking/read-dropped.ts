import { AppError } from '@shared/errors';
import { decodeText } from '@shared/import/decode-text';
import {
  readImportFile,
  refuseTooLarge,
  type AskedImport,
  type GivenTogether,
} from '../../session/asked-import';
import { findDroppedPath } from '../../transport/client';
import { toClientError } from '../../transport/client-error';

export interface Dropped {
  file: File;
  entry: FileSystemEntry | null;
}

/** One that the browser does not give. */
type Refused = Extract<GivenTogether, { source?: never }>;

type Source = NonNullable<AskedImport['source']>;

/** What tells a folder that another tool made. */
const foreignFile = /^(?:bruno\.json|opencollection\.ya?ml)$|\.bru$/i;
const collectionFile = /\.(?:bru|ya?ml)$|^bruno\.json$/i;
/** What is in a collection of our own, which is opened. */
const ownFile = /\.(?:http|rest)$|^(?:collection|http-client(?:\.private)?\.env)\.json$/i;
const exportedFile = /\.(?:har|json|ya?ml)$/i;
/** A folder that has more is not listed to its end. */
export const mostFiles = 20_000;

/**
 * Gives what was dropped as something to import; null: it is a folder to open.
 *
 * @param taken - of all that was dropped together, which is taken up to what one import may hold
 */
export async function readForeign(
  file: File,
  entry: FileSystemEntry | null,
  taken: { bytes: number },
): Promise<Source | null> {
  const path = findDroppedPath(file);
  if (entry?.isDirectory !== true) {
    count(file, taken);
    return path === null ? readImportFile(file) : { kind: 'path', path };
  }
  const entries = await listEntries(entry as FileSystemDirectoryEntry);
  if (!entries.some(({ isFile, name }) => isFile && foreignFile.test(name))) return null;
  if (path !== null) return { kind: 'path', path };
  const files = await readFolder(entries, '', taken);
  refuseTooMany(files);
  return { kind: 'files', name: entry.name, files };
}

/** @throws {AppError} `import.too_many` */
function refuseTooMany(listed: readonly unknown[]): void {
  if (listed.length <= mostFiles) return;
  const message = `The folder holds more than ${mostFiles} files. Import it in parts.`;
  throw new AppError('import.too_many', message);
}

/** @throws {AppError} `import.too_large`; what is left out then counts for nothing */
function count(file: File, taken: { bytes: number }): void {
  refuseTooLarge(file.name, file.size);
  refuseTooLarge(`What was dropped, with ${file.name},`, taken.bytes + file.size);
  taken.bytes += file.size;
}

/** Gives, in the place of each folder that holds nothing but what tools exported, the files in it: opened, it would be empty. */
export async function unfoldExports(dropped: readonly Dropped[]): Promise<(Dropped | Refused)[]> {
  const all: (Dropped | Refused)[] = [];
  for (const one of dropped) {
    try {
      all.push(...((await listExports(one.entry)) ?? [one]));
    } catch (error) {
      all.push({ refused: { name: one.file.name, error: toClientError(error) } });
    }
  }
  return all;
}

async function listExports(folder: FileSystemEntry | null): Promise<(Dropped | Refused)[] | null> {
  if (folder?.isDirectory !== true) return null;
  const entries = (await listEntries(folder as FileSystemDirectoryEntry))
    .filter(({ name }) => !name.startsWith('.'))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const isOther = ({ isFile, name }: FileSystemEntry): boolean =>
    !isFile || foreignFile.test(name) || ownFile.test(name);
  if (entries.some(isOther) || !entries.some(({ name }) => exportedFile.test(name))) return null;
  return Promise.all(
    entries.map(async (entry) => {
      try {
        return { entry, file: await toFile(entry as FileSystemFileEntry) };
      } catch (error) {
        return { refused: { name: entry.name, error: toClientError(error) } };
      }
    }),
  );
}

/** @throws {AppError} `import.not_readable` */
const toFile = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => {
    const message = `${entry.name} cannot be read: look at its permissions, and rename it where its name is not UTF-8.`;
    entry.file(resolve, (cause) => reject(new AppError('import.not_readable', message, { cause })));
  });

/** A browser gives them by the hundred. @throws {AppError} `import.not_readable` */
async function listEntries(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => {
      const message = `${folder.name} cannot be listed: look at its permissions.`;
      reader.readEntries(resolve, (cause) => reject(new AppError('import.not_readable', message, { cause })));
    });
    if (some.length === 0 || all.length > mostFiles) return all;
    all.push(...some);
  }
}

async function readFolder(
  entries: readonly FileSystemEntry[],
  folder: string,
  seen: { bytes: number },
): Promise<{ path: string; text: string }[]> {
  refuseTooMany(entries);
  const files: { path: string; text: string }[] = [];
  for (const entry of entries) {
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
    const path = `${folder}${entry.name}`;
    if (entry.isDirectory) {
      files.push(
        ...(await readFolder(await listEntries(entry as FileSystemDirectoryEntry), `${path}/`, seen)),
      );
    } else if (collectionFile.test(entry.name)) {
      const file = await toFile(entry as FileSystemFileEntry);
      refuseTooLarge('What was dropped', seen.bytes + file.size);
      seen.bytes += file.size;
      files.push({ path, text: decodeText(new Uint8Array(await file.arrayBuffer()), path) });
    }
  }
  return files;
}
