import { Fragment, useState } from 'react';
import { useAppStatus } from '../../../session/app-status';
import { useEnvironmentLabel } from '../../../session/environments';
import { ConfirmDialog, FormDialog } from '../../../ui/form-dialog';
import { showControls } from '@shared/show-controls';
import { TextField } from '../../../ui/text-field';
import { confirmOverride, unlockVault } from '../signing/key-actions';
import styles from './question-dialog.module.css';
import { useRequestsStore, type Question } from '../requests-store';
import type { PaymentFacts } from '@shared/payments/read-payment';
import { allowProduction } from './allow-production';
import { sendRequest, trustHost } from './sending-actions';
import { ForeignText } from '../../../ui/foreign-text';

/** Closes a question; one that came in its place stays. */
const close = (asked: Question): void =>
  useRequestsStore.setState(({ question }) => (question === asked ? { question: null } : {}));

/** Asks what has to be asked before a request is signed or sent. */
export function QuestionDialog() {
  const question = useRequestsStore((state) => state.question);
  if (question === null) return null;
  if (question.kind === 'production') return <ProductionDialog question={question} />;
  if (question.kind === 'reference') return <ReferenceDialog question={question} />;
  if (question.kind === 'host') return <HostDialog question={question} />;
  if (question.kind === 'override') return <OverrideDialog question={question} />;
  return <UnlockDialog question={question} />;
}

function ProductionDialog({ question }: { question: Extract<Question, { kind: 'production' }> }) {
  const { tabId, environment, host, payment } = question;
  const title = useRequestsStore((state) => state.tabs.find((tab) => tab.id === tabId)?.title ?? '');
  return (
    <ConfirmDialog
      title={payment ? nameOf(payment, host) : `Send to ${host}?`}
      onClose={() => close(question)}
      onConfirm={() => void allowProduction(tabId, question)}
      confirmLabel="Send to production"
    >
      {payment ? <PaymentTable payment={payment} host={host} /> : null}
      <p className={styles.text}>
        “
        <ForeignText text={title} />” goes to <b>{host}</b> in “
        <ForeignText text={environment} />
        ”, which is production: what it asks for really happens.{' '}
        {payment
          ? 'Every payment there is asked about.'
          : 'You are asked once for this host, until the window is closed.'}
      </p>
    </ConfirmDialog>
  );
}

function nameOf({ amount, currency, isCollection }: PaymentFacts, host: string): string {
  if (amount === null) return `Send a payment to ${host}?`;
  return `${isCollection ? 'Collect' : 'Pay'} ${showControls([currency, amount].filter(Boolean).join(' '))}?`;
}

/** What is paid, as the body has it, each in its own direction of text. */
function PaymentTable({ payment, host }: { payment: PaymentFacts; host: string }) {
  const rows = [
    ['Amount', payment.amount],
    ['Currency', payment.currency],
    [payment.isCollection ? 'Payer' : 'Recipient', payment.party],
    ['Host', host],
  ] as const;
  return (
    <dl className={styles.facts}>
      {rows.map(([name, value]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{value === null ? 'the body does not say' : <ForeignText text={value} />}</dd>
        </Fragment>
      ))}
    </dl>
  );
}

function ReferenceDialog({ question }: { question: Extract<Question, { kind: 'reference' }> }) {
  const { tabId, reference, how } = question;
  return (
    <ConfirmDialog
      title="Send another body under the same reference?"
      onClose={() => close(question)}
      onConfirm={() => void sendRequest(tabId, true, { ...how, isReuse: true })}
      confirmLabel="Send it all the same"
    >
      <p className={styles.text}>
        A payment was sent under{' '}
        <b>
          <ForeignText text={reference} />
        </b>{' '}
        before, and this body is not the same. One reference is one payment: the service may ignore this as a
        duplicate, and what it does is not laid down. For another payment, choose “New reference” beside the
        answer.
      </p>
    </ConfirmDialog>
  );
}

function HostDialog({ question }: { question: Extract<Question, { kind: 'host' }> }) {
  const { tabId, environment, host, home, target } = question;
  const [typed, setTyped] = useState('');
  return (
    <FormDialog
      title={`Send a token or signature to ${host}?`}
      onClose={() => close(question)}
      onSubmit={() => void trustHost(tabId, environment, host)}
      submitLabel="Send it there"
      obstacle={typed.trim() !== host && `Type ${host}`}
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
  const ownerLabel = useEnvironmentLabel(owner ?? '');
  const [typed, setTyped] = useState('');
  const name = useEnvironmentLabel(environment);
  return (
    <FormDialog
      title={`Sign with “${keyName}” in “${name}”?`}
      onClose={() => close(question)}
      onSubmit={() => confirmOverride(tabId, { environment, keyId, overrideConfirmation: typed })}
      submitLabel="Use this key here"
      obstacle={typed !== name && `Type ${name}`}
      isDanger
    >
      <p className={styles.text}>
        The key belongs to “{owner ? ownerLabel : 'another environment'}”. A service that does not know it
        refuses the signature; one that does takes it for the other environment’s. This request alone is
        signed with it, until the window is closed.
      </p>
      <TextField label={`Type ${name} to go on`} value={typed} onChange={setTyped} isCode autoFocus />
    </FormDialog>
  );
}

function UnlockDialog({ question }: { question: Question }) {
  const box = useAppStatus((state) => state.status?.vault.box);
  const message = useAppStatus((state) => state.status?.vault.message ?? null);
  const [passphrase, setPassphrase] = useState('');
  const isAsked = box === 'passphrase';
  return (
    <FormDialog
      title="Unlock the vault"
      onClose={() => close(question)}
      onSubmit={() => unlockVault(passphrase)}
      submitLabel="Unlock"
      obstacle={isAsked && passphrase === '' && 'Enter the passphrase'}
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
