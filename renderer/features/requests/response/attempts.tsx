import type { MethodOutput } from '@shared/contract/contract';
import type { Exchange } from '@shared/contract/sending';
import { useEffect, useState } from 'react';
import { call } from '../../../transport/client';
import { TextButton } from '../../../ui/button';
import { formatDuration } from '../../../ui/format-time';
import { ExactTime } from '../../../ui/relative-time';
import type { OpenTab } from '../requests-store';
import { showAttempt } from '../sending/sending-actions';
import styles from './journey-list.module.css';

type Attempt = MethodOutput<'history.list'>['exchanges'][number];

const most = 20;

/** How often the request went out under this reference, the latest last; also what was sent again with a fresh token. */
export function Attempts({ tab, exchange }: { tab: OpenTab; exchange: Exchange }) {
  const attempts = useAttempts(exchange);
  if (attempts.length < 2) return null;
  return (
    <section className={styles.journey} aria-label="Attempts">
      <h2 className={styles.title}>Attempts</h2>
      <ol>
        {attempts.map(({ id, httpStatus, summary, totalMs, sentAt }, index) => (
          <li key={id} className={styles.event}>
            <span>{index + 1}</span>
            <span className={styles.text} title={summary}>
              {id === exchange.id ? (
                <b>{describe(httpStatus, summary)}</b>
              ) : (
                <TextButton onPress={() => void showAttempt(tab.id, id)}>
                  {describe(httpStatus, summary)}
                </TextButton>
              )}
              {totalMs === null ? '' : `, ${formatDuration(totalMs)}`}
            </span>
            <ExactTime at={sentAt} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function useAttempts({ id, reference, identity, operation }: Exchange): readonly Attempt[] {
  const [read, setRead] = useState<{ reference: string; attempts: readonly Attempt[] } | null>(null);
  useEffect(() => {
    if (reference === null) return undefined;
    let isGone = false;
    call('history.list', { reference, limit: most, ...(identity && { identity }) }).then(
      ({ exchanges }) =>
        isGone ||
        setRead({ reference, attempts: exchanges.filter((one) => one.operation === operation).toReversed() }),
      // Without the history the answer itself is there still.
      () => undefined,
    );
    return () => void (isGone = true);
  }, [id, reference, identity, operation]);
  return read !== null && read.reference === reference ? read.attempts : [];
}

const describe = (httpStatus: number | null, summary: string): string =>
  [httpStatus === null ? '' : String(httpStatus), summary].filter(Boolean).join(' ');
