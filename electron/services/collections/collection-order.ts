import { join } from 'node:path';
import { applyEdits, modify, parse, type ParseError } from 'jsonc-parser';
import { findStats, writeFileDurably } from '../../platform/files/files';
import { isTooDeep } from '../../platform/files/json-depth';
import { readRegularFile, type ReadFault } from '../../platform/files/regular-file';

/** Beside the requests, for what no request file can say. Other tools pass over it. */
const orderFile = 'collection.json';
const maxFileBytes = 4 * 1024 * 1024;

/** Place in the list, by path; what is not in it comes afterwards, by name. */
export type CollectionOrder = ReadonlyMap<string, number>;

function readText(root: string): string | null {
  const { bytes } = readRegularFile(join(root, orderFile), { root, maxBytes: maxFileBytes });
  const text = bytes?.toString('utf8') ?? null;
  return text === null || isTooDeep(text) ? null : text;
}

function readPaths(text: string | null): string[] {
  const value: unknown = text === null ? null : parse(text);
  const order = typeof value === 'object' && value !== null ? (value as { order?: unknown }).order : null;
  return Array.isArray(order) ? order.map(String) : [];
}

/**
 * Reads the order that a collection asks for: `{"order": ["Folder", "Folder/Request.http", …]}` in `collection.json`.
 *
 * A file that is not there or cannot be read costs nothing but the order: everything then stands by name.
 * @source decision 7 (`docs/decisions`)
 */
export function readOrder(root: string): CollectionOrder {
  return new Map(readPaths(readText(root)).map((path, index) => [path, index]));
}

const readFaults: Readonly<Record<Exclude<ReadFault, 'missing'>, string>> = {
  outside: 'it is a link that leads out of its folder',
  not_regular: 'it is no file any more',
  too_large: `it is larger than ${maxFileBytes / 1024 / 1024} MiB`,
  unreadable: 'you may not read it',
};

/**
 * Tells why the order that a collection asks for cannot be told from its `collection.json`; null: it can, or there is none.
 *
 * A tree stands by name then. A run must not: what is sent first may be what the next one needs.
 */
export function findOrderFault(root: string): string | null {
  const file = join(root, orderFile);
  // What is no file marks no collection either: a folder of that name, a link that leads nowhere.
  if (findStats(file)?.isFile() !== true) return null;
  const { bytes, fault } = readRegularFile(file, { root, maxBytes: maxFileBytes });
  if (bytes === null) return fault === 'missing' ? null : readFaults[fault];
  const text = bytes.toString('utf8').replace(/^\ufeff/, '');
  if (isTooDeep(text)) return 'it is nested too deep';
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first !== undefined) {
    const line = text.slice(0, first.offset).split('\n').length;
    return `line ${line} is no JSON`;
  }
  const order =
    typeof value === 'object' && value !== null ? (value as { order?: unknown }).order : undefined;
  const isSound =
    order === undefined || (Array.isArray(order) && order.every((one) => typeof one === 'string'));
  return isSound ? null : '"order" in it is no list of texts';
}

/** Sorts names of one folder that are sorted by name already: those with a place come first, in their order. */
export function applyOrder<T extends { name: string }>(
  order: CollectionOrder,
  folder: string,
  entries: readonly T[],
): readonly T[] {
  if (order.size === 0) return entries;
  const placeOf = ({ name }: T): number =>
    order.get(folder === '' ? name : `${folder}/${name}`) ?? order.size;
  return entries.toSorted((a, b) => placeOf(a) - placeOf(b));
}

/** Takes a renamed request or folder along in the order, with all that lies in it; the rest of the file stays as it is. */
export function renameInOrder(root: string, from: string, to: string): void {
  const before = readText(root);
  if (before === null) return;
  const after = readPaths(before).reduce((text, path, index) => {
    if (path !== from && !path.startsWith(`${from}/`)) return text;
    return applyEdits(text, modify(text, ['order', index], to + path.slice(from.length), {}));
  }, before);
  if (after !== before)
    writeFileDurably(join(root, orderFile), Buffer.from(after, 'utf8'), { keepsMode: true });
}
