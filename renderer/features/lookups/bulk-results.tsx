import type { LookupRow } from '@shared/lookups/run-lookups';
import { formatAmount } from '@shared/payments/format-amount';
import { navigate } from '../../session/routes';
import { TextButton } from '../../ui/button';
import { CopyText } from '../../ui/copy-text';
import { DataTable, type Column } from '../../ui/data-table';
import { EmptyState } from '../../ui/empty-state';
import { ErrorLine } from '../../ui/error-line';
import { formatExact } from '../../ui/format-time';
import { PaneHeader } from '../../ui/pane-header';
import { Tag, type Tone } from '../../ui/tag';
import { ForeignText } from '../../ui/foreign-text';
import { useBulkStore } from './bulk-store';
import { describeProgress } from './lookups-selectors';
import { listReferenceActions } from '../../panels/exchange-menu';
import styles from './lookups.module.css';
import column from '../../ui/column.module.css';

const outcomes: Readonly<Record<LookupRow['outcome'], { text: string; tone: Tone }>> = {
  waiting: { text: 'not asked', tone: 'quiet' },
  asking: { text: 'asking', tone: 'quiet' },
  found: { text: 'found', tone: 'quiet' },
  not_found: { text: 'not found', tone: 'warn' },
  not_known: { text: 'not known', tone: 'bad' },
  not_asked: { text: 'not asked', tone: 'quiet' },
};
const tones: Readonly<Record<string, Tone>> = { succeeded: 'good', failed: 'bad', canceled: 'warn' };

/** Narrow enough to stand in the pane of a small window, beside a scroll bar. */
const columns: readonly Column<LookupRow & { id: string }>[] = [
  {
    id: 'value',
    label: 'Payment',
    width: '1fr',
    least: 100,
    isRowHeader: true,
    render: ({ value }) => (
      <CopyText text={value}>
        <BothEnds text={value} />
      </CopyText>
    ),
    sortBy: ({ value }) => value,
  },
  {
    id: 'state',
    label: 'State',
    width: 92,
    render: ({ outcome, state }) => {
      const { text, tone } = outcomes[outcome];
      return state === null ? (
        <Tag tone={tone}>{text}</Tag>
      ) : (
        <Tag tone={tones[state] ?? 'quiet'}>{state}</Tag>
      );
    },
    sortBy: ({ outcome, state }) => state ?? outcomes[outcome].text,
  },
  {
    id: 'amount',
    label: 'Amount',
    width: 84,
    isNumeric: true,
    render: ({ amount }) => (amount === null ? '–' : formatAmount(amount)),
    sortBy: ({ amount }) => Number(amount ?? 0),
  },
  {
    id: 'token',
    label: 'Token',
    width: 84,
    render: ({ product }) => product ?? '–',
    sortBy: ({ product }) => product ?? '',
  },
  {
    id: 'asked',
    label: 'Asked',
    width: 62,
    render: ({ askedAt, queries }) =>
      askedAt === null ? (
        '–'
      ) : (
        <time title={`${formatExact(askedAt)}, ${queries === 1 ? '1 query' : `${queries} queries`}`}>
          {formatExact(askedAt).slice(11, 16)}
        </time>
      ),
    sortBy: ({ askedAt }) => askedAt ?? 0,
  },
  {
    // Where the UUID is not known a reason is; of a watch that has ended the menu and the CSV have both.
    id: 'uuid',
    label: 'UUID, or why not',
    width: '1fr',
    least: 100,
    render: ({ paymentUuid, reason }) => {
      if (reason !== null) return <ForeignText title={reason} text={reason} />;
      return paymentUuid === null ? '–' : <CopyText text={paymentUuid} label="payment UUID" />;
    },
    sortBy: ({ paymentUuid, reason }) => reason ?? paymentUuid ?? '',
  },
];

/** References of one batch differ at their ends: where one is cut, it is cut before its end. */
function BothEnds({ text }: { text: string }) {
  if (!/^[!-~]{13,}$/.test(text)) return <ForeignText text={text} />;
  return (
    <span className={styles.ends}>
      <ForeignText text={text.slice(0, -6)} />
      <ForeignText text={text.slice(-6)} />
    </span>
  );
}

const itemsOf = new WeakMap<LookupRow, LookupRow & { id: string }>();

/** The same item for a row as long as that stands: one answer draws one row. */
function withId(row: LookupRow, index: number): LookupRow & { id: string } {
  const item = itemsOf.get(row) ?? { ...row, id: String(index) };
  itemsOf.set(row, item);
  return item;
}

/** The results as a table, while they come in. */
export function BulkResults() {
  const rows = useBulkStore((state) => state.rows);
  const problems = useBulkStore((state) => state.problems);
  const askedIn = useBulkStore((state) => state.askedIn);
  const isRunning = useBulkStore((state) => state.isRunning);
  const isWatched = useBulkStore((state) => state.isWatched);
  const saveCsv = useBulkStore((state) => state.saveCsv);
  if (rows.length === 0 && problems.length === 0) {
    return (
      <EmptyState title="No list yet">
        Paste references or a CSV file. Each payment is asked for in turn, no faster than you say, and the
        table can be saved.
      </EmptyState>
    );
  }
  const asked = rows.filter(({ queries }) => queries > 0).length;
  return (
    <div className={column.rest}>
      <PaneHeader title={<ForeignText text={`Results in “${askedIn ?? ''}”`} />}>
        {rows.length === 0 ? null : (
          <progress
            className={styles.progress}
            max={rows.length}
            value={asked}
            aria-label="Payments asked for"
          />
        )}
        <span className={styles.codes} role="status" aria-busy={isRunning}>
          {describeProgress(rows, asked, { isRunning, isWatched })}
        </span>
        <TextButton obstacle={asked === 0 && 'No answer has come yet'} onPress={saveCsv}>
          Save as CSV
        </TextButton>
      </PaneHeader>
      {problems.slice(0, 5).map(({ line, message }, index) => (
        <ErrorLine
          key={`${line} ${index}`}
          tone="warn"
          error={{ message: `Line ${line}: ${message}` }}
          className={styles.fault}
        />
      ))}
      {problems.length > 5 ? (
        <ErrorLine
          tone="warn"
          error={{ message: `${problems.length - 5} more are not asked for.` }}
          className={styles.fault}
        />
      ) : null}
      {rows.length === 0 ? null : (
        <div className={column.rest}>
          <DataTable
            id="lookups.bulk"
            label="Results of the list"
            columns={columns}
            items={rows.map(withId)}
            isVirtual
            onAction={(id) => {
              const row = rows[Number(id)];
              if (row?.by === 'transaction_reference') navigate('payments', row.value);
            }}
            actionsOf={({ by, value, paymentUuid }) =>
              listReferenceActions(by === 'transaction_reference' ? value : null, [
                ['Copy the payment UUID', paymentUuid],
              ])
            }
          />
        </div>
      )}
    </div>
  );
}
