import { create } from 'zustand';

/** What is to be exported: a collection (empty path), a folder of it, or a request file. */
export interface ExportSubject {
  collectionId: string;
  path: string;
  name: string;
}

/** What the export is asked for; null: none. */
export const useExportTask = create<{ subject: ExportSubject | null }>(() => ({ subject: null }));

/** Opens the choice of the form to export in, from whichever view. */
export function askForExport({ collectionId, path, name }: ExportSubject): void {
  useExportTask.setState({ subject: { collectionId, path, name } });
}
