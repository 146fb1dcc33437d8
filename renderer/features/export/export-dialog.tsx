import type { MethodOutput } from '@shared/contract/contract';
import { exportFormatNames, exportFormats, type ExportFormat } from '@shared/export/export-formats';
import { useEffect, useRef, useState } from 'react';
import type { ExportSubject } from '../../session/export-task';
import { call } from '../../transport/client';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { FormDialog } from '../../ui/form-dialog';
import { Select } from '../../ui/select';
import styles from './export-dialog.module.css';
import { saveExport } from './save-export';
import { NoteList } from '../../ui/note-list';

type Environments = MethodOutput<'environments.list'>['environments'];
type Notes = MethodOutput<'collections.export'>['notes'];

const noEnvironment = ':none';
const formats = exportFormatNames.map((id) => ({
  id,
  label: exportFormats[id].label,
  detail: exportFormats[id].hint,
}));

/** Asks for the form and for whose values stand in it; then the file is saved, and what was left out is said. */
export function ExportDialog({ subject, onClose }: { subject: ExportSubject; onClose: () => void }) {
  const [notes, setNotes] = useState<Notes | null>(null);
  if (notes !== null) return <NotesDialog notes={notes} onClose={onClose} />;
  return <FormatDialog subject={subject} onClose={onClose} onNotes={setNotes} />;
}

function FormatDialog({
  subject,
  onClose,
  onNotes,
}: {
  subject: ExportSubject;
  onClose: () => void;
  onNotes: (notes: Notes) => void;
}) {
  const [format, setFormat] = useState<ExportFormat>('postman');
  const environments = useEnvironmentList();
  const hasRemarks = useRef(false);
  const [chosen, setChosen] = useState<string | null>(null);
  const usual =
    environments.find(({ isActive, source }) => isActive && source !== 'builtin')?.id ?? noEnvironment;
  const selected = chosen ?? usual;
  const run = async (): Promise<void> => {
    const { collectionId, path } = subject;
    const environment = environments.find(({ id }) => id === selected) ?? null;
    const exported = await call('collections.export', { collectionId, path, format, environment });
    saveExport(exported, format);
    hasRemarks.current = exported.notes.length > 0;
    if (hasRemarks.current) onNotes(exported.notes);
  };
  return (
    <FormDialog
      title={`Export “${subject.name}”`}
      onClose={() => {
        // The remarks stand in its place then.
        if (!hasRemarks.current) onClose();
      }}
      onSubmit={run}
      submitLabel="Export"
    >
      <Select label="Format" options={formats} selected={format} onSelect={setFormat} />
      <Select
        label="Values of variables"
        options={[
          { id: noEnvironment, label: 'None', detail: 'Addresses of a local sandbox and listener' },
          ...environments
            .filter(({ source }) => source !== 'builtin')
            .map(({ id, label, baseUrl }) => ({ id, label, detail: baseUrl })),
        ]}
        selected={selected}
        onSelect={setChosen}
      />
      <p className={styles.hint}>
        Keys, credentials and other secrets are never part of an export: their variables are empty.
      </p>
    </FormDialog>
  );
}

function useEnvironmentList(): Environments {
  const [environments, setEnvironments] = useState<Environments>([]);
  useEffect(() => {
    let isGone = false;
    void call('environments.list')
      .then((answer) => {
        if (!isGone) setEnvironments(answer.environments);
      })
      // Without environments an export has the usual values.
      .catch(() => undefined);
    return () => {
      isGone = true;
    };
  }, []);
  return environments;
}

function NotesDialog({ notes, onClose }: { notes: Notes; onClose: () => void }) {
  return (
    <Dialog title="Exported, with these remarks" onClose={onClose}>
      <NoteList label="Remarks" notes={notes} />
      <div className={styles.actions}>
        <Button variant="primary" onPress={onClose} autoFocus>
          Close
        </Button>
      </div>
    </Dialog>
  );
}
