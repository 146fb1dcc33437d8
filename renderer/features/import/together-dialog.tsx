import { useEffect } from 'react';
import { describeCounts } from '@shared/import/describe-counts';
import { importFormats } from '@shared/import/import-formats';
import type { GivenTogether } from '../../session/asked-import';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { FormDialog } from '../../ui/form-dialog';
import { ForeignText } from '../../ui/foreign-text';
import { NoteList } from '../../ui/note-list';
import { Spinner } from '../../ui/spinner';
import styles from './import-dialog.module.css';
import { previewTogether, runTogether, useTogether, type TogetherItem } from './import-together';
import { closeImport, showFirst } from './run-import';

/** Asks once about all that was given together, and says of each what it makes, or why it is not taken. */
export function TogetherDialog({ given }: { given: readonly GivenTogether[] }) {
  const { items, isReading, isDone } = useTogether();
  useEffect(() => previewTogether(given), [given]);
  if (isDone) return <DoneDialog items={items} />;
  const taken = items.filter(({ outcome }) => outcome !== null).length;
  return (
    <FormDialog
      title="Import"
      onClose={() => {
        if (!useTogether.getState().isDone) closeImport();
      }}
      onSubmit={async () => showFirst(await runTogether())}
      submitLabel="Import"
      obstacle={isReading ? 'They are being read' : taken === 0 && 'None of them can be imported'}
      width="wide"
    >
      <p className={styles.none}>
        {isReading
          ? `${items.length} files were given together.`
          : `${taken} of ${items.length} files can be imported. What has a name becomes a collection of its own, which environments join where it is the only one; all else joins the one on show.`}
      </p>
      <ItemList items={items} />
      {isReading ? <Spinner label="Reading" size={14} /> : null}
    </FormDialog>
  );
}

function DoneDialog({ items }: { items: readonly TogetherItem[] }) {
  const done = items.filter(({ isDone }) => isDone);
  const close = (): void => closeImport(done.find(({ outcome }) => outcome?.requests !== 0)?.outcome ?? null);
  return (
    <Dialog title="Imported" onClose={close} width="wide">
      <p className={styles.none}>{`${done.length} of ${items.length} files were imported.`}</p>
      <ItemList items={items} />
      <div className={styles.actions}>
        <Button variant="primary" onPress={close} autoFocus>
          Close
        </Button>
      </div>
    </Dialog>
  );
}

/** Each with its counts or its fault, and all notes below. */
function ItemList({ items }: { items: readonly TogetherItem[] }) {
  const notes = items.flatMap(({ name, outcome }) =>
    (outcome?.notes ?? []).map(({ where, what }) => ({ where: `${name}: ${where}`, what })),
  );
  return (
    <>
      {/* It scrolls: the keyboard must reach it. */}
      <ul className={styles.items} aria-label="Files" aria-live="polite" tabIndex={0}>
        {items.map(({ name, outcome, error }, at) => (
          <li key={at}>
            <ForeignText className={styles.source} text={name} />
            {error ? (
              <ForeignText className={styles.fault} text={error.message} hasCode />
            ) : outcome ? (
              <span>{`${importFormats[outcome.format].label}: ${describeCounts(outcome)}`}</span>
            ) : null}
          </li>
        ))}
      </ul>
      {notes.length > 0 ? <NoteList label="Notes" notes={notes} /> : null}
    </>
  );
}
