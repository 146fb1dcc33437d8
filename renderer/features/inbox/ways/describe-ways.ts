import type { ForwardingStatus } from '@shared/contract/forwarding';

/** What waits, and what is left out, as it follows the address. */
export function describeForwarding({ isOn, filter, backlogCount }: ForwardingStatus): string {
  const parts: string[] = [];
  if (backlogCount > 0) {
    const many = backlogCount.toLocaleString('en');
    parts.push(`${many} ${backlogCount === 1 ? 'waits' : 'wait'}`);
  }
  if (isOn && filter.trim() !== '') parts.push(`where ${filter.trim()}`);
  return parts.join(' · ');
}
