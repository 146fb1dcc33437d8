import type { Exchange, ExchangeSummary } from '@shared/contract/sending';
import { Archive, Pin } from 'lucide-react';
import { useState } from 'react';
import { isKeyPress } from '../../ui/keys';
import { Button, IconButton, TextButton } from '../../ui/button';
import { copyAction } from '../../ui/copy-action';
import { ConfirmDialog } from '../../ui/form-dialog';
import { EmptyState } from '../../ui/empty-state';
import { LoadError } from '../../ui/load-error';
import { ContextMenu, type MenuAction, useContextMenu } from '../../ui/menu';
import { RowTime } from '../../ui/relative-time';
import { RowList } from '../../ui/row-list';
import { Select } from '../../ui/select';
import { Skeleton } from '../../ui/spinner';
import { Tag, Verb } from '../../ui/tag';
import { ViewSearch } from '../../ui/text-field';
import { outcomes, shortenUrl, tagOf, timeSpans } from './history-selectors';
import {
  compareWith,
  forget,
  load,
  loadMore,
  noFilter,
  pin,
  setFilter,
  useHistoryStore,
  withExchange,
} from './history-store';
import { findLost, openAsDraft, resend } from './resend';
import styles from './history.module.css';
import { ForeignText } from '../../ui/foreign-text';
import list from '../../ui/row-list.module.css';
import { cx } from '../../ui/cx';
import { navigate, routeHref } from '../../session/routes';
import { say } from '../../ui/say';
import { beginTask } from '../../session/tasks';
import tones from '../../ui/tone.module.css';

/** Every exchange that is kept, the newest first. */
export function HistoryList({ onSelect, onKeep }: { onSelect: (id: string) => void; onKeep: () => void }) {
  const filter = useHistoryStore((state) => state.filter);
  return (
    <>
      <div className={styles.bar}>
        <ViewSearch
          label="Search the history"
          isBare
          className={styles.search}
          placeholder="Search reference, address or body"
          value={filter.search}
          onChange={(search) => setFilter({ search })}
        />
        <IconButton
          label={filter.isPinned ? 'Show all, not only pinned' : 'Show pinned alone'}
          isActive={filter.isPinned}
          onPress={() => setFilter({ isPinned: !filter.isPinned })}
        >
          <Pin size={14} />
        </IconButton>
        <IconButton label="What the history keeps" onPress={onKeep}>
          <Archive size={14} />
        </IconButton>
      </div>
      <div className={styles.filters}>
        <Select
          label="Outcome"
          isLabelHidden
          options={outcomes}
          selected={filter.outcome}
          onSelect={(outcome) => setFilter({ outcome })}
        />
        <Select
          label="Time"
          isLabelHidden
          options={timeSpans}
          selected={filter.time}
          onSelect={(time) => setFilter({ time })}
        />
      </div>
      <div role="status" className={tones.told}>
        {filter.request === null ? null : (
          <p className={styles.scope}>
            <span>
              Only <b>{filter.request.title}</b>
            </span>
            <TextButton onPress={() => setFilter({ request: null })}>Show every request</TextButton>
          </p>
        )}
      </div>
      <Rows onSelect={onSelect} />
    </>
  );
}

function Rows({ onSelect }: { onSelect: (id: string) => void }) {
  const rows = useHistoryStore((state) => state.rows);
  const phase = useHistoryStore((state) => state.phase);
  const error = useHistoryStore((state) => state.error);
  const selectedId = useHistoryStore((state) => state.selectedId);
  const isLoadingMore = useHistoryStore((state) => state.isLoadingMore);
  const hasMore = useHistoryStore((state) => state.nextBefore !== null);
  const menu = useContextMenu<ExchangeSummary>();
  const [leaving, setLeaving] = useState<ExchangeSummary | null>(null);
  const current = (): ExchangeSummary | undefined => rows.find(({ id }) => id === selectedId);
  if (phase === 'loading' || phase === 'idle') return <Skeleton lines={8} />;
  return (
    <>
      <LoadError error={error} isApart onRetry={load} />
      <RowList
        label="Exchanges"
        items={rows}
        rowHeight={52}
        selected={selectedId}
        onSelect={onSelect}
        onLoadMore={hasMore ? () => void loadMore() : undefined}
        isLoadingMore={isLoadingMore}
        empty={error ? null : isLoadingMore ? <Skeleton lines={3} /> : <NoRows />}
        onMenu={menu.open}
        onKeyDown={(event) => {
          const row = current();
          if (!row) return;
          if (isKeyPress(event, 'p')) void pin(row.id, !row.isPinned);
          if (isKeyPress(event, 'c')) void compareWith(row.id);
          if (isKeyPress(event, 'Delete')) setLeaving(row);
        }}
      >
        {(row) => <HistoryRow row={row} />}
      </RowList>
      <ContextMenu menu={menu} label="Exchange" actionsOf={(row) => listActions(row, onSelect, setLeaving)} />
      {leaving === null ? null : <ForgetDialog row={leaving} onClose={() => setLeaving(null)} />}
    </>
  );
}

