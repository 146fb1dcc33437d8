import type { HeaderList } from '@shared/contract/common';
import type { Exchange } from '@shared/contract/sending';
import { useEnvironmentLabel } from '../../session/environments';
import { explainerOf } from '../../session/handover';
import { routeHref } from '../../session/routes';
import { readWholeAnswer } from '../../session/whole-answer';
import { Button, TextButton } from '../../ui/button';
import { CopyText } from '../../ui/copy-text';
import { EmptyState } from '../../ui/empty-state';
import { ErrorLine } from '../../ui/error-line';
import { LoadError } from '../../ui/load-error';
import { ExchangeParts } from '../../ui/exchange-parts';
import { formatExact } from '../../ui/format-time';
import { HeaderMenu, HeaderRows } from '../../ui/header-rows';
import { FactList, PaneHeader } from '../../ui/pane-header';
import { Skeleton } from '../../ui/spinner';
import { HistoryCompare } from './history-compare';
import { compareWith, pin, select, useHistoryStore } from './history-store';
import { findLost, openAsDraft, resend, useResend } from './resend';
import styles from './history.module.css';
import tones from '../../ui/tone.module.css';
import column from '../../ui/column.module.css';
import { cx } from '../../ui/cx';

/** What one exchange was and got, and what can be done with it. */
export function HistoryDetail() {
  const selectedId = useHistoryStore((state) => state.selectedId);
  const exchange = useHistoryStore((state) => state.exchange);
  const error = useHistoryStore((state) => state.exchangeError);
  return (
    <div className={column.whole}>
      <PaneHeader title={exchange?.title ?? 'Exchange'}>
        {exchange ? <Actions exchange={exchange} /> : null}
      </PaneHeader>
      <LoadError error={error} isApart onRetry={() => selectedId !== null && select(selectedId)} />
      {exchange ? (
        <Detail exchange={exchange} />
      ) : selectedId !== null && error === null ? (
        <Skeleton lines={6} />
      ) : error === null ? (
        <EmptyState title="Choose an exchange">
          Its request, its answer and the string that was signed stand here.
        </EmptyState>
      ) : null}
    </div>
  );
}

function Actions({ exchange }: { exchange: Exchange }) {
  const isSending = useResend((state) => state.isSending);
  const isPinned = useHistoryStore(
    ({ rows }) => rows.find(({ id }) => id === exchange.id)?.isPinned ?? false,
  );
  return (
    <>
      <TextButton onPress={() => void pin(exchange.id, !isPinned)}>{isPinned ? 'Unpin' : 'Pin'}</TextButton>
      <TextButton onPress={() => void compareWith(exchange.id)}>Compare</TextButton>
      <TextButton onPress={() => void openAsDraft(exchange)}>Open as draft</TextButton>
      <Button
        isOnce
        isDisabled={isSending}
        obstacle={findLost(exchange)}
        onPress={() => void resend(exchange)}
      >
        {isSending ? 'Sending…' : 'Send again'}
      </Button>
    </>
  );
}

function Detail({ exchange }: { exchange: Exchange }) {
  const other = useHistoryStore((state) => state.other);
  const resendError = useResend((state) => state.error);
  const lost = findLost(exchange);
  const label = useEnvironmentLabel(exchange.environment);
  return (
    <div className={cx(column.scroll, styles.detail)} tabIndex={0} role="group" aria-label="Exchange on show">
      {resendError ? <ErrorLine error={resendError} /> : null}
      <FactList facts={listFacts(exchange, label)} />
      {lost === null ? null : (
        <p className={tones.soft}>{`It cannot be sent again as it was. ${lost} Open it as a draft.`}</p>
      )}
      {other ? <HistoryCompare exchange={exchange} other={other} /> : null}
      <ExchangeParts
        exchange={exchange}
        onExplain={explainerOf(exchange)}
        readWhole={() => readWholeAnswer(exchange)}
      />
      <div className={styles.headerLists}>
        <Headers title="Headers sent" headers={exchange.request.headers} />
        {exchange.response ? <Headers title="Headers received" headers={exchange.response.headers} /> : null}
      </div>
    </div>
  );
}

function Headers({ title, headers }: { title: string; headers: HeaderList }) {
  if (headers.length === 0) return null;
  return (
    <HeaderMenu headers={headers}>
      <table className={styles.headers} aria-label={title}>
        <caption>{title}</caption>
        <tbody>
          <HeaderRows headers={headers} />
        </tbody>
      </table>
    </HeaderMenu>
  );
}

function listFacts({ sentAt, request, reference, reading, identity }: Exchange, environment: string) {
  return [
    { label: 'Sent', value: formatExact(sentAt) },
    { label: 'Environment', value: environment },
    // A request may name another host than its environment's.
    { label: 'To', value: URL.canParse(request.url) ? new URL(request.url).host : request.url },
    ...(reading === null ? [] : [{ label: 'Outcome', value: reading.title }]),
    ...(reference === null
      ? []
      : [
          { label: 'Reference', value: <CopyText text={reference} label="reference" /> },
          { label: 'Journey', value: <a href={routeHref('payments', reference)}>Show</a> },
        ]),
    ...(identity === null
      ? []
      : [
          {
            label: 'Request',
            value: (
              <a href={routeHref('requests', `@${identity.collectionId}/${identity.path}`)}>
                {identity.path}
              </a>
            ),
          },
        ]),
  ];
}
