import { closeSync, openSync, readSync } from 'node:fs';
import { createRequire } from 'node:module';
import type Database from 'libsql';

type Libsql = typeof Database;

/** The name of the program's loader stands near the beginning of the program's own file. */
const LOOKED_AT_BYTES = 4096;

/**
 * Loads the database's native library.
 *
 * The library asks for a whole diagnostic report of the process, only to learn which C library it runs on: a
 * tenth of the time that it takes to start. Where the answer can be read from the program's own file, it gets that.
 */
export function loadLibsql(): Libsql {
  // Required, not imported: an import would read the source for the names that it exports, and take the first report.
  const require = createRequire(import.meta.url);
  const { report } = process;
  const family = process.platform === 'linux' && report !== undefined ? readLibcFamily() : null;
  if (family === null) return require('libsql') as Libsql;
  const { getReport } = report!;
  report!.getReport = () =>
    family === 'glibc' ? { header: { glibcVersionRuntime: 'any' } } : { header: {} };
  try {
    return require('libsql') as Libsql;
  } finally {
    report!.getReport = getReport;
  }
}

/** Tells the C library by the loader (`ld-linux…`, `ld-musl-…`) that this program names; null: it names none. */
function readLibcFamily(): 'glibc' | 'musl' | null {
  try {
    const file = openSync(process.execPath, 'r');
    try {
      const head = Buffer.alloc(LOOKED_AT_BYTES);
      const text = head.toString('latin1', 0, readSync(file, head, 0, LOOKED_AT_BYTES, 0));
      if (text.includes('/ld-musl-')) return 'musl';
      return text.includes('/ld-linux') ? 'glibc' : null;
    } finally {
      closeSync(file);
    }
  } catch {
    return null;
  }
}
