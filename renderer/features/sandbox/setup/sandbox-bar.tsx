import { useState } from 'react';
import { stateTones } from '../../../panels/environment-tone';
import { useMenuCommands } from '../../../session/commands';
import { useViewTask } from '../../../session/tasks';
import { Button } from '../../../ui/button';
import { CopyText } from '../../../ui/copy-text';
import { ConfirmDialog, FormDialog } from '../../../ui/form-dialog';
import { formatExact } from '../../../ui/format-time';
import { MoreMenu } from '../../../ui/more-menu';
import { Dot } from '../../../ui/tag';
import { TextField } from '../../../ui/text-field';
import { describeClock, readSeconds } from '../sandbox-selectors';
import { useSandboxStore } from '../sandbox-store';
import shared from '../../../panels/exchange-pane.module.css';
import styles from '../sandbox.module.css';

/** State, address, clock, and what concerns the whole of the sandbox. */
export function SandboxBar() {
  const status = useSandboxStore((store) => store.status);
  const isUnread = useSandboxStore((store) => store.error !== null);
  const hasState = useSandboxStore((store) => store.state !== null);
  return (
    <div className={shared.bar}>
      <span className={styles.state}>
        <Dot tone={status ? stateTones[status.state] : 'quiet'} />
        {status?.state ?? (isUnread ? 'state not known' : 'reading its state')}
      </span>
      {status?.baseUrl ? <CopyText text={status.baseUrl} label="base address" /> : null}
      {hasState ? (
        <>
          <Clock />
          <WholeMenu />
        </>
      ) : null}
    </div>
  );
}

function Clock() {
  const now = useSandboxStore((store) => store.state?.now ?? 0);
  const offsetMs = useSandboxStore((store) => store.state?.clockOffsetMs ?? 0);
  const advanceClock = useSandboxStore((store) => store.advanceClock);
  const isBusy = useSandboxStore((store) => store.isBusy);
  const [isAsking, setAsking] = useState(false);
  useViewTask('moveClock', () => setAsking(true));
  return (
    <div className={styles.clock} role="group" aria-label="Test clock">
      <span title={formatExact(now)}>{`Clock: ${describeClock(offsetMs)}`}</span>
      <Button isDisabled={isBusy} onPress={() => void advanceClock(30)}>
        +30 s
      </Button>
      <Button isDisabled={isBusy} onPress={() => void advanceClock(3600)}>
        +1 h
      </Button>
      <Button isDisabled={isBusy} onPress={() => setAsking(true)}>
        Move…
      </Button>
      {isAsking ? <AdvanceDialog onClose={() => setAsking(false)} /> : null}
    </div>
  );
}

function AdvanceDialog({ onClose }: { onClose: () => void }) {
  const advanceClock = useSandboxStore((store) => store.advanceClock);
  const [text, setText] = useState('1 d');
  const seconds = readSeconds(text);
  const fault = seconds === null ? 'For example 90 s, 20 min, 5 h or 2 d; a year at most.' : null;
  return (
    <FormDialog
      title="Move the test clock forward"
      onClose={onClose}
      submitLabel="Move it"
      obstacle={fault}
      onSubmit={async () => {
        await advanceClock(seconds ?? 0);
        const { actionError } = useSandboxStore.getState();
        if (actionError) throw actionError;
      }}
    >
      <TextField
        label="By"
        value={text}
        onChange={setText}
        autoFocus
        help="Settlement, token expiry and webhook retries follow. It never goes back."
        fault={fault}
      />
    </FormDialog>
  );
}

function WholeMenu() {
  const stopSandbox = useSandboxStore((store) => store.stopSandbox);
  const startSandbox = useSandboxStore((store) => store.startSandbox);
  const reset = useSandboxStore((store) => store.reset);
  const [isAsking, setAsking] = useState(false);
  useViewTask('resetSandbox', () => setAsking(true));
  const restart = async (): Promise<void> => {
    await stopSandbox();
    await startSandbox();
  };
  const actions = [
    { id: 'restart', label: 'Restart', onAction: () => void restart() },
    { id: 'stop', label: 'Stop', onAction: () => void stopSandbox() },
    {
      id: 'reset',
      label: 'Reset…',
      isDanger: true,
      hasLineAbove: true,
      onAction: () => setAsking(true),
    },
  ];
  useMenuCommands(
    'Sandbox',
    // The palette has it wherever one is.
    actions.filter(({ id }) => id !== 'reset'),
  );
  return (
    <>
      <MoreMenu label="Sandbox" actions={actions} />
      <ConfirmDialog
        title="Reset the sandbox?"
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={reset}
        confirmLabel="Reset"
      >
        Payments, deliveries and requests are forgotten, wallets are as at the start. What the inbox and the
        history of this app hold stays.
      </ConfirmDialog>
    </>
  );
}
