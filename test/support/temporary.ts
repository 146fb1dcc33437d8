import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const made: string[] = [];

/** Makes an empty folder of its own for a test; it is gone when the tests of the file are done. */
export function makeTemporaryFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `countersign-${name}-`));
  made.push(folder);
  return folder;
}

/** Removes what the tests of a file made. `end-with-file.ts` calls it. */
export function removeTemporaryFolders(): void {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
}

/** Tells whether the disk of a folder, of temporary ones for one, notes when each was made: by that one is known that was moved. */
export function notesWhenMade(folder = makeTemporaryFolder('made')): boolean {
  return statSync(folder, { bigint: true }).birthtimeNs > 0n;
}
