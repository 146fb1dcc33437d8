import { AppError } from '@shared/errors';
import { navigate, useRoute } from '../../../session/routes';
import { findDroppedPath } from '../../../transport/client';
import { startRequests } from '../start-requests';
import { runInTree } from '../tree/node-actions';
import { openFolder } from './open-collections';

/** Opens folders that were dropped on the window, and shows them; where one cannot be opened, the tree says so. */
export async function openDroppedFolders(folders: readonly File[]): Promise<void> {
  if (useRoute.getState().view !== 'requests') navigate('requests');
  await startRequests();
  await runInTree(async () => {
    const opened = await Promise.allSettled(folders.map(openDropped));
    const failed = opened.find((one) => one.status === 'rejected');
    if (failed) throw failed.reason;
  });
}

async function openDropped(folder: File): Promise<void> {
  const path = findDroppedPath(folder);
  if (path !== null) return openFolder(path);
  throw new AppError(
    'collections.bad_path',
    `A browser does not say where “${folder.name}” is. Use Open a folder, and type its path.`,
  );
}
