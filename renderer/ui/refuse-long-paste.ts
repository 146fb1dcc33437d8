import { say } from './say';

/** Characters. A field lays out what is pasted before anybody can refuse it: tens of megabytes hold the window up for seconds. */
const LONGEST_PASTED = 1_000_000;
/** How often a line may turn to letters that are read from the right: laying it out takes time by the square of that. */
const MOST_TURNS = 5000;
const readFromRight =
  /[\u200f\u202b\u202e\u2067\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]+/gu;

/** An editor takes more, half a second of it. */
export const LONGEST_IN_EDITOR = 4_000_000;

export const TOO_LONG = 'What was pasted is too long for this field.';
export const TOO_LONG_FOR_EDITOR =
  'What was pasted is longer than four million characters, and was left out. Keep it in a file of its own.';

type PasteEvent = Pick<ClipboardEvent, 'clipboardData' | 'preventDefault'> & Partial<Pick<Event, 'target'>>;

/** Keeps a text out of a field that is too long for it, and hands it over. */
export function refuseLongPaste(
  event: PasteEvent,
  take: (text: string) => void,
  most = LONGEST_PASTED,
): void {
  const text = event.clipboardData?.getData('text/plain') ?? '';
  const turns = (line: string): number => line.match(readFromRight)?.length ?? 0;
  // A field of one line makes one of them all.
  const isOneLine = (event.target as Partial<Element> | undefined)?.tagName === 'INPUT';
  const lines = isOneLine ? [text] : text.split('\n');
  const isSlow = most === LONGEST_PASTED && lines.some((line) => turns(line) > MOST_TURNS);
  if (text.length <= most && !isSlow) return;
  event.preventDefault();
  take(text);
}

/** The same at a plain field, which has no place to say so. */
export function refuseAtField(event: PasteEvent): void {
  refuseLongPaste(event, () => say(TOO_LONG));
}
