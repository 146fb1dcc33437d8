import { useMemo, useState, type ComponentProps, type ReactNode } from 'react';
import { Collection } from 'react-aria-components/Collection';
import {
  Cell,
  Column as AriaColumn,
  ColumnResizer,
  ResizableTableContainer,
  Row,
  Table as AriaTable,
  TableBody,
  TableHeader,
  TableLoadMoreItem,
  type SortDescriptor,
} from 'react-aria-components/Table';
import { TableLayout, Virtualizer } from 'react-aria-components/Virtualizer';
import { cx } from './cx';
import styles from './data-table.module.css';
import type { MenuAction } from './menu';
import { readRemembered, remember } from './remembered';
import { RowMenu } from './row-menu';
import { Spinner } from './spinner';

export interface Column<T> {
  id: string;
  label: string;
  /** Draws one cell. */
  render: (item: T) => ReactNode;
  /** Pixels, or a fraction ('2fr'). */
  width?: number | `${number}fr`;
  /** Never narrower than so many pixels: the table scrolls instead. Left out: the least of all columns. */
  least?: number;
  isNumeric?: boolean;
  /** What the rows are put in order by when its heading is pressed; a column without it has no order. */
  sortBy?: (item: T) => string | number;
  /** Names the row for screen readers; one column should have it, else it is the first. */
  isRowHeader?: boolean;
}

export interface DataTableProps<T> {
  /** What its widths and its order are remembered by. */
  id: string;
  label: string;
  /** The same ones from one drawing to the next, and so is an item that did not change: its row is not drawn anew. */
  columns: readonly Column<T>[];
  items: readonly T[];
  selected?: string | null;
  onSelect?: (id: string) => void;
  onAction?: (id: string) => void;
  /** What can be done with a row, for its menu; left out: the rows have none. */
  actionsOf?: (item: T) => readonly MenuAction[];
  empty?: ReactNode;
  isVirtual?: boolean;
  /** Asks for the rows that follow: the end of these comes into view. Left out: there are none. */
  onLoadMore?: (() => void) | undefined;
  isLoadingMore?: boolean;
  className?: string;
}

/** Pixels; a column that takes a share of the room keeps a few words in view. */
const leastWidth = { fixed: 40, share: 96 };

/**
 * Rows and columns with keyboard navigation. Long tables (`isVirtual`) keep only what can be seen in the document;
 * they fill their parent's height.
 *
 * The edge of a heading moves its width, by pointer or by keyboard (arrow to the edge, Enter, arrows). Widths and order stay
 * from one start to the next.
 */
export function DataTable<T extends { id: string }>({ actionsOf, ...props }: DataTableProps<T>) {
  if (actionsOf === undefined) return <Table {...props} />;
  return (
    <RowMenu
      label={props.label}
      actionsOf={(id) => {
        const row = props.items.find((item) => item.id === id);
        return row ? actionsOf(row) : [];
      }}
    >
      <Table {...props} />
    </RowMenu>
  );
}

function Table<T extends { id: string }>({
  id,
  label,
  columns,
  items,
  selected,
  onSelect,
  onAction,
  empty,
  isVirtual,
  onLoadMore,
  isLoadingMore = false,
  className,
}: Omit<DataTableProps<T>, 'actionsOf'>) {
  const [order, setOrder] = useKeptOrder(id);
  const rows = useMemo(() => sortRows(items, columns, order), [items, columns, order]);
  const [kept] = useState(() => readWidths(id));
  const hasRowHeader = columns.some((column) => column.isRowHeader);
  const table = (
    <AriaTable
      aria-label={label}
      className={cx(styles.table, isVirtual && styles.virtual, className)}
      selectionMode={onSelect ? 'single' : 'none'}
      selectionBehavior="replace"
      selectedKeys={selected ? [selected] : []}
      onSelectionChange={(keys) => {
        const [first] = keys === 'all' ? [] : keys;
        if (first !== undefined) onSelect?.(String(first));
      }}
      sortDescriptor={order}
      onSortChange={setOrder}
      onRowAction={onAction ? (key) => onAction(String(key)) : undefined}
    >
      <TableHeader>
        {columns.map((column, index) => (
          <AriaColumn
            key={column.id}
            id={column.id}
            className={cx(styles.column, column.isNumeric && styles.numeric)}
            defaultWidth={kept[column.id] ?? column.width}
            minWidth={column.least ?? leastWidth[typeof column.width === 'number' ? 'fixed' : 'share']}
            allowsSorting={column.sortBy !== undefined}
            isRowHeader={hasRowHeader ? column.isRowHeader : index === 0}
            // Else it is called by what moves its width, too.
            render={(given) => {
              const named = { ...given, 'aria-label': column.label };
              return isVirtual ? <div {...named} /> : <th {...(named as ComponentProps<'th'>)} />;
            }}
          >
            {({ sortDirection }) => <Heading label={column.label} direction={sortDirection} />}
          </AriaColumn>
        ))}
      </TableHeader>
      <TableBody renderEmptyState={() => <div className={styles.empty}>{empty ?? 'Nothing here.'}</div>}>
        <Collection items={rows} dependencies={[columns]}>
          {(item) => drawRow(item, columns)}
        </Collection>
        {onLoadMore === undefined ? null : (
          <TableLoadMoreItem onLoadMore={onLoadMore} isLoading={isLoadingMore}>
            <Spinner label="Loading more" />
          </TableLoadMoreItem>
        )}
      </TableBody>
    </AriaTable>
  );
  return (
    <ResizableTableContainer
      className={cx(styles.frame, isVirtual && styles.filling)}
      onResizeEnd={(widths) => remember(widthsKey(id), Object.fromEntries(widths))}
    >
      {isVirtual ? <Virtualizer {...rowLayout}>{table}</Virtualizer> : table}
    </ResizableTableContainer>
  );
}

