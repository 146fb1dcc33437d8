import { diffStrings, type DiffPart } from '../../ui/diff-strings';
import styles from './history.module.css';

/** Two strings to sign, one above the other, what only one of them has marked. */
export function StringsCompare({ left, right }: { left: string | null; right: string | null }) {
  if (left === null && right === null) return null;
  const diff = diffStrings(left ?? '', right ?? '');
  return (
    <>
      <h3>String to sign</h3>
      {diff.isEqual && left !== null && right !== null ? (
        <p className={styles.quiet}>Both signed the same string.</p>
      ) : (
        <dl className={styles.strings}>
          <dt>There</dt>
          <dd>{left === null ? 'not signed' : <Marked parts={diff.expected} />}</dd>
          <dt>Here</dt>
          <dd>{right === null ? 'not signed' : <Marked parts={diff.actual} />}</dd>
        </dl>
      )}
    </>
  );
}

function Marked({ parts }: { parts: readonly DiffPart[] }) {
  return (
    <code dir="ltr">
      {parts.map(({ text, isDifferent }, index) =>
        isDifferent ? <mark key={index}>{text}</mark> : <span key={index}>{text}</span>,
      )}
    </code>
  );
}
