/** What is gone through by arrow keys, and has one stop of Tab. */
export const lists = ':is([role=listbox], [role=grid], [role=treegrid])';

/** A row that was out of view is drawn and has the focus within so long. */
const drawnAfterMs = 1000;
const moves = new Set(['ArrowDown', 'ArrowUp', 'Home', 'End', 'PageDown', 'PageUp']);

/**
 * Takes a key that moves through a list from the pane around it, which F6, a change of view or the end of a dialog gave the focus.
 */
export function enterList(event: KeyboardEvent): void {
  const { target, key } = event;
  if (event.ctrlKey || event.metaKey) showFarEnd(event);
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

/** React Aria does not scroll to what such a key chose where the pointer was used last: the row was out of view, and had the focus. */
function showFarEnd({ target, key }: KeyboardEvent): void {
  if ((key !== 'Home' && key !== 'End') || !(target instanceof HTMLElement) || !target.closest(lists)) return;
  const show = (focus: FocusEvent): void =>
    (focus.target as HTMLElement).scrollIntoView({ block: 'nearest', inline: 'nearest' });
  document.addEventListener('focusin', show, { once: true, signal: AbortSignal.timeout(drawnAfterMs) });
}
