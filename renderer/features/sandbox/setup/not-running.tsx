import { useState } from 'react';
import { Button } from '../../../ui/button';
import { EmptyState } from '../../../ui/empty-state';
import { TextField } from '../../../ui/text-field';
import { useSandboxStore } from '../sandbox-store';
import styles from '../sandbox.module.css';

/** Says why the sandbox does not answer, and starts it. */
export function NotRunning() {
  const status = useSandboxStore((store) => store.status);
  const isBusy = useSandboxStore((store) => store.isBusy);
  const startSandbox = useSandboxStore((store) => store.startSandbox);
  const [port, setPort] = useState('');
  const isGood = port.trim() === '' || (/^\d{1,5}$/.test(port.trim()) && Number(port) <= 65_535);
  const isStarting = status?.state === 'starting' || isBusy;
  const title = isStarting
    ? 'The sandbox is starting'
    : status?.state === 'failed'
      ? 'The sandbox could not start'
      : 'The sandbox is stopped';
  return (
    <EmptyState
      title={title}
      action={
        <form
          className={styles.startForm}
          onSubmit={(event) => {
            event.preventDefault();
            if (isGood) void startSandbox(port.trim() === '' ? undefined : Number(port));
          }}
        >
          <TextField
            label="Port"
            isLabelHidden
            className={styles.port}
            placeholder="Port"
            value={port}
            onChange={setPort}
            fault={isGood ? null : '0 to 65535'}
          />
          <Button type="submit" variant="primary" isDisabled={!isGood || isStarting}>
            Start the sandbox
          </Button>
        </form>
      }
    >
      {status?.message ?? 'Requests to the local environment find no one until it runs.'}
    </EmptyState>
  );
}
