/** Whoever removed what had the focus may have a better place for it: a dialog, what it was opened from. */
const graceMs = 150;

/** Where the focus was last, and the pane around it. */
interface LastFocus {
  element: Element;
  pane: HTMLElement | null;
}

/**
 * Takes the focus back to its pane where what had it is gone: a tab, a row or a form that closed. Left on the page, it would
 * begin again at the window's start, and the keys of the pane would do nothing.
 * @returns what ends it
 */
export function keepFocus(): () => void {
  let last: LastFocus | null = null;
  const note = ({ target }: FocusEvent): void => {
    if (!(target instanceof Element)) return;
    last = { element: target, pane: target.closest<HTMLElement>('[data-pane]') ?? last?.pane ?? null };
  };
  const takeBack = (): void => {
    if (document.activeElement !== document.body || last === null || last.element.isConnected) return;
    const gone = last.element;
    const goBack = (): void => {
      if (document.activeElement !== document.body || last?.element !== gone) return;
      const pane = last.pane?.isConnected
        ? last.pane
        : document.querySelector<HTMLElement>('main [data-pane]');
      pane?.focus({ preventScroll: true });
    };
    setTimeout(goBack, graceMs);
  };
  const observer = new MutationObserver(takeBack);
  observer.observe(document.body, { childList: true, subtree: true });
  document.addEventListener('focusin', note);
  return () => {
    observer.disconnect();
    document.removeEventListener('focusin', note);
  };
}
