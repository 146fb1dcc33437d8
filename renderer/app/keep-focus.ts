import { lists } from './enter-list';

/** Whoever removed what had the focus may have a better place for it: a dialog, what it was opened from. */
const graceMs = 150;

/** Where the focus was last in a pane. */
interface Place {
  element: HTMLElement;
  pane: HTMLElement;
  /** What holds it and goes by arrow keys, and what that is called: rows come and go, and a list may be made anew. */
  list: HTMLElement | null;
  label: string | null;
}

/**
 * Takes the focus back to its place where what had it is gone: a tab, a row, a form that closed, a dialog that was opened from a
 * menu. Left on the page, it would begin again at the window's start, and the keys of the list or the pane would do nothing.
 * @returns what ends it
 */
export function keepFocus(): () => void {
  let last: Element | null = null;
  let place: Place | null = null;
  /** What has the focus is greyed, which takes it away: a button whose work is under way, or done. */
  let isGreyed = false;
  /** The pane of a button that stays greyed: it has the focus until the button can have it again. */
  let standIn: HTMLElement | null = null;
  /** Somebody went to another view, and had no place in this one. */
  let isLed = false;
  const lead = (): void => void (isLed = true);
  const note = ({ target }: FocusEvent): void => {
    if (!(target instanceof HTMLElement) || target === standIn) return;
    last = target;
    isLed = isGreyed = false;
    standIn = null;
    const pane = target.closest<HTMLElement>('[data-pane]');
    if (pane === null) return;
    const list = target.closest<HTMLElement>(lists);
    place = { element: target, pane, list, label: list?.ariaLabel ?? null };
  };
  const takeBack = (): void => {
    const isLost = isLed || (last !== null && isOut(last));
    if (!isNowhere() || !isLost) return;
    const gone = last;
    const goBack = (): void => {
      if (!isNowhere() || last !== gone) return;
      const found = findPlace(place);
      // A view whose part is still on its way has none yet: what it draws asks again.
      isLed &&= found === null;
      found?.focus({ preventScroll: true });
    };
    setTimeout(goBack, graceMs);
  };
  const giveBack = ({ target }: MutationRecord): void => {
    if (target !== last || !(target instanceof HTMLButtonElement)) return;
    const isFree = [document.body, standIn].includes(document.activeElement as HTMLElement);
    if (isGreyed && !target.disabled && isFree) target.focus();
    isGreyed = target.disabled;
    if (isGreyed) setTimeout(standBy, graceMs);
  };
  const standBy = (): void => {
    if (!isGreyed || document.activeElement !== document.body || !last?.isConnected) return;
    standIn = last.closest<HTMLElement>('[data-pane], [role=dialog], [role=alertdialog]');
    standIn?.focus({ preventScroll: true });
  };
  const observer = new MutationObserver((changes) => {
    takeBack();
    changes.filter(({ type }) => type === 'attributes').forEach(giveBack);
  });
  observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled', 'inert'] });
  document.addEventListener('focusin', note);
  addEventListener('hashchange', lead);
  return () => {
    observer.disconnect();
    document.removeEventListener('focusin', note);
    removeEventListener('hashchange', lead);
  };
}

/** It is gone, or in a pane that was folded away. */
const isOut = (element: Element): boolean => !element.isConnected || element.closest('[inert]') !== null;

/** In a pane that is folded away an element has the focus until the window is drawn anew, and nothing tells when it has lost it. */
function isNowhere(): boolean {
  const { activeElement, body } = document;
  return activeElement === null || activeElement === body || isOut(activeElement);
}

/** The element itself, else its list, one of the same name, its pane, or any pane. */
function findPlace(place: Place | null): HTMLElement | null {
  if (!place || isOut(place.pane))
    return document.querySelector<HTMLElement>('main [data-pane]:not([inert])');
  const { element, list, label, pane } = place;
  const again = label === null ? null : `${lists}[aria-label=${JSON.stringify(label)}]`;
  return (
    [element, list].find((one) => one?.isConnected && pane.contains(one)) ??
    (again === null ? null : pane.querySelector<HTMLElement>(again)) ??
    pane
  );
}
