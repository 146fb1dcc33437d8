import { setImmediate as nextTurn } from 'node:timers/promises';

/** What git noted of a file when it was committed, checked out or staged last. */
export interface IndexEntry {
  mtimeSeconds: number;
  mtimeNanoseconds: number;
  sizeBytes: number;
  /** Hash of the content, in hex. */
  objectId: string;
  /** A file that is no link, whole in the index: neither unmerged nor only intended to be added. */
  isPlain: boolean;
}

const statBytes = 40;
const modeOffset = 24;
const regularFile = 0o100000;
/** The flags tell the length of the name, up to this. */
const mostTold = 0xfff;
/** No system checks out a longer path; version 4 would have each of many names copy the one before. */
const maxNameBytes = 4096;
/** Entries read in one go before others get their turn. */
const chunkEntries = 20_000;

/**
 * Reads the entries of a git index that somebody asks for, without git: nothing that a repository configures is run.
 *
 * @param bytes - of the index: versions 2 to 4, SHA-1 or SHA-256; nothing in it is trusted
 * @param isWanted - by the path in the repository; the others are passed over
 * @returns null where it is no index that is understood
 * @source git, Documentation/gitformat-index.txt
 */
export async function readGitIndex(
  bytes: Buffer,
  isWanted: (path: string) => boolean,
): Promise<Map<string, IndexEntry> | null> {
  for (const hashBytes of [20, 32]) {
    const entries = await readEntries(bytes, hashBytes, isWanted);
    if (entries !== null) return entries;
  }
  return null;
}

async function readEntries(
  bytes: Buffer,
  hashBytes: number,
  isWanted: (path: string) => boolean,
): Promise<Map<string, IndexEntry> | null> {
  if (bytes.length < 12 + hashBytes || bytes.toString('latin1', 0, 4) !== 'DIRC') return null;
  const [version, count] = [bytes.readUInt32BE(4), bytes.readUInt32BE(8)];
  if (version < 2 || version > 4) return null;
  const found = new Map<string, IndexEntry>();
  const end = bytes.length - hashBytes;
  let at = 12;
  let before: Buffer = Buffer.alloc(0);
  for (let index = 0; index < count; index++) {
    const read = readEntry(bytes, { at, end, hashBytes, version, before });
    if (read === null) return null;
    ({ next: at, name: before } = read);
    const path = before.toString('utf8');
    if (isWanted(path)) found.set(path, read.entry);
    if (index % chunkEntries === chunkEntries - 1) await nextTurn();
  }
  return isAtExtension(bytes, at, end) && !isSplit(bytes, at, end) ? found : null;
}

/** After the entries come extensions, each named by four letters, then the checksum: anything else was misread. */
function isAtExtension(bytes: Buffer, at: number, end: number): boolean {
  return at === end || (at + 8 <= end && /^[A-Za-z]{4}$/.test(bytes.toString('latin1', at, at + 4)));
}

/** Tells whether most of the entries stand in another file, which the extension `link` names. */
function isSplit(bytes: Buffer, entriesEnd: number, end: number): boolean {
  for (let at = entriesEnd; isAtExtension(bytes, at, end) && at < end; at += 8 + bytes.readUInt32BE(at + 4)) {
    if (bytes.toString('latin1', at, at + 4) === 'link') return true;
  }
  return false;
}

interface Place {
  at: number;
  end: number;
  hashBytes: number;
  version: number;
  /** Name of the entry before, which version 4 leaves out as far as it is the same. */
  before: Buffer;
}

function readEntry(
  bytes: Buffer,
  { at, end, hashBytes, version, before }: Place,
): { entry: IndexEntry; name: Buffer; next: number } | null {
  const flagsAt = at + statBytes + hashBytes;
  if (flagsAt + 4 > end) return null;
  const flags = bytes.readUInt16BE(flagsAt);
  const isExtended = version >= 3 && (flags & 0x4000) !== 0;
  const isIntended = isExtended && (bytes.readUInt16BE(flagsAt + 2) & 0x2000) !== 0;
  const nameAt = flagsAt + (isExtended ? 4 : 2);
  const read = version === 4 ? readShortened(bytes, nameAt, end, before) : readWhole(bytes, nameAt, end, at);
  // Read with hashes of the other length, the end of a hash is taken for flags and name: the length there is another.
  if (read === null || (flags & mostTold) !== Math.min(read.name.length, mostTold)) return null;
  const entry = {
    mtimeSeconds: bytes.readUInt32BE(at + 8),
    mtimeNanoseconds: bytes.readUInt32BE(at + 12),
    sizeBytes: bytes.readUInt32BE(at + 36),
    objectId: bytes.toString('hex', at + statBytes, flagsAt),
    isPlain:
      (bytes.readUInt32BE(at + modeOffset) & 0o170000) === regularFile &&
      (flags & 0x3000) === 0 &&
      !isIntended,
  };
  return { entry, ...read };
}

/** A name up to its NUL, and further NULs up to a multiple of eight. */
function readWhole(
  bytes: Buffer,
  nameAt: number,
  end: number,
  entryAt: number,
): { name: Buffer; next: number } | null {
  const close = bytes.indexOf(0, nameAt);
  if (close === -1 || close >= end) return null;
  const next = entryAt + ((close - entryAt + 8) & ~7);
  return next > end ? null : { name: bytes.subarray(nameAt, close), next };
}

/** How many bytes of the name before to leave out, then the rest up to its NUL. */
function readShortened(
  bytes: Buffer,
  nameAt: number,
  end: number,
  before: Buffer,
): { name: Buffer; next: number } | null {
  let at = nameAt;
  let byte = bytes[at++] ?? 0;
  let left = byte & 0x7f;
  while ((byte & 0x80) !== 0) {
    if (at >= end || left > 0xffff) return null;
    byte = bytes[at++] ?? 0;
    left = ((left + 1) << 7) | (byte & 0x7f);
  }
  const close = bytes.indexOf(0, at);
  const kept = before.length - left;
  if (close === -1 || close >= end || kept < 0 || kept + close - at > maxNameBytes) return null;
  return {
    name: Buffer.concat([before.subarray(0, kept), bytes.subarray(at, close)]),
    next: close + 1,
  };
}
