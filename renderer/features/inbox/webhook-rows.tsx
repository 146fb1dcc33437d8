import type { WebhookSummary } from '@shared/contract/inbox';
import { memo, useState } from 'react';
import { TextButton } from '../../ui/button';
import { EmptyState } from '../../ui/empty-state';
import { GhostRows } from '../../ui/empty-view';
import { ErrorLine } from '../../ui/error-line';
import { LoadError } from '../../ui/load-error';
import { isKeyPress } from '../../ui/keys';
import { useContextMenu } from '../../ui/menu';
import { RowTime } from '../../ui/relative-time';
import { RowList, type RowChoosing } from '../../ui/row-list';
import { Skeleton } from '../../ui/spinner';
import { Tag } from '../../ui/tag';
import { AskedDialog, type Asked } from './chosen-rows';
import { isolate, lineOf, tagOf, titleOf, type WebhookLine } from './inbox-selectors';
import { countRows, findLoaded, listLoaded } from './inbox-rows';
import { useInboxStore } from './inbox-store';
import type { RowChoice } from './row-choice';
import { LOCAL, mayMark, useIsLost } from './team/team-store';
import styles from './inbox.module.css';
import { WebhookCommands, WebhookMenu } from './webhook-menu';
import { listMeant } from './row-choice';
import { ForeignText } from '../../ui/foreign-text';
import list from '../../ui/row-list.module.css';
import { cx } from '../../ui/cx';
import tones from '../../ui/tone.module.css';

/** What was saved and lost of an inbox that was damaged, until it is dismissed. */
function Notice() {
  const notice = useInboxStore((state) => state.notice);
  const dismissNotice = useInboxStore((state) => state.dismissNotice);
  if (notice === null) return null;
  return (
    <ErrorLine error={{ message: notice }} tone="warn" isApart>
      <TextButton onPress={() => void dismissNotice()}>Dismiss</TextButton>
    </ErrorLine>
  );
}

/** The rows, and what is done with them by keyboard and menu. */
export function WebhookRows({ onSelect }: { onSelect: (id: string) => void }) {
  const rows = useInboxStore((state) => state.rows);
  const far = useInboxStore((state) => state.far);
  const phase = useInboxStore((state) => state.phase);
  const isLost = useIsLost(useInboxStore((state) => state.store));
  const failure = useInboxStore((state) => state.error);
  const error = isLost ? null : failure;
  const selectedId = useInboxStore((state) => state.selectedId);
  const hasMore = useInboxStore((state) => state.nextBefore !== null);
  const isLoadingMore = useInboxStore((state) => state.isLoadingMore);
  const totalCount = useInboxStore(countRows);
  const loadAt = useInboxStore((state) => state.loadAt);
  const query = useInboxStore((state) => state.query);
  const loadMore = useInboxStore((state) => state.loadMore);
  const load = useInboxStore((state) => state.load);
  const markRead = useInboxStore((state) => state.markRead);
  const menu = useContextMenu<WebhookSummary>();
  const choice = useInboxStore((state) => state.choice);
  const choose = useInboxStore((state) => state.choose);
  const [asked, setAsked] = useState<Asked | null>(null);
  const selectAlone = (id: string): void => {
    choose({ kind: 'none' });
    onSelect(id);
  };
  const isLocal = useInboxStore((state) => state.store === LOCAL);
  /** Those that a key is meant for: all that are chosen, else the one on show. */
  const listForKey = (): string[] =>
    listMeant(choice, { rows: listLoaded({ rows, far }), totalCount }, selectedId);
  const toggleRead = (): void => {
    const meant = listForKey().map((id) => findLoaded({ rows, far }, id));
    const ids = meant.flatMap((row) => (row === null ? [] : [row.id]));
    if (ids.length > 0 && mayMark(useInboxStore.getState().store))
      void markRead(
        ids,
        meant.some((row) => row?.isRead === false),
      );
  };
  const ways = {
    onSelect: selectAlone,
    onAsk: setAsked,
  };
  if (phase === 'loading' || phase === 'idle') return <Skeleton lines={8} />;
  return (
    <>
      <LoadError error={error} isApart onRetry={load} />
      <Notice />
      <RowList
        key={keyOf(rows, query)}
        label="Webhooks"
        items={rows}
        far={far}
        onNeed={loadAt}
        rowHeight={56}
        selected={selectedId}
        onSelect={selectAlone}
        choice={toRowChoosing(choice, (gesture) => {
          choose(gesture);
          if (gesture.kind === 'range') onSelect(gesture.id);
        })}
        totalCount={totalCount}
        onLoadMore={hasMore && failure === null ? loadMore : undefined}
        isLoadingMore={isLoadingMore}
        empty={error ? null : <NoRows />}
        onMenu={menu.open}
        onKeyDown={(event) => {
          if (isKeyPress(event, 'u')) toggleRead();
          const ids = listForKey();
          if (event.key === 'Delete' && isLocal && ids.length > 0)
            setAsked({ what: 'delete', ids, isAll: false });
        }}
      >
        {(webhook) => <WebhookRow webhook={webhook} />}
      </RowList>
      <WebhookCommands webhook={findLoaded({ rows, far }, selectedId)} {...ways} />
      <WebhookMenu menu={menu} {...ways} />
      {asked === null ? null : <AskedDialog asked={asked} onClose={() => setAsked(null)} />}
    </>
  );
}

