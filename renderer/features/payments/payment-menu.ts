import { navigate } from '../../session/routes';
import { copyAction } from '../../ui/copy-action';
import type { MenuAction } from '../../ui/menu';

/** What can be done with a payment of the list. */
export function listPaymentActions(reference: string, onSelect: (reference: string) => void): MenuAction[] {
  return [
    { id: 'open', label: 'Open the journey', onAction: () => onSelect(reference) },
    { id: 'status', label: 'Query its status', onAction: () => navigate('lookups', reference) },
    { ...copyAction('reference', 'Copy the reference', reference), hasLineAbove: true },
  ];
}
