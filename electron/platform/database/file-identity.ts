import { closeSync, openSync, readSync, statSync, type Stats } from 'node:fs';

/** Magic number, format, page size, sequence, salts: what tells one run of a log from the next. */
const LOG_HEADER_BYTES = 24;
const LOG_MAGIC = 0x377f0682;

interface Seen {
  main: Stats;
  log: Stats | null;
  logHeader: Buffer;
}

export interface FileWatch {
  /** Null while they are those that were opened, else what became of them. */
  findChange(): string | null;
  close(): void;
}

/**
 * Tells whether the files of an open database still are those that were opened.
 *
 * SQLite goes on writing to a file that was removed or replaced, and to a log that was cut short: it says that all is
 * well, and nobody finds the rows again. A log that another process emptied rightly begins anew with other salts; so does
 * one that was copied into the file and keeps its size, so its header is read each time.
 */
export function watchFiles(file: string): FileWatch {
  const log = new OpenLog(`${file}-wal`);
  let last = look(file, log);
  return {
    findChange: () => {
      const now = look(file, log);
      const change = describeChange(last, now);
      if (change === null) last = now;
      return change;
    },
    close: () => log.close(),
  };
}

/**
 * The log, kept open: to open it for each commit would cost more than the commit. A descriptor of it holds no lock of
 * SQLite: closing it lets go of none.
 */
class OpenLog {
  readonly #file: string;
  #descriptor: number | null = null;

  constructor(file: string) {
    this.#file = file;
  }

  /** Empty: there is none, or it cannot be read. */
  readHeader(): Buffer {
    const header = Buffer.alloc(LOG_HEADER_BYTES);
    try {
      this.#descriptor ??= openSync(this.#file, 'r');
      return header.subarray(0, readSync(this.#descriptor, header, 0, LOG_HEADER_BYTES, 0));
    } catch {
      return Buffer.alloc(0);
    }
  }

  close(): void {
    if (this.#descriptor !== null) closeSync(this.#descriptor);
    this.#descriptor = null;
  }
}

function look(file: string, openLog: OpenLog): Seen | null {
  const main = statSync(file, { throwIfNoEntry: false });
  if (main === undefined) return null;
  const log = statSync(`${file}-wal`, { throwIfNoEntry: false }) ?? null;
  return { main, log, logHeader: log === null ? Buffer.alloc(0) : openLog.readHeader() };
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
