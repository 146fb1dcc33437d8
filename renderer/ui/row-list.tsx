import {
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
} from 'react';
import { cx } from './cx';
import styles from './row-list.module.css';
import { Spinner } from './spinner';

const spareRows = 8;
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
  /** Keys that the list itself does not use. */
  onKeyDown?: (event: KeyboardEvent) => void;
}

/**
 * A list of a hundred thousand live rows.
 *
 * Nothing is built for rows that are not in view, and rows that come in above keep what is being read where it
 * is, unless the list stands at its top. One tab stop; arrows, Page, Home and End choose.
 */
export function RowList<T extends { id: string }>(props: RowListProps<T>) {
  const { label, items, rowHeight, selected, onSelect, children, empty, isLoadingMore, totalCount } = props;
  const listId = useId();
  const scrollRef = useRef<HTMLDivElement>(null);
  const { from, to, pageRows } = useRowsInView(scrollRef, props);
  const selectedIndex = useSelectedInView(scrollRef, items, selected, rowHeight);

  const choose = (index: number): void => {
    const item = items[Math.max(0, Math.min(items.length - 1, index))];
    if (item) onSelect(item.id);
  };
  const handleKey = (event: KeyboardEvent): void => {
    const target = nextIndex(event, selectedIndex, items.length, pageRows);
    if (target === null) {
      props.onKeyDown?.(event);
      return;
    }
    event.preventDefault();
    choose(target);
  };

  if (items.length === 0) return <div className={styles.scroll}>{empty}</div>;
  return (
    <div ref={scrollRef} className={styles.scroll}>
      <div
        role="listbox"
        aria-label={label}
        tabIndex={0}
        className={styles.list}
        style={{ height: items.length * rowHeight }}
        aria-activedescendant={
          selectedIndex >= from && selectedIndex < to ? `${listId}-${selectedIndex}` : undefined
        }
        onKeyDown={handleKey}
      >
        {items.slice(from, to).map((item, offset) => {
          const index = from + offset;
          return (
            <div
              key={item.id}
              id={`${listId}-${index}`}
              role="option"
              aria-selected={index === selectedIndex}
              aria-posinset={index + 1}
              aria-setsize={Math.max(totalCount ?? 0, items.length)}
              className={cx(styles.row, index === selectedIndex && styles.selected)}
              style={{ top: index * rowHeight, height: rowHeight }}
              onClick={() => onSelect(item.id)}
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

function nextIndex(event: KeyboardEvent, index: number, count: number, pageRows: number): number | null {
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  switch (event.key) {
    case 'ArrowDown':
      return index + 1;
    case 'ArrowUp':
      return index === -1 ? 0 : index - 1;
    case 'PageDown':
      return index + pageRows;
    case 'PageUp':
      return index - pageRows;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return null;
  }
}

function useRowsInView<T extends { id: string }>(
  scrollRef: React.RefObject<HTMLDivElement | null>,
  { items, rowHeight, onLoadMore }: RowListProps<T>,
) {
  const [view, setView] = useState({ top: 0, height: 800 });
  const anchor = useRef<{ id: string; offset: number } | null>(null);
  const current = useRef(items);
  const hasRows = items.length > 0;

  useLayoutEffect(() => {
    current.current = items;
    const element = scrollRef.current;
    const kept = anchor.current;
    if (!element || !kept || element.scrollTop === 0) return;
    const index = items.findIndex((item) => item.id === kept.id);
    const top = index * rowHeight + kept.offset;
    if (index !== -1 && top !== element.scrollTop) element.scrollTop = top;
  }, [items, rowHeight, scrollRef]);

  useLayoutEffect(() => {
    const element = scrollRef.current;
    if (!element) return;
    const measure = (): void => {
      const top = element.scrollTop;
      const first = current.current[Math.floor(top / rowHeight)];
      anchor.current = first ? { id: first.id, offset: top % rowHeight } : null;
      setView({ top, height: element.clientHeight });
    };
    measure();
    element.addEventListener('scroll', measure, { passive: true });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => {
      element.removeEventListener('scroll', measure);
      observer.disconnect();
    };
  }, [hasRows, rowHeight, scrollRef]);

  const from = Math.max(0, Math.floor(view.top / rowHeight) - spareRows);
  const to = Math.min(items.length, Math.ceil((view.top + view.height) / rowHeight) + spareRows);
  const isNearEnd = hasRows && to > items.length - loadAheadRows;
  useEffect(() => {
    if (isNearEnd) onLoadMore?.();
  }, [isNearEnd, items.length, onLoadMore]);
  return { from: Math.min(from, to), to, pageRows: Math.max(1, Math.floor(view.height / rowHeight) - 1) };
}

/** Index of the selected row; a newly selected one is brought into view. */
function useSelectedInView(
  scrollRef: React.RefObject<HTMLDivElement | null>,
  items: readonly { id: string }[],
  selected: string | null,
  rowHeight: number,
): number {
  const index = selected === null ? -1 : items.findIndex((item) => item.id === selected);
  const isFound = index !== -1;
  const latest = useRef(index);
  useLayoutEffect(() => {
    latest.current = index;
  });
  useLayoutEffect(() => {
    const element = scrollRef.current;
    if (!element || !isFound) return;
    const top = latest.current * rowHeight;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + rowHeight > element.scrollTop + element.clientHeight) {
      element.scrollTop = top + rowHeight - element.clientHeight;
    }
  }, [selected, isFound, rowHeight, scrollRef]);
  return index;
}
