import type { Environment } from '@shared/contract/environments';
import { needsNameTyped } from '@shared/contract/needs-name-typed';
import { useState } from 'react';
import { FormDialog } from '../../ui/form-dialog';
import { TextField } from '../../ui/text-field';
import { useEnvironmentsStore } from './environments-store';
import styles from './environments.module.css';
import { ForeignText } from '../../ui/foreign-text';
import tones from '../../ui/tone.module.css';

/** Asks for the user's word before what is kept for an environment goes to another address. */
export function BindAddressDialog({
  environment,
  onClose,
}: {
  environment: Environment;
  onClose: () => void;
}) {
  const bindAddress = useEnvironmentsStore((state) => state.bindAddress);
  const [typed, setTyped] = useState('');
  const { id, name, label, kind, addressChange, hasCredentials, keyId } = environment;
  if (addressChange === null) return null;
  const { from, to } = addressChange;
  const isProduction = kind === 'production';
  const isTyped = needsNameTyped(environment, addressChange);
  return (
    <FormDialog
      title={`Bind “${label}” to its new address?`}
      onClose={onClose}
      onSubmit={() => bindAddress({ id, address: to, ...(isTyped ? { confirmation: typed } : {}) })}
      submitLabel="Bind to the new address"
      obstacle={to === '' ? 'It has no address' : isTyped && typed !== name && `Type ${name}`}
      isDanger={isProduction}
    >
      <dl className={styles.addresses}>
        <dt>Kept for</dt>
        <dd>
          <ForeignText text={from ?? 'no address that is known'} />
        </dd>
        <dt>Now</dt>
        <dd>
          <ForeignText text={to === '' ? 'no address' : to} />
        </dd>
        <dt>Counts as</dt>
        <dd>{isProduction ? 'production' : 'a test environment, not production'}</dd>
      </dl>
      <p className={tones.soft}>
        From then on what is kept for this environment goes to the new address
        {hasCredentials ? ', consumer key, secret and tokens, too' : ''}
        {keyId === null ? '' : ', and its key signs for it'}. If you expected no change, ask whoever made it
        before you go on.
      </p>
      {isTyped ? (
        <TextField label={`Type ${name} to go on`} value={typed} onChange={setTyped} isCode autoFocus />
      ) : null}
    </FormDialog>
  );
}
