import { useMemo } from 'react';
import { useAskBeforeLeaving } from '../../../ui/ask-before-leaving';
import { Button } from '../../../ui/button';
import { Dialog } from '../../../ui/dialog';
import { settleConflict } from './settle-conflict';
import styles from './conflict-dialog.module.css';
import { Differences } from './differences';
import { joinHunks, mergeTexts, nameHunks, type Hunk, type HunkChoice } from './merge-texts';
import { updateTab, useRequestsStore, type OpenTab } from '../requests-store';
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
  const { names, choices } = useChoices(tab, hunks);
  const settle = (choice: 'mine' | 'theirs' | 'copy') => () => void settleFor(tab.id, choice);
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
          onChoose={(index, choice) =>
            updateTab(tab.id, { mergeChoices: new Map(tab.mergeChoices).set(names[index] ?? '', choice) })
          }
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
          onPress={() => void settleFor(tab.id, { merged: joinHunks(hunks, choices) })}
        >
          Save the merge
        </Button>
      </div>
    </>
  );
}

/** What was chosen so far: closed and shown again, the dialog has it still. */
function useChoices({ mergeChoices }: OpenTab, hunks: readonly Hunk[]) {
  useAskBeforeLeaving(() => mergeChoices !== undefined);
  const names = useMemo(() => nameHunks(hunks), [hunks]);
  const choices = useMemo(() => {
    const chosen = names.map((name, index) => [index, mergeChoices?.get(name)] as const);
    return new Map(chosen.filter((one): one is readonly [number, HunkChoice] => one[1] !== undefined));
  }, [names, mergeChoices]);
  return { names, choices };
}

/** Settles a conflict; what was chosen goes with it, unless there is another one. */
async function settleFor(id: string, choice: Parameters<typeof settleConflict>[1]): Promise<void> {
  await settleConflict(id, choice);
  const tab = useRequestsStore.getState().tabs.find((one) => one.id === id);
  if (tab?.conflict === null) updateTab(id, { mergeChoices: undefined });
}
