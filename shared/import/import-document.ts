import { AppError } from '../errors';
import { readBruno } from './bruno/read-bruno';
import { createCredentialBook, type CredentialBook } from './credentials';
import { readCurl } from './curl/read-curl';
import { detectFormat } from './detect-format';
import { readHar } from './har/read-har';
import type { ImportFormat } from './import-formats';
import type { Imported, ImportSource } from './imported';
import { readInsomnia } from './insomnia/read-insomnia';
import { layOut, type ImportPlan } from './layout/lay-out';
import { readOpenapi } from './openapi/read-openapi';
import { readPostman } from './postman/read-postman';

type Reader = (source: ImportSource, book: CredentialBook) => Imported;

const readers: Readonly<Record<ImportFormat, Reader>> = {
  curl: readCurl,
  postman: readPostman,
  openapi: readOpenapi,
  bruno: readBruno,
  insomnia: readInsomnia,
  har: readHar,
};

/**
 * Reads a file or folder of another tool, and plans the `.http` files and environments that it becomes.
 *
 * Bodies stay byte for byte, credentials become variables, and what is not taken over is a note.
 * @param format - `auto` finds it out
 * @param taken - paths of the folder that takes the import, which others have already
 * @throws {AppError} `import.*`: nothing of it can be taken then
 */
export function importDocument(
  source: ImportSource,
  format: ImportFormat | 'auto',
  taken: readonly string[] = [],
): ImportPlan & { format: ImportFormat } {
  if (source.files.every(({ text }) => text.trim() === '')) {
    throw new AppError('import.nothing_found', `${source.name} is empty. There is nothing to import in it.`);
  }
  const found = format === 'auto' ? detectFormat(source) : format;
  const book = createCredentialBook(listVariables(source));
  try {
    return { format: found, ...layOut(readers[found](source, book), book, taken) };
  } catch (error) {
    // What is nested goes through functions that call themselves.
    if (!(error instanceof RangeError)) throw error;
    throw new AppError('import.too_deep', `${source.name} is nested too deeply. Import it in parts.`, {
      cause: error,
    });
  }
}

/** Names that mean something in the source already. */
function listVariables({ files }: ImportSource): Set<string> {
  const names = new Set<string>();
  for (const { text } of files) {
    for (const [, name = ''] of text.matchAll(/\{\{([^{}\r\n]{1,240})\}\}/g)) names.add(name.trim());
  }
  return names;
}
