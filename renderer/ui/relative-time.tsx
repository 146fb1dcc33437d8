import { useSyncExternalStore, type ReactNode } from 'react';
import { formatRowTime } from './format-row-time';
import { formatExact, formatRelative } from './format-time';
import { cx } from './cx';
import styles from './relative-time.module.css';
import { createTick } from './use-now';

const tickMs = 10_000;
const tick = createTick(tickMs);

interface TimeProps {
  at: number;
  className?: string;
}

/** The time of the clock, which ticks: what came since the last tick came now. What lies further ahead was told by another clock. */
const useNow = (at: number): number =>
  useSyncExternalStore(tick.subscribe, () => {
    const now = tick.now();
    return at - now < 2 * tickMs ? Math.max(now, at) : now;
  });

/** A time as a person says it ('2 min ago'); the exact one on hover and for screen readers. */
export function RelativeTime({ at, className }: TimeProps) {
  return time({ at, className }, formatRelative(at, useNow(at)));
}

/** A time of day to the millisecond; the date on hover. */
export function ExactTime({ at, className }: TimeProps) {
  return time({ at, className: cx(styles.exact, className) }, formatExact(at).slice(11, 23));
}

/** A time beside a row: the clock for today, the day before that; the exact one on hover. */
export function RowTime({ at, className }: TimeProps) {
  return time({ at, className }, formatRowTime(at, useNow(at)));
}

function time({ at, className }: TimeProps, text: string): ReactNode {
  const exact = formatExact(at);
  return (
    <time className={cx(styles.time, className)} dateTime={new Date(at).toISOString()} title={exact}>
      {text}
    </time>
  );
}
