import { useState } from 'react';
import { Button, TextButton } from '../../../ui/button';
import { Dialog } from '../../../ui/dialog';
import { FormDialog } from '../../../ui/form-dialog';
import { TextField } from '../../../ui/text-field';
import { openFault } from './open-row';
import { startRun } from './run-actions';
import { useRunStore, type RunQuestion } from './run-store';
import styles from './run.module.css';
import { ForeignText } from '../../../ui/foreign-text';
import tones from '../../../ui/tone.module.css';
import { TableHead } from '../../../ui/table-head';

/** Closes a question; one that came in its place stays. */
const close = (asked: RunQuestion): void =>
  useRunStore.setState(({ question }) => (question === asked ? { question: null } : {}));

/** Asks what has to be asked before a run, or says why there is none. */
export function RunDialog() {
  const question = useRunStore((state) => state.question);
  if (question === null) return null;
  if (question.faults.length > 0) return <FaultsDialog question={question} />;
  return <ProductionRunDialog question={question} />;
}

const mostFaults = 50;

function FaultsDialog({ question }: { question: RunQuestion }) {
  const { faults, title, subject } = question;
  const left = faults.length - mostFaults;
  return (
    <Dialog title={`“${title}” cannot be run yet`} onClose={() => close(question)} width="wide">
      <p className={tones.soft}>Nothing was sent. Mend this first:</p>
      <ul className={styles.faults} tabIndex={0} aria-label="What is wrong">
        {faults.slice(0, mostFaults).map(({ path, line, message }, index) => (
          <li key={index}>
            {path === '' ? null : (
              <TextButton
                onPress={() => void openFault(subject.collectionId, path)}
              >{`${path}:${line}`}</TextButton>
            )}{' '}
            <ForeignText text={message} />
          </li>
        ))}
        {left > 0 ? <li>{`And ${left} more.`}</li> : null}
      </ul>
      <div className={styles.actions}>
        <Button variant="primary" autoFocus onPress={() => close(question)}>
          Close
        </Button>
      </div>
    </Dialog>
  );
}

function ProductionRunDialog({ question }: { question: RunQuestion }) {
  const { subject, title, production, requestCount } = question;
  const [typed, setTyped] = useState('');
  if (production === null) return null;
  const { name, host, paymentCount, mark } = production;
  const isOne = requestCount === 1;
  return (
    <FormDialog
      title={`Run “${title}” in production?`}
      onClose={() => close(question)}
      onSubmit={() => startRun(subject, title, { confirmation: typed, ...(mark !== undefined && { mark }) })}
      submitLabel="Run in production"
      obstacle={typed !== name && `Type ${name}`}
      isDanger
      width="wide"
    >
      <p className={tones.soft}>
        {isOne ? 'One request goes' : `${requestCount.toLocaleString('en')} requests go`} to <b>{host}</b> in
        “{name}
        ”, which is production: what {isOne ? 'it asks' : 'they ask'} for really happens.{' '}
        {tellPayments(paymentCount, isOne)}
      </p>
      {paymentCount > 0 ? <Payments production={production} /> : null}
      <TextField
        label={`Type ${name} to run ${isOne ? 'it' : 'them'}`}
        value={typed}
        onChange={setTyped}
        isCode
        autoFocus
      />
    </FormDialog>
  );
}

/** What is no payment of the interface may pay somebody, too. */
function tellPayments(count: number, isOne: boolean): string {
  if (isOne) return count === 0 ? 'It is no payment that is known.' : 'It moves money.';
  if (count === 0) return 'None of them is a payment that is known.';
  return count === 1 ? 'One of them moves money.' : `${count.toLocaleString('en')} of them move money.`;
}

function Payments({ production }: { production: NonNullable<RunQuestion['production']> }) {
  const { payments, paymentCount } = production;
  return (
    <div className={styles.payments} tabIndex={0} role="group" aria-label="Payments">
      <table>
        <TableHead names={['Request', 'Amount', 'Who']} />
        <tbody>
          {payments.map((payment, index) => (
            <tr key={index}>
              <td>
                <ForeignText text={payment.name} />
              </td>
              <td>
                <ForeignText text={[payment.currency, payment.amount].filter(Boolean).join(' ') || '–'} />
              </td>
              <td>
                <ForeignText text={payment.party ?? 'the body does not say'} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {paymentCount > payments.length ? <p>{`And ${paymentCount - payments.length} more.`}</p> : null}
    </div>
  );
}
