import { useMemo, useState } from 'react';
import { Button } from '../../../ui/button';
import { Choice } from '../../../ui/choice';
import { cx } from '../../../ui/cx';
import { Dialog } from '../../../ui/dialog';
import { settleConflict } from '../tree/collection-actions';
import styles from './conflict-dialog.module.css';
import { joinHunks, mergeTexts, usualChoice, type Hunk, type HunkChoice } from './merge-texts';
import { updateTab, type OpenTab } from '../requests-store';

/** The file has changed on disk since it was read: the differences are shown, and nothing goes unless chosen. */
export function ConflictDialog({ tab }: { tab: OpenTab }) {
  const { conflict } = tab;
  const close = (): void => updateTab(tab.id, { conflict: null });
  return (
    <Dialog
      title={`“${tab.title}” has changed on disk`}
      isOpen={conflict !== null}
      onClose={close}
      width="wide"
      role="alertdialog"
    >
      {conflict ? <Merge tab={tab} theirs={conflict.text} onClose={close} /> : null}
    </Dialog>
  );
}

function Merge({ tab, theirs, onClose }: { tab: OpenTab; theirs: string; onClose: () => void }) {
  const base = tab.isBaseKnown ? tab.savedText : null;
  const hunks = useMemo(() => mergeTexts(base, tab.text, theirs), [base, tab.text, theirs]);
  const [choices, setChoices] = useState<ReadonlyMap<number, HunkChoice>>(new Map());
  const settle = (choice: 'mine' | 'theirs' | 'copy') => () => void settleConflict(tab.id, choice);
  const differences = hunks.filter(({ kind }) => kind !== 'same').length;
  return (
    <>
      <p className={styles.text}>
        Somebody or something else has written this file since you opened it. Nothing has been overwritten.
      </p>
      <div className={styles.hunks} tabIndex={0} role="group" aria-label="Differences">
        {hunks.map((hunk, index) =>
          hunk.kind === 'same' ? (
            <Same key={index} text={hunk.mine} isFirst={index === 0} isLast={index === hunks.length - 1} />
          ) : (
            <Difference
              key={index}
              hunk={hunk}
              choice={choices.get(index) ?? usualChoice(hunk.kind)}
              onChoose={(choice) => setChoices(new Map(choices).set(index, choice))}
            />
          ),
        )}
        {differences === 0 ? <p className={styles.text}>Both are the same now.</p> : null}
      </div>
      <div className={styles.actions}>
        <Button onPress={onClose}>Decide later</Button>
        <Button onPress={settle('theirs')}>Take the file on disk</Button>
        <Button variant="danger" onPress={settle('mine')}>
          Overwrite with yours
        </Button>
        <Button onPress={settle('copy')}>Save yours as a copy</Button>
        <Button
          variant="primary"
          onPress={() => void settleConflict(tab.id, { merged: joinHunks(hunks, choices) })}
        >
          Save the merge
        </Button>
      </div>
    </>
  );
}

const linesAround = 3;

/** What both have; of a long stretch only the lines beside the differences. */
function Same({ text, isFirst, isLast }: { text: string; isFirst: boolean; isLast: boolean }) {
  const lines = text.replace(/\n$/, '').split('\n');
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
  choice,
  onChoose,
}: {
  hunk: Hunk;
  choice: HunkChoice;
  onChoose: (choice: HunkChoice) => void;
}) {
  return (
    <div className={styles.difference}>
      <div className={styles.choose}>
        <span>{hunk.kind === 'same' ? '' : reasons[hunk.kind]}</span>
        <Choice label="What to keep" options={choiceOptions} selected={choice} onSelect={onChoose} />
      </div>
      <div className={styles.sides}>
        <Side label="Your text" text={hunk.mine} isKept={choice !== 'theirs'} />
        <Side label="Text on disk" text={hunk.theirs} isKept={choice !== 'mine'} />
      </div>
    </div>
  );
}

function Side({ label, text, isKept }: { label: string; text: string; isKept: boolean }) {
  return (
    <pre role="group" aria-label={label} className={cx(styles.side, isKept && styles.kept)}>
      {text === '' ? <span className={styles.left}>nothing</span> : text.replace(/\n$/, '')}
    </pre>
  );
}