function drawRow<T extends { id: string }>(item: T, columns: readonly Column<T>[]) {
  return (
    <Row id={item.id} className={styles.row}>
      {columns.map((column) => (
        <Cell key={column.id} className={cx(styles.cell, column.isNumeric && styles.numeric)}>
          {column.render(item)}
        </Cell>
      ))}
    </Row>
  );
}

const rowLayout = { layout: TableLayout, layoutOptions: { rowHeight: 29, headingHeight: 29 } };
const widthsKey = (id: string): string => `table.${id}`;
const orderKey = (id: string): string => `order.${id}`;

/** The order of a table, remembered whenever it changes: ascending, descending, then again as the rows come. */
function useKeptOrder(id: string): [SortDescriptor | undefined, (next: SortDescriptor) => void] {
  const [order, setOrder] = useState(() => readOrder(id));
  const keep = (next: SortDescriptor): void => {
    const isOver = next.column === order?.column && order.direction === 'descending';
    setOrder(isOver ? undefined : next);
    remember(orderKey(id), isOver ? null : [next.column, next.direction]);
  };
  return [order, keep];
}

/** The order that was kept: a column that is no more orders nothing. */
function readOrder(id: string): SortDescriptor | undefined {
  const kept = readRemembered(orderKey(id));
  if (!Array.isArray(kept)) return undefined;
  const [column, direction] = kept as unknown[];
  if (typeof column !== 'string' || (direction !== 'ascending' && direction !== 'descending'))
    return undefined;
  return { column, direction };
}

/** The name of a column, and the edge that moves its width. */
function Heading({ label, direction }: { label: string; direction: 'ascending' | 'descending' | undefined }) {
  return (
    <div className={styles.heading}>
      <span tabIndex={-1} className={styles.name}>
        {label}
        {direction ? <span aria-hidden="true">{direction === 'ascending' ? ' ↑' : ' ↓'}</span> : null}
      </span>
      <ColumnResizer className={styles.edge} aria-label={`Width of ${label}`} />
    </div>
  );
}

/** Widths that were kept: pixels, or a share of the room. */
function readWidths(id: string): Record<string, number | `${number}fr`> {
  const kept = readRemembered(widthsKey(id));
  if (typeof kept !== 'object' || kept === null) return {};
  const isWidth = (value: unknown): value is number | `${number}fr` =>
    typeof value === 'number' ? value > 0 && value < 4000 : /^\d+(\.\d+)?fr$/.test(String(value));
  return Object.fromEntries(Object.entries(kept).filter(([, value]) => isWidth(value)));
}

/** Puts rows in the order of a column; those that are equal there stay as they stood. */
function sortRows<T>(
  items: readonly T[],
  columns: readonly Column<T>[],
  order: SortDescriptor | undefined,
): readonly T[] {
  const sortBy = columns.find(({ id }) => id === order?.column)?.sortBy;
  if (!sortBy) return items;
  const sign = order?.direction === 'descending' ? -1 : 1;
  return items.toSorted((a, b) => {
    const [left, right] = [sortBy(a), sortBy(b)];
    return left < right ? -sign : left > right ? sign : 0;
  });
}
