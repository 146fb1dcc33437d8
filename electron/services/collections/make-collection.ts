import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { copyFolder } from '../../platform/files/copy-folder';
import { renameFile } from '../../platform/files/differing-disks';
import { makeDirectory, syncDirectory, toFileError } from '../../platform/files/files';
import { errorsOf } from '../errors-of';
import { isTaken, readName } from './collection-paths';

const CollectionsError = errorsOf<'collections'>();

/** Marks the folder as a collection's, for `< file` lines, and says nothing else yet. */
const emptyCollection = '{ "order": [] }\n';

/**
 * Says where a new collection is to be: where nothing stands yet.
 *
 * @throws {AppError} `collections.bad_name`, `collections.exists`
 */
export function placeCollection(parent: string, wanted: string): string {
  const name = readName(wanted, '');
  const target = join(parent, name);
  if (!isTaken(target)) return target;
  throw new CollectionsError('collections.exists', `There is already a ${target}. Choose another name.`, {
    details: { name },
  });
}

/**
 * Makes the folder of a new collection; one that exists is never touched.
 *
 * It is made beside and renamed: a crash in between leaves no half collection.
 * @param input.parent - folder that it is made in, itself made where absent
 * @param input.source - folder that it is a copy of; null: it is empty
 * @returns the new folder
 * @throws {AppError} `collections.bad_name`, `collections.exists`, `platform.unwritable`, `platform.disk_full`
 */
export function makeCollection(input: { parent: string; name: string; source: string | null }): string {
  const target = placeCollection(input.parent, input.name);
  const beside = join(input.parent, `.${basename(target)}.new`);
  makeDirectory(input.parent);
  try {
    rmSync(beside, { recursive: true, force: true });
    if (input.source === null) {
      mkdirSync(beside);
      writeFileSync(join(beside, 'collection.json'), emptyCollection, { mode: 0o666 });
    } else copyFolder(input.source, beside);
    renameFile(beside, target);
    syncDirectory(input.parent);
  } catch (error) {
    rmSync(beside, { recursive: true, force: true });
    throw toFileError(error, input.parent);
  }
  return target;
}
