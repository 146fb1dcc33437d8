import type { PointerEvent } from 'react';

/** Pixels: a hand that holds still. Who moves further takes the press back. */
const SLACK = 4;

/**
 * Counts a press for the button that was under the pointer as it went down, where the button has moved from under it since.
 *
 * For a row that moves by itself: what is written in it grows, it scrolls, it gets another. The browser sends its click to
 * the button under the pointer as it goes up, and to none where that is another.
 */
export function keepPress({ target, button, pointerId, clientX, clientY }: PointerEvent<HTMLElement>): void {
  const pressed = target instanceof Element ? target.closest('button') : null;
  if (button !== 0 || pressed === null) return;
  const release = (event: globalThis.PointerEvent): void => {
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
