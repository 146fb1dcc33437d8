import { AppError } from '../errors';
import { readBruno } from './bruno/read-bruno';
import { findConflicts, SETTLE_CONFLICT } from '../http-file/find-conflicts';
import { FETCH_LFS, isLfsPointer } from '../http-file/lfs-pointer';
import { createCredentialBook, type CredentialBook } from './credentials';
import { readCurl } from './curl/read-curl';
import { detectFormat } from './detect-format';
import { readHar } from './har/read-har';
import { importFormats, type ImportFormat } from './import-formats';
import type { Imported, ImportedItem, ImportSource } from './imported';
import { nameInsomniaVariable } from './insomnia/insomnia-expressions';
import { readInsomnia } from './insomnia/read-insomnia';
import { layOut, type ImportPlan } from './layout/lay-out';
import { readOpenapi } from './openapi/read-openapi';
import { readPostman } from './postman/read-postman';
import { mapCommonExpression, renameVariable } from './variables';

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
 * @param proving - variables that the requests there prove themselves with
 * @throws {AppError} `import.*`: nothing of it can be taken then
 */
export function importDocument(
  source: ImportSource,
  format: ImportFormat | 'auto',
  taken: readonly string[] = [],
  proving: Iterable<string> = [],
): ImportPlan & { format: ImportFormat } {
  if (source.files.every(({ text }) => text.trim() === '')) {
    throw new AppError('import.nothing_found', `${source.name} is empty. There is nothing to import in it.`);
  }
  refuseConflicts(source);
  const found = format === 'auto' ? detectFormat(source) : format;
  try {
    const { imported, book } = readApart(readers[found], source);
    for (const name of proving) book.hide(name, `{{${name}}}`);
    return { format: found, ...noteRedirects(layOut(imported, book, taken), found, source.name) };
  } catch (error) {
    // What is nested goes through functions that call themselves.
    if (!(error instanceof RangeError)) throw error;
    const [code, what] = error.message.includes('call stack')
      ? (['import.too_deep', 'is nested too deeply'] as const)
      : (['import.too_large', 'stands for more than there is memory for'] as const);
    throw new AppError(code, `${source.name} ${what}. Import it in parts.`, { cause: error });
  }
}

/** Tools that follow a redirect by themselves, unless they are told not to. */
const followers: readonly ImportFormat[] = ['postman', 'insomnia', 'bruno'];

function noteRedirects(plan: ImportPlan, format: ImportFormat, source: string): ImportPlan {
  if (!followers.includes(format) || plan.counts.requests === 0) return plan;
  const what = `Where ${importFormats[format].label} follows a redirect, its answer is shown here, and a click follows it.`;
  return { ...plan, notes: [...plan.notes, { where: plan.name ?? source, what }] };
}

/** A format that is read leniently would take one of two versions, or say nothing of what is none. @throws {AppError} `import.not_readable` */
function refuseConflicts({ files }: ImportSource): void {
  for (const { path, text } of files) {
    if (isLfsPointer(text))
      throw new AppError('import.not_readable', `${path || 'It'} ${FETCH_LFS} Nothing was imported.`);
    const [conflict] = findConflicts(text);
    if (conflict === undefined) continue;
    const where = `${path}${path === '' ? '' : ', '}line ${conflict.fault.line}`;
    throw new AppError('import.not_readable', `${where}: ${SETTLE_CONFLICT} Nothing was imported.`);
  }
}

/**
 * Reads a source so that no credential found in it takes the name of a variable that it has: one of them would be sent as the
 * other.
 */
function readApart(read: Reader, source: ImportSource): { imported: Imported; book: CredentialBook } {
  const meant = listVariables(source);
  const first = createCredentialBook(meant);
  const imported = read(source, first);
  const own = listOwnNames(imported);
  if (!first.list().some(({ name }) => own.has(name))) {
    first.reserve(own);
    return { imported, book: first };
  }
  const book = createCredentialBook([...meant, ...own]);
  return { imported: read(source, book), book };
}

/** Names that the requests of the source use, as they are written here. */
function listVariables({ files }: ImportSource): Set<string> {
  const names = new Set<string>();
  for (const { text } of files) {
    for (const [, name = ''] of text.matchAll(/\{\{([^{}\r\n]{1,240})\}\}/g)) {
      names.add(name.trim());
      names.add(mapCommonExpression(name).trim());
      names.add(nameInsomniaVariable(name));
    }
  }
  return names;
}

/** Names that the source gives values to: in its environments, and for single requests. */
function listOwnNames({ shared, environments, items }: Imported): Set<string> {
  const names = new Set([...shared, ...environments.flatMap(({ variables }) => variables)].map(nameOf));
  const open: ImportedItem[] = [...items];
  for (let item = open.pop(); item !== undefined; item = open.pop()) {
    if (item.kind === 'folder') open.push(...item.items);
    else if (item.kind === 'request') for (const [name] of item.variables) names.add(name);
  }
  return names;
}

const nameOf = ({ name }: { name: string }): string => renameVariable(name);
