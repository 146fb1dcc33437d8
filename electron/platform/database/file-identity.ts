import { closeSync, openSync, readSync, statSync, type Stats } from 'node:fs';

/** Magic number, format, page size, sequence, salts: what tells one run of a log from the next. */
const LOG_HEADER_BYTES = 24;
const LOG_MAGIC = 0x377f0682;

interface Seen {
  main: Stats;
  log: Stats | null;
  logHeader: Buffer;
}

/**
 * Tells whether the files of an open database still are those that were opened.
 *
 * SQLite goes on writing to a file that was removed or replaced, and to a log that was cut short: it says that all is
 * well, and nobody finds the rows again. A log that another process emptied rightly begins anew with other salts.
 * @returns null while they are, else what became of them
 */
export function watchFiles(file: string): () => string | null {
  let last = look(file);
  return () => {
    const now = look(file, last);
    const change = describeChange(last, now);
    if (change === null) last = now;
    return change;
  };
}

/** To open the log once a commit would cost more than the commit: a log that only grew begins as it did. */
function readHeaderAnew(file: string, log: Stats | null, last: Seen | null): Buffer {
  if (log === null || log.size === 0) return Buffer.alloc(0);
  const before = last?.log ?? null;
  const hasGrown =
    before !== null && log.ino === before.ino && log.size >= before.size && log.blocks >= before.blocks;
  return hasGrown && last!.logHeader.length > 0 ? last!.logHeader : readHeader(file);
}

function look(file: string, last: Seen | null = null): Seen | null {
  const main = statSync(file, { throwIfNoEntry: false });
  if (main === undefined) return null;
  const log = statSync(`${file}-wal`, { throwIfNoEntry: false }) ?? null;
  return { main, log, logHeader: readHeaderAnew(file, log, last) };
}

/** A descriptor of the log holds no lock of SQLite: closing it lets go of none. */
function readHeader(file: string): Buffer {
  const descriptor = openSync(`${file}-wal`, 'r');
  try {
    const header = Buffer.alloc(LOG_HEADER_BYTES);
    return header.subarray(0, readSync(descriptor, header, 0, LOG_HEADER_BYTES, 0));
  } catch {
    return Buffer.alloc(0);
  } finally {
    closeSync(descriptor);
  }
}

function describeChange(last: Seen | null, now: Seen | null): string | null {
  if (last === null || now === null) return 'was removed';
  if (!now.main.isFile() || now.main.ino !== last.main.ino) return 'was replaced';
  if (now.main.size < last.main.size) return 'was cut short';
  if (last.log === null) return null;
  if (now.log?.ino !== last.log.ino) return 'lost its log (-wal)';
  if (now.log.size === 0) return null;
  const { logHeader } = now;
  // The last bit tells the order of bytes of its checksums.
  if (logHeader.length < LOG_HEADER_BYTES || (logHeader.readUInt32BE(0) & ~1) >>> 0 !== LOG_MAGIC)
    return 'lost the beginning of its log (-wal)';
  if (now.log.size < last.log.size && logHeader.equals(last.logHeader))
    return 'lost the end of its log (-wal)';
  return null;
}
