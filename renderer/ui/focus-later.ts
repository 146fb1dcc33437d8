/** Has the keyboard go on at an element, once the dialog is gone that led there, and has given the focus back. */
export function focusLater(selector: string): void {
  requestAnimationFrame(() => {
    if (document.querySelector('[data-modal]') !== null) return focusLater(selector);
    requestAnimationFrame(() =>
      document.querySelector<HTMLElement>(selector)?.focus({ preventScroll: true }),
    );
  });
}
