import { EmptyState } from '../../../ui/empty-state';
import { PortForm } from '../../../ui/port-form';
import { useSandboxStore } from '../sandbox-store';
import styles from '../sandbox.module.css';

/** Says why the sandbox does not answer, and starts it. */
export function NotRunning() {
  const status = useSandboxStore((store) => store.status);
  const isBusy = useSandboxStore((store) => store.isBusy);
  const startSandbox = useSandboxStore((store) => store.startSandbox);
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
        <PortForm
          className={styles.startForm}
          portClassName={styles.port}
          start="Start the sandbox"
          isPrimary
          isBusy={isStarting}
          onStart={(port) => void startSandbox(port)}
        />
      }
    >
      {status?.message ?? 'Requests to the local environment find no one until it runs.'}
    </EmptyState>
  );
}
