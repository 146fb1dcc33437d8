import { turnsTooOften } from '@shared/turning-text';
import { say } from './say';

/** Characters. A field lays out what is pasted before anybody can refuse it: tens of megabytes hold the window up for seconds. */
const LONGEST_IN_FIELD = 500_000;
/** An editor takes more, half a second of it. */
export const LONGEST_IN_EDITOR = 4_000_000;

export const TOO_LONG = 'What was pasted is too long for this field.';
export const TOO_LONG_FOR_EDITOR =
  'What was pasted is longer than four million characters, and was left out. Keep it in a file of its own.';

type PasteEvent = Pick<ClipboardEvent, 'clipboardData' | 'preventDefault'> & Partial<Pick<Event, 'target'>>;

/** Whether a field takes too long to lay a text out, which the window would wait for. */
export const isTooLongForField = (text: string, isOneLine: boolean): boolean =>
  text.length > LONGEST_IN_FIELD || turnsTooOften(text, isOneLine);

/** Keeps a text out of a field that is too long for it, and hands it over. */
export function refuseLongPaste(
  event: PasteEvent,
  take: (text: string) => void,
  most = LONGEST_IN_FIELD,
): void {
  const text = event.clipboardData?.getData('text/plain') ?? '';
  const isInEditor = most !== LONGEST_IN_FIELD;
  // A field of one line makes one of them all.
  const isOneLine = (event.target as Partial<Element> | undefined)?.tagName === 'INPUT';
  if (isInEditor ? text.length <= most : !isTooLongForField(text, isOneLine)) return;
  event.preventDefault();
  take(text);
}

/** The same at a plain field, which has no place to say so. */
export function refuseAtField(event: PasteEvent): void {
  refuseLongPaste(event, () => say(TOO_LONG));
}
