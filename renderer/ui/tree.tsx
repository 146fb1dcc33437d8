import { ChevronRight } from 'lucide-react';
import {
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
} from 'react';
import { cx } from './cx';
import { listRows } from './listed-rows';
import { passToRow } from './pass-to-row';
import { nextRow, useRowWindow } from './row-window';
import { findByLetters, listOpenRows, type TreeEntry, type TreeRow } from './tree-rows';
import { useTreeDrag, type RowDrag, type TreeDrag } from './tree-drag';
import styles from './tree.module.css';

const rowHeight = 28;
/** Letters typed within this time belong together. */
const lettersMs = 1000;

interface TreeProps<T> {
  label: string;
  /** Depth first, each folder before what is in it. */
  entries: readonly TreeEntry<T>[];
  selected: string | null;
  /** Where the keyboard goes on, each time that it is another object. */
  ledTo?: { readonly id: string } | null;
  /** Folders that are shut. */
  collapsed: ReadonlySet<string>;
  onToggle: (id: string) => void;
  /** A click, Enter, or the keyboard coming to it. */
  onOpen: (value: T) => void;
  onContextMenu: (event: MouseEvent, value: T) => void;
  /** Keys besides those of the tree itself; true: it was one. */
  onKey?: (event: KeyboardEvent, value: T | null) => boolean;
  /** Told of the row that the keyboard stands on; null: on none. */
  onCurrent?: (value: T | null) => void;
  /** What may be drawn from row to row; left out: nothing. */
  drag?: TreeDrag<T>;
  render: (value: T) => ReactNode;
  empty: ReactNode;
}

/**
 * Folders and what is in them, tens of thousands; only the rows that can be seen are in the document.
 *
 * One tab stop: arrows, Page, Home, End and letters go through it, Enter opens.
 */
export function Tree<T>(props: TreeProps<T>) {
  const { label, entries, selected, collapsed, empty } = props;
  const treeId = useId();
  const rows = useMemo(() => listOpenRows(entries, collapsed), [entries, collapsed]);
  const listed = useMemo(() => listRows(rows), [rows]);
  const [current, setCurrent] = useCurrent(selected, props.ledTo ?? null);
  const { setScroll, totalHeight, currentIndex, isCurrentShown, pageRows, ...shown } = useRowWindow(
    listed,
    rowHeight,
    current,
  );
  const handleKey = useTreeKeys(rows, currentIndex, pageRows, setCurrent, props);
  const dragOf = useTreeDrag(props.drag);
  const { onCurrent } = props;
  const currentValue = rows[currentIndex]?.value ?? null;
  useEffect(() => onCurrent?.(currentValue), [onCurrent, currentValue]);
  if (rows.length === 0) return <div className={styles.tree}>{empty}</div>;
  return (
    <div ref={setScroll} className={styles.tree}>
      <div
        role="treegrid"
        aria-label={label}
        tabIndex={0}
        className={styles.rows}
        style={{ height: totalHeight }}
        aria-activedescendant={isCurrentShown ? `${treeId}-${currentIndex}` : undefined}
        onKeyDown={(event) => {
          if (props.onKey?.(event, rows[currentIndex]?.value ?? null)) event.preventDefault();
          else handleKey(event);
        }}
        onContextMenu={(event) => passToRow(event, treeId, currentIndex, shown.show)}
      >
        {shown.rows.map(({ index, key, start }) => {
          const row = rows[index];
          return row ? (
            <Row
              key={key}
              id={`${treeId}-${index}`}
              row={row}
              top={start}
              isCurrent={index === currentIndex}
              isSelected={row.id === selected}
              onPress={() => {
                setCurrent(row.id);
                if (row.isFolder) props.onToggle(row.id);
                else props.onOpen(row.value);
              }}
              onContextMenu={(event) => props.onContextMenu(event, row.value)}
              drag={dragOf(row.id, row.value)}
            >
              {props.render(row.value)}
            </Row>
          ) : null;
        })}
      </div>
    </div>
  );
}

