import { isRecord } from '@shared/json/is-record';
import { parse, type ParseError } from 'jsonc-parser';
import { isTooDeep } from '../../platform/files/json-depth';
import { setMember } from './set-member';

/** Beside the requests: their order, and what was imported into which file. */
export const recordFile = 'collection.json';

/** Hashes of the files as they were imported, by path; of each document that can be imported again. */
export type ImportedFiles = Readonly<Record<string, string>>;

function readMembers(text: string): Record<string, unknown> | null {
  if (isTooDeep(text)) return null;
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  return errors.length === 0 && isRecord(value) ? value : null;
}

/** Reads what an earlier import of this document made; nothing where there was none. */
export function readImported(text: string | null, document: string): ImportedFiles {
  const imports = text === null ? undefined : readMembers(text)?.['imports'];
  const found = isRecord(imports) && Object.hasOwn(imports, document) ? imports[document] : undefined;
  if (!isRecord(found)) return {};
  return Object.fromEntries(
    Object.entries(found).filter((one): one is [string, string] => typeof one[1] === 'string'),
  );
}

/**
 * Adds the order of an import, and the hashes of a document that can be imported again; the rest of the file stays.
 *
 * @returns null: the file is no JSON object, and is left as it is
 */
export function writeRecord(
  text: string | null,
  order: readonly string[],
  document: { name: string; files: ImportedFiles } | null,
): string | null {
  const before = text ?? '{}\n';
  const members = readMembers(before);
  if (members === null) return null;
  const known = Array.isArray(members['order']) ? members['order'].map(String) : [];
  const have = new Set(known);
  const added = order.filter((path) => !have.has(path));
  let after = before;
  if (added.length > 0) after = setMember(after, ['order'], [...known, ...added]);
  if (document !== null) after = setMember(after, ['imports', document.name], document.files);
  return after.endsWith('\n') ? after : `${after}\n`;
}
