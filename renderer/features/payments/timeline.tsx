import type { Journey } from '@shared/contract/journey';
import { readEnvironmentName } from '@shared/contract/environment-id';
import { navigate } from '../../session/routes';
import { TextButton } from '../../ui/button';
import { CopyText } from '../../ui/copy-text';
import { cx } from '../../ui/cx';
import { EmptyState } from '../../ui/empty-state';
import { ErrorLine } from '../../ui/error-line';
import { formatExact } from '../../ui/format-time';
import { FactList, PaneHeader } from '../../ui/pane-header';
import { Skeleton } from '../../ui/spinner';
import { signedFieldClass } from '../../ui/string-to-sign-spans';
import { Tag } from '../../ui/tag';
import { ExchangeBody } from './exchange-body';
import { NoPayments } from './no-payments';
import { Track } from './payment-list';
import { describeOffset, describeTook, tagOf, titleOf } from './payments-selectors';
import { usePaymentsStore } from './payments-store';
import styles from './payments.module.css';

/** The right half: everything that happened to one reference, in order. */
export function Timeline() {
  const journey = usePaymentsStore((state) => state.journey);
  const phase = usePaymentsStore((state) => state.journeyPhase);
  const error = usePaymentsStore((state) => state.journeyError);
  const askError = usePaymentsStore((state) => state.askError);
  const hasRows = usePaymentsStore((state) => state.rows.length > 0);
  const isEmpty = usePaymentsStore((state) => state.phase === 'ready' && state.search === '');
  if (error && phase === 'failed') return <ErrorLine error={error} className={styles.fault} />;
  if (journey === null) {
    if (phase === 'loading') return <Skeleton lines={8} />;
    if (hasRows) return <EmptyState title="No payment chosen" />;
    return isEmpty ? <NoPayments /> : null;
  }
  return (
    <>
      <TimelineHeader journey={journey} />
      {askError ? <ErrorLine error={askError} className={styles.fault} /> : null}
      <div className={styles.events}>
        <Events journey={journey} />
      </div>
    </>
  );
}

function TimelineHeader({ journey: { summary } }: { journey: Journey }) {
  const tag = tagOf(summary);
  const took = describeTook(summary);
  return (
    <>
      <PaneHeader
        title={
          <span className={styles.reference}>
            <CopyText text={summary.reference} label="reference">
              <bdi className={signedFieldClass('reference')}>{summary.reference}</bdi>
            </CopyText>
          </span>
        }
        className={styles.head}
      >
        <TextButton onPress={() => navigate('lookups', summary.reference)}>Query its status</TextButton>
      </PaneHeader>
      <FactList
        facts={[
          { label: 'Payment', value: <bdi>{titleOf(summary)}</bdi> },
          { label: 'State', value: <Tag tone={tag.tone}>{tag.text}</Tag> },
          {
            label: 'Track',
            value: (
              <span className={styles.trackFact}>
                <Track track={summary.track} />
              </span>
            ),
          },
          { label: 'Request', value: <bdi title={summary.title}>{summary.title || '–'}</bdi> },
          { label: 'Environment', value: readEnvironmentName(summary.environment) },
          {
            label: took.label,
            value: <span title={took.title}>{took.text}</span>,
          },
        ]}
      />
    </>
  );
}

function Events({ journey }: { journey: Journey }) {
  const openExchangeId = usePaymentsStore((state) => state.openExchangeId);
  const toggleExchange = usePaymentsStore((state) => state.toggleExchange);
  const ask = usePaymentsStore((state) => state.ask);
  const isAsking = usePaymentsStore((state) => state.isAsking);
  const startedAt = journey.events[0]?.at ?? journey.summary.startedAt;
  // Several events may come from one exchange ('sent' and 'accepted'): it opens under the last of them.
  // A callback names the exchange that it answers, and has a way of its own.
  const lastOf = new Map(
    journey.events.flatMap((event, index) =>
      event.webhookId === null ? [[event.exchangeId, index] as const] : [],
    ),
  );
  if (journey.events.length === 0) return <EmptyState title="Nothing is known of this reference yet" />;
  return (
    <ol className={styles.list} aria-label="Timeline">
      {journey.events.map((event, index) => {
        const { exchangeId, webhookId } = event;
        const isOpen =
          exchangeId !== null && exchangeId === openExchangeId && lastOf.get(exchangeId) === index;
        return (
          <li key={index} className={styles.event}>
            <span className={cx(styles.dot, styles[event.tone])} aria-hidden="true" />
            <div className={styles.what}>
              <span className={styles.eventTitle}>{event.title}</span>
              {event.detail ? <bdi className={styles.detail}>{event.detail}</bdi> : null}
            </div>
            <span className={styles.links}>
              {exchangeId !== null && lastOf.get(exchangeId) === index ? (
                <TextButton
                  aria-label={`Exchange of “${event.title}”`}
                  aria-expanded={isOpen}
                  onPress={() => void toggleExchange(exchangeId)}
                >
                  {isOpen ? 'Close' : 'Exchange'}
                </TextButton>
              ) : null}
              {event.kind === 'unknown' && journey.summary.state === null ? (
                <TextButton isDisabled={isAsking} onPress={() => void ask()}>
                  Ask its status
                </TextButton>
              ) : null}
              {webhookId === null ? null : (
                <TextButton
                  aria-label={`Webhook of “${event.title}”`}
                  onPress={() => navigate('inbox', webhookId)}
                >
                  Webhook
                </TextButton>
              )}
            </span>
            <time
              className={styles.at}
              title={formatExact(event.at)}
              dateTime={new Date(event.at).toISOString()}
            >
              {index === 0 ? formatExact(event.at).slice(11) : describeOffset(event.at, startedAt)}
            </time>
            {isOpen ? <ExchangeBody /> : null}
          </li>
        );
      })}
    </ol>
  );
}
