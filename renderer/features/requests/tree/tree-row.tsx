import { Check, CircleDashed, CornerDownRight, GitBranch, X } from 'lucide-react';
import { cx } from '../../../ui/cx';
import { ForeignText } from '../../../ui/foreign-text';
import { DraftVerb } from '../draft-verb';
import { isDirty, type TreeItem } from '../requests-selectors';
import { useRequestsStore } from '../requests-store';
import { runStates, signOf } from '../run/run-rows';
import { useRunStore } from '../run/run-store';
import styles from './collection-pane.module.css';
import { useGit } from './load-git';
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
      <span className={styles.row} title={collection.directory}>
        <span className={styles.name}>
          <ForeignText text={collection.name} />
        </span>
        <Branch collectionId={collection.id} />
      </span>
    );
  }
  if (node.kind === 'folder')
    return (
      <span className={cx(styles.row, node.fault && styles.broken)} title={node.fault?.message}>
        <span className={cx(styles.name, isCut && styles.cut)}>
          <ForeignText text={node.name} />
        </span>
        {node.fault ? <span className={styles.line}>not read</span> : null}
      </span>
    );
  if (node.kind === 'example') {
    return (
      <span className={cx(styles.example, isCut && styles.cut)}>
        <CornerDownRight size={11} role="img" aria-label="Example" />
        <span className={styles.name}>
          <ForeignText text={node.name} />
        </span>
      </span>
    );
  }
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
        <DraftVerb collectionId={collection.id} path={node.path} saved={node.method} />
      )}
      <span className={styles.name}>
        <ForeignText text={node.name} />
      </span>
      {fault ? <span className={styles.line}>line {fault.line}</span> : null}
      {node.requestCount > 1 ? <span className={styles.count}>{node.requestCount}</span> : null}
      <span className={styles.marks}>
        <RunMark collectionId={collection.id} path={node.path} />
        <GitLetter collectionId={collection.id} path={node.path} />
        {hasDraft ? <span className={styles.draft} role="img" aria-label="not saved" /> : null}
      </span>
    </span>
  );
}

const letters = {
  new: { letter: 'N', label: 'new: git does not have it' },
  changed: { letter: 'M', label: 'changed since it was committed or staged' },
} as const;

const signs = { check: Check, cross: X, open: CircleDashed } as const;

/** How the request ended in the last run. */
function RunMark({ collectionId, path }: { collectionId: string; path: string }) {
  const outcome = useRunStore(({ run, marks }) =>
    run?.subject.collectionId === collectionId ? marks.get(path) : undefined,
  );
  if (outcome === undefined || outcome === 'skipped') return null;
  const { word, tone } = runStates[outcome];
  const Icon = signs[signOf(outcome)];
  return (
    <span
      className={styles.outcome}
      data-tone={tone}
      role="img"
      aria-label={`last run: ${word}`}
      title={`Last run: ${word}`}
    >
      <Icon size={11} aria-hidden="true" />
    </span>
  );
}

function GitLetter({ collectionId, path }: { collectionId: string; path: string }) {
  const mark = useGit((state) => state.views[collectionId]?.marks.get(path));
  if (mark === undefined) return null;
  const { letter, label } = letters[mark];
  return (
    <span className={styles.git} role="img" aria-label={label} title={label}>
      {letter}
    </span>
  );
}

/** The branch that a collection's folder is on; nothing where it is in no repository. */
export function Branch({ collectionId }: { collectionId: string }) {
  const branch = useGit((state) => state.views[collectionId]?.branch ?? null);
  if (branch === null) return null;
  return (
    <span className={styles.branch} title={`git: ${branch}`}>
      <GitBranch size={11} aria-hidden="true" />
      <span className={styles.name}>
        <ForeignText text={branch} />
      </span>
    </span>
  );
}
