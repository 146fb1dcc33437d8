import { askToImport } from '../../session/asked-import';
import { toClientError } from '../../transport/client-error';
import type { Dropped } from './read-dropped';

/**
 * Takes files and folders that are dropped on the window, in any view: what another tool made is asked about, a folder is opened.
 *
 * A dialog that asks for a file gets it. What nobody takes is held: it would be shown in place of the app. Fields for files stay
 * as they are.
 */
export function takeDropped(): void {
  const isForField = ({ target }: DragEvent): boolean =>
    target instanceof HTMLInputElement && target.type === 'file';
  const hold = (event: DragEvent): void => {
    if (event.dataTransfer?.types.includes('Files') && !isForField(event)) event.preventDefault();
  };
  const take = (event: DragEvent): void => {
    hold(event);
    if (isForField(event)) return;
    const dropped = listDropped(event.dataTransfer);
    if (dropped.length > 0) void askAbout(dropped);
  };
  window.addEventListener('dragover', hold);
  window.addEventListener('drop', take);
}

/** Read at once: the browser forgets them as soon as the event is over. */
function listDropped(data: DataTransfer | null): Dropped[] {
  return [...(data?.items ?? [])].flatMap((item): Dropped[] => {
    const file = item.kind === 'file' ? item.getAsFile() : null;
    return file === null ? [] : [{ file, entry: item.webkitGetAsEntry() }];
  });
}

/** What reads them is loaded when it is wanted. */
async function askAbout(dropped: readonly Dropped[]): Promise<void> {
  try {
    const { takeAll } = await import('./ask-about-dropped');
    await takeAll(dropped);
  } catch (error) {
    askToImport({ refused: { name: dropped[0]!.file.name, error: toClientError(error) } });
  }
}
