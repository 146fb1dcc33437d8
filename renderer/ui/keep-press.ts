/** Pixels: a hand that holds still. Who moves further takes the press back. */
const SLACK = 4;

/** Rows of a live list, too; those of React Aria go by the pointer, not by its click. */
const PRESSED = 'button:not([aria-haspopup]), [role="option"]:not([data-rac])';

/**
 * From now on counts a press for the button or row that was under the pointer as it went down, where it has moved from under it since.
 *
 * What stands in a line changes by itself: more tabs, a longer state, another count, an error that came as its field lost the focus;
 * rows go down as webhooks come in. The browser sends its click to what is under the pointer as it goes up, and to none of both
 * where that is another.
 */
export function startKeepingPresses(): void {
  window.addEventListener('pointerdown', keepPress, true);
}

function keepPress({ target, button, pointerId, clientX, clientY }: PointerEvent): void {
  // One that opens something has done so by now, and what it opened lies under the pointer.
  const pressed = target instanceof Element ? target.closest(PRESSED) : null;
  if (button !== 0 || !(pressed instanceof HTMLElement)) return;
  const release = (event: PointerEvent): void => {
    if (event.pointerId !== pointerId) return;
    window.removeEventListener('pointerup', release, true);
    window.removeEventListener('pointercancel', release, true);
    const isHeldStill = Math.hypot(event.clientX - clientX, event.clientY - clientY) <= SLACK;
    const isUnder = event.target instanceof Node && pressed.contains(event.target);
    // After whoever else listens for the pointer: a press that they take back is theirs no more.
    if (event.type === 'pointerup' && isHeldStill && !isUnder)
      setTimeout(() => {
        if (pressed.isConnected) click(pressed, event);
      });
  };
  window.addEventListener('pointerup', release, true);
  window.addEventListener('pointercancel', release, true);
}

/** A button that is disabled is not clicked; a row is chosen beside others where a key is held. */
function click(pressed: HTMLElement, { ctrlKey, metaKey, shiftKey }: PointerEvent): void {
  if (pressed instanceof HTMLButtonElement) pressed.click();
  else
    pressed.dispatchEvent(
      new MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }),
    );
}
