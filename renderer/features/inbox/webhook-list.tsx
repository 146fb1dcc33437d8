import type { WebhookSummary } from '@shared/contract/inbox';
import { Ellipsis } from 'lucide-react';
import { useState } from 'react';
import { IconButton, TextButton } from '../../ui/button';
import { Choice } from '../../ui/choice';
import { ConfirmDialog } from '../../ui/dialog';
import { EmptyState } from '../../ui/empty-state';
import { GhostRows } from '../../ui/empty-view';
import { ErrorLine } from '../../ui/error-line';
import { Menu } from '../../ui/menu';
import { RowTime } from '../../ui/relative-time';
import { RowList } from '../../ui/row-list';
import { Skeleton } from '../../ui/spinner';
import { Tag } from '../../ui/tag';
import { SearchField } from '../../ui/text-field';
import { AnswerStrip } from './answer-strip';
import { lineOf, tagOf, titleOf } from './inbox-selectors';
import { useInboxStore } from './inbox-store';
import styles from './inbox.module.css';

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
      <AnswerStrip />
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
  const count = totalCount.toLocaleString('en');
  const everything = totalCount === 1 ? '1 webhook' : `${count} webhooks`;
  return (
    <div className={styles.bar}>
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
        onKeyDown={(event) => {
          if (event.key === 'u') toggleRead();
        }}
      >
        {(webhook) => <WebhookRow webhook={webhook} />}
      </RowList>
    </>
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
  if (search !== '' || filter !== 'all') {
    const showAll = (): void => {
      setSearch('');
      setFilter('all');
    };
    return (
      <EmptyState
        title={filter === 'unread' && search === '' ? 'Everything is read' : 'No webhook matches'}
        action={<TextButton onPress={showAll}>Show all</TextButton>}
      />
    );
  }
  return <GhostRows />;
}
