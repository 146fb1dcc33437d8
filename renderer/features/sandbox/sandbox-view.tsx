import { useEffect } from 'react';
import { Tabs } from '../../ui/tabs';
import { TextButton } from '../../ui/button';
import { ErrorLine } from '../../ui/error-line';
import { Skeleton } from '../../ui/spinner';
import { DeliveriesTab } from './payments/deliveries-tab';
import { OutcomesTab } from './payments/outcomes-tab';
import { WalletsTab } from './payments/wallets-tab';
import { NotRunning } from './setup/not-running';
import { PaymentsTab } from './payments/payments-tab';
import { RequestsTab } from './requests/requests-tab';
import { SandboxBar } from './setup/sandbox-bar';
import { useSandboxStore, type SandboxTab } from './sandbox-store';
import { BackendTab } from './setup/backend-tab';
import { BehaviourTab } from './setup/behaviour-tab';
import styles from './sandbox.module.css';

/** The embedded service: what it got, what it holds, and how it is set up. */
export function SandboxView() {
  const start = useSandboxStore((state) => state.start);
  const load = useSandboxStore((state) => state.load);
  const phase = useSandboxStore((state) => state.phase);
  const state = useSandboxStore((store) => store.state);
  const error = useSandboxStore((store) => store.error);
  const actionError = useSandboxStore((store) => store.actionError);
  useEffect(() => start(), [start]);
  return (
    <div className={styles.view}>
      <SandboxBar />
      {error ? (
        <ErrorLine error={error} className={styles.fault}>
          <TextButton onPress={() => void load()}>Try again</TextButton>
        </ErrorLine>
      ) : null}
      {actionError ? <ErrorLine error={actionError} className={styles.fault} /> : null}
      {state ? <Parts /> : phase === 'ready' ? <NotRunning /> : error ? null : <Skeleton lines={8} />}
    </div>
  );
}

function Parts() {
  const tab = useSandboxStore((store) => store.tab);
  const showTab = useSandboxStore((store) => store.showTab);
  const requests = useSandboxStore((store) => store.state?.requests.length ?? 0);
  const payments = useSandboxStore((store) => store.state?.payments.length ?? 0);
  const deliveries = useSandboxStore((store) => store.state?.deliveries.length ?? 0);
  return (
    <div className={styles.parts}>
      <Tabs
        label="Parts of the sandbox"
        items={[
          { id: 'requests', label: 'Requests', count: requests },
          { id: 'payments', label: 'Payments', count: payments },
          { id: 'deliveries', label: 'Deliveries', count: deliveries },
          { id: 'wallets', label: 'Wallets' },
          { id: 'outcomes', label: 'Outcomes by account' },
          { id: 'backend', label: 'Your backend' },
          { id: 'behaviour', label: 'Behaviour' },
        ]}
        selected={tab}
        onSelect={(id) => showTab(id as SandboxTab)}
        render={(id) => {
          if (id === 'payments') return <PaymentsTab />;
          if (id === 'deliveries') return <DeliveriesTab />;
          if (id === 'wallets') return <WalletsTab />;
          if (id === 'outcomes') return <OutcomesTab />;
          if (id === 'backend') return <BackendTab />;
          if (id === 'behaviour') return <BehaviourTab />;
          return <RequestsTab />;
        }}
      />
    </div>
  );
}
