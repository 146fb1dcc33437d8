import { useSyncExternalStore } from 'react';
import { formatRowTime } from './format-row-time';
import { formatExact, formatRelative } from './format-time';
import { cx } from './cx';
import styles from './relative-time.module.css';

const tickMs = 10_000;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | null = null;
let now = Date.now();

function subscribeToTick(listener: () => void): () => void {
  listeners.add(listener);
  if (timer === null) {
    // No time was shown for a while: the clock stood still meanwhile.
    now = Date.now();
    timer = setInterval(() => {
      now = Date.now();
      for (const one of listeners) one();
    }, tickMs);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0 || timer === null) return;
    clearInterval(timer);
    timer = null;
  };
}

/** A time as a person says it ('2 min ago'); the exact one on hover and for screen readers. */
export function RelativeTime({ at, className }: { at: number; className?: string }) {
  const shown = useSyncExternalStore(subscribeToTick, () => Math.max(now, at));
  return (
    <time
      className={cx(styles.time, className)}
      dateTime={new Date(at).toISOString()}
      title={formatExact(at)}
    >
      {formatRelative(at, shown)}
    </time>
  );
}

/** A time of day to the millisecond; the date on hover. */
export function ExactTime({ at, className }: { at: number; className?: string }) {
  return (
    <time
      className={cx(styles.time, styles.exact, className)}
      dateTime={new Date(at).toISOString()}
      title={formatExact(at)}
    >
      {formatExact(at).slice(11, 23)}
    </time>
  );
}

/** A time beside a row: the clock for today, the day before that; the exact one on hover. */
export function RowTime({ at, className }: { at: number; className?: string }) {
  const shown = useSyncExternalStore(subscribeToTick, () => Math.max(now, at));
  return (
    <time
      className={cx(styles.time, className)}
      dateTime={new Date(at).toISOString()}
      title={formatExact(at)}
    >
      {formatRowTime(at, shown)}
    </time>
  );
}
