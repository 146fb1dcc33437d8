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

/** What the backend refuses, or does not answer in time, while it takes others; empty: nothing, or it takes none at all, which is said by itself. */
export function describeRefused({ isOn, trouble, refusedCount, refusedReason }: ForwardingStatus): string {
  if (!isOn || trouble !== null || refusedCount === 0) return '';
  const many =
    refusedCount === 1
      ? '1 was not taken and is'
      : `${refusedCount.toLocaleString('en')} were not taken and are`;
  return `${many} tried again; other references go on. ${refusedReason ?? ''}`.trimEnd();
}
