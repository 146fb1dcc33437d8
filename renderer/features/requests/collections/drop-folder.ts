import { AppError } from '@shared/errors';
import { askToImportEach, type AskedImport } from '../../../session/asked-import';
import { findDroppedPath } from '../../../transport/client';
import { runInTree } from '../tree/node-actions';
import { openFolder } from './open-collections';
import { readForeign } from './read-dropped';

/** Opens folders that are dropped onto the window, and asks to import what another tool made: its folder, or a file. */
export function followDroppedFolders(): () => void {
  const hold = (event: DragEvent): void => {
    if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
  };
  const take = (event: DragEvent): void => {
    // A file that nobody takes would otherwise be shown in place of the app.
    hold(event);
    const dropped = [...(event.dataTransfer?.items ?? [])].flatMap((item): Dropped[] => {
      const file = item.kind === 'file' ? item.getAsFile() : null;
      return file === null ? [] : [{ file, entry: item.webkitGetAsEntry() }];
    });
    if (dropped.length > 0) void runInTree(() => takeDropped(dropped));
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

/** Takes each of them; what cannot be taken keeps nothing else from it. @throws what the first said that could not */
async function takeDropped(dropped: readonly Dropped[]): Promise<void> {
  const asked: AskedImport[] = [];
  const faults: unknown[] = [];
  for (const { file, entry } of dropped) {
    try {
      const source = await readForeign(file, entry);
      if (source !== null) asked.push({ source });
      else await openDropped(file);
    } catch (error) {
      faults.push(error);
    }
  }
  askToImportEach(asked);
  if (faults.length > 0) throw faults[0];
}

function openDropped(folder: File): Promise<void> {
  const path = findDroppedPath(folder);
  if (path !== null) return openFolder(path);
  throw new AppError(
    'collections.bad_path',
    `A browser does not say where “${folder.name}” is. Use Open a folder, and type its path.`,
  );
}
