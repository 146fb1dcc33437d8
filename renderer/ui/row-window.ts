import { useVirtualizer, type VirtualItem } from '@tanstack/react-virtual';
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';

const spareRows = 8;

/** The rows of a long list that are in the document now. */
export interface RowWindow {
  /** Ref of the element that scrolls. */
  setScroll: (element: HTMLElement | null) => void;
  /** Rows in view and a few around them; `start` is their distance from the top in pixels. */
  rows: readonly VirtualItem[];
  totalHeight: number;
  /** How far Page Up and Page Down go. */
  pageRows: number;
  /** Place of the current row in the list; -1: it is not there. */
  currentIndex: number;
  /** True while the current row is in the document. */
  isCurrentShown: boolean;
}

/**
 * The one place that decides which rows of a long list are in the document (decision 0012).
 *
 * A row that becomes the current one is brought into view. Rows that come in above keep what is being read where
 * it is, unless the list stands at its top.
 * @param items - all rows; a new array where any of them changed
 * @param rowHeight - pixels; every row has this height
 * @param current - id of the row that the keyboard stands on; null: none
 */
export function useRowWindow(
  items: readonly { id: string }[],
  rowHeight: number,
  current: string | null,
): RowWindow {
  const [scroll, setScroll] = useState<HTMLElement | null>(null);
  const getItemKey = useCallback((index: number) => items[index]?.id ?? index, [items]);
  const estimateSize = useCallback(() => rowHeight, [rowHeight]);
  // The rule is for code that the React compiler changes; ours is not.
  // eslint-disable-next-line react-hooks/incompatible-library
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroll,
    estimateSize,
    getItemKey,
    overscan: spareRows,
    anchorTo: scroll === null || scroll.scrollTop === 0 ? 'start' : 'end',
  });
  const currentIndex = useMemo(() => items.findIndex(({ id }) => id === current), [items, current]);
  const isFound = currentIndex !== -1;
  const latest = useRef(currentIndex);
  useLayoutEffect(() => {
    latest.current = currentIndex;
  });
  // A row that only moved stays where it is.
  useLayoutEffect(() => {
    if (isFound && scroll) virtualizer.scrollToIndex(latest.current, { align: 'auto' });
  }, [current, isFound, scroll, virtualizer]);
  const rows = virtualizer.getVirtualItems();
  return {
    setScroll,
    rows,
    totalHeight: virtualizer.getTotalSize(),
    pageRows: Math.max(1, Math.floor((virtualizer.scrollRect?.height ?? 0) / rowHeight) - 1),
    currentIndex,
    isCurrentShown: rows.some(({ index }) => index === currentIndex),
  };
}

/** Where a key leads in a list of `count` rows; null: the key is none of the list's. */
export function nextRow(
  event: { key: string; ctrlKey: boolean; metaKey: boolean; altKey: boolean },
  index: number,
  count: number,
  pageRows: number,
): number | null {
  if (count === 0 || event.ctrlKey || event.metaKey || event.altKey) return null;
  const target = targets[event.key]?.(index, count, pageRows);
  return target === undefined ? null : Math.max(0, Math.min(count - 1, target));
}

const targets: Record<string, (index: number, count: number, pageRows: number) => number> = {
  ArrowDown: (index) => index + 1,
  ArrowUp: (index) => index - 1,
  j: (index) => index + 1,
  k: (index) => index - 1,
  PageDown: (index, _count, pageRows) => index + pageRows,
  PageUp: (index, _count, pageRows) => index - pageRows,
  Home: () => 0,
  End: (_index, count) => count - 1,
};
