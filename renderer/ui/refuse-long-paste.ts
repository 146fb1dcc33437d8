import type { ClipboardEvent } from 'react';

/** Characters. A field lays out what is pasted before anybody can refuse it: tens of megabytes hold the window up for seconds. */
const LONGEST_PASTED = 1_000_000;

export const TOO_LONG = 'What was pasted is too long for this field.';

/** Keeps a text out of a field that is too long for any, and hands it over. */
export function refuseLongPaste(
  event: Pick<ClipboardEvent, 'clipboardData' | 'preventDefault'>,
  take: (text: string) => void,
): void {
  const text = event.clipboardData.getData('text/plain');
  if (text.length <= LONGEST_PASTED) return;
  event.preventDefault();
  take(text);
}
