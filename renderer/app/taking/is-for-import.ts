import { useAskedImport } from '../../session/asked-import';
import { isDialogOpen } from '../../session/commands';

/** Whether what is given to the window may be asked about: a dialog other than the import's own has it to itself. */
export const isForImport = (): boolean => !isDialogOpen() || useAskedImport.getState().asked !== null;
