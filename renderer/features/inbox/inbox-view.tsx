import { useEffect } from 'react';
import { followShown } from '../../session/follow-shown';
import { useRoute } from '../../session/routes';
import { SplitPane } from '../../ui/split-pane';
import { WebhookDetail } from './webhook-detail';
import { WebhookList } from './webhook-list';
import { useInboxStore } from './inbox-store';
import { showWebhook } from './show-webhook';
import { LOCAL } from './team/team-store';

/** Shows what an address names: a webhook of the local inbox, or `inbox/id` of a team's. */
async function openRoute(rest: string): Promise<void> {
  const { store, showStore, select } = useInboxStore.getState();
  const [id, named] = rest.includes('/') ? (rest.split('/').reverse() as [string, string]) : [rest, LOCAL];
  if (named !== store) await showStore(named);
  await select(id);
}

/** The address says which webhook is on show. Apart, so that another address draws nothing else anew. */
function FollowRoute() {
  const routeId = useRoute((route) => (route.view === 'inbox' ? route.rest : ''));
  useEffect(() => {
    if (routeId !== '') void openRoute(routeId);
  }, [routeId]);
  useEffect(
    () =>
      useInboxStore.subscribe(({ selectedId }, before) =>
        followShown('inbox', before.selectedId, selectedId, showWebhook),
      ),
    [],
  );
  return null;
}

const panes = [
  {
    id: 'inbox-list',
    label: 'Webhooks',
    content: <WebhookList onSelect={showWebhook} />,
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
] as const;

/** Webhooks as they come in, what is answered to them, and one of them in full. */
export function InboxView() {
  const start = useInboxStore((state) => state.start);
  useEffect(() => start(), [start]);
  return (
    <>
      <FollowRoute />
      <SplitPane id="inbox" panes={panes} />
    </>
  );
}
