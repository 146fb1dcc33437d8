import { FolderOpen, Play, Plus, X } from 'lucide-react';
import { useMemo } from 'react';
import { askToImport } from '../../../session/asked-import';
import { beginTask, useViewTask } from '../../../session/tasks';
import { Button, IconButton, TextButton } from '../../../ui/button';
import { EmptyState } from '../../../ui/empty-state';
import { ForeignText } from '../../../ui/foreign-text';
import { ErrorLine } from '../../../ui/error-line';
import { later } from '../../../ui/later';
import { ContextMenu, Menu, useContextMenu, type ContextMenuState } from '../../../ui/menu';
import { PaneHeader } from '../../../ui/pane-header';
import { Skeleton } from '../../../ui/spinner';
import { Tree } from '../../../ui/tree';
import type { TreeDrag } from '../../../ui/tree-drag';
import { CollectionDialogs } from '../collections/collection-dialogs';
import { askAbout, chooseFolder, reopen } from '../collections/open-collections';
import {
  listEntries,
  parentOf,
  selectActiveTab,
  selectCollection,
  type TreeItem,
} from '../requests-selectors';
import { formatItemId, useRequestsStore } from '../requests-store';
import { RunStrip } from '../run/run-strip';
import { runActiveCollection } from '../run/run-wishes';
import { sendFirstPayout } from '../sending/send-first';
import { openSearch, useSearch } from '../search/search-state';
import { openRequest } from './collection-actions';
import styles from './collection-pane.module.css';
import { treeLabel } from './focus-tree';
import { loadCollections, loadNodes } from './load-tree';
import { copyNode, moveNode, refOf, runInTree, targetOf } from './node-actions';
import { askForName, useNodeTask } from './node-task';
import { newTarget, noteCurrent } from './new-target';
import { collectionActions, newActions, openActions, rowActions } from './row-menu';
import { handleTreeKey } from './tree-keys';
import { Branch, TreeItemRow } from './tree-row';
import { undoLast } from './tree-undo';
import tones from '../../../ui/tone.module.css';

const NodeDialog = later(async () => (await import('./node-dialog')).NodeDialog, {
  useIsAsked: () => useNodeTask(({ task }) => task !== null),
});
const SearchDialog = later(async () => (await import('../search/search-dialog')).SearchDialog, {
  useIsAsked: () => useSearch(({ isOpen }) => isOpen),
});

/** The open collections and their files; broken ones stand in red with what is wrong. */
export function CollectionPane() {
  const collection = useRequestsStore(selectCollection);
  const areSeveral = useRequestsStore(({ collections }) => collections.length > 1);
  const recent = useRequestsStore((state) => state.recent);
  const menu = useContextMenu<TreeItem>();
  const isRead = useRequestsStore(({ treeState }) => treeState !== 'loading');
  const askForRequest = (): void =>
    collection ? askForName({ kind: 'newRequest', target: newTarget() }) : askAbout('make');
  useViewTask('newRequest', askForRequest, isRead);
  useViewTask('sendFirst', () => void sendFirstPayout());
  useViewTask('openFolder', () => void chooseFolder());
  useViewTask('newCollection', () => askAbout('make'));
  useViewTask('searchRequests', openSearch);
  useViewTask('deletedRequests', () => askAbout('trash'));
  useViewTask('importRequests', () => askToImport({}));
  return (
    <div className={styles.pane}>
      <PaneHeader
        title={areSeveral ? 'Collections' : (collection?.name ?? 'Collection')}
        onContextMenu={(event) => {
          // One alone has no row in the tree: its name stands here.
          if (collection && !areSeveral) menu.open(event, { collection, node: null });
        }}
      >
        {collection && !areSeveral ? <Branch collectionId={collection.id} /> : null}
        {collection ? (
          <IconButton label={`Run ${collection.name}`} onPress={() => void runActiveCollection()}>
            <Play size={13} />
          </IconButton>
        ) : null}
        {collection ? (
          <Menu
            label="New"
            trigger={
              <IconButton label="New request or folder">
                <Plus size={14} />
              </IconButton>
            }
            actions={newActions(newTarget)}
          />
        ) : null}
        <Menu
          label="Collections"
          trigger={
            <IconButton label="Open, make or close collections">
              <FolderOpen size={14} />
            </IconButton>
          }
          actions={[...openActions(recent), ...(collection ? collectionActions(collection) : [])]}
        />
      </PaneHeader>
      <RowMenu menu={menu} />
      <div className={styles.said}>
        <Faults />
        <FolderNotes />
      </div>
      <CollectionTree />
      <Notice />
      <RunStrip />
      <NodeDialog />
      <CollectionDialogs />
      <SearchDialog />
    </div>
  );
}

