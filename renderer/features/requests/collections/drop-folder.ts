import { AppError } from '@shared/errors';
import { askToImport } from '../../../session/asked-import';
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
    for (const item of event.dataTransfer?.items ?? []) {
      const entry = item.kind === 'file' ? item.webkitGetAsEntry() : null;
      const file = item.kind === 'file' ? item.getAsFile() : null;
      if (file !== null) void runInTree(() => takeDropped(file, entry));
    }
  };
  window.addEventListener('dragover', hold);
  window.addEventListener('drop', take);
  return () => {
    window.removeEventListener('dragover', hold);
    window.removeEventListener('drop', take);
  };
}

async function takeDropped(file: File, entry: FileSystemEntry | null): Promise<void> {
  const foreign = await readForeign(file, entry);
  if (foreign !== null) askToImport({ source: foreign });
  else await openDropped(file);
}

function openDropped(folder: File): Promise<void> {
  const path = findDroppedPath(folder);
  if (path !== null) return openFolder(path);
  throw new AppError(
    'collections.bad_path',
    `A browser does not say where “${folder.name}” is. Use Open a folder, and type its path.`,
  );
}
