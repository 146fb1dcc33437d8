import { hasHeapedMarks } from '@shared/show-controls';

const longestEditable = 100_000;

/** Whether a text is short and plain enough for a text area; others are shown row by row, and replaced as a whole. */
export function isEditable(text: string): boolean {
  return text.length <= longestEditable && !hasHeapedMarks(text);
}
