import type { MethodOutput } from '@shared/contract/contract';
import { useEffect, useState } from 'react';
import { call } from '../../../transport/client';
import { toClientError, type ClientError } from '../../../transport/client-error';
import { cx } from '../../../ui/cx';
import { EmptyState } from '../../../ui/empty-state';
import { ErrorLine } from '../../../ui/error-line';
import { formatDuration, formatExact } from '../../../ui/format-time';
import { Skeleton } from '../../../ui/spinner';
import styles from '../inbox.module.css';
import { useWaysStore } from './ways-store';
import { TableHead } from '../../../ui/table-head';

type Forwards = MethodOutput<'forwarding.attempts'>;

/** What became of each attempt to forward one webhook. */
export function ForwardAttempts({ id }: { id: string }) {
  const [read, setRead] = useState<Forwards | null>(null);
  const [error, setError] = useState<ClientError | null>(null);
  // Each change of the queue may be an attempt with this one.
  const forwarding = useWaysStore((state) => state.forwarding);
  useEffect(() => {
    let isCurrent = true;
    call('forwarding.attempts', { id }).then(
      (output) => {
        if (!isCurrent) return;
        setRead(output);
        setError(null);
      },
      (failure: unknown) => isCurrent && setError(toClientError(failure)),
    );
    return () => {
      isCurrent = false;
    };
  }, [id, forwarding]);
  if (error !== null) return <ErrorLine error={error} isApart />;
  if (read === null) return <Skeleton lines={2} />;
  const { attempts } = read;
  if (attempts.length === 0) return <NoAttempt forwards={read} isOn={forwarding?.isOn ?? true} />;
  return (
    <table className={styles.table}>
      <colgroup>
        <col className={styles.narrow} />
        <col className={styles.narrow} />
        <col />
        <col className={styles.narrow} />
        <col className={styles.narrow} />
      </colgroup>
      <TableHead names={['Attempt', 'At', 'The backend', 'Took', 'Next']} />
      <tbody>
        {attempts.toReversed().map((one) => (
          <tr key={`${one.to} ${one.attempt}`}>
            <td>{one.attempt}</td>
            <Moment at={one.at} />
            <td className={one.outcome === 'delivered' ? styles.wrapped : cx(styles.wrapped, styles.bad)}>
              {one.outcome === 'delivered' ? `took it: ${one.httpStatus ?? 'exit code 0'}` : one.reason}
            </td>
            <td>{formatDuration(one.durationMs)}</td>
            {one.nextAttemptAt === null ? <td>–</td> : <Moment at={one.nextAttemptAt} />}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function NoAttempt({ forwards: { isQueued, originalId }, isOn }: { forwards: Forwards; isOn: boolean }) {
  if (isQueued) {
    return (
      <EmptyState title="Not forwarded yet">
        {isOn
          ? 'It waits for its turn: until the backend can be reached, or took what came before it of the same reference.'
          : 'It waits until webhooks are forwarded again.'}
      </EmptyState>
    );
  }
  return (
    <EmptyState title="Not forwarded">
      {originalId === null
        ? 'No attempt was made with this one.'
        : `It is webhook ${originalId}, which was forwarded from here and came back: to forward it again would never end. Forward to the address of your backend.`}
    </EmptyState>
  );
}

function Moment({ at }: { at: number }) {
  const exact = formatExact(at);
  return <td title={exact}>{exact.slice(11, 19)}</td>;
}
