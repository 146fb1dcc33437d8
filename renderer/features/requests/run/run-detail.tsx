import type { ItemResult } from '@shared/contract/running';
import { useMemo } from 'react';
import { TextButton } from '../../../ui/button';
import { CopyText } from '../../../ui/copy-text';
import { EmptyState } from '../../../ui/empty-state';
import { ErrorLine } from '../../../ui/error-line';
import { FirstRows } from '../../../ui/first-rows';
import { ForeignText } from '../../../ui/foreign-text';
import { formatDuration } from '../../../ui/format-time';
import { FactList, PaneHeader, PaneSummary } from '../../../ui/pane-header';
import { Tag, type Tone } from '../../../ui/tag';
import { routeHref } from '../../../session/routes';
import { openRow } from './open-row';
import { describeEnd, listRunRows, runStates, type RunRow } from './run-rows';
import { useRunStore } from './run-store';
import styles from './run.module.css';
import tones from '../../../ui/tone.module.css';
import column from '../../../ui/column.module.css';
import { cx } from '../../../ui/cx';

/** How one request of the run ended: each expectation with what came instead. */
export function RunDetail() {
  const run = useRunStore((state) => state.run);
  const underWay = useRunStore((state) => state.underWay);
  const selectedId = useRunStore((state) => state.selectedId);
  const rows = useMemo(() => (run === null ? [] : listRunRows(run, underWay)), [run, underWay]);
  const row = rows.find(({ id }) => id === selectedId) ?? rows[0];
  return (
    <div className={column.whole}>
      <PaneHeader title={row?.item.name ?? 'Result'}>
        {row ? <TextButton onPress={() => void openRow(row)}>Open the request</TextButton> : null}
      </PaneHeader>
      {row ? <Detail row={row} /> : null}
    </div>
  );
}

const unendedTitles: Readonly<Partial<Record<RunRow['state'], string>>> = {
  waiting: 'Under way: its outcome is not known yet',
  unsent: 'Not sent: the run ended before its turn',
};

function Detail({ row }: { row: RunRow }) {
  const { item, result, state } = row;
  const { word, tone } = runStates[state];
  if (result === null) {
    return (
      <EmptyState title={unendedTitles[state] ?? 'Not run yet'}>
        {`${item.path}, line ${item.line}`}
      </EmptyState>
    );
  }
  return (
    <div className={cx(column.scroll, styles.detail)} tabIndex={0} role="group" aria-label="How it ended">
      <PaneSummary
        title={<ForeignText text={describeEnd(state, result)} />}
        mark={<Tag tone={tone}>{word}</Tag>}
      >
        <p>
          <code>{`${item.path}:${item.line}`}</code>
        </p>
      </PaneSummary>
      {result.reason === null ? null : (
        <ErrorLine
          tone={result.outcome === 'error' ? 'bad' : 'warn'}
          isApart
          error={{ message: result.reason, ...(result.errorCode !== null && { code: result.errorCode }) }}
        />
      )}
      <FactList facts={listFacts(result)} />
      <Expectations result={result} path={item.path} />
    </div>
  );
}

function listFacts({ durationMs, attempts, reference, webhookIds }: ItemResult) {
  const firstWebhook = webhookIds[0];
  return [
    ...(attempts > 0 ? [{ label: 'Took', value: formatDuration(durationMs) }] : []),
    ...(attempts > 1 ? [{ label: 'Attempts', value: attempts }] : []),
    ...(reference === null
      ? []
      : [{ label: 'Reference', value: <CopyText text={reference} label="reference" /> }]),
    ...(firstWebhook === undefined
      ? []
      : [{ label: 'Webhooks', value: <a href={routeHref('inbox', firstWebhook)}>{webhookIds.length}</a> }]),
  ];
}

const verdicts: Readonly<Record<'held' | 'failed' | 'unfinished', { word: string; tone: Tone }>> = {
  failed: { word: 'failed', tone: 'bad' },
  unfinished: { word: 'not finished', tone: 'warn' },
  held: { word: 'holds', tone: 'good' },
};

/** What failed first. */
export function Expectations({ result, path }: { result: ItemResult; path: string }) {
  const { expectations, outcome } = result;
  if (expectations.length === 0) {
    return outcome === 'passed' ? (
      <p className={tones.soft}>
        It expects nothing: an answer of any kind passes. “Expect what came”, under Expect, writes it down.
      </p>
    ) : null;
  }
  const ordered = [...expectations].sort(
    (a, b) => Number(a.outcome === 'held') - Number(b.outcome === 'held') || a.line - b.line,
  );
  return (
    <ul className={styles.expectations} aria-label="Expectations">
      <FirstRows items={ordered} more={(way) => <li>{way}</li>}>
        {(one) => (
          <li key={one.line} data-outcome={one.outcome}>
            <p className={styles.expectation}>
              <span>
                <Tag tone={verdicts[one.outcome].tone}>{verdicts[one.outcome].word}</Tag>
              </span>
              <code>
                <ForeignText text={one.text} />
              </code>
              <small title={`${path}:${one.line}`}>{`line ${one.line}`}</small>
            </p>
            {one.outcome === 'held' ? null : (
              <dl className={styles.compared}>
                <dt>Expected</dt>
                <dd>
                  <code>
                    <ForeignText text={one.expected} />
                  </code>
                </dd>
                <dt>Received</dt>
                <dd>
                  <code>
                    <ForeignText text={one.received} />
                  </code>
                </dd>
                {one.advice === null ? null : (
                  <>
                    <dt>What to do</dt>
                    <dd>
                      <ForeignText text={one.advice} />
                    </dd>
                  </>
                )}
              </dl>
            )}
          </li>
        )}
      </FirstRows>
    </ul>
  );
}
