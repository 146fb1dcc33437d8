/** What turns the direction of text or cannot be seen, by code point: shown as a mark, so that nothing hides in it. */
const controlNames: Readonly<Record<string, string>> = {
  '\u00ad': 'SHY',
  '\u061c': 'ALM',
  '\u200b': 'ZWSP',
  '\u200e': 'LRM',
  '\u200f': 'RLM',
  '\u202a': 'LRE',
  '\u202b': 'RLE',
  '\u202c': 'PDF',
  '\u202d': 'LRO',
  '\u202e': 'RLO',
  '\u2060': 'WJ',
  '\u2066': 'LRI',
  '\u2067': 'RLI',
  '\u2068': 'FSI',
  '\u2069': 'PDI',
  '\ufeff': 'BOM',
};

const controls = new RegExp(`[${Object.keys(controlNames).join('')}]`, 'gu');
/** More marks over one letter than any script has: drawing them takes the window seconds, and nobody reads them. */
const heapedMarks = /\p{M}{12,}/gu;

/** Whether a text has more marks over one letter than can be drawn. */
export function hasHeapedMarks(text: string): boolean {
  return text.search(heapedMarks) !== -1;
}

/** Gives a text as it is shown: `[RLO]` for a control that would turn what follows it, a count for heaped marks. */
export function showControls(text: string): string {
  return text
    .replace(controls, (control) => `[${controlNames[control] ?? '?'}]`)
    .replace(heapedMarks, (marks) => `[${marks.length} combining marks]`);
}
