import { Button } from '../../../ui/button';
import { Dialog } from '../../../ui/dialog';
import { JsonView } from '../../../ui/json-view';
import { settleConflict } from '../tree/collection-actions';
import styles from './conflict-dialog.module.css';
import { updateTab, type OpenTab } from '../requests-store';

/** The file has changed on disk since it was read: both texts stand side by side, and nothing goes unless chosen. */
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
      <p className={styles.text}>
        Somebody or something else has written this file since you opened it. Nothing has been overwritten.
      </p>
      <div className={styles.sides}>
        <section className={styles.side}>
          <h3>Yours</h3>
          <JsonView text={tab.text} label="Your text" isPlain />
        </section>
        <section className={styles.side}>
          <h3>On disk</h3>
          <JsonView text={conflict?.text ?? ''} label="Text on disk" isPlain />
        </section>
      </div>
      <div className={styles.actions}>
        <Button onPress={close}>Decide later</Button>
        <Button onPress={() => void settleConflict(tab.id, 'theirs')}>Take the file on disk</Button>
        <Button variant="danger" onPress={() => void settleConflict(tab.id, 'mine')}>
          Overwrite with yours
        </Button>
        <Button variant="primary" onPress={() => void settleConflict(tab.id, 'copy')}>
          Save yours as a copy
        </Button>
      </div>
    </Dialog>
  );
}
