import { useState } from 'react';
import { FormDialog } from '../../../ui/form-dialog';
import { useSelectAtFirst } from '../../../ui/select-at-first';
import { TextField } from '../../../ui/text-field';
import { useRequestsStore, type OpenTab } from '../requests-store';
import { askForExample, useExampleTask } from './example-task';
import { saveExample, suggestName } from './save-example';

/** Asks what an answer is called that is kept beside its request. */
export function SaveExampleDialog() {
  const tabId = useExampleTask((state) => state.tabId);
  const tab = useRequestsStore(({ tabs }) => tabs.find(({ id }) => id === tabId));
  return tab === undefined ? null : <NameDialog key={tab.id} tab={tab} />;
}

function NameDialog({ tab }: { tab: OpenTab }) {
  const [name, setName] = useState(() => (tab.exchange ? suggestName(tab.exchange) : ''));
  const selectAtFirst = useSelectAtFirst();
  return (
    <FormDialog
      title={`Keep this answer beside “${tab.title}”`}
      onClose={() => askForExample(null)}
      onSubmit={() => saveExample(tab.id, name.trim())}
      submitLabel="Save"
      obstacle={name.trim() === '' && 'Enter a name'}
    >
      <TextField
        label="Name of the example"
        value={name}
        onChange={setName}
        // A name is typed over the one that is offered.
        onFocus={selectAtFirst}
        autoFocus
      />
    </FormDialog>
  );
}
