import { useEffect } from 'react';
import { EmptyState } from '../../ui/empty-state';
import { formatDuration, formatExact } from '../../ui/format-time';
import { Skeleton } from '../../ui/spinner';
import { isGoodAnswer } from './inbox-selectors';
import { useInboxStore } from './inbox-store';
import styles from './inbox.module.css';

/** What was answered to the replays of the webhook on show. */
export function WebhookReplays() {
  const replays = useInboxStore((state) => state.replays);
  const loadReplays = useInboxStore((state) => state.loadReplays);
  const id = useInboxStore((state) => state.selectedId);
  useEffect(() => {
    void loadReplays();
  }, [loadReplays, id]);
  if (replays === null) return <Skeleton lines={2} />;
  if (replays.length === 0) return <EmptyState title="Not replayed yet" />;
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">Sent</th>
          <th scope="col">Answer</th>
          <th scope="col">To</th>
        </tr>
      </thead>
      <tbody>
        {replays.map((one, index) => (
          <tr key={`${one.sentAt} ${replays.length - index}`}>
            <td>
              {formatExact(one.sentAt)}
              {one.isEdited ? ', edited' : ''}
              {one.isResigned ? ', signed anew' : ''}
            </td>
            <td className={one.httpStatus !== null && isGoodAnswer(one.httpStatus) ? undefined : styles.bad}>
              {one.httpStatus === null
                ? one.reason
                : `${one.httpStatus}${one.elapsedMs === null ? '' : ` in ${formatDuration(one.elapsedMs)}`}`}
            </td>
            <td>{one.url}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
