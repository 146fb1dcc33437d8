/** Pixels: a hand that holds still. Who moves further takes the press back. */
const SLACK = 4;

/**
 * From now on counts a press for the button that was under the pointer as it went down, where the button has moved from under it since.
 *
 * What stands in a line changes by itself: more tabs, a longer state, another count, an error that came as its field lost the focus.
 * The browser sends its click to the button under the pointer as it goes up, and to none where that is another.
 */
export function startKeepingPresses(): void {
  window.addEventListener('pointerdown', keepPress, true);
}

function keepPress({ target, button, pointerId, clientX, clientY }: PointerEvent): void {
  // One that opens something has done so by now, and what it opened lies under the pointer.
  const pressed = target instanceof Element ? target.closest('button:not([aria-haspopup])') : null;
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
        if (pressed.isConnected) pressed.click();
      });
  };
  window.addEventListener('pointerup', release, true);
  window.addEventListener('pointercancel', release, true);
}
