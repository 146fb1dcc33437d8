import type { ListenerStatus } from '@shared/contract/inbox';
import { useState } from 'react';
import { Button, TextButton } from '../../ui/button';
import { CopyText } from '../../ui/copy-text';
import { cx } from '../../ui/cx';
import { FormDialog } from '../../ui/form-dialog';
import { PortForm } from '../../ui/port-form';
import { readWhole } from '../../ui/read-whole';
import { readRemembered, remember } from '../../ui/remembered';
import { ErrorLine } from '../../ui/error-line';
import { Spinner } from '../../ui/spinner';
import { Dot } from '../../ui/tag';
import { formatExact } from '../../ui/format-time';
import { TextField } from '../../ui/text-field';
import { Tooltip } from '../../ui/tooltip';
import { useViewTask } from '../../session/tasks';
import { RulesDialog } from './rules-dialog';
import { TestWebhookDialog } from './test-webhook/test-webhook-dialog';
import { describeRule } from './inbox-selectors';
import { useInboxStore } from './inbox-store';
import styles from './inbox.module.css';
import fields from '../../ui/field.module.css';

/** What webhooks are answered with, or why none are taken in. Always there. */
export function AnswerStrip() {
  const listener = useInboxStore((state) => state.listener);
  const error = useInboxStore((state) => state.listenerError);
  // The list says it, too, with a way out.
  const isTold = useInboxStore((state) => state.error?.message === error?.message);
  return (
    <div className={styles.answer} role="group" aria-label="Listener">
      {listener === null ? (
        error ? null : (
          <Spinner label="Reading the listener's state" />
        )
      ) : listener.state === 'running' ? (
        <Answering listener={listener} />
      ) : (
        <>
          <NotListening listener={listener} />
          <div className={styles.answerLine}>
            <span>Without a payment</span>
            <TestWebhook url={listener.url} />
          </div>
        </>
      )}
      {listener?.state === 'running' && listener.message !== null ? (
        <ErrorLine error={{ message: listener.message }} tone="warn" />
      ) : null}
      {listener?.state === 'running' && listener.notTaken !== null ? (
        <NotTaken notTaken={listener.notTaken} />
      ) : null}
      {error && !isTold ? <ErrorLine error={error} /> : null}
    </div>
  );
}

/** A webhook without a payment: where somebody looks who waits for the first one. */
function TestWebhook({ url }: { url: string | null }) {
  const [isAsked, setAsked] = useState(false);
  useViewTask('sendTestWebhook', () => setAsked(true));
  return (
    <>
      <Tooltip text="Send a test webhook, without a payment">
        <TextButton aria-label="Send a test webhook…" onPress={() => setAsked(true)}>
          Test…
        </TextButton>
      </Tooltip>
      {isAsked ? <TestWebhookDialog listenerUrl={url} onClose={() => setAsked(false)} /> : null}
    </>
  );
}

function Answering({ listener }: { listener: ListenerStatus }) {
  const [isChanging, setChanging] = useState(false);
  const [isEditingRules, setEditingRules] = useState(false);
  const { rule, isStoring } = listener;
  const isGood = isStoring && rule.respondStatus >= 200 && rule.respondStatus < 300;
  return (
    <div className={styles.answerLine}>
      <span>Answering</span>
      <b className={isGood ? undefined : styles.warn}>{isStoring ? describeRule(rule) : '503: not stored'}</b>
      {listener.url ? (
        <span className={cx(styles.address, styles.known)}>
          on <CopyText text={listener.url} label="listener address" />
        </span>
      ) : null}
      <TextButton className={styles.change} onPress={() => setEditingRules(true)}>
        {listener.ruleCount === 0
          ? 'Rules'
          : listener.ruleCount === 1
            ? '1 rule first'
            : `${listener.ruleCount} rules first`}
      </TextButton>
      <TextButton onPress={() => setChanging(true)}>Change</TextButton>
      <TestWebhook url={listener.url} />
      {isEditingRules ? <RulesDialog onClose={() => setEditingRules(false)} /> : null}
      {isChanging ? <RuleDialog rule={listener.rule} onClose={() => setChanging(false)} /> : null}
    </div>
  );
}