/** Each answer begins at its top. One without rows after another stays what it is: its button may be under a press. */
function keyOf(rows: readonly WebhookSummary[], query: number): string | number {
  return rows.length === 0 ? 'none' : query;
}

function toRowChoosing({ isAll, ids }: RowChoice, onChoose: RowChoosing['onChoose']): RowChoosing {
  return { isActive: isAll || ids.size > 0, has: (id) => isAll || ids.has(id), onChoose };
}

/** More of them beside one another are a letter each. */
const TAGS_SHOWN = 2;

/** One row of the list; drawn anew where its webhook is another, not where another row is chosen. */
export const WebhookRow = memo(function WebhookRow({ webhook }: { webhook: WebhookLine }) {
  const tag = tagOf(webhook);
  const line = lineOf(webhook);
  return (
    <div className={styles.webhook}>
      <span className={webhook.isRead ? undefined : styles.unread}>
        {webhook.isRead ? null : <span className={tones.unseen}>Unread: </span>}
      </span>
      <span className={list.title}>
        <b>
          <ForeignText text={titleOf(webhook)} />
        </b>
        <Tag tone={tag.tone}>{tag.text}</Tag>
        {webhook.earlierAttempts > 0 ? <Tag tone="warn">again</Tag> : null}
        {webhook.verdict === 'invalid' ? <Tag tone="bad">bad signature</Tag> : null}
        {webhook.isKeptCut ? <Tag tone="warn">cut</Tag> : null}
        {webhook.isPinned ? <Tag tone="quiet">pinned</Tag> : null}
        {webhook.tags.slice(0, TAGS_SHOWN).map((tag) => (
          <Tag key={tag} className={styles.ownTag}>
            {tag}
          </Tag>
        ))}
        {webhook.tags.length > TAGS_SHOWN ? (
          <Tag className={styles.moreTags} title={webhook.tags.slice(TAGS_SHOWN).join('\n')}>
            {`+${webhook.tags.length - TAGS_SHOWN}`}
          </Tag>
        ) : null}
      </span>
      <RowTime at={webhook.receivedAt} className={styles.time} />
      <small className={cx(list.line, styles.line)} title={`${isolate(line.about)} · ${line.told}`}>
        <code>
          <ForeignText text={line.about} />
        </code>
        {` · ${line.told}`}
      </small>
    </div>
  );
});

function NoRows() {
  const { search, filter } = useInboxStore((state) => state.answered);
  const setSearch = useInboxStore((state) => state.setSearch);
  const setFilter = useInboxStore((state) => state.setFilter);
  const setExpression = useInboxStore((state) => state.setExpression);
  if (search !== '' || filter !== 'all') {
    const showAll = (): void => {
      setSearch('');
      setExpression('');
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
