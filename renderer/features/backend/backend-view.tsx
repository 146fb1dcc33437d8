import { useEffect } from 'react';
import { GoliveReportPanel } from '../../panels/golive-report';
import { navigate, useRoute } from '../../session/routes';
import { Tabs } from '../../ui/tabs';
import shared from '../../panels/exchange-pane.module.css';
import { ProxyTab } from './proxy/proxy-tab';
import { useProxyStore } from './proxy/proxy-store';
import { ReceiverTab } from './receiver/receiver-tab';
import { useReceiverStore } from './receiver/receiver-store';

const tabs = [
  { id: 'proxy', label: 'Proxy' },
  { id: 'receiver', label: 'Receiver check' },
  { id: 'report', label: 'Go-live report' },
] as const;

/** The user's own backend under the lens: what it sends, what its webhook handler stands, and whether it is ready. */
export function BackendView() {
  const rest = useRoute((route) => (route.view === 'backend' ? route.rest : ''));
  const [part = '', id = ''] = rest.split('/', 2);
  const startProxy = useProxyStore((state) => state.start);
  const startReceiver = useReceiverStore((state) => state.start);
  const openExchange = useProxyStore((state) => state.open);
  const total = useProxyStore((state) => state.totalCount);
  useEffect(() => startProxy(), [startProxy]);
  useEffect(() => startReceiver(), [startReceiver]);
  useEffect(() => {
    if (part === 'proxy' && id !== '') void openExchange(id);
  }, [part, id, openExchange]);
  const selected = tabs.find((tab) => tab.id === part)?.id ?? 'proxy';
  return (
    <div className={shared.view} data-pane="backend" data-ring="own" tabIndex={-1}>
      <Tabs
        label="Your backend"
        items={tabs.map((tab) => ({ ...tab, count: tab.id === 'proxy' && total > 0 ? total : null }))}
        selected={selected}
        onSelect={(chosen) => navigate('backend', chosen)}
        render={(shown) => {
          if (shown === 'receiver') return <ReceiverTab />;
          if (shown === 'report') return <GoliveReportPanel />;
          return <ProxyTab />;
        }}
      />
    </div>
  );
}
