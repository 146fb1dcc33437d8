import type { Journey, JourneySummary } from '@shared/contract/journey';
import { remarkJourney } from '@shared/journey/remark-journey';
import type { ReactNode } from 'react';
import { useEnvironmentLabel, useEnvironments } from '../../session/environments';
import { navigate } from '../../session/routes';
import { TextButton } from '../../ui/button';
import { copyAction } from '../../ui/copy-action';
import { CopyText } from '../../ui/copy-text';
import { cx } from '../../ui/cx';
import { EmptyState } from '../../ui/empty-state';
import { ErrorLine } from '../../ui/error-line';
import { formatExact } from '../../ui/format-time';
import type { MenuAction } from '../../ui/menu';
import { PaneHeader, PaneSummary } from '../../ui/pane-header';
import { RowMenu } from '../../ui/row-menu';
import { Skeleton } from '../../ui/spinner';
import { signedFieldClass } from '../../ui/string-to-sign-spans';
import { Tag } from '../../ui/tag';
import { useNow } from '../../ui/use-now';
import { whyNotAsked } from './asked-place';
import { ExchangeBody } from './exchange-body';
import { NoPayments } from './no-payments';
import { ShareMenu } from './share-menu';
import { describeMoment, describeKnown, tagOf, titleOf } from './payments-selectors';
import { usePaymentsStore } from './payments-store';
import { NamedTrack } from './track';
import styles from './payments.module.css';
import { ForeignText } from '../../ui/foreign-text';

/** The right half: everything that happened to one reference, in order. */
export function Timeline() {
  const journey = usePaymentsStore((state) => state.journey);
  const phase = usePaymentsStore((state) => state.journeyPhase);
  const error = usePaymentsStore((state) => state.journeyError);
  const askError = usePaymentsStore((state) => state.askError);
  const hasRows = usePaymentsStore((state) => state.rows.length > 0);
  const isEmpty = usePaymentsStore((state) => state.phase === 'ready' && state.search === '');
  if (error && phase === 'failed') return <ErrorLine error={error} isApart />;
  if (journey === null) {
    if (phase === 'loading') return <Skeleton lines={8} />;
    if (hasRows) return <EmptyState title="No payment chosen" />;
    return isEmpty ? <NoPayments /> : null;
  }
  return (
    <>
      <TimelineHeader journey={journey} />
      <Remarks journey={journey} />
      {askError ? <ErrorLine error={askError} isApart /> : null}
      <div className={styles.events}>
        <EventMenu journey={journey}>
          <Events journey={journey} />
        </EventMenu>
      </div>
    </>
  );
}

/** What is missing, and what does not fit; a gap grows while it is looked at. */
function Remarks({ journey }: { journey: Journey }) {
  const now = useNow();
  return remarkJourney(journey, now).map(({ kind, text, canAsk, service }, index) => (
    <ErrorLine key={index} error={{ message: text }} tone={kind === 'gap' ? 'warn' : 'bad'} isApart>
      {canAsk ? <AskStatus summary={journey.summary} service={service} isExplained /> : null}
    </ErrorLine>
  ));
}

/** Asks the service; where it would be another one by now, leads to where the one that is meant can be chosen. */
function AskStatus({
  summary,
  service,
  isExplained = false,
}: {
  summary: JourneySummary;
  service: string | null;
  isExplained?: boolean;
}) {
  const ask = usePaymentsStore((state) => state.ask);
  const isAsking = usePaymentsStore((state) => state.isAsking);
  const why = useEnvironments(({ environments }) => whyNotAsked(summary, service, environments));
  if (why !== null) {
    return (
      <>
        {isExplained ? <ForeignText text={why} /> : null}
        <TextButton onPress={() => navigate('lookups', summary.reference)}>Open Lookups</TextButton>
      </>
    );
  }
  return (
    <TextButton isDisabled={isAsking} onPress={() => void ask(service)}>
      Ask its status
    </TextButton>
  );
}

function TimelineHeader({ journey }: { journey: Journey }) {
  const { summary } = journey;
  const tag = tagOf(summary);
  const known = describeKnown(summary);
  const label = usePlaces(summary);
  return (
    <>
      <PaneHeader
        title={
          <CopyText text={summary.reference} label="reference">
            <ForeignText className={signedFieldClass('reference')} text={summary.reference} />
          </CopyText>
        }
        name={summary.reference}
        isSubject
      >
        <ShareMenu />
        <TextButton onPress={() => navigate('lookups', summary.reference)}>Query its status</TextButton>
      </PaneHeader>
      <PaneSummary
        title={<ForeignText text={titleOf(summary)} />}
        mark={<Tag tone={tag.tone}>{tag.text}</Tag>}
      >
        <p>
          {summary.title === '' ? null : (
            <>
              <ForeignText text={summary.title} />
              {' · '}
            </>
          )}
          <ForeignText text={label} />
          {known === null ? null : (
            <span title={known.title}>{`${label === '' ? '' : ' · '}${known.label} ${known.text}`}</span>
          )}
        </p>
        <NamedTrack journey={journey} />
      </PaneSummary>
    </>
  );
}

/** Where it was sent: each environment, where several have a payment with its reference. */
function usePlaces({ environment, sentTo }: Journey['summary']): string {
  const label = useEnvironmentLabel(environment);
  return sentTo.length > 1 ? sentTo.map(({ name }) => name).join(', ') : label;
}

/** Does what the buttons of an event do, and copies its words. */
function EventMenu({ journey, children }: { journey: Journey; children: ReactNode }) {
  const openExchangeId = usePaymentsStore((state) => state.openExchangeId);
  const toggleExchange = usePaymentsStore((state) => state.toggleExchange);
  const actionsOf = (index: string): MenuAction[] => {
    const event = journey.events[Number(index)];
    if (event === undefined) return [];
    const { exchangeId, webhookId, title, detail, at } = event;
    return [
      {
        id: 'exchange',
        label:
          exchangeId !== null && exchangeId === openExchangeId ? 'Close the exchange' : 'Show the exchange',
        obstacle: exchangeId === null && 'It has none',
        onAction: () => exchangeId !== null && void toggleExchange(exchangeId),
      },
      {
        id: 'webhook',
        label: 'Open the webhook',
        obstacle: webhookId === null && 'It has none',
        onAction: () => webhookId !== null && navigate('inbox', webhookId),
      },
      {
        ...copyAction('words', 'Copy its words', detail ? `${title}: ${detail}` : title),
        hasLineAbove: true,
      },
      copyAction('time', 'Copy its time', formatExact(at)),
    ];
  };
  return (
    <RowMenu label="Event" actionsOf={actionsOf}>
      {children}
    </RowMenu>
  );
}

function Events({ journey }: { journey: Journey }) {
  const openExchangeId = usePaymentsStore((state) => state.openExchangeId);
  const toggleExchange = usePaymentsStore((state) => state.toggleExchange);
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
          <li key={index} data-key={index} className={styles.event}>
            <span className={cx(styles.dot, styles[event.tone])} aria-hidden="true" />
            <div className={styles.what}>
              <ForeignText className={styles.eventTitle} text={event.title} />
              {event.detail ? <ForeignText className={styles.detail} text={event.detail} /> : null}
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
                <AskStatus summary={journey.summary} service={event.service} />
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
              {describeMoment(event.at, index === 0 ? null : startedAt)}
            </time>
            {isOpen ? <ExchangeBody /> : null}
          </li>
        );
      })}
    </ol>
  );
}
