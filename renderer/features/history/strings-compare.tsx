import { diffStrings, type DiffPart } from '../../ui/diff-strings';
import { ForeignText, LONGEST_DRAWN } from '../../ui/foreign-text';
import styles from './history.module.css';
import tones from '../../ui/tone.module.css';

/** Two strings to sign, one above the other, what only one of them has marked. */
export function StringsCompare({ left, right }: { left: string | null; right: string | null }) {
  if (left === null && right === null) return null;
  const diff = diffStrings((left ?? '').slice(0, LONGEST_DRAWN), (right ?? '').slice(0, LONGEST_DRAWN));
  return (
    <>
      <h3>String to sign</h3>
      {left === right ? (
        <p className={tones.soft}>Both signed the same string.</p>
      ) : (
        <dl className={styles.strings}>
          <dt>There</dt>
          <dd>{left === null ? 'not signed' : <Marked parts={diff.expected} />}</dd>
          <dt>Here</dt>
          <dd>{right === null ? 'not signed' : <Marked parts={diff.actual} />}</dd>
        </dl>
      )}
      {left !== right && [left, right].some((one) => (one ?? '').length > LONGEST_DRAWN) ? (
        <p className={tones.soft}>{`The first ${LONGEST_DRAWN} characters of each are compared.`}</p>
      ) : null}
    </>
  );
}

function Marked({ parts }: { parts: readonly DiffPart[] }) {
  return (
    <code dir="ltr">
      {parts.map(({ text, isDifferent }, index) =>
        isDifferent ? (
          <mark key={index}>
            <ForeignText text={text} />
          </mark>
        ) : (
          <ForeignText key={index} text={text} />
        ),
      )}
    </code>
  );
}
