import { useState } from 'react';
import { FormDialog } from '../../../ui/form-dialog';
import { Select } from '../../../ui/select';
import { TextField } from '../../../ui/text-field';
import { makeCollection } from './open-collections';
import { PathField } from './path-field';

const origins = [
  { id: 'starter', label: 'The starter', detail: 'A request of each operation, ready to send' },
  { id: 'empty', label: 'Empty', detail: 'A folder with nothing in it' },
] as const;

/** Asks for what a new collection is called, what it begins with and where its folder is made. */
export function MakeDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('');
  const [from, setFrom] = useState<(typeof origins)[number]['id']>('starter');
  const [directory, setDirectory] = useState('');
  return (
    <FormDialog
      title="New collection"
      onClose={onClose}
      onSubmit={() => makeCollection({ name: name.trim(), from, directory: directory.trim() || null })}
      submitLabel="Create"
      obstacle={name.trim() === '' && 'Enter a name'}
    >
      <TextField label="Name" value={name} onChange={setName} autoFocus />
      <Select
        label="Begins with"
        options={origins}
        selected={from}
        onSelect={(id) => setFrom(id === 'empty' ? 'empty' : 'starter')}
      />
      <PathField
        label="Folder to make it in"
        path={directory}
        onChange={setDirectory}
        placeholder="That of the data directory"
        isOptional
      />
    </FormDialog>
  );
}
