import type { WebhookSummary } from '@shared/contract/inbox';
import { Ellipsis } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { IconButton, TextButton } from '../../ui/button';
import { Choice } from '../../ui/choice';
import { ConfirmDialog } from '../../ui/dialog';
import { EmptyState } from '../../ui/empty-state';
import { GhostRows } from '../../ui/empty-view';
import { ErrorLine } from '../../ui/error-line';
import { ContextMenu, Menu, useContextMenu } from '../../ui/menu';
import { RowTime } from '../../ui/relative-time';
import { RowList } from '../../ui/row-list';
import { Skeleton } from '../../ui/spinner';
import { Tag } from '../../ui/tag';
import { SearchField } from '../../ui/text-field';
import { FilterBar } from './filter-bar';
import { copyToClipboard } from '../../ui/clipboard';
import { DeleteDialog } from './delete-dialog';
import { AnswerStrip } from './answer-strip';
import { lineOf, tagOf, titleOf } from './inbox-selectors';
import { useInboxStore } from './inbox-store';
import styles from './inbox.module.css';
import { WaysStrip } from './ways/ways-strip';

const filters = [
  { id: 'all', label: 'All' },
  { id: 'unread', label: 'Unread' },
  { id: 'failed', label: 'Failed' },
] as const satisfies readonly { id: string; label: string }[];

/** The left half: search, the rule in force, the rows. */
export function WebhookList({ onSelect }: { onSelect: (id: string) => void }) {
  return (
    <>
      <ListBar />
      <FilterBar />
      <AnswerStrip />
      <WaysStrip />
      <Rows onSelect={onSelect} />
    </>
  );
}

function ListBar() {
  const totalCount = useInboxStore((state) => state.totalCount);
  const search = useInboxStore((state) => state.search);
  const filter = useInboxStore((state) => state.filter);
  const setSearch = useInboxStore((state) => state.setSearch);
  const setFilter = useInboxStore((state) => state.setFilter);
  const bar = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const focusSearch = (event: KeyboardEvent): void => {
      const isTyping =
        event.target instanceof Element &&
        event.target.closest('input, textarea, [contenteditable], [role=dialog]');
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping) return;
      event.preventDefault();
      bar.current?.querySelector('input')?.focus();
    };
    window.addEventListener('keydown', focusSearch);
    return () => window.removeEventListener('keydown', focusSearch);
  }, []);
  const count = totalCount.toLocaleString('en');
  const everything = totalCount === 1 ? '1 webhook' : `${count} webhooks`;
  return (
    <div className={styles.bar} ref={bar}>
      <SearchField
        label="Search webhooks"
        isBare
        className={styles.search}
        placeholder={totalCount === 0 ? 'Search webhooks' : `Search ${everything}`}
        value={search}
        onChange={setSearch}
      />
      <Choice label="Which webhooks" options={filters} selected={filter} onSelect={setFilter} />
      <ListMenu />
    </div>
  );
}

function ListMenu() {
  const unreadCount = useInboxStore((state) => state.unreadCount);
  const hasRows = useInboxStore((state) => state.rows.length > 0);
  const isRunning = useInboxStore((state) => state.listener?.state === 'running');
  const markAllRead = useInboxStore((state) => state.markAllRead);
  const removeAll = useInboxStore((state) => state.removeAll);
  const stopListener = useInboxStore((state) => state.stopListener);
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Menu
        label="Inbox"
        trigger={
          <IconButton label="More">
            <Ellipsis size={15} />
          </IconButton>
        }
        actions={[
          {
            id: 'read',
            label: 'Mark all read',
            isDisabled: unreadCount === 0,
            onAction: () => void markAllRead(),
          },
          {
            id: 'stop',
            label: 'Stop the listener',
            isDisabled: !isRunning,
            onAction: () => void stopListener(),
          },
          {
            id: 'delete',
            label: 'Delete all webhooks…',
            isDisabled: !hasRows,
            isDanger: true,
            hasLineAbove: true,
            onAction: () => setAsking(true),
          },
        ]}
      />
      <ConfirmDialog
        title="Delete every webhook?"
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={removeAll}
        confirmLabel="Delete all"
      >
        All webhooks are removed from this machine, those that search or filter hide included. This cannot be
        taken back.
      </ConfirmDialog>
    </>
  );
}

/** What was saved and lost of an inbox that was damaged, until it is dismissed. */
function Notice() {
  const notice = useInboxStore((state) => state.notice);
  const dismissNotice = useInboxStore((state) => state.dismissNotice);
  if (notice === null) return null;
  return (
    <ErrorLine error={{ message: notice }} tone="warn" className={styles.fault}>
      <TextButton onPress={() => void dismissNotice()}>Dismiss</TextButton>
    </ErrorLine>
  );
}

