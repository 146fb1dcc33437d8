import { cx } from '../../../ui/cx';
import { Verb } from '../../../ui/tag';
import { isDirty, type TreeItem } from '../requests-selectors';
import { useRequestsStore } from '../requests-store';
import styles from './collection-pane.module.css';
import { useTreeClipboard } from './tree-clipboard';

/** A collection, a folder or a request; a broken one stands in red with what is wrong. */
export function TreeItemRow({ item: { collection, node } }: { item: TreeItem }) {
  const path = node?.path ?? null;
  const hasDraft = useRequestsStore((state) =>
    state.tabs.some((tab) => tab.collectionId === collection.id && tab.path === path && isDirty(tab)),
  );
  const isCut = useTreeClipboard(
    ({ held, isCut: isHeldCut }) => isHeldCut && held?.collectionId === collection.id && held.path === path,
  );
  if (node === null) {
    return (
      <span className={styles.name} title={collection.directory}>
        {collection.name}
      </span>
    );
  }
  if (node.kind === 'folder')
    return <span className={cx(styles.name, isCut && styles.cut)}>{node.name}</span>;
  const { fault } = node;
  return (
    <span
      className={cx(styles.row, fault && styles.broken, isCut && styles.cut)}
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
