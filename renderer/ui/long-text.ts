import { hasHeapedMarks } from '@shared/show-controls';

const longestEditable = 100_000;

/** Whether a text is short and plain enough for a text area; others are shown row by row, and replaced as a whole. */
export function isEditable(text: string): boolean {
  return text.length <= longestEditable && !hasHeapedMarks(text);
}

/** Says why an editor does not wrap a text, whatever is chosen; null: it wraps it. */
export function describeUnwrapped(text: string): string | null {
  if (isEditable(text)) return null;
  return text.length > longestEditable
    ? `Texts of more than ${longestEditable / 1000},000 characters do not wrap while they are edited`
    : 'Texts with this many marks on a letter do not wrap while they are edited';
}
