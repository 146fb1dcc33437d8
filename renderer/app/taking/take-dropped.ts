import { AppError } from '@shared/errors';
import { askToImport, type GivenTogether } from '../../session/asked-import';
import { toClientError } from '../../transport/client-error';
import { isForImport } from './is-for-import';
import { readForeign } from './read-dropped';

/**
 * Takes files and folders that are dropped on the window, in any view: what another tool made is asked about, a folder is opened.
 *
 * What nobody takes is held: it would be shown in place of the app. Fields for files stay as they are.
 * @returns ends it
 */
export function takeDropped(): () => void {
  const isForField = ({ target }: DragEvent): boolean =>
    target instanceof HTMLInputElement && target.type === 'file';
  const hold = (event: DragEvent): void => {
    if (event.dataTransfer?.types.includes('Files') && !isForField(event)) event.preventDefault();
  };
  const take = (event: DragEvent): void => {
    hold(event);
    if (isForField(event) || !isForImport()) return;
    const dropped = listDropped(event.dataTransfer);
    if (dropped.length > 0) void askAboutAll(dropped);
  };
  window.addEventListener('dragover', hold);
  window.addEventListener('drop', take);
  return () => {
    window.removeEventListener('dragover', hold);
    window.removeEventListener('drop', take);
  };
}

interface Dropped {
  file: File;
  entry: FileSystemEntry | null;
}

/** Read at once: the browser forgets them as soon as the event is over. */
function listDropped(data: DataTransfer | null): Dropped[] {
  return [...(data?.items ?? [])].flatMap((item): Dropped[] => {
    const file = item.kind === 'file' ? item.getAsFile() : null;
    return file === null ? [] : [{ file, entry: item.webkitGetAsEntry() }];
  });
}

/**
 * Asks once about all of them, in one question; what cannot be taken keeps nothing else from it, and is said beside it.
 *
 * They are read one after the other, up to what one import may hold: how much is dropped is not known before.
 */
async function askAboutAll(dropped: readonly Dropped[]): Promise<void> {
  const given: GivenTogether[] = [];
  const folders: File[] = [];
  const taken = { bytes: 0 };
  const tooMany = refuseTooMany(dropped);
  for (const { file, entry } of tooMany ? [] : dropped) {
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

function refuseTooMany(dropped: readonly Dropped[]): GivenTogether['refused'] | null {
  if (dropped.length <= mostTogether) return null;
  const message =
    `At most ${mostTogether} files are asked about at once. ` +
    'Drop fewer, or the folder that they are in where one tool made it.';
  return { name: `${dropped.length} files`, error: toClientError(new AppError('import.too_large', message)) };
}

async function openFolders(folders: readonly File[]): Promise<void> {
  try {
    const { openDroppedFolders } = await import('../../features/requests/collections/drop-folder');
    await openDroppedFolders(folders);
  } catch (error) {
    askToImport({ refused: { name: folders[0]!.name, error: toClientError(error) } });
  }
}
