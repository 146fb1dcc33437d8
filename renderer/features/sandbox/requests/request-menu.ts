import type { SandboxRequest } from '@shared/contract/sandbox';
import { navigate } from '../../../session/routes';
import { copyToClipboard } from '../../../ui/clipboard';
import type { MenuAction } from '../../../ui/menu';

/** What can be done with a request of the log. */
export function listRequestActions(
  { id, path, reference, verdict }: SandboxRequest,
  onOpen: (id: string) => void,
): MenuAction[] {
  return [
    {
      id: 'open',
      label: verdict === 'signature' ? 'Explain the signature' : 'Open',
      onAction: () => onOpen(id),
    },
    {
      id: 'journey',
      label: 'Open the journey',
      isDisabled: reference === null,
      onAction: () => navigate('payments', reference ?? ''),
    },
    {
      id: 'reference',
      label: 'Copy the reference',
      isDisabled: reference === null,
      hasLineAbove: true,
      onAction: () => void copyToClipboard(reference ?? ''),
    },
    { id: 'path', label: 'Copy the address path', onAction: () => void copyToClipboard(path) },
  ];
}
