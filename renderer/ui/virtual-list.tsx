import type { MouseEvent, ReactNode } from 'react';
import { GridList, GridListItem, GridListLoadMoreItem } from 'react-aria-components/GridList';
import { ListLayout, Virtualizer } from 'react-aria-components/Virtualizer';
import { cx } from './cx';
import { Spinner } from './spinner';
import styles from './virtual-list.module.css';

/**
 * A long list with one selected row; only what can be seen is in the document.
 *
 * Give it a height (it fills its parent). Rows are `rowHeight` pixels high. Enter or a double click acts.
 */
export function VirtualList<T extends { id: string }>({
  label,
  items,
  rowHeight,
  selected,
  onSelect,
  onAction,
  onContextMenu,
  getText,
  children,
  empty,
  onLoadMore,
  isLoadingMore,
  className,
}: {
  label: string;
  items: readonly T[];
  rowHeight: number;
  selected: string | null;
  onSelect: (id: string) => void;
  onAction?: (id: string) => void;
  onContextMenu?: (event: MouseEvent, item: T) => void;
  /** The row's accessible name, also for type-ahead. */
  getText: (item: T) => string;
  /** Draws a row. */
  children: (item: T) => ReactNode;
  empty?: ReactNode;
  /** Called when the end comes into view; leave out when there is nothing more. */
  onLoadMore?: () => void;
  isLoadingMore?: boolean;
  className?: string;
}) {
  return (
    <Virtualizer layout={ListLayout} layoutOptions={{ rowHeight, loaderHeight: 32 }}>
      <GridList
        aria-label={label}
        className={cx(styles.list, className)}
        selectionMode="single"
        selectionBehavior="replace"
        disallowEmptySelection
        selectedKeys={selected === null ? [] : [selected]}
        onSelectionChange={(keys) => {
          const [first] = keys === 'all' ? [] : keys;
          if (first !== undefined) onSelect(String(first));
        }}
        onAction={onAction ? (key) => onAction(String(key)) : undefined}
        renderEmptyState={() => empty ?? null}
      >
        {items.map((item) => (
          <GridListItem
            key={item.id}
            id={item.id}
            textValue={getText(item)}
            className={styles.row}
            onContextMenu={onContextMenu ? (event) => onContextMenu(event, item) : undefined}
          >
            {children(item)}
          </GridListItem>
        ))}
        {onLoadMore ? (
          <GridListLoadMoreItem className={styles.more} onLoadMore={onLoadMore} isLoading={isLoadingMore}>
            <Spinner label="Loading more" />
          </GridListLoadMoreItem>
        ) : null}
      </GridList>
    </Virtualizer>
  );
}
