import type { MouseEvent, ReactNode } from 'react';
import { ContextMenu, useContextMenu, type MenuAction } from './menu';
import styles from './menu.module.css';

/** A menu for the rows of a list or table inside it: right-click, or the menu key on the row that has the focus. */
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
    const row = findRow(event.target);
    const actions = row === null ? [] : actionsOf(row.id);
    if (row !== null && actions.length > 0) menu.open(event, actions, row.element);
  };
  return (
    <div className={styles.rows} onContextMenu={open}>
      {children}
      <ContextMenu menu={menu} label={label} actionsOf={(actions) => actions} />
    </div>
  );
}

/** The row around what was pressed; a cell has a key of its own. */
function findRow(target: EventTarget): { id: string; element: Element } | null {
  const element = target instanceof Element ? target.closest('[role=row], [role=option]') : null;
  const id = element?.getAttribute('data-key') ?? null;
  return element === null || id === null ? null : { id, element };
}
