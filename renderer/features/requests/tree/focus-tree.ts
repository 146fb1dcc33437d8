import { focusLater } from '../../../ui/focus-later';

export const treeLabel = 'Requests of the collection';

/** Has the keyboard go on in the tree. */
export function focusTree(): void {
  focusLater(`[role="treegrid"][aria-label="${treeLabel}"]`);
}

/** Has the keyboard go on in the request on show: at its address, which the body follows. */
export function focusAddress(): void {
  focusLater('[data-edit="request"] [aria-label="Address"]');
}
