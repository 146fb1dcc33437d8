import type { ForwardAttempt } from '@shared/contract/forwarding';
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

/** What became of each attempt to forward one webhook. */
export function ForwardAttempts({ id }: { id: string }) {
  const [attempts, setAttempts] = useState<ForwardAttempt[] | null>(null);
  const [error, setError] = useState<ClientError | null>(null);
  // Each change of the queue may be an attempt with this one.
  const forwarding = useWaysStore((state) => state.forwarding);
  useEffect(() => {
    let isCurrent = true;
    call('forwarding.attempts', { id }).then(
      (read) => isCurrent && setAttempts(read.attempts),
      (failure: unknown) => isCurrent && setError(toClientError(failure)),
    );
    return () => {
      isCurrent = false;
    };
  }, [id, forwarding]);
  if (error !== null) return <ErrorLine error={error} className={styles.fault} />;
  if (attempts === null) return <Skeleton lines={2} />;
  if (attempts.length === 0)
    return <EmptyState title="Not forwarded">No attempt was made with this one.</EmptyState>;
  return (
    <table className={styles.table}>
      <colgroup>
        <col className={styles.narrow} />
        <col className={styles.narrow} />
        <col />
        <col className={styles.narrow} />
        <col className={styles.narrow} />
      </colgroup>
      <thead>
        <tr>
          <th scope="col">Attempt</th>
          <th scope="col">At</th>
          <th scope="col">The backend</th>
          <th scope="col">Took</th>
          <th scope="col">Next</th>
        </tr>
      </thead>
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

function Moment({ at }: { at: number }) {
  const exact = formatExact(at);
  return <td title={exact}>{exact.slice(11, 19)}</td>;
}
