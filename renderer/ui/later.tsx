import { useSyncExternalStore, type ComponentType } from 'react';
import { whenIdle } from './when-idle';

/** Parts that nobody has asked for yet; null once the first view stands there: what comes then is fetched as it comes. */
let waiting: (() => Promise<void>)[] | null = [];

/**
 * A part that the first view does without: its script is fetched once that view stands there, or as soon as the part is drawn.
 *
 * Not `lazy` with its fallback: a part that is there already has to be drawn at once, or dialogs blink and lose what is typed.
 */
export function later<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let state: { part: ComponentType<Props> } | { error: unknown } | null = null;
  let fetching: Promise<void> | null = null;
  const drawn = new Set<() => void>();
  const settle = (settled: typeof state): void => {
    state = settled;
    for (const draw of drawn) draw();
  };
  const fetchPart = (): Promise<void> =>
    (fetching ??= load().then(
      (part) => settle({ part }),
      (error: unknown) => {
        // Asked for again where it is drawn again.
        fetching = null;
        if (drawn.size > 0) settle({ error });
      },
    ));
  const subscribe = (draw: () => void): (() => void) => {
    drawn.add(draw);
    void fetchPart();
    return () => {
      drawn.delete(draw);
      if (state !== null && 'error' in state) state = null;
    };
  };
  const read = (): typeof state => state;
  if (waiting === null) fetchWhenIdle(fetchPart);
  else waiting.push(fetchPart);
  return function Later(props) {
    // What is fetched between drawing and subscribing is seen, too: a dialog that was asked for then did not come.
    const now = useSyncExternalStore(subscribe, read, read);
    if (now === null) return null;
    if ('error' in now) throw now.error;
    return <now.part {...props} />;
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
  whenIdle(() => void fetchPart().then(done, done), latestIdleMs);
}