/** When what was dismissed had come. */
const SEEN = 'inbox.notTakenSeen';

/** What came and is no webhook in the list: whoever waits for one looks here. */
function NotTaken({ notTaken }: { notTaken: NonNullable<ListenerStatus['notTaken']> }) {
  const { count, at, httpStatus, reason, remoteAddress } = notTaken;
  const [seenAt, setSeenAt] = useState(() => Number(readRemembered(SEEN) ?? 0));
  if (at <= seenAt) return null;
  const dismiss = (): void => {
    remember(SEEN, at);
    setSeenAt(at);
  };
  const what = count === 1 ? 'A request was not taken' : `${count} requests were not taken, the latest`;
  const facts = [httpStatus, remoteAddress && `from ${remoteAddress}`, `at ${formatExact(at).slice(11, 19)}`];
  return (
    <ErrorLine
      error={{ message: `${what}: ${reason} (${facts.filter(Boolean).join(', ')}).` }}
      tone="warn"
      isQuiet
    >
      <TextButton onPress={dismiss}>Dismiss</TextButton>
    </ErrorLine>
  );
}

const presets = [
  { label: '200 at once', respondStatus: 200, delayMs: 0 },
  { label: '200 after 5 s', respondStatus: 200, delayMs: 5000 },
  { label: '500: the service retries', respondStatus: 500, delayMs: 0 },
  { label: '410: gone', respondStatus: 410, delayMs: 0 },
] as const;

function RuleDialog({ rule, onClose }: { rule: ListenerStatus['rule']; onClose: () => void }) {
  const setRule = useInboxStore((state) => state.setRule);
  const [status, setStatus] = useState(String(rule.respondStatus));
  const [delay, setDelay] = useState(String(rule.delayMs));
  const statusFault = readWhole(status, 100, 599) === null ? 'A status from 100 to 599.' : null;
  const delayFault = readWhole(delay, 0, 120_000) === null ? 'Milliseconds, 0 to 120000.' : null;
  const submit = async (): Promise<void> => {
    const isDone = await setRule({ respondStatus: Number(status), delayMs: Number(delay) });
    const { listenerError } = useInboxStore.getState();
    if (!isDone && listenerError) throw listenerError;
  };
  return (
    <FormDialog
      title="What webhooks are answered with"
      onClose={onClose}
      onSubmit={submit}
      submitLabel="Answer so"
      obstacle={statusFault ?? delayFault}
    >
      <div className={styles.presets}>
        {presets.map((preset) => (
          <Button
            key={preset.label}
            onPress={() => {
              setStatus(String(preset.respondStatus));
              setDelay(String(preset.delayMs));
            }}
          >
            {preset.label}
          </Button>
        ))}
      </div>
      <div className={fields.pair}>
        <TextField label="HTTP status" value={status} onChange={setStatus} fault={statusFault} autoFocus />
        <TextField label="Delay, milliseconds" value={delay} onChange={setDelay} fault={delayFault} />
      </div>
    </FormDialog>
  );
}

function NotListening({ listener }: { listener: ListenerStatus }) {
  const isBusy = useInboxStore((state) => state.isListenerBusy);
  const startListener = useInboxStore((state) => state.startListener);
  const isStarting = listener.state === 'starting' || isBusy;
  return (
    <PortForm
      className={styles.stopped}
      portClassName={styles.port}
      start="Start"
      isBusy={isStarting}
      onStart={(port) => void startListener(port)}
    >
      <span className={styles.state}>
        <Dot tone={listener.state === 'failed' ? 'bad' : 'quiet'} />
        {listener.message ??
          (listener.state === 'failed'
            ? 'The listener failed'
            : isStarting
              ? 'The listener is starting'
              : 'The listener is stopped: webhooks find no one')}
      </span>
    </PortForm>
  );
}