function listActions(
  row: ExchangeSummary,
  onSelect: (id: string) => void,
  onForget: (row: ExchangeSummary) => void,
): MenuAction[] {
  const { id, isPinned, reference, identity, title } = row;
  return [
    { id: 'open', label: 'Open', onAction: () => onSelect(id) },
    { id: 'compare', label: 'Compare others with this', keys: 'c', onAction: () => void compareWith(id) },
    { id: 'pin', label: isPinned ? 'Unpin' : 'Pin', keys: 'p', onAction: () => void pin(id, !isPinned) },
    {
      id: 'resend',
      label: 'Send again',
      hasLineAbove: true,
      onAction: () => {
        onSelect(id);
        void withExchange(id, sendAgain);
      },
    },
    { id: 'draft', label: 'Open as draft', onAction: () => void withExchange(id, openAsDraft) },
    {
      id: 'journey',
      label: 'Open the journey',
      obstacle: reference === null && 'It names no reference',
      onAction: () => reference !== null && navigate('payments', reference),
    },
    {
      id: 'same',
      label: 'Only this request',
      obstacle: identity === null && 'It was of no request of a collection',
      onAction: () => identity && setFilter({ ...noFilter, request: { identity, title } }),
    },
    copyAction('reference', 'Copy the reference', reference),
    {
      id: 'forget',
      label: 'Delete…',
      keys: 'Delete',
      isDanger: true,
      hasLineAbove: true,
      onAction: () => onForget(row),
    },
  ];
}

/** Sends it once more, or says why that cannot be. */
function sendAgain(exchange: Exchange): Promise<void> | void {
  const lost = findLost(exchange);
  return lost === null ? resend(exchange) : say(lost);
}

function ForgetDialog({ row, onClose }: { row: ExchangeSummary; onClose: () => void }) {
  return (
    <ConfirmDialog
      title={`Delete “${row.title}” from the history?`}
      onClose={onClose}
      onConfirm={() => forget(row.id)}
      confirmLabel="Delete"
    >
      <p>What was sent and what came back is gone for good, and from the payment’s journey, too.</p>
    </ConfirmDialog>
  );
}

export function HistoryRow({ row }: { row: ExchangeSummary }) {
  const tag = tagOf(row);
  const line = [row.reference, shortenUrl(row.url)].filter(Boolean).join(' · ');
  return (
    <div className={styles.row}>
      <span className={list.title}>
        <Verb method={row.method} />
        <b>
          <ForeignText text={row.title} />
        </b>
        <Tag tone={tag.tone}>{tag.text}</Tag>
        {row.isPinned ? <Pin size={11} role="img" aria-label="pinned" /> : null}
      </span>
      <RowTime at={row.sentAt} className={styles.time} />
      <small className={cx(list.line, styles.line)} title={line}>
        {row.reference === null ? null : (
          <>
            <ForeignText text={row.reference} /> ·{' '}
          </>
        )}
        <ForeignText text={shortenUrl(row.url)} />
      </small>
    </div>
  );
}

function NoRows() {
  const filter = useHistoryStore((state) => state.answeredFilter);
  const isNarrowed =
    filter.search.trim() !== '' ||
    filter.outcome !== 'any' ||
    filter.time !== 'any' ||
    filter.isPinned ||
    filter.request !== null;
  if (!isNarrowed) return <NothingSent />;
  return (
    <EmptyState
      title="Nothing matches"
      action={<TextButton onPress={() => setFilter(noFilter)}>Show all</TextButton>}
    />
  );
}

/** The list before anything was sent. */
function NothingSent() {
  return (
    <EmptyState
      title="Nothing was sent yet"
      action={<Button onPress={() => beginTask('sendFirst')}>Send a first payout</Button>}
    >
      Each request that leaves stands here, with its answer, before anything else is done with it. Or{' '}
      <a href={routeHref('requests')}>open Requests</a>.
    </EmptyState>
  );
}
