/** What is gone through by arrow keys, and has one stop of Tab. */
export const lists = ':is([role=listbox], [role=grid], [role=treegrid])';

const moves = new Set(['ArrowDown', 'ArrowUp', 'Home', 'End', 'PageDown', 'PageUp']);

/**
 * Takes a key that moves through a list from the pane around it, which F6, a change of view or the end of a dialog gave the focus.
 */
export function enterList(event: KeyboardEvent): void {
  const { target, key } = event;
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || !moves.has(key)) return;
  const pane = target instanceof HTMLElement && 'pane' in target.dataset ? target : null;
  const list = pane?.querySelector<HTMLElement>(lists);
  if (!list) return;
  event.preventDefault();
  event.stopPropagation();
  list.focus();
  // One of React Aria goes to a row of its own when it gets the focus.
  if ('collection' in list.dataset) return;
  list.dispatchEvent(new window.KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
}
