import { AppError } from '@shared/errors';
import { askToImport, type GivenTogether } from '../../session/asked-import';
import { toClientError } from '../../transport/client-error';
import { isForImport } from './is-for-import';
import { mostFiles, readForeign, unfoldExports, type Dropped } from './read-dropped';

/** Gives them to the dialog that asks for a file; where none does, asks about them. */
export async function takeAll(dropped: readonly Dropped[]): Promise<void> {
  if (!giveToDialog(dropped)) await askAboutAll(dropped);
}

/** @returns whether the dialog that is open asks for a file, and got it as if it were chosen there */
function giveToDialog(dropped: readonly Dropped[]): boolean {
  if (isForImport()) return false;
  const field = document.querySelector<HTMLInputElement>('[data-modal] input[type="file"]');
  if (field === null) return false;
  const chosen = new DataTransfer();
  for (const { file } of dropped) chosen.items.add(file);
  field.files = chosen.files;
  field.dispatchEvent(new Event('change', { bubbles: true }));
  return true;
}

/**
 * Asks once about all of them, in one question; what cannot be taken keeps nothing else from it, and is said beside it.
 *
 * They are read one after the other, up to what one import may hold: how much is dropped is not known before.
 */
async function askAboutAll(all: readonly Dropped[]): Promise<void> {
  const dropped = await unfoldExports(all);
  const given: GivenTogether[] = [];
  const folders: File[] = [];
  const taken = { bytes: 0 };
  const tooMany = refuseTooMany(dropped);
  for (const one of tooMany ? [] : dropped) {
    if ('refused' in one) {
      given.push(one);
      continue;
    }
    const { file, entry } = one;
    try {
      const source = await readForeign(file, entry, taken);
      if (source === null) folders.push(file);
      else given.push({ source });
    } catch (error) {
      given.push({ refused: { name: file.name, error: toClientError(error) } });
    }
  }
  if (tooMany) askToImport({ refused: tooMany });
  else if (given.length === 1) askToImport(given[0]!);
  else if (given.length > 1) askToImport({ together: given });
  if (folders.length > 0) await openFolders(folders);
}

/** More than these nobody looks through in one question. */
const mostTogether = 100;

function refuseTooMany(dropped: readonly unknown[]): GivenTogether['refused'] | null {
  if (dropped.length <= mostTogether) return null;
  const message =
    `At most ${mostTogether} files are asked about at once. ` +
    'Drop fewer; a folder that is a collection of Bruno counts as one.';
  const count = dropped.length > mostFiles ? `more than ${mostFiles}` : String(dropped.length);
  return { name: `${count} files`, error: toClientError(new AppError('import.too_large', message)) };
}

async function openFolders(folders: readonly File[]): Promise<void> {
  try {
    const { openDroppedFolders } = await import('../../features/requests/collections/drop-folder');
    await openDroppedFolders(folders);
  } catch (error) {
    askToImport({ refused: { name: folders[0]!.name, error: toClientError(error) } });
  }
}
