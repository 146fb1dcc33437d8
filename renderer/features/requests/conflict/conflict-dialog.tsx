import { useMemo, useState } from 'react';
import { Button } from '../../../ui/button';
import { Dialog } from '../../../ui/dialog';
import { settleConflict } from '../tree/collection-actions';
import styles from './conflict-dialog.module.css';
import { Differences } from './differences';
import { joinHunks, mergeTexts, type HunkChoice } from './merge-texts';
import { updateTab, type OpenTab } from '../requests-store';
import tones from '../../../ui/tone.module.css';

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

const labels = { mine: 'Your text', theirs: 'Text on disk' };

function Merge({ tab, theirs, onClose }: { tab: OpenTab; theirs: string; onClose: () => void }) {
  const base = tab.isBaseKnown ? tab.savedText : null;
  const hunks = useMemo(() => mergeTexts(base, tab.text, theirs), [base, tab.text, theirs]);
  const [choices, setChoices] = useState<ReadonlyMap<number, HunkChoice>>(new Map());
  const settle = (choice: 'mine' | 'theirs' | 'copy') => () => void settleConflict(tab.id, choice);
  const differences = hunks.filter(({ kind }) => kind !== 'same').length;
  return (
    <>
      <p className={tones.soft}>
        Somebody or something else has written this file since you opened it. Nothing has been overwritten.
      </p>
      <div className={styles.hunks} tabIndex={0} role="group" aria-label="Differences">
        <Differences
          hunks={hunks}
          labels={labels}
          choices={choices}
          onChoose={(index, choice) => setChoices(new Map(choices).set(index, choice))}
        />
        {differences === 0 ? <p className={tones.soft}>Both are the same now.</p> : null}
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
