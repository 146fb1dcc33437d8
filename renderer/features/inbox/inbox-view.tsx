import { useEffect } from 'react';
import { replaceRoute, useRoute } from '../../session/routes';
import { SplitPane } from '../../ui/split-pane';
import { WebhookDetail } from './webhook-detail';
import { WebhookList } from './webhook-list';
import { useInboxStore } from './inbox-store';

/** Webhooks as they come in, what is answered to them, and one of them in full. */
export function InboxView() {
  const start = useInboxStore((state) => state.start);
  const select = useInboxStore((state) => state.select);
  const routeId = useRoute((route) => (route.view === 'inbox' ? route.rest : ''));
  useEffect(() => start(), [start]);
  useEffect(() => {
    if (routeId !== '') void select(routeId);
  }, [routeId, select]);
  return (
    <SplitPane
      id="inbox"
      panes={[
        {
          id: 'inbox-list',
          label: 'Webhooks',
          content: <WebhookList onSelect={(id) => replaceRoute('inbox', id)} />,
          defaultSize: 488,
          minSize: 300,
          isFixed: true,
        },
        {
          id: 'inbox-detail',
          label: 'Webhook',
          content: <WebhookDetail />,
          defaultSize: '60%',
          minSize: 360,
        },
      ]}
    />
  );
}
