import type { TreeNode } from '@shared/contract/collections';
import { Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useViewTask } from '../../../session/tasks';
import { IconButton, TextButton } from '../../../ui/button';
import { cx } from '../../../ui/cx';
import { EmptyState } from '../../../ui/empty-state';
import { ErrorLine } from '../../../ui/error-line';
import { ContextMenu, Menu, useContextMenu, type MenuAction } from '../../../ui/menu';
import { PaneHeader } from '../../../ui/pane-header';
import { Skeleton } from '../../../ui/spinner';
import { Verb } from '../../../ui/tag';
import { Tree } from '../../../ui/tree';
import { loadTree, openHeldBack, openRequest, toggleFolder } from './collection-actions';
import { NodeDialog, type NodeTask } from './node-dialog';
import styles from './collection-pane.module.css';
import { isDirty, listEntries, selectActiveTab } from '../requests-selectors';
import { useRequestsStore } from '../requests-store';

/** The collection's files; broken ones stand in red with what is wrong. */
export function CollectionPane() {
  const name = useRequestsStore((state) => state.collectionName);
  const [task, setTask] = useState<NodeTask | null>(null);
  useViewTask('newRequest', () => setTask({ kind: 'newRequest', folder: '' }));
  return (
    <div className={styles.pane}>
      <PaneHeader title={name || 'Collection'}>
        <Menu
          label="New"
          trigger={
            <IconButton label="New request or folder">
              <Plus size={14} />
            </IconButton>
          }
          actions={newActions('', setTask)}
        />
      </PaneHeader>
      <CollectionTree onTask={setTask} />
      <NodeDialog task={task} onClose={() => setTask(null)} />
    </div>
  );
}

/** Collections that are opened only when somebody asks for them. */
function HeldBack() {
  const heldBack = useRequestsStore((state) => state.heldBack);
  return heldBack.map((collection) => (
    <ErrorLine
      key={collection.id}
      tone="warn"
      error={{ message: `“${collection.name}” was not opened: the last start did not get through it.` }}
    >
      <TextButton onPress={() => void openHeldBack(collection)}>Open it</TextButton>
    </ErrorLine>
  ));
}

function CollectionTree({ onTask }: { onTask: (task: NodeTask) => void }) {
  const { nodes, treeState, treeError } = useTreeState();
  const collapsed = useRequestsStore((state) => state.collapsed);
  const selected = useRequestsStore((state) => selectActiveTab(state)?.path ?? null);
  const entries = useMemo(() => listEntries(nodes), [nodes]);
  const menu = useContextMenu<TreeNode>();
  if (treeState === 'loading') return <Skeleton lines={8} />;
  if (treeError) {
    return (
      <div className={styles.error}>
        <ErrorLine error={treeError} />
        <IconButton label="Read the collection again" onPress={() => void loadTree()}>
          ↻
        </IconButton>
      </div>
    );
  }
  return (
    <>
      <HeldBack />
      <Tree
        label="Requests of the collection"
        entries={entries}
        selected={selected}
        onOpen={(node) => void openRequest(node.path)}
        collapsed={collapsed}
        onToggle={toggleFolder}
        onContextMenu={menu.open}
        render={(node) => <TreeRow node={node} />}
        empty={<EmptyState title="No requests yet">Make one with the plus sign above.</EmptyState>}
      />
      {menu.request ? (
        <ContextMenu
          label={`Actions for ${menu.request.subject.name}`}
          x={menu.request.x}
          y={menu.request.y}
          actions={nodeActions(menu.request.subject, onTask)}
          onClose={menu.close}
        />
      ) : null}
    </>
  );
}

function useTreeState() {
  const nodes = useRequestsStore((state) => state.nodes);
  const treeState = useRequestsStore((state) => state.treeState);
  const treeError = useRequestsStore((state) => state.treeError);
  return { nodes, treeState, treeError };
}

function newActions(folder: string, onTask: (task: NodeTask) => void): MenuAction[] {
  return [
    { id: 'new-request', label: 'New request…', onAction: () => onTask({ kind: 'newRequest', folder }) },
    { id: 'new-folder', label: 'New folder…', onAction: () => onTask({ kind: 'newFolder', folder }) },
  ];
}

function nodeActions(node: TreeNode, onTask: (task: NodeTask) => void): MenuAction[] {
  const isFolder = node.kind === 'folder';
  const folder = isFolder ? node.path : node.path.replace(/(^|\/)[^/]*$/, '');
  return [
    ...(isFolder ? [] : [{ id: 'open', label: 'Open', onAction: () => void openRequest(node.path) }]),
    ...newActions(folder, onTask),
    { id: 'rename', label: 'Rename…', hasLineAbove: true, onAction: () => onTask({ kind: 'rename', node }) },
    ...(isFolder
      ? []
      : [{ id: 'duplicate', label: 'Duplicate…', onAction: () => onTask({ kind: 'duplicate', node }) }]),
    { id: 'delete', label: 'Delete…', isDanger: true, onAction: () => onTask({ kind: 'delete', node }) },
  ];
}

function TreeRow({ node }: { node: TreeNode }) {
  const hasDraft = useRequestsStore((state) =>
    state.tabs.some((tab) => tab.path === node.path && isDirty(tab)),
  );
  if (node.kind === 'folder') return <span className={styles.name}>{node.name}</span>;
  const { fault } = node;
  return (
    <span
      className={cx(styles.row, fault && styles.broken)}
      title={fault ? `Line ${fault.line}: ${fault.message}` : undefined}
    >
      {fault ? (
        <span className={styles.fault}>
          <span aria-hidden="true">!</span>
        </span>
      ) : (
        <Verb method={node.method ?? ''} />
      )}
      <span className={styles.name}>{node.name}</span>
      {fault ? <span className={styles.line}>line {fault.line}</span> : null}
      {node.requestCount > 1 ? <span className={styles.count}>{node.requestCount}</span> : null}
      {hasDraft ? <span className={styles.draft} role="img" aria-label="not saved" /> : null}
    </span>
  );
}
