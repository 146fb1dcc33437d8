/** What of a page tells whether it is on show; `document` is one. */
export interface PageVisibility {
  readonly hidden: boolean;
  addEventListener(type: 'visibilitychange', listener: () => void): void;
  removeEventListener(type: 'visibilitychange', listener: () => void): void;
}

/**
 * Does something again and again while a page is on show, never while it is hidden. A turn that fell due meanwhile
 * is made up for once, when the page is back.
 *
 * @returns ends it
 */
export function repeatWhileVisible(page: PageVisibility, everyMs: number, run: () => void): () => void {
  let lastAt = Date.now();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const arm = (): void => {
    clearTimeout(timer);
    if (page.hidden) return;
    // A clock that is put back makes no turn come later.
    timer = setTimeout(turn, Math.min(everyMs, Math.max(0, lastAt + everyMs - Date.now())));
  };
  const turn = (): void => {
    lastAt = Date.now();
    run();
    arm();
  };
  page.addEventListener('visibilitychange', arm);
  arm();
  return () => {
    clearTimeout(timer);
    page.removeEventListener('visibilitychange', arm);
  };
}
