import { useEffect, useId, type KeyboardEvent, type MouseEvent, type ReactNode } from 'react';
import { cx } from './cx';
import styles from './row-list.module.css';
import { nextRow, useRowWindow } from './row-window';
import { Spinner } from './spinner';

/** So many rows before the end, the next page is asked for. */
const loadAheadRows = 60;

/** How rows beside the current one are chosen: `range` is from the row where choosing began. */
export type ChoiceGesture = { kind: 'toggle' | 'range'; id: string } | { kind: 'all' } | { kind: 'none' };

export interface RowChoosing {
  /** False: the current row alone is chosen. */
  readonly isActive: boolean;
  has(id: string): boolean;
  onChoose(gesture: ChoiceGesture): void;
}

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
  /** More rows than the current one; left out: one row at a time. */
  choice?: RowChoosing;
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
    const chosen = readChoiceKey(event, items[currentIndex]?.id);
    if (props.choice && chosen !== null) {
      event.preventDefault();
      props.choice.onChoose(chosen);
      return;
    }
    const target = nextRow(event, currentIndex, items.length, pageRows);
    if (target === null) {
      props.onKeyDown?.(event);
      return;
    }
    event.preventDefault();
    const item = items[target];
    if (item && props.choice && event.shiftKey) props.choice.onChoose({ kind: 'range', id: item.id });
    else if (item) onSelect(item.id);
  };
  const isChosen = (id: string, index: number): boolean =>
    props.choice?.isActive ? props.choice.has(id) : index === currentIndex;

  if (items.length === 0) return <div className={styles.scroll}>{empty}</div>;
  return (
    <div ref={setScroll} className={styles.scroll}>
      <div
        role="listbox"
        aria-label={label}
        aria-multiselectable={props.choice ? true : undefined}
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
              aria-selected={isChosen(item.id, index)}
              aria-posinset={index + 1}
              aria-setsize={Math.max(totalCount ?? 0, items.length)}
              className={cx(
                styles.row,
                isChosen(item.id, index) && styles.selected,
                index === currentIndex && styles.current,
              )}
              style={{ top: start, height: rowHeight }}
              onMouseDown={(event) => props.choice && keepTextUnmarked(event)}
              onClick={(event) => chooseByClick(event, item.id, props)}
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

function chooseByClick(
  event: MouseEvent,
  id: string,
  { choice, onSelect }: Pick<RowListProps<{ id: string }>, 'choice' | 'onSelect'>,
): void {
  if (choice && event.shiftKey) choice.onChoose({ kind: 'range', id });
  else if (choice && (event.ctrlKey || event.metaKey)) choice.onChoose({ kind: 'toggle', id });
  else onSelect(id);
}

/** With Shift, a press would mark the text of the rows between. */
function keepTextUnmarked(event: MouseEvent<HTMLElement>): void {
  if (!event.shiftKey) return;
  event.preventDefault();
  event.currentTarget.parentElement?.focus();
}

/** Keys that choose more than one row; null: it is none of them. */
function readChoiceKey(
  { key, ctrlKey, metaKey, altKey }: KeyboardEvent,
  currentId: string | undefined,
): ChoiceGesture | null {
  if (altKey) return null;
  const isCommand = ctrlKey || metaKey;
  if (isCommand && key.toLowerCase() === 'a') return { kind: 'all' };
  if (isCommand && key === ' ' && currentId !== undefined) return { kind: 'toggle', id: currentId };
  return key === 'Escape' ? { kind: 'none' } : null;
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
