import { useEffect, useId, type KeyboardEvent, type MouseEvent, type ReactNode } from 'react';
import { cx } from './cx';
import styles from './row-list.module.css';
import { nextRow, useRowWindow } from './row-window';
import { Spinner } from './spinner';

/** So many rows before the end, the next page is asked for. */
const loadAheadRows = 60;

export interface RowListProps<T extends { id: string }> {
  label: string;
  items: readonly T[];
  /** Pixels; every row has this height. */
  rowHeight: number;
  selected: string | null;
  onSelect: (id: string) => void;
  /** Draws a row. */
  children: (item: T) => ReactNode;
  /** What stands where there is no row. */
  empty: ReactNode;
  onLoadMore?: () => void;
  isLoadingMore?: boolean;
  /** Rows in all, loaded or not, for screen readers. */
  totalCount?: number;
  /** Right-click, or the menu key on the chosen row. */
  onMenu?: (event: MouseEvent, item: T) => void;
  /** Keys that the list itself does not use. */
  onKeyDown?: (event: KeyboardEvent) => void;
}

/**
 * A list of a hundred thousand live rows.
 *
 * Nothing is built for rows that are not in view. One tab stop; arrows, Page, Home and End choose.
 */
export function RowList<T extends { id: string }>(props: RowListProps<T>) {
  const { label, items, rowHeight, selected, onSelect, children, empty, isLoadingMore, totalCount } = props;
  const listId = useId();
  const { setScroll, rows, totalHeight, pageRows, currentIndex, isCurrentShown } = useRowWindow(
    items,
    rowHeight,
    selected,
  );
  useLoadMore(props, rows.at(-1)?.index ?? 0);

  const handleKey = (event: KeyboardEvent): void => {
    const target = nextRow(event, currentIndex, items.length, pageRows);
    if (target === null) {
      props.onKeyDown?.(event);
      return;
    }
    event.preventDefault();
    const item = items[target];
    if (item) onSelect(item.id);
  };

  if (items.length === 0) return <div className={styles.scroll}>{empty}</div>;
  return (
    <div ref={setScroll} className={styles.scroll}>
      <div
        role="listbox"
        aria-label={label}
        tabIndex={0}
        className={styles.list}
        style={{ height: totalHeight }}
        aria-activedescendant={isCurrentShown ? `${listId}-${currentIndex}` : undefined}
        onKeyDown={handleKey}
        onContextMenu={(event) => {
          // From the keyboard it comes to the list itself.
          const item = event.target === event.currentTarget ? items[currentIndex] : undefined;
          if (item) props.onMenu?.(event, item);
        }}
      >
        {rows.map(({ index, key, start }) => {
          const item = items[index];
          if (!item) return null;
          return (
            <div
              key={key}
              id={`${listId}-${index}`}
              role="option"
              aria-selected={index === currentIndex}
              aria-posinset={index + 1}
              aria-setsize={Math.max(totalCount ?? 0, items.length)}
              className={cx(styles.row, index === currentIndex && styles.selected)}
              style={{ top: start, height: rowHeight }}
              onClick={() => onSelect(item.id)}
              onContextMenu={(event) => props.onMenu?.(event, item)}
            >
              {children(item)}
            </div>
          );
        })}
      </div>
      {isLoadingMore ? (
        <div className={styles.more}>
          <Spinner label="Loading more" />
        </div>
      ) : null}
    </div>
  );
}

function useLoadMore(
  { items, onLoadMore }: Pick<RowListProps<{ id: string }>, 'items' | 'onLoadMore'>,
  lastIndex: number,
): void {
  const { length } = items;
  const isNearEnd = length > 0 && lastIndex >= length - loadAheadRows;
  useEffect(() => {
    if (isNearEnd) onLoadMore?.();
  }, [isNearEnd, length, onLoadMore]);
}
