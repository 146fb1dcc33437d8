import type { TeamInbox } from '@shared/contract/team';
import { useState } from 'react';
import { FormDialog } from '../../../ui/form-dialog';
import { TextField } from '../../../ui/text-field';
import { useInboxStore } from '../inbox-store';
import styles from '../inbox.module.css';

/** Asks for the password of a team's inbox, until the app ends. */
export function PasswordDialog({
  inbox: { id, name, address },
  onClose,
}: {
  inbox: Pick<TeamInbox, 'id' | 'name' | 'address'>;
  onClose: () => void;
}) {
  const showStore = useInboxStore((state) => state.showStore);
  const [password, setPassword] = useState('');
  const submit = async (): Promise<void> => {
    await showStore(id, password);
    const { storeError } = useInboxStore.getState();
    if (storeError) throw storeError;
  };
  return (
    <FormDialog
      title={`Password for “${name}”`}
      onClose={onClose}
      onSubmit={submit}
      submitLabel="Open"
      obstacle={password === '' && 'Enter the password'}
    >
      <TextField label="Password" type="password" value={password} onChange={setPassword} autoFocus />
      <p className={styles.told}>
        {`For ${address}. It is kept in memory until the app ends; Change… seals it in the vault.`}
      </p>
    </FormDialog>
  );
}
