import { hasHeapedMarks } from '@shared/show-controls';
import { turnsTooOften } from '@shared/turning-text';

const longestEditable = 100_000;
/** What is drawn behind a text area has an element for each: thousands take seconds. */
const MOST_LINES = 2000;
/** Whether a text is short and plain enough for a text area; others are shown row by row, and replaced as a whole. */
export function isEditable(text: string): boolean {
  return describeUnwrapped(text) === null && text.split('\n', MOST_LINES + 1).length <= MOST_LINES;
}

/** Says why an editor does not wrap a text, whatever is chosen; null: it wraps it. */
export function describeUnwrapped(text: string): string | null {
  if (text.length > longestEditable)
    return `Texts of more than ${longestEditable / 1000},000 characters do not wrap while they are edited`;
  if (hasHeapedMarks(text)) return 'Texts with this many marks on a letter do not wrap while they are edited';
  if (turnsTooOften(text, false))
    return 'Texts that change their direction this often do not wrap while they are edited';
  return null;
}
