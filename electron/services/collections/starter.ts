import { existsSync, lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeCollection } from './make-collection';

const starterName = 'Payments API';

/** Where the starter collection lies, seen from the source tree or from what was built of it; null: not shipped. */
export function findStarter(): string | null {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (let above = 0; above < 5; above++) {
    const found = join(folder, 'resources', 'starter', starterName);
    if (existsSync(found)) return found;
    folder = dirname(folder);
  }
  return null;
}

/**
 * Puts the starter collection into a data directory that has none; one that exists is never touched.
 *
 * @returns folder of the collection, which exists afterwards
 * @throws {AppError} `platform.unwritable`, `platform.disk_full`
 */
export function prepareStarter(dataDirectory: string, starter: string | null): string {
  const target = join(dataDirectory, 'collections', starterName);
  // A link that leads nowhere counts as the user's own doing: the collection then says that it is missing.
  if (isTaken(target)) return target;
  return makeCollection({ parent: dirname(target), name: starterName, source: starter });
}

/** What may not be looked at may be there: the collection then says that it cannot be reached. */
function isTaken(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EACCES';
  }
}