function Row<T>({
  id,
  row,
  top,
  isCurrent,
  isSelected,
  onPress,
  onContextMenu,
  drag,
  children,
}: {
  id: string;
  row: TreeRow<T>;
  top: number;
  isCurrent: boolean;
  isSelected: boolean;
  onPress: () => void;
  onContextMenu: (event: MouseEvent) => void;
  drag: RowDrag;
  children: ReactNode;
}) {
  return (
    <div
      id={id}
      role="row"
      aria-label={row.text}
      aria-level={row.depth + 1}
      aria-posinset={row.position}
      aria-setsize={row.siblings}
      aria-expanded={row.isFolder ? row.isExpanded : undefined}
      aria-selected={isSelected}
      className={cx(
        styles.row,
        row.isFolder && styles.folder,
        isSelected && styles.selected,
        isCurrent && styles.current,
        drag.isTarget && styles.target,
      )}
      style={{ top, height: rowHeight }}
      onClick={onPress}
      onContextMenu={onContextMenu}
      {...drag.handlers}
    >
      <div role="gridcell" className={styles.content} style={{ paddingLeft: 8 + row.depth * 12 }}>
        <span className={cx(styles.mark, row.isExpanded && styles.open)}>
          {row.isFolder ? <ChevronRight size={12} aria-hidden="true" /> : null}
        </span>
        {children}
      </div>
    </div>
  );
}

/** The row that the keyboard stands on: the selected one, until the keyboard goes or is led elsewhere, or another is selected. */
function useCurrent(
  selected: string | null,
  ledTo: { readonly id: string } | null,
): [string | null, (id: string) => void] {
  const [current, setCurrent] = useState(selected);
  const [last, setLast] = useState({ selected, ledTo });
  if (last.selected !== selected || last.ledTo !== ledTo) {
    setLast({ selected, ledTo });
    setCurrent(last.ledTo === ledTo || ledTo === null ? selected : ledTo.id);
  }
  return [current, setCurrent];
}

function useTreeKeys<T>(
  rows: readonly TreeRow<T>[],
  index: number,
  pageRows: number,
  setCurrent: (id: string) => void,
  { onToggle, onOpen }: Pick<TreeProps<T>, 'onToggle' | 'onOpen'>,
): (event: KeyboardEvent) => void {
  const readLetters = useLetters();
  const goTo = (target: number | null, isOpening: boolean): void => {
    const row = target === null ? undefined : rows[target];
    if (!row) return;
    setCurrent(row.id);
    if (isOpening && !row.isFolder) onOpen(row.value);
  };
  return (event) => {
    const row = rows[index];
    const target = nextRow(event, index, rows.length, pageRows);
    const letters = readLetters(event);
    if (target !== null) goTo(target, true);
    else if (letters !== null) goTo(findByLetters(rows, letters, index), false);
    else if (!row || event.ctrlKey || event.metaKey || event.altKey) return;
    else if (event.key === 'Enter' || event.key === ' ') {
      if (row.isFolder) onToggle(row.id);
      else onOpen(row.value);
    } else if (event.key === 'ArrowRight') {
      if (row.isFolder && !row.isExpanded) onToggle(row.id);
      else if (rows[index + 1]?.parent === index) goTo(index + 1, true);
    } else if (event.key === 'ArrowLeft') {
      if (row.isExpanded) onToggle(row.id);
      else goTo(row.parent, true);
    } else return;
    event.preventDefault();
  };
}

/** Joins letters that are typed in a row; null: the key is no letter. A space belongs to letters that were begun. */
function useLetters(): (event: KeyboardEvent) => string | null {
  const typed = useRef({ letters: '', at: 0 });
  return (event) => {
    const { letters, at } = typed.current;
    const begun = event.timeStamp - at < lettersMs ? letters : '';
    const isLetter = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (!isLetter || (event.key === ' ' && begun === '')) return null;
    typed.current = { letters: begun + event.key, at: event.timeStamp };
    return typed.current.letters;
  };
}
