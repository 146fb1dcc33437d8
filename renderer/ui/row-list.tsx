import {
  useEffect,
  useId,
  useMemo,
  useRef,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
} from 'react';
import { cx } from './cx';
import styles from './row-list.module.css';
import { listRows, type FarItems, type ListedRows } from './listed-rows';
import { passToRow } from './pass-to-row';
import { nextRow, useRowWindow } from './row-window';
import { Spinner } from './spinner';

/** So many rows before the end of what is loaded, more is asked for. */
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
  /** The first rows, without a gap. */
  items: readonly T[];
  /** Rows further down, where those between are not loaded. */
  far?: FarItems<T> | null;
  /** Asks for rows by their places: they come into view. Without it the list is as long as `items`. */
  onNeed?: (from: number, to: number) => void;
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
  /** Rows in all, loaded or not: how far the scroll bar and the keys go where `onNeed` is there. */
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
 * Nothing is built for rows that are not in view. One tab stop; arrows, Page, Home and End choose: a row that is not loaded
 * is brought into view, and chosen when it is there.
 */
export function RowList<T extends { id: string }>(props: RowListProps<T>) {
  const { label, items, far, rowHeight, selected, children, empty, isLoadingMore } = props;
  const listId = useId();
  const count = props.onNeed === undefined ? items.length : props.totalCount;
  const listed = useMemo(() => listRows(items, far, count, rowHeight), [items, far, count, rowHeight]);
  const window = useRowWindow(listed, rowHeight, selected);
  const { setScroll, rows, totalHeight, currentIndex, isCurrentShown } = window;
  useLoadMore(props, rows[0]?.index ?? 0, rows.at(-1)?.index ?? 0);
  useNeed(listed, rows[0]?.index ?? 0, rows.at(-1)?.index ?? 0, props.onNeed);
  const goTo = useGoTo(listed, window.show, props);

  const handleKey = (event: KeyboardEvent): void => {
    const chosen = readChoiceKey(event, listed.at(currentIndex)?.id);
    if (props.choice && chosen !== null) {
      event.preventDefault();
      props.choice.onChoose(chosen);
      return;
    }
    const target = nextRow(event, goTo.from(currentIndex), listed.count, window.pageRows);
    if (target === null) {
      props.onKeyDown?.(event);
      return;
    }
    event.preventDefault();
    goTo.start(target, { isRange: event.shiftKey, isEnd: event.key === 'End' });
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
        onContextMenu={(event) => passToRow(event, listId, currentIndex, window.show)}
      >
        {rows.map(({ index, key, start }) => {
          const item = listed.at(index);
          if (!item) return <NotLoaded key={key} index={index} count={listed.count} height={rowHeight} />;
          return (
            <div
              key={key}
              id={`${listId}-${index}`}
              role="option"
              aria-selected={isChosen(item.id, index)}
              aria-posinset={index + 1}
              aria-setsize={Math.max(props.totalCount ?? 0, listed.count)}
              className={cx(
                styles.row,
                isChosen(item.id, index) && styles.selected,
                index === currentIndex && styles.current,
              )}
              style={{ top: start, height: rowHeight }}
              onMouseDown={(event) => props.choice && keepTextUnmarked(event)}
              onClick={(event) => {
                goTo.forget();
                chooseByClick(event, item.id, props);
              }}
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

/** Stands at the place of a row that is on its way. */
function NotLoaded({ index, count, height }: { index: number; count: number; height: number }) {
  return (
    <div
      role="option"
      aria-selected={false}
      aria-label="Loading"
      aria-busy
      aria-posinset={index + 1}
      aria-setsize={count}
      className={cx(styles.row, styles.notLoaded)}
      style={{ top: index * height, height }}
    />
  );
}

/** The rows that follow the first ones, where the view comes to their end. */
function useLoadMore(
  { items, onLoadMore }: Pick<RowListProps<{ id: string }>, 'items' | 'onLoadMore'>,
  firstIndex: number,
  lastIndex: number,
): void {
  const { length } = items;
  const isNearEnd = length > 0 && lastIndex >= length - loadAheadRows && firstIndex <= length;
  useEffect(() => {
    if (isNearEnd) onLoadMore?.();
  }, [isNearEnd, length, onLoadMore]);
}

/** Rows that are not loaded, in view or soon to be. */
function useNeed(
  listed: ListedRows<{ id: string }>,
  firstIndex: number,
  lastIndex: number,
  onNeed: ((from: number, to: number) => void) | undefined,
): void {
  useEffect(() => {
    if (onNeed === undefined) return;
    let from = Math.max(0, firstIndex - loadAheadRows);
    let to = Math.min(listed.count - 1, lastIndex + loadAheadRows);
    while (from <= to && listed.at(from) !== undefined) from += 1;
    while (to >= from && listed.at(to) !== undefined) to -= 1;
    if (from <= to) onNeed(from, to);
  }, [listed, firstIndex, lastIndex, onNeed]);
}

/** A row that a key leads to and that is not loaded. */
interface Destination {
  /** Counted from the end: what comes in on top moves it, and not the row. */
  readonly fromEnd: number;
  readonly isRange: boolean;
  /** The end of a list of which nobody knows how long it is. */
  readonly isEnd: boolean;
}

/** Goes to rows by their places, and waits for those that are not loaded. */
function useGoTo<T extends { id: string }>(
  listed: ListedRows<T>,
  show: (index: number) => void,
  { items, onLoadMore, onNeed, onSelect, choice }: RowListProps<T>,
) {
  const pending = useRef<Destination | null>(null);
  const choose = (item: T, isRange: boolean): void => {
    pending.current = null;
    if (choice && isRange) choice.onChoose({ kind: 'range', id: item.id });
    else onSelect(item.id);
  };
  const hasUnknownEnd = onLoadMore !== undefined && (onNeed === undefined || listed.count === items.length);
  useEffect(() => {
    const wanted = pending.current;
    if (wanted === null) return;
    if (wanted.isEnd && hasUnknownEnd) {
      onLoadMore();
      return;
    }
    const item = listed.at(listed.count - 1 - (wanted.isEnd ? 0 : wanted.fromEnd));
    if (item !== undefined) choose(item, wanted.isRange);
  });
  return {
    /** Where keys go on from. */
    from: (currentIndex: number): number => {
      const { current: wanted } = pending;
      return wanted === null ? currentIndex : listed.count - 1 - wanted.fromEnd;
    },
    start(index: number, { isRange, isEnd }: { isRange: boolean; isEnd: boolean }): void {
      const item = listed.at(index);
      pending.current = null;
      // Also where it is the current row already, and was scrolled away from.
      show(index);
      if (item !== undefined && !(isEnd && hasUnknownEnd)) return choose(item, isRange);
      pending.current = { fromEnd: listed.count - 1 - index, isRange, isEnd };
      if (isEnd && hasUnknownEnd) onLoadMore();
    },
    forget(): void {
      pending.current = null;
    },
  };
}
