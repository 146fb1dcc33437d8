import { useEffect, useState } from 'react';
import type { OpenCollection } from '@shared/contract/collections';
import { describeCounts } from '@shared/import/describe-counts';
import { importableTools, importFormats } from '@shared/import/import-formats';
import { readImportFile, useAskedImport } from '../../session/asked-import';
import { toClientError } from '../../transport/client-error';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { FormDialog } from '../../ui/form-dialog';
import { ErrorLine } from '../../ui/error-line';
import { ForeignText } from '../../ui/foreign-text';
import { NoteList } from '../../ui/note-list';
import { Select } from '../../ui/select';
import { Spinner } from '../../ui/spinner';
import { TextField } from '../../ui/text-field';
import { listCollections, nameOf, suggestName, suggestTarget, type Collections } from './choose-target';
import styles from './import-dialog.module.css';
import {
  chooseSource,
  closeImport,
  NEW_COLLECTION,
  previewImport,
  runImport,
  useImport,
  type ImportOutcome,
  type GivenImport,
} from './run-import';
import { TogetherDialog } from './together-dialog';
import tones from '../../ui/tone.module.css';

/** Asks what is imported and where to, shows what would be made, and afterwards what was. */
export function ImportDialog() {
  const done = useImport((state) => state.done);
  const round = useAskedImport((state) => state.round);
  const together = useAskedImport((state) => state.asked?.together);
  if (together) return <TogetherDialog key={round} given={together} />;
  return done === null ? <QuestionDialog key={round} /> : <DoneDialog done={done} />;
}

function findObstacle(isNothingGiven: boolean, isReading: boolean, isRead: boolean): string | null {
  if (isNothingGiven) return 'Choose a file, or paste what is to be imported';
  if (isReading) return 'It is being read';
  return isRead ? null : 'It cannot be imported';
}

function QuestionDialog() {
  const asked = useAskedImport((state) => state.asked);
  const source = asked?.source ?? null;
  const refused = asked?.refused;
  const [pasted, setPasted] = useState('');
  const [chosen, setChosen] = useState(asked?.collectionId ?? null);
  const [name, setName] = useState<string | null>(null);
  const { preview, isReading } = useImport();
  const collections = useCollections();
  const collectionId = chosen ?? suggestTarget(preview, collections);
  const given =
    source ?? (pasted.trim() === '' ? null : ({ kind: 'text', name: 'pasted text', text: pasted } as const));
  const newName = name ?? suggestName(preview, given);
  usePreview(given, collectionId, collections !== null, pasted);
  return (
    <FormDialog
      title="Import"
      onClose={() => {
        if (useImport.getState().done === null) closeImport();
      }}
      onSubmit={() => runImport(given!, collectionId, newName)}
      submitLabel="Import"
      obstacle={findObstacle(given === null && !refused, isReading, given !== null && preview !== null)}
      width="wide"
    >
      {source === null && !refused ? (
        <SourceField pasted={pasted} onPaste={setPasted} />
      ) : (
        <p className={styles.source}>
          <ForeignText text={source === null ? refused!.name : nameOf(source)} />
        </p>
      )}
      <Waiting />
      <Select
        label="Into"
        options={listTargets(collections?.list ?? [])}
        selected={collectionId === NEW_COLLECTION ? newId : collectionId}
        onSelect={(id) => setChosen(id === newId ? NEW_COLLECTION : id)}
      />
      {collectionId === NEW_COLLECTION ? <TextField label="Name" value={newName} onChange={setName} /> : null}
      <div aria-live="polite" className={tones.told}>
        {refused ? <ErrorLine error={refused.error} /> : <Preview />}
      </div>
    </FormDialog>
  );
}

/** Says that this is not all that was given. */
function Waiting() {
  const count = useAskedImport(({ waiting }) => waiting.length);
  if (count === 0) return null;
  return (
    <p className={styles.none}>
      {count === 1
        ? 'One more was given, and is asked about next.'
        : `${count} more were given, and are asked about next.`}
    </p>
  );
}

/** What would be made, or why nothing can be. */
function Preview() {
  const { preview, isReading, error } = useImport();
  if (error) return <ErrorLine error={error} />;
  if (isReading) return <Spinner label="Reading" size={14} />;
  return preview ? <Outcome outcome={preview} /> : null;
}

/** A select keeps no empty key. */
const newId = '+new';

const listTargets = (list: readonly OpenCollection[]) => [
  ...list.map(({ id, name, directory }) => ({ id, label: name, detail: directory })),
  { id: newId, label: 'A new collection', detail: 'In the data directory' },
];

function useCollections(): Collections | null {
  const [found, setFound] = useState<Collections | null>(null);
  useEffect(() => {
    void listCollections().then(setFound);
  }, []);
  return found;
}

const typingPauseMs = 200;

/** Reads anew what would be made: what is typed once that pauses, what was given whole at once. */
function usePreview(source: GivenImport | null, collectionId: string, isReady: boolean, typed: string): void {
  const key = source?.kind === 'text' ? source.text : source;
  useEffect(() => {
    if (!isReady) return;
    const timer = setTimeout(
      () => void previewImport(source, collectionId),
      typed === '' ? 0 : typingPauseMs,
    );
    return () => clearTimeout(timer);
    // A pasted text is another object each time, and the same text.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [key, collectionId, isReady]);
}

function SourceField({ pasted, onPaste }: { pasted: string; onPaste: (text: string) => void }) {
  return (
    <>
      <TextField
        label="Paste a curl command, or the text of an export"
        value={pasted}
        onChange={onPaste}
        onLongPaste={(text) => chooseSource({ kind: 'text', name: 'pasted text', text })}
        rows={6}
        isCode
        autoFocus
        help={`${importableTools}. Folders can be dropped on the window.`}
      />
      <label className={styles.file}>
        Or choose a file
        <input type="file" onChange={(event) => void takeFile(event.target.files?.[0])} />
      </label>
    </>
  );
}

async function takeFile(file: File | undefined): Promise<void> {
  if (file === undefined) return;
  try {
    chooseSource(await readImportFile(file));
  } catch (error) {
    useImport.setState({ error: toClientError(error) });
  }
}

function DoneDialog({ done }: { done: ImportOutcome }) {
  return (
    <Dialog title="Imported" onClose={() => closeImport()} width="wide">
      <Outcome outcome={done} />
      <div className={styles.actions}>
        <Button variant="primary" onPress={() => closeImport()} autoFocus>
          Close
        </Button>
      </div>
    </Dialog>
  );
}

function Outcome({ outcome }: { outcome: ImportOutcome }) {
  const { format, notes } = outcome;
  return (
    <section className={styles.outcome} aria-label="What is made">
      <p className={styles.counts}>
        {importFormats[format].label}: {describeCounts(outcome)}
      </p>
      {notes.length > 0 ? (
        <NoteList label="Notes" notes={notes} />
      ) : (
        <p className={styles.none}>Everything is taken over.</p>
      )}
    </section>
  );
}
