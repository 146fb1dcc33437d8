import { useSyncExternalStore, type ComponentType, type ReactNode } from 'react';
import { whenIdle } from './when-idle';

/** Parts that nobody has asked for yet; null once the first view stands there: what comes then is fetched as it comes. */
let waiting: (() => Promise<void>)[] | null = [];

/** Says of each part whether it is drawn and its script still under way. */
const waits: (() => boolean)[] = [];

/** Whether something that is asked for now cannot be drawn yet. */
export function isPartAwaited(): boolean {
  return waits.some((isAwaited) => isAwaited());
}

interface LaterOptions<Props> {
  /** Stands there until the script does. */
  instead?: (props: Props) => ReactNode;
  /** Hook: whether what is drawn now needs the part. A dialog stands in its view long before it opens. */
  useIsAsked?: (props: Props) => boolean;
  /** Left for whoever draws it: what most sessions never look at. */
  isSeldom?: boolean;
}

/**
 * A part that the first view does without: its script is fetched once that view stands there, or as soon as the part is drawn.
 *
 * Not `lazy` of React: that draws its fallback though the script is there already, so that dialogs blink and lose what is
 * typed, and once it has drawn it, keeps it for 300 ms.
 */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { instead, useIsAsked = always, isSeldom = false }: LaterOptions<Props> = {},
): ComponentType<Props> {
  let state: { part: ComponentType<Props> } | { error: unknown } | null = null;
  let fetching: Promise<void> | null = null;
  let asking = 0;
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
        if (asking > 0) settle({ error });
      },
    ));
  const watch = (draw: () => void): (() => void) => {
    drawn.add(draw);
    return () => void drawn.delete(draw);
  };
  const ask = (draw: () => void): (() => void) => {
    const stop = watch(draw);
    asking += 1;
    void fetchPart();
    return () => {
      stop();
      asking -= 1;
      if (state !== null && 'error' in state) state = null;
    };
  };
  const read = (): typeof state => state;
  waits.push(() => state === null && asking > 0);
  if (!isSeldom) fetchSometime(fetchPart);
  return function Later(props) {
    const isAsked = useIsAsked(props);
    // What is fetched between drawing and subscribing is seen, too: a dialog that was asked for then did not come.
    const now = useSyncExternalStore(isAsked ? ask : watch, read, read);
    if (now === null) return isAsked ? instead?.(props) : null;
    if ('part' in now) return <now.part {...props} />;
    if (isAsked) throw now.error;
    return null;
  };
}

const always = (): boolean => true;

/** A module that the first view does without, fetched as such a part is, or as soon as it is called for. */
export function laterModule<Module>(load: () => Promise<Module>): () => Promise<Module> {
  let fetching: Promise<Module> | null = null;
  const fetchModule = (): Promise<Module> =>
    (fetching ??= load().catch((error: unknown) => {
      fetching = null;
      throw error;
    }));
  const ignore = (): void => undefined;
  fetchSometime(() => fetchModule().then(ignore, ignore));
  return fetchModule;
}

function fetchSometime(fetchPart: () => Promise<void>): void {
  if (waiting === null) fetchWhenIdle(fetchPart);
  else waiting.push(fetchPart);
}

/** What the first view reads before it stands there. */
let firstView: Promise<unknown> = Promise.resolve();

/** Has `fetchLater` wait for what the first view reads. */
export function fetchLaterThan(reading: Promise<unknown>): void {
  if (waiting !== null) firstView = Promise.allSettled([firstView, reading]);
}

/** Fetches what the first view did without, one part after the other, while nothing else is going on. */
export async function fetchLater(): Promise<void> {
  await firstView;
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
