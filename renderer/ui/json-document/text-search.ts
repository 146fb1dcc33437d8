import { useEffect, useState } from 'react';

/** Hits of a search in a text: where each begins and ends. */
export interface TextHits {
  hits: readonly { start: number; end: number }[];
  isCut: boolean;
}

/** So much is looked through between two looks at the clock. */
const stepChars = 500_000;
const stepMs = 8;
const mostHits = 2000;
const none: TextHits = { hits: [], isCut: false };

/** Finds a text in another, in whatever case, a step at a time. */
export function* findInSteps(text: string, query: string): Generator<void, TextHits> {
  const pattern = new RegExp(query.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'gi');
  const hits: { start: number; end: number }[] = [];
  for (let from = 0; from < text.length;) {
    // A hit may lie across the end of a piece.
    const piece = text.slice(from, from + stepChars + query.length);
    const isLast = from + stepChars >= text.length;
    pattern.lastIndex = 0;
    let next = from + stepChars;
    for (let found = pattern.exec(piece); found !== null; found = pattern.exec(piece)) {
      if (!isLast && found.index >= stepChars) break;
      const start = from + found.index;
      if (hits.length === mostHits) return { hits, isCut: true };
      hits.push({ start, end: start + found[0].length });
      next = Math.max(next, start + found[0].length);
    }
    from = next;
    yield;
  }
  return { hits, isCut: false };
}

/** The hits of a search in the text that is shown; a long text never holds the window up. */
export function useTextHits(text: string, query: string): TextHits {
  const [found, setFound] = useState<{ text: string; query: string; result: TextHits } | null>(null);
  useEffect(() => {
    if (query === '') return undefined;
    const steps = findInSteps(text, query);
    let timer = setTimeout(function work() {
      const endAt = performance.now() + stepMs;
      while (performance.now() < endAt) {
        const step = steps.next();
        if (step.done) return setFound({ text, query, result: step.value });
      }
      timer = setTimeout(work);
    });
    return () => clearTimeout(timer);
  }, [text, query]);
  return found !== null && found.text === text && found.query === query && query !== '' ? found.result : none;
}
