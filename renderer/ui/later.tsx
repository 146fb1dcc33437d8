import { useEffect, useState, type ComponentType } from 'react';

/** Parts that nobody has asked for yet; null once the first view stands there: what comes then is fetched as it comes. */
let waiting: (() => Promise<void>)[] | null = [];

/**
 * A part that the first view does without: its script is fetched once that view stands there, or as soon as the part is drawn.
 *
 * Not `lazy` with its fallback: a part that is there already has to be drawn at once, or dialogs blink and lose what is typed.
 */
export function later<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let part: ComponentType<Props> | null = null;
  let fetching: Promise<void> | null = null;
  const fetchPart = (): Promise<void> =>
    (fetching ??= load().then(
      (loaded) => {
        part = loaded;
      },
      (error: unknown) => {
        // Asked for again where it is drawn again.
        fetching = null;
        throw error;
      },
    ));
  if (waiting === null) fetchWhenIdle(fetchPart);
  else waiting.push(fetchPart);
  return function Later(props) {
    const [state, setState] = useState<{ error: unknown } | 'fetched' | null>(null);
    useEffect(() => {
      if (part === null)
        fetchPart().then(
          () => setState('fetched'),
          (error: unknown) => setState({ error }),
        );
    }, []);
    if (state !== null && state !== 'fetched') throw state.error;
    const Part = part;
    return Part === null ? null : <Part {...props} />;
  };
}

/** Fetches what the first view did without, one part after the other, while nothing else is going on. */
export function fetchLater(): void {
  const parts = waiting ?? [];
  waiting = null;
  const fetchNext = (): void => {
    const fetchPart = parts.shift();
    // What cannot be fetched is said where it is drawn.
    if (fetchPart) fetchWhenIdle(fetchPart, fetchNext);
  };
  fetchNext();
}

const latestIdleMs = 5000;

function fetchWhenIdle(fetchPart: () => Promise<void>, done?: () => void): void {
  requestIdleCallback(() => void fetchPart().then(done, done), { timeout: latestIdleMs });
}
