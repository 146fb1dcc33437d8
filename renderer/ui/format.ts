/** Puts a comma between thousands of a number as written; anything else stays as it is. */
export function groupDigits(literal: string): string {
  const match = /^(-?)(\d+)(\.\d+)?$/.exec(literal);
  if (!match) return literal;
  const [, sign, whole, fraction] = match;
  return `${sign}${whole!.replace(/\B(?=(\d{3})+$)/g, ',')}${fraction ?? ''}`;
}

/** Says in bytes, kB or MB how large something is. */
export function describeSize(sizeBytes: number): string {
  if (sizeBytes < 1000) return sizeBytes === 1 ? '1 byte' : `${sizeBytes} bytes`;
  if (sizeBytes < 1_000_000) return `${(sizeBytes / 1000).toFixed(1)} kB`;
  return `${(sizeBytes / 1_000_000).toFixed(1)} MB`;
}

/** Says how long something took, in the largest unit that keeps it readable. */
export function describeDuration(durationMs: number): string {
  const ms = Math.abs(durationMs);
  if (ms > 0 && ms < 1) return `${durationMs.toFixed(1)} ms`;
  if (ms < 1000) return `${Math.round(durationMs)} ms`;
  if (ms < 60_000) return `${(durationMs / 1000).toFixed(1)} s`;
  if (ms < 3_600_000) return `${Math.round(durationMs / 60_000)} min`;
  if (ms < 86_400_000) return `${Math.round(durationMs / 3_600_000)} h`;
  const days = Math.round(durationMs / 86_400_000);
  return days === 1 ? '1 day' : `${days} days`;
}

const two = (value: number): string => String(value).padStart(2, '0');

/** Clock time of an instant in the local zone, `10:00:04`. */
export function formatClock(at: number): string {
  const date = new Date(at);
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

/** Day and clock time in the local zone, `2026-11-21 10:00:04`. */
export function formatExact(at: number): string {
  const date = new Date(at);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${formatClock(at)}`;
}

/** Clock time for today, day and month before that: what a mail client shows beside a row. */
export function formatRowTime(at: number, now: number): string {
  const date = new Date(at);
  if (date.toDateString() === new Date(now).toDateString()) return formatClock(at);
  const month = date.toLocaleString('en', { month: 'short' });
  const year = date.getFullYear() === new Date(now).getFullYear() ? '' : ` ${date.getFullYear()}`;
  return `${date.getDate()} ${month}${year}`;
}

/** '4 s ago', '3 days ago', 'in 20 min'. */
export function formatRelative(at: number, now: number): string {
  const distance = now - at;
  if (Math.abs(distance) < 1000) return 'now';
  const words =
    Math.abs(distance) < 60_000
      ? `${Math.round(Math.abs(distance) / 1000)} s`
      : describeDuration(Math.abs(distance));
  return distance > 0 ? `${words} ago` : `in ${words}`;
}
