import { useMemo } from 'react';
import { commandOf, useCommands } from '../../session/commands';
import { askForExport, useExportTask } from '../../session/export-task';
import { chooseWorkedIn } from '../../session/worked-in';
import { call } from '../../transport/client';
import { later } from '../../ui/later';

// Nobody waits for the window because of what is seldom asked for.
const ExportDialog = later(async () => (await import('./export-dialog')).ExportDialog, { isSeldom: true });

/** Shows the choice of the form once an export is asked for, and offers the command. */
export function ExportTask() {
  const subject = useExportTask((state) => state.subject);
  const commands = useMemo(() => [commandOf('export-collection', { run: () => void askForActive() })], []);
  useCommands('export', commands);
  if (subject === null) return null;
  return <ExportDialog subject={subject} onClose={() => useExportTask.setState({ subject: null })} />;
}

/** The collection that is worked in; where none is open, the dialog says so when it is asked to export. */
async function askForActive(): Promise<void> {
  const listed = await call('collections.list').catch(() => ({ collections: [], activeId: null }));
  const chosen = chooseWorkedIn(listed);
  const { name = 'collection' } = listed.collections.find(({ id }) => id === chosen) ?? {};
  askForExport({ collectionId: chosen ?? 'none', path: '', name });
}
