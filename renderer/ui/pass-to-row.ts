import type { MouseEvent } from 'react';
import { flushSync } from 'react-dom';

/**
 * Opens a menu that a key asked for at the row that the keyboard stands on: the list itself has the focus, and its middle is what
 * the browser tells.
 *
 * @param listId - what the ids of rows begin with, before their places
 * @param index - place of the row; -1: the keyboard stands on none
 * @param show - brings a row into view: one that was scrolled away from is not in the document
 */
export function passToRow(
  event: MouseEvent,
  listId: string,
  index: number,
  show: (index: number) => void,
): void {
  const isByKey = event.target === event.currentTarget && event.button !== 2;
  if (!isByKey) return;
  event.preventDefault();
  if (index === -1) return;
  flushSync(() => show(index));
  const init = { bubbles: true, cancelable: true, button: 2 };
  document.getElementById(`${listId}-${index}`)?.dispatchEvent(new window.MouseEvent('contextmenu', init));
}
