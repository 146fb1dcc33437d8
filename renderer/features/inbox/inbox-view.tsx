import { useEffect } from 'react';
import { replaceRoute, useRoute } from '../../transport/routes';
import { SplitPane } from '../../ui/split-pane';
import { HookDetail } from './hook-detail';
import { HookList } from './hook-list';
import { useInboxStore } from './inbox-store';

/** Callbacks as they come in, what is answered to them, and one of them in full. */
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
          label: 'Callbacks',
          content: <HookList onSelect={(id) => replaceRoute('inbox', id)} />,
          defaultSize: 430,
          minSize: 300,
          isFixed: true,
        },
        {
          id: 'inbox-detail',
          label: 'Callback',
          content: <HookDetail />,
          defaultSize: '60%',
          minSize: 360,
        },
      ]}
    />
  );
}
