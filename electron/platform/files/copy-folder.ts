import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Copies the files of a folder that is ours into a new one.
 *
 * Read and written file by file: in the packaged app the folder stands inside an archive, which `cpSync` takes
 * for a file. Links and whatever else is no plain file are left out.
 */
export function copyFolder(from: string, to: string): void {
  mkdirSync(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) copyFolder(source, target);
    else if (entry.isFile()) writeFileSync(target, readFileSync(source), { mode: 0o666 });
  }
}
