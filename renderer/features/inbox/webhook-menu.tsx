import type { WebhookSummary } from '@shared/contract/inbox';
import { copyAction } from '../../ui/copy-action';
import { useMenuCommands } from '../../session/commands';
import { ContextMenu, type ContextMenuState, type MenuAction } from '../../ui/menu';
import { useInboxStore } from './inbox-store';
import { LOCAL, useMayMark } from './team/team-store';

interface Ways {
  onSelect: (id: string) => void;
  onDelete: (webhook: WebhookSummary) => void;
  onExport: (webhook: WebhookSummary) => void;
}

/** What can be done with one row. */
function useActions(subject: WebhookSummary | null, { onSelect, onDelete, onExport }: Ways): MenuAction[] {
  const markRead = useInboxStore((state) => state.markRead);
  const mark = useInboxStore((state) => state.mark);
  const compareWith = useInboxStore((state) => state.compareWith);
  const shownId = useInboxStore((state) => state.detail?.id ?? null);
  const store = useInboxStore((state) => state.store);
  const canMark = useMayMark(store);
  if (subject === null) return [];
  const { id, isRead, isPinned, clientReference } = subject;
  return [
    { id: 'open', label: 'Open', onAction: () => onSelect(id) },
    {
      id: 'compare',
      label: 'Compare with the one on show',
      isDisabled: shownId === null || shownId === id,
      onAction: () => void compareWith(id),
    },
    {
      id: 'pin',
      label: isPinned ? 'Unpin' : 'Pin',
      isDisabled: !canMark,
      onAction: () => void mark(id, { isPinned: !isPinned }),
    },
    {
      id: 'read',
      label: isRead ? 'Mark unread' : 'Mark read',
      keys: 'u',
      isDisabled: !canMark,
      onAction: () => void markRead([id], !isRead),
    },
    copyAction('copy', 'Copy the reference', clientReference),
    { id: 'export', label: 'Export…', onAction: () => onExport(subject) },
    {
      id: 'delete',
      label: 'Delete…',
      keys: 'Delete',
      isDisabled: store !== LOCAL,
      isDanger: true,
      hasLineAbove: true,
      onAction: () => onDelete(subject),
    },
  ];
}

/** The menu of a row. */
export function WebhookMenu({ menu, ...ways }: Ways & { menu: ContextMenuState<WebhookSummary> }) {
  const actions = useActions(menu.request?.subject ?? null, ways);
  return <ContextMenu menu={menu} label="Webhook" actionsOf={() => actions} />;
}

/** The same for the row that is chosen, in the palette. */
export function WebhookCommands({ webhook, ...ways }: Ways & { webhook: WebhookSummary | null }) {
  useMenuCommands('Webhook', useActions(webhook, ways));
  return null;
}
