import { Button } from '../../../ui/button';
import { Dialog } from '../../../ui/dialog';
import { useRequestsStore } from '../requests-store';
import styles from './close-dialog.module.css';
import { discardAndClose, keepOpen, saveAndClose, useClosing } from './tab-actions';
import tones from '../../../ui/tone.module.css';

/** Asks what becomes of what is not saved in a tab that is to be closed. */
export function CloseDialog() {
  const id = useClosing(({ ids }) => ids[0]);
  const tab = useRequestsStore(({ tabs }) => tabs.find((one) => one.id === id));
  if (tab === undefined) return null;
  return (
    <Dialog title={`Save “${tab.title}” before it closes?`} onClose={keepOpen} role="alertdialog">
      <p className={tones.soft}>What you typed since the last save is in this tab alone.</p>
      <div className={styles.actions}>
        <Button onPress={keepOpen}>Cancel</Button>
        <Button variant="danger" onPress={() => discardAndClose(tab.id)}>
          Close without saving
        </Button>
        <Button variant="primary" autoFocus onPress={() => void saveAndClose(tab.id)}>
          Save and close
        </Button>
      </div>
    </Dialog>
  );
}
