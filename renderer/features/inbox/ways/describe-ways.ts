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

/** What the backend refuses while it takes others; empty: nothing, or it takes none at all, which is said by itself. */
export function describeRefused({ isOn, trouble, refusedCount, refusedReason }: ForwardingStatus): string {
  if (!isOn || trouble !== null || refusedCount === 0) return '';
  const many = refusedCount === 1 ? '1 is refused' : `${refusedCount.toLocaleString('en')} are refused`;
  return `${many} and tried again; the others go on. ${refusedReason ?? ''}`.trimEnd();
}
