import { showControls } from '@shared/show-controls';
import { Play, Square, X } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { AppRun } from '@shared/contract/running';
import { useEnvironmentLabel } from '../../../session/environments';
import { routeHref } from '../../../session/routes';
import { Button, IconButton } from '../../../ui/button';
import { Choice } from '../../../ui/choice';
import { EmptyState } from '../../../ui/empty-state';
import { ErrorLine } from '../../../ui/error-line';
import { formatDuration } from '../../../ui/format-time';
import { ContextMenu, useContextMenu } from '../../../ui/menu';
import { PaneHeader, PaneSummary } from '../../../ui/pane-header';
import { RelativeTime } from '../../../ui/relative-time';
import { RowList } from '../../../ui/row-list';
import { Tag } from '../../../ui/tag';
import { isDirty } from '../requests-selectors';
import { useRequestsStore } from '../requests-store';
import { openRow } from './open-row';
import { cancelRun, rerun, rerunFailed, rerunOne, showRun } from './run-actions';
import {
  countStates,
  describeRow,
  isFailed,
  listFailed,
  listRunRows,
  runStates,
  type RunRow,
} from './run-rows';
import { useRunStore } from './run-store';
import styles from './run.module.css';
import { ForeignText } from '../../../ui/foreign-text';
import list from '../../../ui/row-list.module.css';
import { cx } from '../../../ui/cx';
import tones from '../../../ui/tone.module.css';
import column from '../../../ui/column.module.css';

const filters = [
  { id: 'all', label: 'All' },
  { id: 'failed', label: 'Failed' },
] as const;

/** The requests of a run as they end, those that failed first. */
export function RunList() {
  const run = useRunStore((state) => state.run);
  const underWay = useRunStore((state) => state.underWay);
  const title = useRunTitle(run);
  const error = useRunStore((state) => state.error);
  const rows = useMemo(() => (run === null ? [] : listRunRows(run, underWay)), [run, underWay]);
  return (
    <div className={column.whole}>
      <PaneHeader title={title === '' ? 'Run' : `Run of ${title}`}>
        <IconButton label="Back to the request" onPress={() => showRun(false)}>
          <X size={14} />
        </IconButton>
      </PaneHeader>
      {error ? (
        <ErrorLine error={error} className={styles.notice}>
          {/^(?:keys|tokens|vault)\./.test(error.code) ? <a href={routeHref('keys')}>Open Keys</a> : null}
        </ErrorLine>
      ) : null}
      {run === null ? (
        <EmptyState title="Nothing was run yet">
          Choose Run in the menu of a folder, a request or a collection.
        </EmptyState>
      ) : (
        <ShownRun run={run} rows={rows} />
      )}
    </div>
  );
}

/** What the run is of; of one that an earlier window began, its subject says it. */
function useRunTitle(run: AppRun | null): string {
  const title = useRunStore((state) => state.title);
  const collection = useRequestsStore(({ collections }) =>
    collections.find(({ id }) => id === run?.subject.collectionId),
  );
  if (title !== '' || run === null) return title;
  const last = run.subject.path.split('/').at(-1) ?? '';
  return last === '' ? (collection?.name ?? '') : last.replace(/\.http$/, '');
}

function ShownRun({ run, rows }: { run: AppRun; rows: readonly RunRow[] }) {
  const [filter, setFilter] = useState<(typeof filters)[number]['id']>('all');
  const failed = useMemo(() => new Set(rows.filter(isFailed)), [rows]);
  const shown = filter === 'all' ? rows : rows.filter((row) => failed.has(row));
  return (
    <>
      <RunBar run={run} rows={rows} />
      <div className={styles.filters}>
        <Choice label="Which requests" options={filters} selected={filter} onSelect={setFilter} />
      </div>
      <NotSaved run={run} />
      <NotKept run={run} />
      <Rows run={run} rows={shown} />
    </>
  );
}

/** What came of the run in one line, where and how long; what can be done with it stands beside. */
function RunBar({ run, rows }: { run: AppRun; rows: readonly RunRow[] }) {
  const label = useEnvironmentLabel(run.subject.environment);
  const isOver = run.state === 'over';
  const failed = isOver ? listFailed(rows) : [];
  return (
    <div className={styles.bar}>
      <PaneSummary className={styles.summary} title={<Counts rows={rows} run={run} />}>
        <p>
          in <b>{label}</b>
          {run.subject.only === null ? '' : ', what failed'}{' '}
          {run.durationMs > 0 ? ` · ${formatDuration(run.durationMs)}` : ''} ·{' '}
          <RelativeTime at={run.startedAt} />
        </p>
      </PaneSummary>
      <div className={styles.buttons}>
        {isOver ? (
          <>
            <Button isOnce onPress={() => void rerun()}>
              <Play size={12} aria-hidden="true" /> Run again
            </Button>
            <Button
              isOnce
              obstacle={failed.length === 0 && 'None has failed'}
              onPress={() => void rerunFailed()}
            >
              Rerun failed
            </Button>
          </>
        ) : (
          <Button isOnce isDisabled={run.state === 'stopping'} onPress={() => void cancelRun()}>
            <Square size={11} aria-hidden="true" /> {run.state === 'stopping' ? 'Ending…' : 'Cancel the run'}
          </Button>
        )}
      </div>
      <Shares rows={rows} />
    </div>
  );
}

