import { askToImportEach, type AskedImport } from '../../session/asked-import';
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
    if (dropped.length > 0) void askAboutEach(dropped);
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

/** Takes each of them; what cannot be taken keeps nothing else from it, and is said in its turn. */
async function askAboutEach(dropped: readonly Dropped[]): Promise<void> {
  const asked: AskedImport[] = [];
  const folders: File[] = [];
  for (const { file, entry } of dropped) {
    try {
      const source = await readForeign(file, entry);
      if (source === null) folders.push(file);
      else asked.push({ source });
    } catch (error) {
      asked.push({ refused: { name: file.name, error: toClientError(error) } });
    }
  }
  askToImportEach(asked);
  if (folders.length > 0) await openFolders(folders);
}

async function openFolders(folders: readonly File[]): Promise<void> {
  try {
    const { openDroppedFolders } = await import('../../features/requests/collections/drop-folder');
    await openDroppedFolders(folders);
  } catch (error) {
    askToImportEach([{ refused: { name: folders[0]!.name, error: toClientError(error) } }]);
  }
}
