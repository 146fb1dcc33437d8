import { Choice } from '../../../ui/choice';
import { cx } from '../../../ui/cx';
import { cutDrawn } from '../../../ui/foreign-text';
import styles from './conflict-dialog.module.css';
import { usualChoice, type Hunk, type HunkChoice } from './merge-texts';

interface SideLabels {
  mine: string;
  theirs: string;
}

const linesAround = 3;

/** Two texts laid beside each other where they differ; with `choices`, what to keep can be chosen for each place. */
export function Differences({
  hunks,
  labels,
  choices = null,
  onChoose = () => undefined,
}: {
  hunks: readonly Hunk[];
  labels: SideLabels;
  choices?: ReadonlyMap<number, HunkChoice> | null;
  onChoose?: (index: number, choice: HunkChoice) => void;
}) {
  return hunks.map((hunk, index) =>
    hunk.kind === 'same' ? (
      <Same key={index} text={hunk.mine} isFirst={index === 0} isLast={index === hunks.length - 1} />
    ) : (
      <Difference
        key={index}
        hunk={hunk}
        labels={labels}
        choice={choices && (choices.get(index) ?? usualChoice(hunk.kind))}
        onChoose={(choice) => onChoose(index, choice)}
      />
    ),
  );
}

/** What both have; of a long stretch only the lines beside the differences. */
function Same({ text, isFirst, isLast }: { text: string; isFirst: boolean; isLast: boolean }) {
  const lines = linesOf(text);
  const before = isFirst ? [] : lines.slice(0, linesAround);
  const after = isLast ? [] : lines.slice(-linesAround);
  const left = lines.length - before.length - after.length;
  if (left <= 1) return <pre className={styles.same}>{lines.join('\n')}</pre>;
  return (
    <pre className={styles.same}>
      {before.join('\n')}
      <span className={styles.left}>{`${left} lines are the same`}</span>
      {after.join('\n')}
    </pre>
  );
}

const choiceOptions = [
  { id: 'mine', label: 'Yours' },
  { id: 'theirs', label: 'On disk' },
  { id: 'both', label: 'Both' },
] as const;

const reasons = {
  mine: 'You changed this.',
  theirs: 'It was changed on disk.',
  conflict: 'Both differ here.',
} as const;

function Difference({
  hunk,
  labels,
  choice,
  onChoose,
}: {
  hunk: Hunk;
  labels: SideLabels;
  /** Null: there is nothing to choose, and both stand out. */
  choice: HunkChoice | null;
  onChoose: (choice: HunkChoice) => void;
}) {
  return (
    <div className={styles.difference}>
      {choice === null ? null : (
        <div className={styles.choose}>
          <span>{hunk.kind === 'same' ? '' : reasons[hunk.kind]}</span>
          <Choice label="What to keep" options={choiceOptions} selected={choice} onSelect={onChoose} />
        </div>
      )}
      <div className={styles.sides} style={{ gridTemplateRows: `repeat(${countRows(hunk)}, auto)` }}>
        <Side label={labels.mine} text={hunk.mine} isKept={choice !== 'theirs'} />
        <Side label={labels.theirs} text={hunk.theirs} isKept={choice !== 'mine'} />
      </div>
    </div>
  );
}

/** Of more lines than these nobody follows one across, and each is a row to lay out. */
const mostAligned = 500;

const linesOf = (text: string): string[] => text.replace(/\n$/, '').split('\n').map(cutDrawn);

/** A row for each line, so that one that is broken on one side keeps those below it beside theirs. */
function countRows({ mine, theirs }: Hunk): number {
  const rows = Math.max(linesOf(mine).length, linesOf(theirs).length);
  return rows > mostAligned ? 1 : rows;
}

function Side({ label, text, isKept }: { label: string; text: string; isKept: boolean }) {
  const lines = linesOf(text);
  return (
    <pre role="group" aria-label={label} className={cx(styles.side, isKept && styles.kept)}>
      {text === '' ? (
        <span className={styles.left}>nothing</span>
      ) : lines.length > mostAligned ? (
        lines.join('\n')
      ) : (
        lines.map((line, at) => <span key={at}>{`${line}\n`}</span>)
      )}
    </pre>
  );
}
