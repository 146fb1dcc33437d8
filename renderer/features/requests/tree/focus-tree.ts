export const treeLabel = 'Requests of the collection';

/** Has the keyboard go on in the tree: once the dialog is gone that led there, and has given the focus back. */
export function focusTree(): void {
  requestAnimationFrame(() => {
    if (document.querySelector('[data-modal]') !== null) return focusTree();
    const tree = document.querySelector<HTMLElement>(`[role="treegrid"][aria-label="${treeLabel}"]`);
    requestAnimationFrame(() => tree?.focus({ preventScroll: true }));
  });
}
