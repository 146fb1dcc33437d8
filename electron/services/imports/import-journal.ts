import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { activeCharacters } from '@shared/hidden-characters';
import { writeFileDurably } from '../../platform/files/files';
import { readRegularFile } from '../../platform/files/regular-file';

/** What an import changes in a folder that is there, kept beside the new files until all of them are in their places. */
export interface ImportJournal {
  readonly files: readonly JournalFile[];
}

/** One file; its new bytes are `new-N` of the stage until they are in place, N being its place in the list. */
export interface JournalFile {
  /** Relative to the folder, `/` between parts. */
  readonly path: string;
  /** Hash of what it replaces; null: nothing stood there; `''`: something else than a file. */
  readonly before: string | null;
  readonly after: string;
}

const journalName = 'journal.json';
/** Of all that lie in one folder together: ours are a few megabytes, and a stranger's folder may have many. */
const maxBytes = 64 * 1024 * 1024;
const stagePattern = /^\.import-[0-9a-f]{12}\.tmp$/;
/** Nobody ends so many imports half-way: the rest waits for the next time. */
const mostStages = 20;

/** What holds a folder while an import writes into it. */
export const importUse = 'import';

/** Names the folder that an import puts its files into first. @param mark - 12 hexadecimal digits */
export const nameStage = (root: string, mark: string): string => join(root, `.import-${mark}.tmp`);

/** Finds what imports have left in a folder, as much as is read in one go; a link is none of theirs. */
export function listStages(root: string): string[] {
  let bytes = 0;
  try {
    return readdirSync(root, { withFileTypes: true })
      .filter((entry) => stagePattern.test(entry.name) && entry.isDirectory())
      .slice(0, mostStages)
      .map(({ name }) => join(root, name))
      .filter((stage, index) => {
        bytes += lstatSync(join(stage, journalName), { throwIfNoEntry: false })?.size ?? 0;
        return index === 0 || bytes <= maxBytes;
      });
  } catch {
    // A folder that cannot be listed says so where it is opened.
    return [];
  }
}

/** To be written once all new files are in the stage, and before the first of them leaves it. */
export function writeJournal(stage: string, journal: ImportJournal): void {
  writeFileDurably(join(stage, journalName), JSON.stringify(journal));
}

/** Null: there is none, or one that no import of ours wrote; it may have come with a stranger's folder. */
export function readJournal(stage: string): ImportJournal | null {
  const { bytes } = readRegularFile(join(stage, journalName), { root: stage, maxBytes });
  if (bytes === null) return null;
  try {
    const { files } = JSON.parse(bytes.toString('utf8')) as Partial<ImportJournal>;
    return Array.isArray(files) && files.every(isJournalFile) ? { files } : null;
  } catch {
    return null;
  }
}

function isJournalFile(value: unknown): value is JournalFile {
  if (typeof value !== 'object' || value === null) return false;
  const { path, before, after } = value as Partial<Record<keyof JournalFile, unknown>>;
  const isHash = (one: unknown): boolean => typeof one === 'string';
  return typeof path === 'string' && isPlain(path) && (before === null || isHash(before)) && isHash(after);
}

/** As long as a path may be where it is shortest, and one name in it: bytes of UTF-8. */
const longestPath = 4096;
const longestName = 255;

/**
 * Leads out of the folder by no spelling, nor into what is hidden in it (`.git`, on Windows also `GIT~1`), and can be
 * written and named to somebody: an import gives no other names.
 */
function isPlain(path: string): boolean {
  if (path.length > longestPath || path.search(activeCharacters) !== -1) return false;
  return path
    .split('/')
    .every(
      (part) =>
        part !== '' &&
        !part.startsWith('.') &&
        !/[\\\n\0:\u2028\u2029]|~\d/.test(part) &&
        Buffer.byteLength(part) <= longestName,
    );
}