/** Collections that cannot be read, and those that are opened only when somebody asks for them. */
function Faults() {
  const heldBack = useRequestsStore((state) => state.heldBack);
  const collections = useRequestsStore((state) => state.collections);
  const treeError = useRequestsStore((state) => state.treeError);
  return (
    <>
      {treeError ? (
        <ErrorLine error={treeError}>
          <TextButton onPress={() => void loadCollections()}>Read them again</TextButton>
        </ErrorLine>
      ) : null}
      {collections.map(({ id, error }) =>
        error === null ? null : (
          <ErrorLine key={id} error={error}>
            <TextButton onPress={() => void loadNodes(id)}>Read it again</TextButton>
          </ErrorLine>
        ),
      )}
      {collections.map(({ id, name, orderFault }) =>
        orderFault === null ? null : (
          <ErrorLine
            key={`order of ${id}`}
            error={{
              message: `collection.json of “${name}” cannot be read: ${orderFault}. Its requests stand by name, and its folders are not run until it is corrected or taken away.`,
            }}
          />
        ),
      )}
      {heldBack.map((collection) => (
        <ErrorLine
          key={collection.id}
          tone="warn"
          error={{ message: `“${collection.name}” was not opened: the last start did not get through it.` }}
        >
          <TextButton onPress={() => void reopen(collection)}>Open it</TextButton>
        </ErrorLine>
      ))}
    </>
  );
}

/** What was done to a folder without being asked for, until it was read. */
function FolderNotes() {
  const notes = useRequestsStore((state) => state.folderNotes);
  const dismissed = useRequestsStore((state) => state.dismissedNotes);
  return notes
    .filter(({ message }) => !dismissed.has(message))
    .map(({ message }) => (
      <ErrorLine key={message} tone="warn" error={{ message }}>
        <TextButton onPress={() => dismissNote(message)}>Dismiss</TextButton>
      </ErrorLine>
    ));
}

function dismissNote(message: string): void {
  useRequestsStore.setState(({ dismissedNotes }) => ({
    dismissedNotes: new Set([...dismissedNotes, message]),
  }));
}

/** What was done in the tree last, with the way back, or why it could not be done. */
function Notice() {
  const notice = useRequestsStore((state) => state.treeNotice);
  const close = (
    <IconButton label="Dismiss" onPress={() => useRequestsStore.setState({ treeNotice: null })}>
      <X size={12} />
    </IconButton>
  );
  if (notice?.error) return <ErrorLine error={notice.error}>{close}</ErrorLine>;
  return (
    <div role="status" className={tones.told}>
      {notice === null ? null : (
        <div className={styles.notice}>
          <ForeignText text={notice.message} hasCode />
          {notice.canUndo ? <TextButton onPress={() => void undoLast()}>Undo</TextButton> : null}
          {close}
        </div>
      )}
    </div>
  );
}

const drag: TreeDrag<TreeItem> = {
  canDrag: ({ node }) => node !== null,
  canDrop(from, onto) {
    const [ref, target] = [refOf(from), targetOf(onto)];
    if (ref === null) return false;
    const isHere = ref.collectionId === target.collectionId;
    const isInside = target.folder === ref.path || target.folder.startsWith(`${ref.path}/`);
    return !isHere || (!isInside && target.folder !== parentOf(ref.path));
  },
  onDrop(from, onto, isCopy) {
    const ref = refOf(from);
    if (ref === null) return;
    void runInTree(() => (isCopy ? copyNode : moveNode)(ref, targetOf(onto)));
  },
};

function CollectionTree() {
  const collections = useRequestsStore((state) => state.collections);
  const treeState = useRequestsStore((state) => state.treeState);
  const collapsed = useRequestsStore((state) => state.collapsed);
  const ledTo = useRequestsStore((state) => state.ledTo);
  const selected = useRequestsStore((state) => {
    const tab = selectActiveTab(state);
    return tab && formatItemId(tab.collectionId, tab.path);
  });
  const entries = useMemo(() => listEntries(collections), [collections]);
  const menu = useContextMenu<TreeItem>();
  if (treeState === 'loading') return <Skeleton lines={8} />;
  return (
    <>
      <Tree
        label={treeLabel}
        entries={entries}
        selected={selected}
        ledTo={ledTo}
        onOpen={({ collection, node }) => {
          if (node) void openRequest(node.path, { collectionId: collection.id });
        }}
        collapsed={collapsed}
        onToggle={toggleFolder}
        onContextMenu={menu.open}
        onKey={handleTreeKey}
        onCurrent={noteCurrent}
        drag={drag}
        render={(item) => <TreeItemRow item={item} />}
        empty={treeState === 'failed' ? null : collections.length === 0 ? <NoCollection /> : <NoFiles />}
      />
      <RowMenu menu={menu} />
    </>
  );
}

/** What can be done with a row, or with the one collection whose name stands in the head. */
const RowMenu = ({ menu }: { menu: ContextMenuState<TreeItem> }) => (
  <ContextMenu
    menu={menu}
    label={({ node, collection }) => `Actions for ${node?.name ?? collection.name}`}
    actionsOf={rowActions}
  />
);

const NoFiles = () => (
  <EmptyState
    title="No requests yet"
    action={<Button onPress={() => beginTask('newRequest')}>New request</Button>}
  />
);

function NoCollection() {
  return (
    <EmptyState
      title="No collection is open"
      action={
        <span className={styles.ways}>
          <Button onPress={() => void chooseFolder()}>Open a folder</Button>
          <Button onPress={() => askAbout('make')}>New collection</Button>
        </span>
      }
    >
      A collection is a folder of requests.
    </EmptyState>
  );
}

/** Shuts a folder that stands open, and the other way round. */
function toggleFolder(id: string): void {
  useRequestsStore.setState(({ collapsed }) => {
    const next = new Set(collapsed);
    if (!next.delete(id)) next.add(id);
    return { collapsed: next };
  });
}
