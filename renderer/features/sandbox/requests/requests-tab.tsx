import type { SandboxRequest } from '@shared/contract/sandbox';
import { TextButton } from '../../../ui/button';
import { CopyText } from '../../../ui/copy-text';
import { DataTable, type Column } from '../../../ui/data-table';
import { EmptyState } from '../../../ui/empty-state';
import { ErrorLine } from '../../../ui/error-line';
import { formatDuration, formatExact } from '../../../ui/format-time';
import { Skeleton } from '../../../ui/spinner';
import { SplitPane } from '../../../ui/split-pane';
import { Tag, Verb } from '../../../ui/tag';
import { ExplainedSignature } from './explained-signature';
import { describeVerdict, isRefused } from '../sandbox-selectors';
import { useSandboxStore } from '../sandbox-store';
import styles from '../sandbox.module.css';

const columns: readonly Column<SandboxRequest>[] = [
  {
    id: 'at',
    label: 'At',
    width: 76,
    render: ({ at }) => <span title={formatExact(at)}>{formatExact(at).slice(11, 19)}</span>,
  },
  {
    id: 'path',
    label: 'Request',
    width: '2fr',
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
    width: '1fr',
    render: ({ reference }) => <bdi>{reference ?? '–'}</bdi>,
  },
  {
    id: 'verdict',
    label: 'Verdict',
    width: 138,
    render: ({ verdict }) => {
      const { text, tone } = describeVerdict(verdict);
      return <Tag tone={tone}>{text}</Tag>;
    },
  },
  { id: 'status', label: 'HTTP', width: 52, isNumeric: true, render: ({ httpStatus }) => httpStatus },
];

/** What the sandbox was asked and which check answered; a refusal explains itself. */
export function RequestsTab() {
  const requests = useSandboxStore((store) => store.state?.requests) ?? [];
  const requestId = useSandboxStore((store) => store.requestId);
  const explain = useSandboxStore((store) => store.explain);
  return (
    <SplitPane
      id="sandbox-requests"
      panes={[
        {
          id: 'sandbox-requests-list',
          label: 'Requests',
          content: (
            <DataTable
              label="Requests"
              isVirtual
              columns={columns}
              items={requests}
              selected={requestId}
              onSelect={(id) => void explain(id)}
              empty="No request yet. Send one, or point your own backend at the base address."
            />
          ),
          defaultSize: '58%',
          minSize: 320,
        },
        {
          id: 'sandbox-requests-detail',
          label: 'Explanation',
          content: <Explained />,
          defaultSize: '42%',
          minSize: 260,
        },
      ]}
    />
  );
}

function Explained() {
  const requestId = useSandboxStore((store) => store.requestId);
  const request = useSandboxStore((store) => store.state?.requests.find((one) => one.id === requestId));
  const explanation = useSandboxStore((store) => store.explanation);
  const error = useSandboxStore((store) => store.explanationError);
  const showTab = useSandboxStore((store) => store.showTab);
  if (requestId === null) {
    return (
      <EmptyState title="No request chosen">
        Choose one to read why it was answered as it was.{' '}
        <TextButton onPress={() => showTab('outcomes')}>Outcomes by account</TextButton>
      </EmptyState>
    );
  }
  if (error) return <ErrorLine error={error} className={styles.fault} />;
  if (explanation === null) return <Skeleton lines={5} />;
  const verdict = describeVerdict(explanation.verdict);
  return (
    <div className={styles.detail}>
      <div className={styles.verdict}>
        <span className={styles.tags}>
          <Tag tone={verdict.tone}>{verdict.text}</Tag>
          {request ? (
            <Tag>{`HTTP ${request.httpStatus} in ${formatDuration(request.durationMs)}`}</Tag>
          ) : null}
        </span>
        <p className={isRefused(explanation.verdict) ? styles.headline : styles.calm}>
          {explanation.explanation}
        </p>
        <p className={styles.small}>
          X-Request-Id <CopyText text={explanation.requestId} label="request id" />
        </p>
      </div>
      {explanation.fieldErrors.length > 0 ? (
        <dl className={styles.fields}>
          {explanation.fieldErrors.map((one, index) => (
            <div key={index}>
              <dt>{one.field}</dt>
              <dd>{one.message}</dd>
            </div>
          ))}
        </dl>
      ) : null}
      {explanation.signature ? (
        <ExplainedSignature signature={explanation.signature} at={request?.at ?? null} />
      ) : null}
    </div>
  );
}
