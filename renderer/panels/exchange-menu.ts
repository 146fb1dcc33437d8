import { navigate } from '../session/routes';
import { copyAction } from '../ui/copy-action';
import type { MenuAction } from '../ui/menu';

/** What can be done with a row that carries a reference: its journey, and the words that are copied from it. */
export function listReferenceActions(
  reference: string | null,
  copies: readonly (readonly [label: string, text: string | null])[],
): MenuAction[] {
  return [
    {
      id: 'journey',
      label: 'Open the journey',
      obstacle: reference === null && 'It names no reference',
      onAction: () => navigate('payments', reference ?? ''),
    },
    { ...copyAction('reference', 'Copy the reference', reference), hasLineAbove: true },
    ...copies.map(([label, text]) => copyAction(label, label, text)),
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
