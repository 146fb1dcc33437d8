import type { SandboxRequest } from '@shared/contract/sandbox';
import { DataTable } from '../../../ui/data-table';
import { ExchangeFilters, exchangeColumns } from '../../../ui/exchange-table';
import { SplitPane } from '../../../ui/split-pane';
import { Tag } from '../../../ui/tag';
import { describeVerdict } from '../sandbox-selectors';
import { useSandboxStore } from '../sandbox-store';
import { listExchangeActions } from '../../../panels/exchange-menu';
import shared from '../../../panels/exchange-pane.module.css';
import type { RequestFilter } from './request-actions';
import { RequestPane } from './request-pane';

const columns = exchangeColumns<SandboxRequest>({
  id: 'verdict',
  label: 'Verdict',
  width: 128,
  sortBy: ({ verdict }) => verdict,
  render: ({ verdict }) => {
    const { text, tone } = describeVerdict(verdict);
    return <Tag tone={tone}>{text}</Tag>;
  },
});

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
    <p className={shared.note}>
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
            <div className={shared.view}>
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
                actionsOf={(row) =>
                  listExchangeActions(
                    row,
                    () => void openRequest(row.id),
                    row.verdict === 'signature' ? 'Explain the signature' : undefined,
                  )
                }
                empty={
                  isNarrowed
                    ? 'No request like that among the latest thousand.'
                    : 'No request yet. Send one, or point your own backend at the base address.'
                }
              />
            </div>
          ),
          defaultSize: '64%',
          minSize: 320,
        },
        {
          id: 'sandbox-requests-detail',
          label: 'Request',
          content: <RequestPane />,
          defaultSize: '36%',
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
    <ExchangeFilters<NonNullable<RequestFilter['operation']>, (typeof statusClasses)[number]['id']>
      label="Search requests"
      placeholder="Reference, path, header, body"
      text={text}
      onText={(typed) => void filterRequests({ text: typed })}
      operation={operation}
      onOperation={(chosen) => void filterRequests({ operation: chosen })}
      whichLabel="HTTP status"
      choices={statusClasses}
      which={statusClass ?? 'all'}
      onWhich={(chosen) => void filterRequests({ statusClass: chosen === 'all' ? null : chosen })}
    />
  );
}
