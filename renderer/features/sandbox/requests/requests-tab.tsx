import type { SandboxRequest } from '@shared/contract/sandbox';
import { operations } from '@shared/payments/tables/operations';
import { Choice } from '../../../ui/choice';
import { DataTable, type Column } from '../../../ui/data-table';
import { formatExact } from '../../../ui/format-time';
import { Select } from '../../../ui/select';
import { SplitPane } from '../../../ui/split-pane';
import { Tag, Verb } from '../../../ui/tag';
import { SearchField } from '../../../ui/text-field';
import { describeVerdict } from '../sandbox-selectors';
import { useSandboxStore } from '../sandbox-store';
import styles from '../sandbox.module.css';
import type { RequestFilter } from './request-actions';
import { RequestPane } from './request-pane';

const columns: readonly Column<SandboxRequest>[] = [
  {
    id: 'at',
    label: 'At',
    width: 76,
    sortBy: ({ at }) => at,
    render: ({ at }) => <span title={formatExact(at)}>{formatExact(at).slice(11, 19)}</span>,
  },
  {
    id: 'path',
    label: 'Request',
    width: '8fr',
    sortBy: ({ path }) => path,
    isRowHeader: true,
    render: ({ method, path }) => (
      <span className={styles.request} title={`${method} ${path}`}>
        <Verb method={method} />
        <code>{path}</code>
      </span>
    ),
  },
  {
    id: 'reference',
    label: 'Reference',
    width: '11fr',
    sortBy: ({ reference }) => reference ?? '',
    render: ({ reference }) => <bdi title={reference ?? undefined}>{reference ?? '–'}</bdi>,
  },
  {
    id: 'verdict',
    label: 'Verdict',
    width: 104,
    sortBy: ({ verdict }) => verdict,
    render: ({ verdict }) => {
      const { text, tone } = describeVerdict(verdict);
      return <Tag tone={tone}>{text}</Tag>;
    },
  },
  {
    id: 'status',
    label: 'HTTP',
    width: 52,
    isNumeric: true,
    sortBy: ({ httpStatus }) => httpStatus,
    render: ({ httpStatus }) => httpStatus,
  },
];

const everyOperation = 'every';
const operationOptions = [
  { id: everyOperation, label: 'Every operation' },
  ...Object.values(operations).map(({ operation, label }) => ({ id: operation, label })),
];
const statusClasses = [
  { id: 'all', label: 'All' },
  { id: '2xx', label: '2xx' },
  { id: '4xx', label: '4xx' },
  { id: '5xx', label: '5xx' },
] as const;

/** Under load accepted requests are counted alone; it says so, and how many. */
function SkippedNote() {
  const skipped = useSandboxStore((store) => store.skippedRequests);
  if (skipped === 0) return null;
  return (
    <p className={styles.note}>
      {skipped.toLocaleString('en')} accepted requests came faster than they are kept.
    </p>
  );
}

/** What the sandbox was asked and which check answered; a refusal explains itself. */
export function RequestsTab() {
  const requests = useSandboxStore((store) => store.requests);
  const requestId = useSandboxStore((store) => store.requestId);
  const openRequest = useSandboxStore((store) => store.openRequest);
  const isNarrowed = useSandboxStore((store) => Object.values(store.requestFilter).some(Boolean));
  return (
    <SplitPane
      id="sandbox-requests"
      panes={[
        {
          id: 'sandbox-requests-list',
          label: 'Requests',
          content: (
            <div className={styles.parts}>
              <FilterBar />
              <SkippedNote />
              <DataTable
                id="sandbox-requests"
                label="Requests"
                isVirtual
                columns={columns}
                items={requests}
                selected={requestId}
                onSelect={(id) => void openRequest(id)}
                empty={
                  isNarrowed
                    ? 'No request like that among the latest thousand.'
                    : 'No request yet. Send one, or point your own backend at the base address.'
                }
              />
            </div>
          ),
          defaultSize: '60%',
          minSize: 320,
        },
        {
          id: 'sandbox-requests-detail',
          label: 'Request',
          content: <RequestPane />,
          defaultSize: '40%',
          minSize: 280,
        },
      ]}
    />
  );
}

function FilterBar() {
  const { operation, statusClass, text } = useSandboxStore((store) => store.requestFilter);
  const filterRequests = useSandboxStore((store) => store.filterRequests);
  return (
    <div className={styles.filters}>
      <SearchField
        label="Search requests"
        isBare
        className={styles.search}
        placeholder="Reference, path, header, body"
        value={text ?? ''}
        onChange={(typed) => void filterRequests({ text: typed.trim() === '' ? null : typed })}
      />
      <Select
        label="Operation"
        isLabelHidden
        className={styles.operation}
        options={operationOptions}
        selected={operation ?? everyOperation}
        onSelect={(id) =>
          void filterRequests({
            operation: id === everyOperation ? null : (id as RequestFilter['operation']),
          })
        }
      />
      <Choice
        label="HTTP status"
        options={statusClasses}
        selected={statusClass ?? 'all'}
        onSelect={(id) => void filterRequests({ statusClass: id === 'all' ? null : id })}
      />
    </div>
  );
}
