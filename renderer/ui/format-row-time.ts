import { formatExact } from './format-time';

/** Clock time for today, day and month before that: what a mail client shows beside a row. */
export function formatRowTime(at: number, now: number): string {
  const date = new Date(at);
  if (date.toDateString() === new Date(now).toDateString()) return formatExact(at).slice(11, 19);
  const month = date.toLocaleString('en', { month: 'short' });
  const year = date.getFullYear() === new Date(now).getFullYear() ? '' : ` ${date.getFullYear()}`;
  return `${date.getDate()} ${month}${year}`;
}