/** How many of the requests ended how, as parts of one line: those that failed come first, as they do below. */
function Shares({ rows }: { rows: readonly RunRow[] }) {
  return (
    <span className={styles.shares} aria-hidden="true">
      {countStates(rows).map(({ state, count }) => (
        <i key={state} data-tone={runStates[state].tone} style={{ flexGrow: count }} />
      ))}
    </span>
  );
}

function Counts({ rows, run }: { rows: readonly RunRow[]; run: AppRun }) {
  const counts = countStates(rows);
  const isOver = run.state === 'over';
  // The first is of those that ended worst.
  const tone = isOver && rows[0] ? runStates[rows[0].state].tone : 'quiet';
  return (
    <span className={tones[tone]} role="status" aria-label="Outcomes" aria-busy={!isOver}>
      {isOver
        ? ''
        : `${run.results.length.toLocaleString('en')} of ${run.items.length.toLocaleString('en')} · `}
      {counts.map(({ state, count }) => `${count.toLocaleString('en')} ${runStates[state].word}`).join(', ')}
    </span>
  );
}

/** What of the run is not there any more, or will not be. */
function NotKept({ run: { leftOut, keepFault } }: { run: AppRun }) {
  const lost =
    leftOut === 0
      ? null
      : `${leftOut === 1 ? 'One more request' : `${leftOut} more requests`} of this run had no room where it is kept; those that failed stand here.`;
  return (
    <>
      {lost === null ? null : <ErrorLine tone="warn" error={{ message: lost }} className={styles.notice} />}
      {keepFault === null ? null : (
        <ErrorLine
          tone="warn"
          error={{ message: `This run will be forgotten with the app: ${keepFault}` }}
          className={styles.notice}
        />
      )}
    </>
  );
}

/** The run takes the files as they are on disk: what was typed and not saved is not in them. */
function NotSaved({ run: { subject } }: { run: AppRun }) {
  const count = useRequestsStore(
    ({ tabs }) =>
      tabs.filter(
        (tab) =>
          tab.collectionId === subject.collectionId &&
          isDirty(tab) &&
          (subject.path === '' || tab.path === subject.path || tab.path.startsWith(`${subject.path}/`)),
      ).length,
  );
  if (count === 0) return null;
  const message =
    count === 1
      ? 'One of these requests is not saved: what ran is its file.'
      : `${count} of these requests are not saved: what ran are their files.`;
  return <ErrorLine tone="warn" error={{ message }} className={styles.notice} />;
}

function Rows({ run, rows }: { run: AppRun; rows: readonly RunRow[] }) {
  const selectedId = useRunStore((state) => state.selectedId);
  const menu = useContextMenu<RunRow>();
  const find = (): RunRow | undefined => rows.find(({ id }) => id === selectedId);
  return (
    <>
      <RowList
        label="Requests of the run"
        items={rows}
        rowHeight={48}
        selected={selectedId ?? rows[0]?.id ?? null}
        onSelect={(id) => useRunStore.setState({ selectedId: id })}
        empty={<EmptyState title={run.state === 'over' ? 'Nothing failed' : 'Nothing failed so far'} />}
        onMenu={menu.open}
        onKeyDown={(event) => {
          const row = find() ?? rows[0];
          if (event.key === 'Enter' && row) void openRow(row);
        }}
      >
        {(row) => <Row row={row} />}
      </RowList>
      <ContextMenu menu={menu} label="Request of the run" actionsOf={(row) => rowActions(run, row)} />
    </>
  );
}

function rowActions({ state }: AppRun, row: RunRow) {
  return [
    { id: 'open', label: 'Open the request', keys: 'Enter', onAction: () => void openRow(row) },
    {
      id: 'run',
      label: 'Run this one again',
      obstacle: state !== 'over' && 'The run is under way',
      onAction: () => void rerunOne(row),
    },
  ];
}

function Row({ row }: { row: RunRow }) {
  const { word, tone } = runStates[row.state];
  const line = describeRow(row);
  return (
    <div className={styles.row}>
      <span className={list.title}>
        <b>
          <ForeignText text={row.item.name} />
        </b>
        <Tag tone={tone}>{word}</Tag>
      </span>
      <span className={styles.took}>
        {row.result && row.result.attempts > 0 ? formatDuration(row.result.durationMs) : ''}
      </span>
      <small className={cx(list.line, styles.line)} title={showControls(line)}>
        <ForeignText text={line} />
      </small>
    </div>
  );
}
