import { dayMs, hourMs, minuteMs, secondMs } from '@shared/format-duration';
import { countOf } from '@shared/count-of';

export { formatDuration } from '@shared/format-duration';

const pad = (value: number, width = 2): string => String(value).padStart(width, '0');

/** Writes an instant in local time to the millisecond: `2026-11-21 10:00:02.113`. */
export function formatExact(at: number): string {
  const date = new Date(at);
  const day = `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
  const time = `${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}`;
  return `${day} ${time}.${pad(date.getMilliseconds(), 3)}`;
}

/**
 * Writes how long ago an instant is: 'just now', '40 s ago', '3 min ago', '10:00:02', '20 Nov 10:00'. One that is still to come,
 * where the clock was put back, as one of long ago.
 */
export function formatRelative(at: number, now: number): string {
  const agoMs = now < at ? at - now + hourMs : now - at;
  if (agoMs < 5 * secondMs) return 'just now';
  if (agoMs < minuteMs) return `${Math.floor(agoMs / secondMs)} s ago`;
  if (agoMs < hourMs) return `${Math.floor(agoMs / minuteMs)} min ago`;
  const exact = formatExact(at);
  if (agoMs < dayMs && exact.slice(0, 10) === formatExact(now).slice(0, 10)) return exact.slice(11, 19);
  const month = new Date(at).toLocaleDateString('en-GB', { day: 'numeric', month: 'short' });
  const isSameYear = exact.slice(0, 4) === formatExact(now).slice(0, 4);
  return isSameYear ? `${month} ${exact.slice(11, 16)}` : `${month} ${exact.slice(0, 4)}`;
}

/** Writes a size: `214 bytes`, `2.1 MB`. */
export function formatBytes(sizeBytes: number): string {
  if (sizeBytes < 10_000) return countOf(sizeBytes, 'byte');
  if (sizeBytes < 1_000_000) return `${(sizeBytes / 1000).toFixed(1)} kB`;
  return `${(sizeBytes / 1_000_000).toFixed(1)} MB`;
}
