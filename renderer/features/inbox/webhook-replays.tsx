import type { Replay } from '@shared/contract/inbox';
import { useEffect, useState } from 'react';
import { cx } from '../../ui/cx';
import { EmptyState } from '../../ui/empty-state';
import { ForeignText } from '../../ui/foreign-text';
import { formatDuration, formatExact } from '../../ui/format-time';
import { JsonView } from '../../ui/json-view';
import { Skeleton } from '../../ui/spinner';
import { isGoodAnswer } from './inbox-selectors';
import { useInboxStore } from './inbox-store';
import styles from './inbox.module.css';
import { TableHead } from '../../ui/table-head';

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
      <TableHead names={['Sent', 'Answer', 'To']} />
      <tbody>
        {replays.map((one, index) => (
          <ReplayRow key={`${one.sentAt} ${replays.length - index}`} replay={one} />
        ))}
      </tbody>
    </table>
  );
}

function ReplayRow({ replay }: { replay: Replay }) {
  const { httpStatus, elapsedMs, reason, sentAt, isEdited, isResigned, url } = replay;
  const [isOpen, setOpen] = useState(false);
  const isGood = httpStatus !== null && isGoodAnswer(httpStatus);
  const took = elapsedMs === null ? '' : ` in ${formatDuration(elapsedMs)}`;
  return (
    <>
      <tr>
        <td className={styles.wrapped}>
          {formatExact(sentAt)}
          {isEdited ? ', edited' : ''}
          {isResigned ? ', signed anew' : ''}
        </td>
        <td className={cx(styles.wrapped, !isGood && styles.bad)}>
          {httpStatus === null ? (
            reason
          ) : (
            <button
              type="button"
              className={styles.jump}
              aria-expanded={isOpen}
              onClick={() => setOpen(!isOpen)}
            >{`${httpStatus}${took}`}</button>
          )}
        </td>
        <td title={url}>
          <ForeignText text={url} />
        </td>
      </tr>
      {isOpen ? (
        <tr>
          <td colSpan={3}>
            <div className={styles.answered}>
              <JsonView text={writeAnswer(replay)} label="The answer" isPlain />
            </div>
          </td>
        </tr>
      ) : null}
    </>
  );
}

/** Status, headers and body, one below the other, as they came. */
function writeAnswer({ httpStatus, headers, body }: Replay): string {
  const lines = headers.map(([name, value]) => `${name}: ${value}`);
  return [`HTTP ${httpStatus}`, ...lines, '', body].join('\n');
}
