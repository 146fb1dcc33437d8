import type { TreeNode } from '@shared/contract/collections';
import { useState } from 'react';
import { ConfirmDialog, FormDialog } from '../../../ui/dialog';
import { TextField } from '../../../ui/text-field';
import { createFolder, createRequest, deleteNode, duplicateRequest, renameNode } from './collection-actions';

/** Something to do with the collection's files that needs a word first. */
export type NodeTask =
  | { kind: 'newRequest' | 'newFolder'; folder: string }
  | { kind: 'rename' | 'duplicate' | 'delete'; node: TreeNode };

/** Asks what the task needs (a name, a confirmation) and does it. */
export function NodeDialog({ task, onClose }: { task: NodeTask | null; onClose: () => void }) {
  if (!task) return null;
  if (task.kind === 'delete') {
    const { node } = task;
    const what = node.kind === 'folder' ? 'The folder and every request in it go' : 'The file goes';
    return (
      <ConfirmDialog
        title={`Delete “${node.name}”?`}
        isOpen
        onClose={onClose}
        onConfirm={() => deleteNode(node)}
        confirmLabel="Delete"
      >
        {what} from the collection’s folder on disk. History and journeys stay.
      </ConfirmDialog>
    );
  }
  return <NameDialog task={task} onClose={onClose} />;
}

const looks = {
  newRequest: { title: 'New request', submit: 'Create' },
  newFolder: { title: 'New folder', submit: 'Create' },
  rename: { title: 'Rename', submit: 'Rename' },
  duplicate: { title: 'Duplicate', submit: 'Duplicate' },
  delete: { title: 'Delete', submit: 'Delete' },
} as const;

function NameDialog({ task, onClose }: { task: NodeTask; onClose: () => void }) {
  const [name, setName] = useState(() => initialName(task));
  const look = looks[task.kind];
  return (
    <FormDialog
      title={look.title}
      isOpen
      onClose={onClose}
      onSubmit={() => runTask(task, name.trim())}
      submitLabel={look.submit}
      isSubmitDisabled={name.trim() === ''}
    >
      <TextField label="Name" value={name} onChange={setName} autoFocus />
    </FormDialog>
  );
}

function initialName(task: NodeTask): string {
  if (!('node' in task)) return '';
  return task.kind === 'duplicate' ? `${task.node.name} copy` : task.node.name;
}

function runTask(task: NodeTask, name: string): Promise<void> {
  if (!('node' in task)) {
    return task.kind === 'newFolder' ? createFolder(task.folder, name) : createRequest(task.folder, name);
  }
  if (task.kind === 'duplicate') return duplicateRequest(task.node, name);
  return renameNode(task.node, name);
}
