import { activeCharacters, describeHidden } from './hidden-characters';

/** More marks over one letter than any script has: drawing them takes the window seconds, and nobody reads them. */
const heapedMarks = /\p{M}{12,}/gu;

/** Whether a text has more marks over one letter than can be drawn. */
export function hasHeapedMarks(text: string): boolean {
  return text.search(heapedMarks) !== -1;
}

/** Gives a text as it is shown: `[RLO]` for a control that would turn what follows it, a count for heaped marks. */
export function showControls(text: string): string {
  // Heaps first: half a million marks are one word then, and nobody looks for controls among them.
  return text
    .replace(heapedMarks, (marks) => `[${marks.length} combining marks]`)
    .replace(activeCharacters, (character) => describeHidden(character.codePointAt(0)!)?.mark ?? character);
}

/** Gives words for a text of white space alone, which would stand there as nothing. */
export function nameWhiteSpace(text: string): string {
  return /^\s+$/.test(text) ? '[white space]' : text;
}
