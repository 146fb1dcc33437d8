import type { JourneySummary } from '@shared/contract/journey';
import { useMemo } from 'react';
import { TextButton } from '../../ui/button';
import { EmptyState } from '../../ui/empty-state';
import { GhostRows } from '../../ui/empty-view';
import { LoadError } from '../../ui/load-error';
import { ContextMenu, type MenuAction, useContextMenu } from '../../ui/menu';
import { RowTime } from '../../ui/relative-time';
import { RowList } from '../../ui/row-list';
import { Skeleton } from '../../ui/spinner';
import { Tag } from '../../ui/tag';
import { ViewSearch } from '../../ui/text-field';
import { tagOf, titleOf } from './payments-selectors';
import { usePaymentsStore } from './payments-store';
import { Track } from './track';
import styles from './payments.module.css';
import { ForeignText } from '../../ui/foreign-text';
import list from '../../ui/row-list.module.css';
import { cx } from '../../ui/cx';
import { navigate } from '../../session/routes';
import { copyAction } from '../../ui/copy-action';

/** Every reference that was sent or told of, the newest first. */
export function PaymentList({ onSelect }: { onSelect: (reference: string) => void }) {
  const search = usePaymentsStore((state) => state.search);
  const setSearch = usePaymentsStore((state) => state.setSearch);
  return (
    <>
      <div className={styles.bar}>
        <ViewSearch
          label="Search payments"
          isBare
          className={styles.search}
          placeholder="Search payments by reference or title"
          value={search}
          onChange={setSearch}
        />
        <span className={styles.legend} aria-hidden="true">
          signed · accepted · webhook · final
        </span>
      </div>
      <Rows onSelect={onSelect} />
    </>
  );
}

function Rows({ onSelect }: { onSelect: (reference: string) => void }) {
  const journeys = usePaymentsStore((state) => state.rows);
  const phase = usePaymentsStore((state) => state.phase);
  const error = usePaymentsStore((state) => state.error);
  const selected = usePaymentsStore((state) => state.selectedReference);
  const hasMore = usePaymentsStore((state) => state.nextBefore !== null);
  const isLoadingMore = usePaymentsStore((state) => state.isLoadingMore);
  const loadMore = usePaymentsStore((state) => state.loadMore);
  const load = usePaymentsStore((state) => state.load);
  const menu = useContextMenu<string>();
  const rows = useMemo(() => journeys.map((journey) => ({ id: journey.reference, journey })), [journeys]);
  if (phase === 'loading' || phase === 'idle') return <Skeleton lines={8} />;
  return (
    <>
      <LoadError error={error} isApart onRetry={load} />
      <RowList
        label="Payments"
        items={rows}
        rowHeight={56}
        selected={selected}
        onSelect={onSelect}
        onLoadMore={hasMore && !error ? loadMore : undefined}
        isLoadingMore={isLoadingMore}
        empty={error ? null : <NoRows />}
        onMenu={(event, { id }) => menu.open(event, id)}
      >
        {({ journey }) => <PaymentRow journey={journey} />}
      </RowList>
      <ContextMenu
        menu={menu}
        label="Payment"
        actionsOf={(reference) => listPaymentActions(reference, onSelect)}
      />
    </>
  );
}

export function PaymentRow({ journey }: { journey: JourneySummary }) {
  const tag = tagOf(journey);
  return (
    <div className={styles.row}>
      <span className={cx(list.title, styles.title)}>
        <b>
          <ForeignText text={titleOf(journey)} />
        </b>
        <Tag tone={tag.tone}>{tag.text}</Tag>
      </span>
      <Track journey={journey} />
      <RowTime at={journey.startedAt} className={styles.time} />
      <small className={cx(list.line, styles.line)}>
        <ForeignText className={styles.id} text={journey.reference} />
        {journey.title === '' ? null : (
          <>
            {' · '}
            <ForeignText text={journey.title} />
          </>
        )}
      </small>
    </div>
  );
}

function NoRows() {
  const answeredSearch = usePaymentsStore((state) => state.answeredSearch);
  const setSearch = usePaymentsStore((state) => state.setSearch);
  if (answeredSearch !== '') {
    return (
      <EmptyState
        title="No payment matches"
        action={<TextButton onPress={() => setSearch('')}>Show all</TextButton>}
      />
    );
  }
  return <GhostRows />;
}

function listPaymentActions(reference: string, onSelect: (reference: string) => void): MenuAction[] {
  return [
    { id: 'open', label: 'Open the journey', onAction: () => onSelect(reference) },
    { id: 'status', label: 'Query its status', onAction: () => navigate('lookups', reference) },
    { ...copyAction('reference', 'Copy the reference', reference), hasLineAbove: true },
  ];
}
