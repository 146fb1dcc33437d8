import type { Journey } from '@shared/contract/journey';
import { showControls } from '@shared/show-controls';
import type { ReactNode } from 'react';
import { routeHref } from '../../../session/routes';
import { CopyText } from '../../../ui/copy-text';
import { cutDrawn, ForeignText } from '../../../ui/foreign-text';
import { formatDuration } from '../../../ui/format-time';
import { ExactTime } from '../../../ui/relative-time';
import { Dot, type Tone } from '../../../ui/tag';
import styles from './journey-list.module.css';

/** What has become of the reference: sent, accepted, webhook, status, balance; new events appear as they come. */
export function JourneyList({ journey }: { journey: Journey }) {
  const { summary, events } = journey;
  const first = events[0];
  const waiting = listWaiting(journey);
  return (
    <section className={styles.journey} aria-label={`Journey of ${summary.reference}`}>
      <h2 className={styles.title} aria-label={`Journey of ${summary.reference}`}>
        <span className={styles.of}>
          <span>Journey of</span>
          <CopyText text={summary.reference} label="reference" />
        </span>
        <a href={routeHref('payments', summary.reference)}>Open</a>
      </h2>
      <ol>
        {events.map((event, index) => (
          <JourneyStep
            key={index}
            tone={event.tone}
            title={[event.title, event.detail].filter(Boolean).map(nameText).join('\n')}
            time={
              first && index > 0 ? (
                `+${formatDuration(Math.max(0, event.at - first.at))}`
              ) : (
                <ExactTime at={event.at} />
              )
            }
          >
            {event.webhookId ? (
              <a href={routeHref('inbox', event.webhookId)}>
                <ForeignText text={event.title} />
              </a>
            ) : (
              <ForeignText text={event.title} />
            )}
          </JourneyStep>
        ))}
        {waiting.map((text) => (
          <li key={text} className={styles.event}>
            <Dot isHollow />
            <span className={styles.waiting}>{text}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

const nameText = (text: string | null): string => showControls(cutDrawn(text ?? ''));

/** One step of a journey: what it was, and when. */
export function JourneyStep({
  tone,
  title,
  time,
  children,
}: {
  tone: Tone;
  title?: string;
  time: ReactNode;
  children: ReactNode;
}) {
  return (
    <li className={styles.event}>
      <Dot tone={tone} />
      <span className={styles.text} title={title}>
        {children}
      </span>
      <span className={styles.time}>{time}</span>
    </li>
  );
}

function listWaiting({ summary: { track } }: Journey): string[] {
  return [
    ...(track.webhook === 'waiting' ? ['Waiting for the webhook'] : []),
    ...(track.final === 'waiting' ? ['Not final yet'] : []),
  ];
}
