import { selectActiveTab, selectCollection, type TreeItem } from '../requests-selectors';
import { useRequestsStore } from '../requests-store';
import { askToRun, type RunWish } from './run-actions';

/** What a row of the tree stands for in a run; null: an example is never sent. */
export function wishOf({ collection, node }: TreeItem): RunWish | null {
  if (node?.kind === 'example') return null;
  return { collectionId: collection.id, path: node?.path ?? '', title: node?.name ?? collection.name };
}

/** Runs a row of the tree; nothing for an example. */
export async function runItem(item: TreeItem): Promise<void> {
  const wish = wishOf(item);
  if (wish !== null) await askToRun(wish);
}

/** Runs the collection that was worked in last. */
export async function runActiveCollection(): Promise<void> {
  const collection = selectCollection(useRequestsStore.getState());
  if (collection !== null) await runItem({ collection, node: null });
}

/** Runs the file of the tab on top. */
export async function runActiveRequest(): Promise<void> {
  const tab = selectActiveTab(useRequestsStore.getState());
  if (tab !== null) await askToRun({ collectionId: tab.collectionId, path: tab.path, title: tab.title });
}
