import type { OperationName } from '@shared/payments/tables/operations';
import { products, type Product } from '@shared/payments/tables/products';
import { lastReference } from '@shared/http-file/last-reference';
import { useAppStatus } from '../../../session/app-status';
import { operations } from '@shared/payments/tables/operations';
import { showControls } from '@shared/show-controls';
import { writeNewRequest } from '@shared/http-file/new-request';
import { useState } from 'react';
import { FormDialog } from '../../../ui/form-dialog';
import { Select } from '../../../ui/select';
import { useSelectAtFirst } from '../../../ui/select-at-first';
import { TextField } from '../../../ui/text-field';
import { folderOperation } from '../requests-selectors';
import { useRequestsStore, type RequestsState } from '../requests-store';
import { createFolder, createRequest, renameNode, type Target } from './node-actions';
import { askForName, useNodeTask, type NodeTask } from './node-task';

/** Asks what the task needs and does it. */
export function NodeDialog() {
  const task = useNodeTask((state) => state.task);
  if (task === null) return null;
  if (task.kind === 'newRequest') return <RequestDialog target={task.target} />;
  return <NameDialog task={task} />;
}

const close = (): void => askForName(null);

const looks = {
  newFolder: { title: 'New folder', submit: 'Create' },
  rename: { title: 'Rename', submit: 'Rename' },
} as const;

function NameDialog({ task }: { task: Exclude<NodeTask, { kind: 'newRequest' }> }) {
  const [name, setName] = useState(task.kind === 'rename' ? task.node.name : '');
  const look = looks[task.kind];
  const selectAtFirst = useSelectAtFirst();
  const place = useRequestsStore((state) =>
    task.kind === 'rename' ? undefined : describeTarget(state, task.target),
  );
  const run = (): Promise<void> =>
    task.kind === 'rename' ? renameNode(task.node, name.trim()) : createFolder(task.target, name.trim());
  return (
    <FormDialog
      title={look.title}
      onClose={close}
      onSubmit={run}
      submitLabel={look.submit}
      obstacle={name.trim() === '' && 'Enter a name'}
    >
      <TextField
        label="Name"
        value={name}
        onChange={setName}
        // A new name is typed over the old one, or goes on from it.
        onFocus={selectAtFirst}
        help={place}
        autoFocus
      />
    </FormDialog>
  );
}

/** Says where it will lie. */
function describeTarget({ collections }: RequestsState, { collectionId, folder }: Target): string {
  const collection = collections.find(({ id }) => id === collectionId)?.name ?? '';
  return showControls(`In ${[collection, ...folder.split('/')].filter(Boolean).join(' / ')}`);
}

type Choice = { id: string; operation: OperationName | null; product: Product | null; label: string };

/** Every operation; those that take the token of several products once for each, `first` before the others. */
function listChoices(first: Product | null): readonly Choice[] {
  const taken = Object.values(operations).flatMap(
    ({ operation, label, products: own, isSigned }): Choice[] => {
      // Of the token call the body says which product it is for.
      const offered = operation === 'token' ? products : own;
      return offered.length > 1
        ? offered
            .toSorted((one, other) => Number(other === first) - Number(one === first))
            .map((product) => ({
              id: `${operation}-${product}`,
              operation,
              product,
              label: `${label} (${product})`,
            }))
        : [{ id: operation, operation, product: null, label: isSigned ? `${label}, signed` : label }];
    },
  );
  return [...taken, { id: 'other', operation: null, product: null, label: 'Something else: a blank GET' }];
}

/** The product of what was sent last: what is asked next is mostly about that. */
function findLastProduct(): Product | null {
  const environment = useAppStatus.getState().status?.environment;
  const latest = environment?.variables[lastReference];
  return (
    products.find((one) => latest !== undefined && environment?.lastReferences?.[one] === latest) ?? null
  );
}

function RequestDialog({ target }: { target: Target }) {
  const usual = useRequestsStore((state) => folderOperation(state, target.collectionId, target.folder));
  const place = useRequestsStore((state) => describeTarget(state, target));
  const [name, setName] = useState('');
  // What the folder does, else the first: a blank request is only made for who asks for one.
  const [choices] = useState(() => listChoices(findLastProduct()));
  const [chosen, setChosen] = useState(
    () => choices.find(({ operation }) => operation !== null && operation === usual)?.id ?? choices[0]!.id,
  );
  const { operation, product } = choices.find(({ id }) => id === chosen)!;
  const run = (): Promise<void> => {
    const title = name.trim();
    const profile = useAppStatus.getState().status?.environment.setup.profile;
    const text =
      operation === null ? undefined : writeNewRequest({ name: title, operation, product, profile });
    return createRequest(target.folder, title, text, target.collectionId);
  };
  return (
    <FormDialog
      title="New request"
      onClose={close}
      onSubmit={run}
      submitLabel="Create"
      obstacle={name.trim() === '' && 'Enter a name'}
    >
      <TextField label="Name" value={name} onChange={setName} help={place} autoFocus />
      <Select label="Operation" options={choices} selected={chosen} onSelect={setChosen} />
    </FormDialog>
  );
}