function Rows({ onSelect }: { onSelect: (id: string) => void }) {
  const rows = useInboxStore((state) => state.rows);
  const phase = useInboxStore((state) => state.phase);
  const error = useInboxStore((state) => state.error);
  const selectedId = useInboxStore((state) => state.selectedId);
  const hasMore = useInboxStore((state) => state.nextBefore !== null);
  const isLoadingMore = useInboxStore((state) => state.isLoadingMore);
  const totalCount = useInboxStore((state) => state.totalCount);
  const loadMore = useInboxStore((state) => state.loadMore);
  const load = useInboxStore((state) => state.load);
  const markRead = useInboxStore((state) => state.markRead);
  const menu = useContextMenu<WebhookSummary>();
  const [leaving, setLeaving] = useState<WebhookSummary | null>(null);
  const toggleRead = (): void => {
    const row = rows.find((one) => one.id === selectedId);
    if (row) void markRead([row.id], !row.isRead);
  };
  if (phase === 'loading' || phase === 'idle') return <Skeleton lines={8} />;
  return (
    <>
      {error ? (
        <ErrorLine error={error} className={styles.fault}>
          <TextButton onPress={() => void load()}>Try again</TextButton>
        </ErrorLine>
      ) : null}
      <Notice />
      <RowList
        label="Webhooks"
        items={rows}
        rowHeight={56}
        selected={selectedId}
        onSelect={onSelect}
        totalCount={totalCount}
        onLoadMore={hasMore ? loadMore : undefined}
        isLoadingMore={isLoadingMore}
        empty={error ? null : <NoRows />}
        onMenu={menu.open}
        onKeyDown={(event) => {
          if (event.key === 'u') toggleRead();
          if (event.key === 'Delete') setLeaving(rows.find((one) => one.id === selectedId) ?? null);
        }}
      >
        {(webhook) => <WebhookRow webhook={webhook} />}
      </RowList>
      {menu.request === null ? null : (
        <RowMenu request={menu.request} onClose={menu.close} onSelect={onSelect} onDelete={setLeaving} />
      )}
      {leaving === null ? null : <DeleteDialog webhook={leaving} onClose={() => setLeaving(null)} />}
    </>
  );
}

/** What can be done with one row. */
function RowMenu({
  request: { x, y, subject },
  onClose,
  onSelect,
  onDelete,
}: {
  request: { x: number; y: number; subject: WebhookSummary };
  onClose: () => void;
  onSelect: (id: string) => void;
  onDelete: (webhook: WebhookSummary) => void;
}) {
  const markRead = useInboxStore((state) => state.markRead);
  const mark = useInboxStore((state) => state.mark);
  const compareWith = useInboxStore((state) => state.compareWith);
  const shownId = useInboxStore((state) => state.detail?.id ?? null);
  const { id, isRead, isPinned, clientReference } = subject;
  return (
    <ContextMenu
      label="Webhook"
      x={x}
      y={y}
      onClose={onClose}
      actions={[
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
          onAction: () => void mark(id, { isPinned: !isPinned }),
        },
        {
          id: 'read',
          label: isRead ? 'Mark unread' : 'Mark read',
          keys: 'u',
          onAction: () => void markRead([id], !isRead),
        },
        {
          id: 'copy',
          label: 'Copy the reference',
          isDisabled: clientReference === null,
          onAction: () => void copyToClipboard(clientReference ?? ''),
        },
        {
          id: 'delete',
          label: 'Delete…',
          keys: 'Delete',
          isDanger: true,
          hasLineAbove: true,
          onAction: () => onDelete(subject),
        },
      ]}
    />
  );
}

/** One row of the list. */
export function WebhookRow({ webhook }: { webhook: WebhookSummary }) {
  const tag = tagOf(webhook);
  const line = lineOf(webhook);
  return (
    <div className={styles.webhook}>
      <span className={webhook.isRead ? undefined : styles.unread}>
        {webhook.isRead ? null : <span className={styles.hidden}>Unread: </span>}
      </span>
      <span className={styles.title}>
        <b>
          <bdi>{titleOf(webhook)}</bdi>
        </b>
        <Tag tone={tag.tone}>{tag.text}</Tag>
        {webhook.earlierAttempts > 0 ? <Tag tone="warn">again</Tag> : null}
        {webhook.verdict === 'invalid' ? <Tag tone="bad">bad signature</Tag> : null}
        {webhook.isKeptCut ? <Tag tone="warn">cut</Tag> : null}
        {webhook.isPinned ? <Tag tone="quiet">pinned</Tag> : null}
        {webhook.tags.map((tag) => (
          <Tag key={tag} tone="quiet">
            {tag}
          </Tag>
        ))}
      </span>
      <RowTime at={webhook.receivedAt} className={styles.time} />
      <small className={styles.line} title={`${line.about} · ${line.told}`}>
        <code>{line.about}</code>
        {` · ${line.told}`}
      </small>
    </div>
  );
}

function NoRows() {
  const search = useInboxStore((state) => state.search);
  const filter = useInboxStore((state) => state.filter);
  const setSearch = useInboxStore((state) => state.setSearch);
  const setFilter = useInboxStore((state) => state.setFilter);
  const expression = useInboxStore((state) => state.expression);
  const setExpression = useInboxStore((state) => state.setExpression);
  if (search !== '' || filter !== 'all' || expression !== '') {
    const showAll = (): void => {
      setSearch('');
      setExpression('');
      setFilter('all');
    };
    return (
      <EmptyState
        title={
          filter === 'unread' && search === '' && expression === ''
            ? 'Everything is read'
            : 'No webhook matches'
        }
        action={<TextButton onPress={showAll}>Show all</TextButton>}
      />
    );
  }
  return <GhostRows />;
}
