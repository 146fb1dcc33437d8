/** A view that is shown for the first time is loaded then. */
const longestWaitMs = 3_000;

/**
 * Has the keyboard go on at an element, once the dialog is gone that led there and has given the focus back, and once the element
 * is there. Who presses a key or the pointer meanwhile is somewhere else already.
 */
export function focusLater(selector: string): void {
  requestAnimationFrame(() => {
    if (document.querySelector('[data-modal]') !== null) return focusLater(selector);
    const stop = new AbortController();
    for (const type of ['keydown', 'pointerdown'])
      addEventListener(type, () => stop.abort(), { capture: true, signal: stop.signal });
    const end = performance.now() + longestWaitMs;
    const look = (): void => {
      if (stop.signal.aborted) return;
      const element = document.querySelector<HTMLElement>(selector);
      if (element === null && performance.now() < end) return void requestAnimationFrame(look);
      stop.abort();
      element?.focus({ preventScroll: true });
    };
    requestAnimationFrame(look);
  });
}
