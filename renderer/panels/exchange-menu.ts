import { navigate } from '../session/routes';
import { copyToClipboard } from '../ui/clipboard';
import type { MenuAction } from '../ui/menu';

const copy = (id: string, label: string, text: string | null): MenuAction => ({
  id,
  label,
  isDisabled: text === null,
  onAction: () => void copyToClipboard(text ?? ''),
});

/** What can be done with a row that carries a reference: its journey, and the words that are copied from it. */
export function listReferenceActions(
  reference: string | null,
  copies: readonly (readonly [label: string, text: string | null])[] = [],
): MenuAction[] {
  return [
    {
      id: 'journey',
      label: 'Open the journey',
      isDisabled: reference === null,
      onAction: () => navigate('payments', reference ?? ''),
    },
    { ...copy('reference', 'Copy the reference', reference), hasLineAbove: true },
    ...copies.map(([label, text]) => copy(label, label, text)),
  ];
}

/** What can be done with a request that the sandbox answered or that passed through the proxy. */
export function listExchangeActions(
  { path, reference }: { path: string; reference: string | null },
  onOpen: () => void,
  openLabel = 'Open',
): MenuAction[] {
  return [
    { id: 'open', label: openLabel, onAction: onOpen },
    ...listReferenceActions(reference, [['Copy the address path', path]]),
  ];
}
