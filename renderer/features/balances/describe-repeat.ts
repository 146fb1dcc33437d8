import type { RepeatSeconds } from './balances-store';

/** Names how often balances are read again. */
export function nameRepeat(seconds: RepeatSeconds): string {
  if (seconds === 0) return 'Read when asked';
  return seconds < 120 ? `Every ${seconds} s` : `Every ${seconds / 60} min`;
}

/** What stands where nothing was read of an environment yet: it may be asked by itself all the same. */
export function describeUnread(seconds: RepeatSeconds): { title: string; text: string } {
  if (seconds === 0)
    return {
      title: 'Balances are read when you ask',
      text: 'One query for each product; nothing is sent to this environment by itself.',
    };
  return {
    title: 'Balances are not read yet',
    text: `One query for each product. While this view is on show they are read by themselves, as chosen above: ${nameRepeat(seconds).toLowerCase()}.`,
  };
}
