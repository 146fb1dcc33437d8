import { useMemo } from 'react';
import { explainAnswer } from '@shared/payments/explain-answer';
import { CopyText } from '../../../../ui/copy-text';
import { EmptyState } from '../../../../ui/empty-state';
import { ForeignText } from '../../../../ui/foreign-text';
import styles from './answer-words.module.css';

/** Longer than every form of the interface: read as text or as a tree. */
const longestRead = 256 * 1024;

/** Field by field what the interface says of an answer; what it does not name is shown as it is. */
export function AnswerWords({ body, whyUnread }: { body: string; whyUnread: string | null }) {
  const isRead = whyUnread === null && body.length <= longestRead;
  const read = useMemo(() => (isRead ? explainAnswer(body) : null), [body, isRead]);
  if (read === null) {
    return (
      <EmptyState title="Not in a form of the interface">
        {whyUnread !== null
          ? `It is ${whyUnread}. Look at it as received.`
          : body.length > longestRead
            ? 'It is longer than any answer of the interface. Look at it as a tree.'
            : 'It is not JSON. Look at it as received.'}
      </EmptyState>
    );
  }
  return (
    <div className={styles.words} role="group" tabIndex={0} aria-label="Response body in words">
      <dl>
        {read.fields.map(({ path, value, note }) => (
          <div key={path} className={styles.field}>
            <dt>
              <ForeignText text={path} />
            </dt>
            <dd>
              <CopyText text={value} label={path} />
              <span className={note === null ? styles.unknown : styles.note}>
                {note ?? 'The interface does not name this field, or not with this value'}
              </span>
            </dd>
          </div>
        ))}
      </dl>
      {read.isCut ? <p className={styles.unknown}>The first 300 fields are shown.</p> : null}
    </div>
  );
}
