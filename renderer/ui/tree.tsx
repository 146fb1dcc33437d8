import { ChevronRight } from 'lucide-react';
import type { MouseEvent, ReactNode } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { Tree as AriaTree, TreeItem, TreeItemContent } from 'react-aria-components/Tree';
import { ListLayout, Virtualizer } from 'react-aria-components/Virtualizer';
import { cx } from './cx';
import styles from './tree.module.css';

export interface TreeBranch<T> {
  id: string;
  text: string;
  value: T;
  children: TreeBranch<T>[] | null;
}

interface TreeProps<T> {
  label: string;
  branches: readonly TreeBranch<T>[];
  selected: string | null;
  /** Enter, or a click. */
  onOpen: (value: T) => void;
  expanded: ReadonlySet<string>;
  onExpand: (expanded: Set<string>) => void;
  onContextMenu?: (event: MouseEvent, value: T) => void;
  render: (value: T) => ReactNode;
  empty?: ReactNode;
}

/** Folders and what is in them; only the rows that can be seen are in the document. */
export function Tree<T>(props: TreeProps<T>) {
  const { label, branches, selected, onOpen, expanded, onExpand, empty } = props;
  const values = new Map<string, TreeBranch<T>>();
  collect(branches, values);
  return (
    <Virtualizer layout={ListLayout} layoutOptions={{ rowHeight: 28 }}>
      <AriaTree
        aria-label={label}
        className={styles.tree}
        selectionMode="single"
        selectionBehavior="replace"
        selectedKeys={selected === null ? [] : [selected]}
        onSelectionChange={(keys) => {
          const [first] = keys === 'all' ? [] : keys;
          const branch = values.get(String(first));
          if (branch && !branch.children) onOpen(branch.value);
        }}
        onAction={(key) => {
          const branch = values.get(String(key));
          if (!branch) return;
          if (branch.children) onExpand(toggle(expanded, branch.id));
          else onOpen(branch.value);
        }}
        expandedKeys={expanded}
        onExpandedChange={(keys) => onExpand(new Set([...keys].map(String)))}
        renderEmptyState={() => empty ?? null}
      >
        {branches.map((branch) => renderBranch(branch, props))}
      </AriaTree>
    </Virtualizer>
  );
}

function collect<T>(branches: readonly TreeBranch<T>[], into: Map<string, TreeBranch<T>>): void {
  for (const branch of branches) {
    into.set(branch.id, branch);
    if (branch.children) collect(branch.children, into);
  }
}

function toggle(expanded: ReadonlySet<string>, id: string): Set<string> {
  const next = new Set(expanded);
  if (!next.delete(id)) next.add(id);
  return next;
}

function renderBranch<T>(branch: TreeBranch<T>, props: TreeProps<T>): ReactNode {
  const isFolder = branch.children !== null;
  return (
    <TreeItem
      key={branch.id}
      id={branch.id}
      textValue={branch.text}
      aria-label={branch.text}
      className={cx(styles.row, isFolder && styles.folder)}
      onContextMenu={(event) => props.onContextMenu?.(event, branch.value)}
      onAction={isFolder ? () => props.onExpand(toggle(props.expanded, branch.id)) : undefined}
    >
      <TreeItemContent>
        {({ level, hasChildItems }) => (
          <div className={styles.content} style={{ paddingLeft: 10 + (level - 1) * 14 }}>
            {hasChildItems ? (
              <AriaButton slot="chevron" className={styles.chevron}>
                <ChevronRight size={12} aria-hidden="true" />
              </AriaButton>
            ) : (
              <span className={styles.gap} />
            )}
            {props.render(branch.value)}
          </div>
        )}
      </TreeItemContent>
      {branch.children?.map((child) => renderBranch(child, props))}
    </TreeItem>
  );
}
