import type { WebhookSummary } from '@shared/contract/inbox';
import { copyAction } from '../../ui/copy-action';
import { useMenuCommands } from '../../session/commands';
import { navigate } from '../../session/routes';
import { ContextMenu, type ContextMenuState, type MenuAction } from '../../ui/menu';
import { useChosen, type Asked } from './chosen-rows';
import { useInboxStore } from './inbox-store';
import { LOCAL, useMayMark } from './team/team-store';

export const mayNotMark = 'You may only read this team’s inbox';
const ofTeam = 'What a team has received stays';
const notLoaded = 'Not all of them are loaded';

interface Ways {
  onSelect: (id: string) => void;
  onAsk: (asked: Asked) => void;
}

/** What can be done with one row. */
export function useWebhookActions(subject: WebhookSummary | null, { onSelect, onAsk }: Ways): MenuAction[] {
  const markRead = useInboxStore((state) => state.markRead);
  const mark = useInboxStore((state) => state.mark);
  const compareWith = useInboxStore((state) => state.compareWith);
  const shownId = useInboxStore((state) => state.detail?.id ?? null);
  const store = useInboxStore((state) => state.store);
  const canMark = useMayMark(store);
  const copyAsCurl = useInboxStore((state) => state.copyAsCurl);
  if (subject === null) return [];
  const { id, isRead, isPinned, clientReference, paymentUuid } = subject;
  const ask = (what: Asked['what']) => () => onAsk({ what, ids: [id], isAll: false });
  return [
    { id: 'open', label: 'Open', onAction: () => onSelect(id) },
    {
      id: 'compare',
      label: 'Compare with the one on show',
      obstacle: shownId === null ? 'None is on show' : shownId === id && 'It is the one on show',
      onAction: () => void compareWith(id),
    },
    {
      id: 'pin',
      label: isPinned ? 'Unpin' : 'Pin',
      obstacle: !canMark && mayNotMark,
      onAction: () => void mark(id, { isPinned: !isPinned }),
    },
    {
      id: 'read',
      label: isRead ? 'Mark unread' : 'Mark read',
      keys: 'u',
      obstacle: !canMark && mayNotMark,
      onAction: () => void markRead([id], !isRead),
    },
    {
      id: 'journey',
      label: 'Open the journey',
      obstacle: clientReference === null && 'It names no reference',
      hasLineAbove: true,
      onAction: () => clientReference !== null && navigate('payments', clientReference),
    },
    { id: 'replay', label: 'Replay…', onAction: ask('replay') },
    copyAction('copy', 'Copy the reference', clientReference),
    copyAction('uuid', 'Copy the payment UUID', paymentUuid),
    { id: 'curl', label: 'Copy as cURL', onAction: () => void copyAsCurl(id) },
    { id: 'export', label: 'Export…', onAction: ask('export') },
    {
      id: 'delete',
      label: 'Delete…',
      keys: 'Delete',
      obstacle: store !== LOCAL && ofTeam,
      isDanger: true,
      hasLineAbove: true,
      onAction: ask('delete'),
    },
  ];
}

/** What can be done with all that are chosen, where the row below the menu is one of them; null: it is not. */
function useChosenActions(subject: WebhookSummary | null, onAsk: Ways['onAsk']): MenuAction[] | null {
  const { ids, count, isAll, isLoaded } = useChosen();
  const markRead = useInboxStore((state) => state.markRead);
  const store = useInboxStore((state) => state.store);
  const canMark = useMayMark(store);
  if (subject === null || count < 2 || !(isAll || ids.includes(subject.id))) return null;
  const many = count.toLocaleString('en');
  const ask = (what: Asked['what']) => () => onAsk({ what, ids, isAll });
  return [
    { id: 'export', label: `Export these ${many}…`, onAction: ask('export') },
    {
      id: 'replay',
      label: `Replay these ${many}…`,
      obstacle: !isLoaded && notLoaded,
      onAction: ask('replay'),
    },
    {
      id: 'read',
      label: `Mark these ${many} read`,
      obstacle: canMark ? !isLoaded && notLoaded : mayNotMark,
      onAction: () => void markRead(ids, true),
    },
    {
      id: 'delete',
      label: `Delete these ${many}…`,
      keys: 'Delete',
      obstacle: store === LOCAL ? !isLoaded && notLoaded : ofTeam,
      isDanger: true,
      hasLineAbove: true,
      onAction: ask('delete'),
    },
  ];
}

/** The menu of a row, or of all that are chosen with it. */
export function WebhookMenu({ menu, ...ways }: Ways & { menu: ContextMenuState<WebhookSummary> }) {
  const subject = menu.request?.subject ?? null;
  const ofOne = useWebhookActions(subject, ways);
  const actions = useChosenActions(subject, ways.onAsk) ?? ofOne;
  return <ContextMenu menu={menu} label="Webhook" actionsOf={() => actions} />;
}

/** The same for the row that is chosen, in the palette. */
export function WebhookCommands({ webhook, ...ways }: Ways & { webhook: WebhookSummary | null }) {
  useMenuCommands('Webhook', useWebhookActions(webhook, ways));
  return null;
}
