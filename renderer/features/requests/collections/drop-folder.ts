import { AppError } from '@shared/errors';
import { findDroppedPath } from '../../../transport/client';
import { runInTree } from '../tree/node-actions';
import { openFolder } from './open-collections';

/** Opens folders that are dropped onto the window. Anything else dropped goes to whoever takes it, and nowhere else. */
export function followDroppedFolders(): () => void {
  const hold = (event: DragEvent): void => {
    if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
  };
  const take = (event: DragEvent): void => {
    // A file that nobody takes would otherwise be shown in place of the app.
    hold(event);
    for (const item of event.dataTransfer?.items ?? []) {
      const file = item.kind === 'file' && item.webkitGetAsEntry()?.isDirectory ? item.getAsFile() : null;
      if (file !== null) void runInTree(() => openDropped(file));
    }
  };
  window.addEventListener('dragover', hold);
  window.addEventListener('drop', take);
  return () => {
    window.removeEventListener('dragover', hold);
    window.removeEventListener('drop', take);
  };
}

function openDropped(folder: File): Promise<void> {
  const path = findDroppedPath(folder);
  if (path !== null) return openFolder(path);
  throw new AppError(
    'collections.bad_path',
    `A browser does not say where “${folder.name}” is. Use Open a folder, and type its path.`,
  );
}
