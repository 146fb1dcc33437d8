import { findNode, selectCollection, type TreeItem } from '../requests-selectors';
import { useRequestsStore } from '../requests-store';
import { targetOf, type Target } from './node-actions';

/** The row that the keyboard stands on; null: none is chosen. */
let current: TreeItem | null = null;

/** Notes where the keyboard stands in the tree. */
export function noteCurrent(item: TreeItem | null): void {
  current = item;
}

/** Where something new goes that no row was named for: beside what is chosen in the tree, else the collection's own folder. */
export function newTarget(): Target {
  const state = useRequestsStore.getState();
  const owner = current && state.collections.find(({ id }) => id === current?.collection.id);
  if (current && owner) {
    // A file that is gone meanwhile names no folder.
    const isThere = current.node === null || findNode(state, owner.id, current.node.path) !== undefined;
    return isThere ? targetOf(current) : { collectionId: owner.id, folder: '' };
  }
  return { collectionId: selectCollection(state)?.id ?? '', folder: '' };
}
