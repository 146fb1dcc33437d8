import { joinPath } from '@shared/join-path';
import { isRecord } from '@shared/json/is-record';
import { join } from 'node:path';
import { findNodeAtLocation, parse, parseTree, type ParseError } from 'jsonc-parser';
import { findStats, followLink, writeFileDurably } from '../../platform/files/files';
import { isTooDeep } from '../../platform/files/json-depth';
import { describeParseFault } from '../../platform/files/json-parse-fault';
import { isInCloud, readRegularFile, type ReadFault } from '../../platform/files/regular-file';

/** Beside the requests, for what no request file can say. Other tools pass over it. */
const orderFile = 'collection.json';
const maxFileBytes = 4 * 1024 * 1024;

/** Place in the list, by path; what is not in it comes afterwards, by name. */
export type CollectionOrder = ReadonlyMap<string, number>;

interface OrderFile {
  readonly text: string;
  readonly order: readonly string[];
}

const readFaults: Readonly<Record<Exclude<ReadFault, 'missing'>, string>> = {
  outside: 'it is a link that leads out of its folder',
  not_regular: 'it is no file any more',
  too_large: `it is larger than ${maxFileBytes / 1024 / 1024} MiB`,
  forbidden: 'you may not read it',
  crowded: 'too many files are open',
  unreadable: 'the system failed to read it',
};

const inCloud = 'it is in iCloud and not on this disk; download it';

/** A Mac may give a name in another form of Unicode than the file has it that a teammate wrote elsewhere. */
const compose = (path: string): string => path.normalize('NFC');

/** Null: there is none. A text: why it cannot be told what order it asks for. */
function readOrderFile(root: string): OrderFile | string | null {
  const path = join(root, orderFile);
  // What is no file marks no collection either: a folder of that name, a link that leads nowhere.
  if (findStats(path)?.isFile() !== true) return isInCloud(path) ? inCloud : null;
  const { bytes, fault } = readRegularFile(path, { root, maxBytes: maxFileBytes });
  if (bytes === null) return fault === 'missing' ? null : readFaults[fault];
  const text = bytes.toString('utf8');
  const own = text.replace(/^\ufeff/, '');
  if (isTooDeep(own)) return 'it is nested too deep';
  const errors: ParseError[] = [];
  const value: unknown = parse(own, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first !== undefined) {
    const { line, what } = describeParseFault(own, first);
    return `line ${line} is no JSON (${what})`;
  }
  const order = isRecord(value) ? value['order'] : null;
  if (order === undefined || order === null) return { text, order: [] };
  const isSound = Array.isArray(order) && order.every((one) => typeof one === 'string');
  return isSound ? { text, order } : '"order" in it is no list of texts';
}

/**
 * Reads the order that a collection asks for: `{"order": ["Folder", "Folder/Request.http", …]}` in `collection.json`.
 *
 * A file that is not there or cannot be read costs nothing but the order: everything then stands by name.
 * @source decision 7 (`docs/decisions`)
 */
export function readOrder(root: string): CollectionOrder {
  const file = readOrderFile(root);
  const paths = file === null || typeof file === 'string' ? [] : file.order;
  return new Map(paths.map((path, index) => [compose(path), index]));
}

/**
 * Tells why the order that a collection asks for cannot be told from its `collection.json`; null: it can, or there is none.
 *
 * A tree stands by name then. A run must not: what is sent first may be what the next one needs.
 */
export function findOrderFault(root: string): string | null {
  const file = readOrderFile(root);
  return typeof file === 'string' ? file : null;
}

/** Sorts names of one folder that are sorted by name already: those with a place come first, in their order. */
export function applyOrder<T extends { name: string }>(
  order: CollectionOrder,
  folder: string,
  entries: readonly T[],
): readonly T[] {
  if (order.size === 0) return entries;
  const placeOf = ({ name }: T): number => order.get(compose(joinPath(folder, name))) ?? order.size;
  return entries.toSorted((a, b) => placeOf(a) - placeOf(b));
}

/** Takes a renamed request or folder along in the order, with all that lies in it; the rest of the file stays as it is. */
export function renameInOrder(root: string, from: string, to: string): void {
  const file = readOrderFile(root);
  // What cannot be read is left as it is: there are two versions in it, or somebody is writing it.
  if (file === null || typeof file === 'string') return;
  const moved = compose(from);
  const start = file.text.startsWith('\ufeff') ? 1 : 0;
  const text = file.text.slice(start);
  const tree = parseTree(text, [], { allowTrailingComma: true });
  let after = file.text.slice(0, start);
  let at = 0;
  for (const { offset, length, value } of (tree && findNodeAtLocation(tree, ['order'])?.children) ?? []) {
    const path = compose(String(value));
    if (path !== moved && !path.startsWith(`${moved}/`)) continue;
    after += text.slice(at, offset) + JSON.stringify(to + path.slice(moved.length));
    at = offset + length;
  }
  after += text.slice(at);
  if (after === file.text) return;
  let isOther = false;
  const lookAgain = (): void => {
    const now = readOrderFile(root);
    isOther = now === null || typeof now === 'string' || now.text !== file.text;
    if (isOther) throw new Error('Somebody else wrote the order meanwhile.');
  };
  try {
    const bytes = Buffer.from(after, 'utf8');
    writeFileDurably(followLink(join(root, orderFile)), bytes, { keepsMode: true, lookAgain });
  } catch (error) {
    if (!isOther) throw error;
    renameInOrder(root, from, to);
  }
}
