import { readEnvironmentName } from '@shared/contract/environment-id';
import { useState } from 'react';
import { useAppStatus } from '../../../session/app-status';
import { FormDialog } from '../../../ui/dialog';
import { TextField } from '../../../ui/text-field';
import { confirmOverride, unlockVault } from '../signing/key-actions';
import styles from './question-dialog.module.css';
import { useRequestsStore, type Question } from '../requests-store';
import { allowProduction, trustHost } from './sending-actions';

const close = (): void => useRequestsStore.setState({ question: null });

/** Asks what has to be asked before a request is signed or sent. */
export function QuestionDialog() {
  const question = useRequestsStore((state) => state.question);
  if (question === null) return null;
  if (question.kind === 'production') return <ProductionDialog question={question} />;
  if (question.kind === 'host') return <HostDialog question={question} />;
  if (question.kind === 'override') return <OverrideDialog question={question} />;
  return <UnlockDialog />;
}

function ProductionDialog({ question }: { question: Extract<Question, { kind: 'production' }> }) {
  const { tabId, environment, host } = question;
  const title = useRequestsStore((state) => state.tabs.find((tab) => tab.id === tabId)?.title ?? '');
  return (
    <FormDialog
      title={`Send to ${host}?`}
      isOpen
      onClose={close}
      onSubmit={() => void allowProduction(tabId, environment, host)}
      submitLabel="Send to production"
    >
      <p className={styles.text}>
        “{title}” goes to <b>{host}</b> in “{readEnvironmentName(environment)}”, which is production: what it
        asks for really happens.
      </p>
      <p className={styles.text}>You are asked once for this host, until the window is closed.</p>
    </FormDialog>
  );
}

function HostDialog({ question }: { question: Extract<Question, { kind: 'host' }> }) {
  const { tabId, environment, host, home, target } = question;
  const [typed, setTyped] = useState('');
  return (
    <FormDialog
      title={`Send a token or signature to ${host}?`}
      isOpen
      onClose={close}
      onSubmit={() => void trustHost(tabId, environment, host)}
      submitLabel="Send it there"
      isSubmitDisabled={typed.trim() !== host}
      isDanger
    >
      <p className={styles.text}>
        This request goes to <b>{target}</b>, and asks for a token or signature that belongs to <b>{home}</b>.
        Nothing was sent.
      </p>
      <p className={styles.text}>
        Whoever runs {host} can use the token as if it were yours. You are asked once for this host, until the
        window is closed.
      </p>
      <TextField label={`Type ${host} to go on`} value={typed} onChange={setTyped} isCode autoFocus />
    </FormDialog>
  );
}

function OverrideDialog({ question }: { question: Extract<Question, { kind: 'override' }> }) {
  const { tabId, environment, keyId, keyName } = question;
  const owner = useRequestsStore((state) => state.keys.find((key) => key.id === keyId)?.environment);
  const [typed, setTyped] = useState('');
  const name = readEnvironmentName(environment);
  return (
    <FormDialog
      title={`Sign with “${keyName}” in “${name}”?`}
      isOpen
      onClose={close}
      onSubmit={() => confirmOverride(tabId, { environment, keyId, overrideConfirmation: typed })}
      submitLabel="Use this key here"
      isSubmitDisabled={typed !== name}
      isDanger
    >
      <p className={styles.text}>
        The key belongs to “{owner ? readEnvironmentName(owner) : 'another environment'}”. A service that does
        not know it refuses the signature; one that does takes it for the other environment’s. This request
        alone is signed with it, until the window is closed.
      </p>
      <TextField label={`Type ${name} to go on`} value={typed} onChange={setTyped} isCode autoFocus />
    </FormDialog>
  );
}

function UnlockDialog() {
  const box = useAppStatus((state) => state.status?.vault.box);
  const message = useAppStatus((state) => state.status?.vault.message ?? null);
  const [passphrase, setPassphrase] = useState('');
  const isAsked = box === 'passphrase';
  return (
    <FormDialog
      title="Unlock the vault"
      isOpen
      onClose={close}
      onSubmit={() => unlockVault(passphrase)}
      submitLabel="Unlock"
      isSubmitDisabled={isAsked && passphrase === ''}
    >
      {isAsked ? (
        <TextField label="Passphrase" type="password" value={passphrase} onChange={setPassphrase} autoFocus />
      ) : (
        <p className={styles.text}>
          {box === 'os_keychain' ? 'The system’s keychain' : 'The key file in the data directory'} opens it;
          no passphrase is needed. {message}
        </p>
      )}
    </FormDialog>
  );
}
