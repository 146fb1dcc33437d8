import { useEffect, useRef, useState } from 'react';
import type { DataOverview } from '@shared/contract/data';
import { RESET_WORD } from '@shared/contract/reset-word';
import { afterReconnect } from '../../transport/client';
import { Button, TextButton } from '../../ui/button';
import { FormDialog } from '../../ui/form-dialog';
import { ErrorLine } from '../../ui/error-line';
import { ForeignText } from '../../ui/foreign-text';
import { TextField } from '../../ui/text-field';
import {
  backUpData,
  exportSettings,
  importSettings,
  keepData,
  loadDataOverview,
  moveData,
  resetData,
  restoreData,
  useDataStore,
} from './data-store';
import { Line } from './section';
import tones from '../../ui/tone.module.css';

/** What each dialog asks for and does. */
const tasks = {
  backup: {
    title: 'Back up the data folder',
    label: 'File to write',
    help: 'A whole path outside of the data folder, as /home/me/countersign-backup.tar.gz. Keys and credentials in it stay sealed.',
    submit: 'Back up',
    run: backUpData,
  },
  restore: {
    title: 'Restore a backup',
    label: 'Backup to read',
    help: 'It is checked now, and put in when Countersign starts next. What is there now is put aside in the data folder, never deleted.',
    submit: 'Check and restore',
    run: restoreData,
  },
  move: {
    title: 'Move the data folder',
    label: 'Folder to move to',
    help: 'Empty, or not there yet. It is copied when Countersign starts next; the old folder then leads to the new one and keeps its copy.',
    submit: 'Move',
    run: moveData,
  },
  reset: {
    title: 'Reset everything',
    label: `Type ${RESET_WORD}`,
    help: 'When Countersign starts next, keys, settings, history, webhooks and collections of the data folder are put aside in it, and it begins anew.',
    submit: 'Reset',
    run: resetData,
  },
} as const;
type Task = keyof typeof tasks;

/** The data folder: its backup, and what changes all of it. */
export function DataFolder() {
  const { overview, note, error } = useDataStore();
  const [task, setTask] = useState<Task | null>(null);
  useEffect(() => {
    void loadDataOverview();
    return afterReconnect(() => void loadDataOverview());
  }, []);
  return (
    <>
      {error ? <ErrorLine error={error} /> : null}
      {overview?.pending ? <Pending pending={overview.pending} /> : null}
      <div role="status" className={tones.told}>
        {note === null ? null : (
          <p>
            <ForeignText text={note} />
          </p>
        )}
      </div>
      <Line label="Backup" hint={overview?.secretsNote ?? ''}>
        <Button onPress={() => setTask('backup')}>Back up…</Button>{' '}
        <Button onPress={() => setTask('restore')}>Restore…</Button>
      </Line>
      <Line label="Whole folder" hint={describeAside(overview)}>
        <Button onPress={() => setTask('move')}>Move…</Button>{' '}
        <Button variant="danger" onPress={() => setTask('reset')}>
          Reset…
        </Button>
      </Line>
      <SettingsFile />
      {task === null ? null : <TaskDialog task={task} onClose={() => setTask(null)} />}
    </>
  );
}

function SettingsFile() {
  const input = useRef<HTMLInputElement>(null);
  return (
    <Line
      label="Settings as a file"
      hint="Settings and environments, without keys, credentials and secret variables."
    >
      <Button onPress={() => void exportSettings()}>Export</Button>{' '}
      <Button onPress={() => input.current?.click()}>Import…</Button>
      <input
        ref={input}
        type="file"
        accept=".json"
        hidden
        aria-label="File of settings"
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          if (file !== undefined) void importSettings(file);
          currentTarget.value = '';
        }}
      />
    </Line>
  );
}

function describeAside(overview: DataOverview | null): string {
  const aside = overview?.aside ?? [];
  return aside.length === 0 ? '' : `Put aside, yours to delete: ${aside.join(', ')}`;
}

const pendingTexts = {
  restore: 'A backup is put in',
  move: 'The data folder is moved',
  reset: 'Everything is put aside',
} as const;

function Pending({ pending: { kind, from, to } }: { pending: NonNullable<DataOverview['pending']> }) {
  const what = from ?? to;
  return (
    <ErrorLine
      tone="warn"
      error={{
        message: `${pendingTexts[kind]} when Countersign starts next${what === null ? '' : ` (${what})`}. End it and start it again.`,
      }}
    >
      <TextButton onPress={() => void keepData()}>Call it off</TextButton>
    </ErrorLine>
  );
}

function TaskDialog({ task, onClose }: { task: Task; onClose: () => void }) {
  const { title, label, help, submit, run } = tasks[task];
  const [text, setText] = useState('');
  const isReset = task === 'reset';
  return (
    <FormDialog
      title={title}
      onClose={onClose}
      onSubmit={() => run(text.trim())}
      submitLabel={submit}
      obstacle={
        isReset
          ? text.trim().toLowerCase() !== RESET_WORD && `Type ${RESET_WORD}`
          : text.trim() === '' && 'Enter a path'
      }
      isDanger={isReset}
    >
      <TextField label={label} value={text} onChange={setText} help={help} isCode={!isReset} autoFocus />
    </FormDialog>
  );
}
