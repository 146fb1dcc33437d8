import { decodeText } from '@shared/import/decode-text';
import { readImportFile, refuseTooLarge, type AskedImport } from '../../session/asked-import';
import { findDroppedPath } from '../../transport/client';

type Source = NonNullable<AskedImport['source']>;

/** What tells a folder that another tool made. */
const foreignFile = /^(?:bruno\.json|opencollection\.ya?ml)$|\.bru$/i;
const collectionFile = /\.(?:bru|ya?ml)$|^bruno\.json$/i;
const maxFiles = 20_000;

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
  return { kind: 'files', name: entry.name, files };
}

/** @throws {AppError} `import.too_large`; what is left out then counts for nothing */
function count(file: File, taken: { bytes: number }): void {
  refuseTooLarge(file.name, file.size);
  refuseTooLarge(`What was dropped, with ${file.name},`, taken.bytes + file.size);
  taken.bytes += file.size;
}

/** A browser gives them by the hundred. */
async function listEntries(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0 || all.length > maxFiles) return all;
    all.push(...some);
  }
}

async function readFolder(
  entries: readonly FileSystemEntry[],
  folder: string,
  seen: { bytes: number },
): Promise<{ path: string; text: string }[]> {
  const files: { path: string; text: string }[] = [];
  for (const entry of entries) {
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
    const path = `${folder}${entry.name}`;
    if (entry.isDirectory) {
      files.push(
        ...(await readFolder(await listEntries(entry as FileSystemDirectoryEntry), `${path}/`, seen)),
      );
    } else if (collectionFile.test(entry.name)) {
      const file = await new Promise<File>((resolve, reject) =>
        (entry as FileSystemFileEntry).file(resolve, reject),
      );
      refuseTooLarge('What was dropped', seen.bytes + file.size);
      seen.bytes += file.size;
      files.push({ path, text: decodeText(new Uint8Array(await file.arrayBuffer()), path) });
    }
  }
  return files;
}
