import { say } from './say';

/** Characters. A field lays out what is pasted before anybody can refuse it: tens of megabytes hold the window up for seconds. */
const LONGEST_PASTED = 1_000_000;
/** An editor takes more, half a second of it. */
export const LONGEST_IN_EDITOR = 4_000_000;

export const TOO_LONG = 'What was pasted is too long for this field.';
export const TOO_LONG_FOR_EDITOR =
  'What was pasted is longer than four million characters, and was left out. Keep it in a file of its own.';

/** Keeps a text out of a field that is too long for it, and hands it over. */
export function refuseLongPaste(
  event: Pick<ClipboardEvent, 'clipboardData' | 'preventDefault'>,
  take: (text: string) => void,
  most = LONGEST_PASTED,
): void {
  const text = event.clipboardData?.getData('text/plain') ?? '';
  if (text.length <= most) return;
  event.preventDefault();
  take(text);
}

/** The same at a plain field, which has no place to say so. */
export function refuseAtField(event: Pick<ClipboardEvent, 'clipboardData' | 'preventDefault'>): void {
  refuseLongPaste(event, () => say(TOO_LONG));
}
