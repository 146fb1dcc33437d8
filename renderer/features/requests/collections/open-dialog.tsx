import { useState } from 'react';
import { FormDialog } from '../../../ui/form-dialog';
import { useRequestsStore } from '../requests-store';
import { openFolder } from './open-collections';
import { PathField } from './path-field';

/** Asks for the path of a folder, where the system has no dialog to choose one with. */
export function OpenDialog({ onClose }: { onClose: () => void }) {
  const recent = useRequestsStore((state) => state.recent);
  const [path, setPath] = useState('');
  return (
    <FormDialog
      title="Open a folder"
      onClose={onClose}
      onSubmit={() => openFolder(path.trim())}
      submitLabel="Open"
      obstacle={path.trim() === '' && 'Enter a folder'}
    >
      <PathField
        label="Path"
        path={path}
        onChange={setPath}
        autoFocus
        recent={recent.map(({ directory }) => directory)}
      />
    </FormDialog>
  );
}
