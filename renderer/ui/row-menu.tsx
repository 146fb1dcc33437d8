import type { KeyboardEvent, MouseEvent, ReactNode } from 'react';
import { copyAction } from './copy-action';
import { isKeyPress } from './keys';
import { ContextMenu, useContextMenu, type MenuAction } from './menu';
import styles from './menu.module.css';

/**
 * A menu for the rows of a list or table inside it: right-click, or the menu key on the row that has the focus. The keys that it shows
 * work on that row, too. Of a plain list or table those elements are rows that have a `data-key`.
 */
export function RowMenu({
  label,
  actionsOf,
  children,
}: {
  label: string;
  /** Gives what can be done with a row; none: the row has no menu. */
  actionsOf: (id: string) => readonly MenuAction[];
  children: ReactNode;
}) {
  const menu = useContextMenu<readonly MenuAction[]>();
  const open = (event: MouseEvent): void => {
    // What stands in a row may have a menu of its own.
    const row = event.defaultPrevented ? null : findRow(event.target);
    const actions = row === null ? [] : actionsOf(row.id);
    if (row !== null && actions.length > 0)
      menu.open(event, [...copySelected(row.element), ...actions], row.element);
  };
  const press = (event: KeyboardEvent): void => {
    const row = event.defaultPrevented ? null : findRow(event.target);
    const action = row && actionsOf(row.id).find(({ keys }) => keys !== undefined && isKeyPress(event, keys));
    if (action && !action.isDisabled && !action.obstacle) action.onAction();
  };
  return (
    <div className={styles.rows} onContextMenu={open} onKeyDown={press}>
      {children}
      <ContextMenu menu={menu} label={label} actionsOf={(actions) => actions} />
    </div>
  );
}

/** It stands where the system's own menu would, which copies what is selected. */
function copySelected(row: Element): MenuAction[] {
  const selection = getSelection();
  const text = selection?.containsNode(row, true) ? selection.toString() : '';
  return text === '' ? [] : [copyAction('selection', 'Copy what is selected', text)];
}

/** The row around what was pressed; a cell has a key of its own. */
function findRow(target: EventTarget): { id: string; element: Element } | null {
  const element =
    target instanceof Element ? target.closest('[role=row], [role=option], [data-key]:not([role])') : null;
  const id = element?.getAttribute('data-key') ?? null;
  return element === null || id === null ? null : { id, element };
}
