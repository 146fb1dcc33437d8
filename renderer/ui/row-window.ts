import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { ListedRows } from './listed-rows';

/** Rows above and below those in view: a wheel turns so far before the next frame. */
const spareRows = 8;

interface WindowRow {
  readonly index: number;
  readonly key: string;
  /** Distance from the top in pixels. */
  readonly start: number;
}

/** The rows of a long list that are in the document now. */
export interface RowWindow {
  setScroll: (element: HTMLElement | null) => (() => void) | undefined;
  /** Rows in view and a few around them. */
  rows: readonly WindowRow[];
  totalHeight: number;
  /** How far Page Up and Page Down go. */
  pageRows: number;
  /** Place of the current row in the list; -1: it is not there. */
  currentIndex: number;
  /** True while the current row is in the document. */
  isCurrentShown: boolean;
  /** Brings a place into view, whether or not its row is loaded. */
  show: (index: number) => void;
}

/** What of a list is in view: the first row, in part too, and the height in pixels. */
interface View {
  readonly first: number;
  readonly height: number;
}

/**
 * The one place that decides which rows of a long list are in the document (decision 0012).
 *
 * A row that becomes the current one is brought into view. Rows that come in above keep what is being read where
 * it is, unless the list stands at its top. Nothing here looks at every row: a hundred thousand cost what a hundred do.
 * @param listed - the rows by their places; a new object where any of them changed
 * @param rowHeight - pixels; every row has this height
 * @param current - id of the row that the keyboard stands on; null: none
 */
export function useRowWindow(
  listed: ListedRows<{ id: string }>,
  rowHeight: number,
  current: string | null,
): RowWindow {
  const { setScroll, view, top, scrollTo } = useScrolled(rowHeight);
  const currentIndex = useMemo(() => listed.find(current, 0), [listed, current]);
  const isFound = currentIndex !== -1;
  const latest = useRef({ start: 0, height: 0 });
  useLayoutEffect(() => {
    latest.current = { start: currentIndex * rowHeight, height: view.height };
  });
  useStayAt(listed, rowHeight, top, scrollTo);
  const isMeasured = view.height > 0;
  // A row that only moved stays where it is.
  useLayoutEffect(() => {
    if (isFound && isMeasured) bringIn(latest.current.start, rowHeight, latest.current.height, top, scrollTo);
  }, [current, isFound, isMeasured, rowHeight, scrollTo, top]);
  // A notice that comes below takes rows away: not the one that the keyboard stands on, where it was in view.
  const lastHeight = useRef(view.height);
  useLayoutEffect(() => {
    const before = lastHeight.current;
    lastHeight.current = view.height;
    const { start, height } = latest.current;
    const wasInView = start >= top.current && start + rowHeight <= top.current + before;
    if (isFound && height < before && wasInView) bringIn(start, rowHeight, height, top, scrollTo);
  }, [view.height, isFound, rowHeight, scrollTo, top]);

  const inView = Math.ceil(view.height / rowHeight);
  const from = Math.max(0, Math.min(view.first, listed.count - inView) - spareRows);
  const to = isMeasured ? Math.min(listed.count, view.first + inView + 1 + spareRows) : from;
  const rows = Array.from({ length: Math.max(0, to - from) }, (_, at) => {
    const index = from + at;
    // A place keeps its own key until its row is there.
    return { index, key: listed.at(index)?.id ?? `#${index}`, start: index * rowHeight };
  });
  return {
    setScroll,
    rows,
    totalHeight: listed.count * rowHeight,
    pageRows: Math.max(1, Math.floor(view.height / rowHeight) - 1),
    currentIndex,
    isCurrentShown: isFound && currentIndex >= from && currentIndex < to,
    show: (index) => bringIn(index * rowHeight, rowHeight, view.height, top, scrollTo),
  };
}

/** Scrolls no further than a row needs to be in view. */
function bringIn(
  start: number,
  rowHeight: number,
  height: number,
  top: { readonly current: number },
  scrollTo: (top: number) => void,
): void {
  if (start < top.current) scrollTo(start);
  else if (start + rowHeight > top.current + height) scrollTo(start + rowHeight - height);
}

/** Follows how far an element is scrolled; what depends on it is drawn in the same frame. */
function useScrolled(rowHeight: number) {
  const [view, setView] = useState<View>({ first: 0, height: 0 });
  const element = useRef<HTMLElement | null>(null);
  /** Asking the element would lay the whole page out. */
  const top = useRef(0);
  const follow = useCallback(
    (height: number) =>
      setView((before) => {
        const first = Math.floor(top.current / rowHeight);
        return first === before.first && height === before.height ? before : { first, height };
      }),
    [rowHeight],
  );
  const scrollTo = useCallback(
    (wanted: number) => {
      const { current: scroll } = element;
      if (scroll === null) return;
      scroll.scrollTop = wanted;
      top.current = scroll.scrollTop;
      follow(scroll.clientHeight);
    },
    [follow],
  );
  const setScroll = useCallback(
    (scroll: HTMLElement | null) => {
      element.current = scroll;
      if (scroll === null) return undefined;
      let height = scroll.clientHeight;
      top.current = scroll.scrollTop;
      follow(height);
      const onScroll = (): void => {
        top.current = scroll.scrollTop;
        flushSync(() => follow(height));
      };
      const observer = new ResizeObserver(() => {
        height = scroll.clientHeight;
        follow(height);
      });
      observer.observe(scroll);
      scroll.addEventListener('scroll', onScroll, { passive: true });
      return () => {
        element.current = null;
        observer.disconnect();
        scroll.removeEventListener('scroll', onScroll);
      };
    },
    [follow],
  );
  return { setScroll, view, top, scrollTo };
}

/** Keeps the row at the top of the view there when rows come in or go above it. */
function useStayAt(
  listed: ListedRows<{ id: string }>,
  rowHeight: number,
  top: { readonly current: number },
  scrollTo: (top: number) => void,
): void {
  const known = useRef(listed);
  useLayoutEffect(() => {
    const before = known.current;
    known.current = listed;
    if (before === listed || top.current === 0) return;
    const index = Math.floor(top.current / rowHeight);
    const id = before.at(index)?.id ?? null;
    const grownBy = listed.count - before.count;
    // Looked for where it would be if what changed stands above it.
    const found = listed.find(id, Math.max(0, index + grownBy));
    // A place without a row is known by its distance from the end.
    const now = found === -1 && id === null ? index + grownBy : found;
    if (now !== -1 && now !== index) scrollTo(top.current + (now - index) * rowHeight);
  }, [listed, rowHeight, scrollTo, top]);
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
