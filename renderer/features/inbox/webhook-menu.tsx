import type { WebhookSummary } from '@shared/contract/inbox';
import { copyToClipboard } from '../../ui/clipboard';
import { useMenuCommands } from '../../session/commands';
import { ContextMenu, type MenuAction } from '../../ui/menu';
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
    {
      id: 'copy',
      label: 'Copy the reference',
      isDisabled: clientReference === null,
      onAction: () => void copyToClipboard(clientReference ?? ''),
    },
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
export function WebhookMenu({
  request: { x, y, subject },
  onClose,
  ...ways
}: Ways & { request: { x: number; y: number; subject: WebhookSummary }; onClose: () => void }) {
  return <ContextMenu label="Webhook" x={x} y={y} onClose={onClose} actions={useActions(subject, ways)} />;
}

/** The same for the row that is chosen, in the palette. */
export function WebhookCommands({ webhook, ...ways }: Ways & { webhook: WebhookSummary | null }) {
  useMenuCommands('Webhook', useActions(webhook, ways));
  return null;
}
