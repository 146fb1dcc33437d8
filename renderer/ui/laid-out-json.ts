import { useEffect, useState } from 'react';
import { layOutInSteps, layOutJson } from './json-tokens';

/** So much is laid out at once; more goes in steps, and stands as it came until they are done. */
const atOnceChars = 100_000;
const stepMs = 8;

/** JSON over lines, literals as written; a long text never holds the window up. */
export function useLaidOutJson(text: string): string {
  const [long, setLong] = useState<{ text: string; laidOut: string } | null>(null);
  useEffect(() => (text.length > atOnceChars ? layOutLater(text, setLong) : undefined), [text]);
  if (text.length <= atOnceChars) return layOutJson(text);
  return long?.text === text ? long.laidOut : text;
}

function layOutLater(text: string, done: (result: { text: string; laidOut: string }) => void): () => void {
  const steps = layOutInSteps(text);
  let timer: ReturnType<typeof setTimeout> | null = null;
  const work = (): void => {
    const endAt = performance.now() + stepMs;
    while (performance.now() < endAt) {
      const { done: isDone, value } = steps.next();
      if (!isDone) continue;
      if (value !== null) done({ text, laidOut: value });
      return;
    }
    timer = setTimeout(work);
  };
  timer = setTimeout(work);
  return () => {
    if (timer) clearTimeout(timer);
  };
}
