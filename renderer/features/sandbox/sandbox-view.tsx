import { useEffect } from 'react';
import { GoliveReportPanel } from '../../panels/golive-report';
import { useAsked } from '../../session/routes';
import { useViewTask } from '../../session/tasks';
import { Tabs } from '../../ui/tabs';
import { ErrorLine } from '../../ui/error-line';
import { LoadError } from '../../ui/load-error';
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
import shared from '../../panels/exchange-pane.module.css';

/** The embedded service: what it got, what it holds, and how it is set up. */
export function SandboxView() {
  const start = useSandboxStore((state) => state.start);
  const load = useSandboxStore((state) => state.load);
  const phase = useSandboxStore((state) => state.phase);
  const state = useSandboxStore((store) => store.state);
  const error = useSandboxStore((store) => store.error);
  const actionError = useSandboxStore((store) => store.actionError);
  const remark = useSandboxStore(({ status }) => (status?.state === 'running' ? status.message : null));
  useEffect(() => start(), [start]);
  useAsked('sandbox', showAsked);
  useViewTask('webhookSecret', () => useSandboxStore.getState().showTab('behaviour'));
  useViewTask('pointBackend', () => useSandboxStore.getState().showTab('backend'));
  return (
    <div className={shared.view} data-pane="sandbox" data-ring="own" tabIndex={-1}>
      <SandboxBar />
      {remark === null ? null : <ErrorLine tone="warn" error={{ message: remark }} isApart />}
      <LoadError error={error} isApart onRetry={load} />
      {actionError ? <ErrorLine error={actionError} isApart /> : null}
      {state || phase === 'ready' ? <Parts /> : error ? null : <Skeleton lines={8} />}
    </div>
  );
}

/** Goes to the part, and to the request or delivery of it, that the address names: `#/sandbox/requests/<id>`. */
function showAsked(rest: string): void {
  const [part, id = ''] = rest.split('/', 2);
  const { showTab, openRequest, selectDelivery } = useSandboxStore.getState();
  if (part === 'report') showTab('report');
  if (id === '') return;
  if (part === 'requests') {
    showTab('requests');
    void openRequest(id);
  } else if (part === 'deliveries') {
    showTab('deliveries');
    selectDelivery(id);
  }
}

function Parts() {
  const tab = useSandboxStore((store) => store.tab);
  const showTab = useSandboxStore((store) => store.showTab);
  const isRunning = useSandboxStore((store) => store.state !== null);
  const requests = useSandboxStore((store) => store.state?.requests.length);
  const payments = useSandboxStore((store) => store.state?.payments.length);
  const deliveries = useSandboxStore((store) => store.state?.deliveries.length);
  return (
    <div className={shared.view}>
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
          { id: 'report', label: 'Go-live report' },
        ]}
        selected={tab}
        onSelect={(id) => showTab(id as SandboxTab)}
        render={(id) => {
          // What is kept is judged whether the sandbox runs or not.
          if (id === 'report') return <GoliveReportPanel />;
          if (!isRunning) return <NotRunning />;
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
